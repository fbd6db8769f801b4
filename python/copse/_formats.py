"""Sentences as dictionaries of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

if TYPE_CHECKING:
    from copse.documents import Sentence


def displacy_dict(sentence: "Sentence") -> Dict[str, Any]:
    """As displaCy wants it."""
    arcs = []
    for word in sentence:
        if not word.head:
            continue
        ends = sorted((word.id - 1, word.head - 1))
        arcs.append(dict(start=ends[0], end=ends[1], label=word.deprel or "",
                         dir="left" if word.id < word.head else "right"))  # fmt: skip
    return dict(words=[dict(text=word.form, tag=word.upos or word.xpos or "") for word in sentence], arcs=arcs)
