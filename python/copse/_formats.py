"""Sentences as dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

from copse.words import Word

if TYPE_CHECKING:
    from copse.documents import Sentence

_EMPTY_NODE = ("word", "index", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def sentence_dict(sentence: "Sentence", min_alternative: float) -> Dict[str, Any]:
    """As the web service writes it."""
    view = sentence._view
    has_alternatives = min_alternative > 0 and (view.document.has_model or _has_alternatives(view))
    words = []
    for id, row in enumerate(view.rows(), 1):
        form, lemma, upos, xpos, feats, deps, misc = row
        word = Word(sentence, id)
        entry = dict(id=id, form=form, lemma=lemma, upos=upos, xpos=xpos, feats=feats, head=word.head,
                     deprel=word.deprel, deps=deps, misc=misc, start=word.start, end=word.end)  # fmt: skip
        entry.update(_without_none(p=word.p, p_deprel=word.p_deprel))
        if word.is_doubtful:
            entry["doubtful"] = True
        if word.is_pinned:
            entry["pinned"] = True
        if has_alternatives:
            entry["alternatives"] = [
                _without_none(**one._asdict()) for one in sentence.alternatives(id, min_alternative)
            ]
        words.append(entry)
    result: Dict[str, Any] = dict(sent_id=sentence.sent_id, text=sentence.text)
    if sentence.probabilities is not None:
        result.update(log_probability=sentence.log_probability, entropy=sentence.entropy)
    result.update(
        pieces=view.pieces, had_to_prune=view.had_to_prune, comments=sentence.comments, words=words,
        multiword_tokens=[
            dict(first=first, last=last, form=row[0], start=start, end=end, misc=row[-1])
            for first, last, row, start, end in view.multiwords()
        ],
        empty_nodes=[dict(zip(_EMPTY_NODE, node)) for node in view.empty_nodes()],
    )  # fmt: skip
    if view.document.options.kbest > 0:
        result["trees"] = [
            dict(rank=rank, log_probability=tree.log_probability, probability=tree.probability,
                 heads=[None if head < 0 else int(head) for head in tree.heads],
                 **_without_none(deprels=tree.deprels if any(tree.deprels) else None,
                                 p=None if tree.p is None else tree.p.tolist()))
            for rank, tree in enumerate(sentence.trees, 1)
        ]  # fmt: skip
    if view.dropped:
        result["dropped"] = list(view.dropped)
    return result


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


def _without_none(**members: Any) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _has_alternatives(view: Any) -> bool:
    return len(view) > 0 and bool(view.alternatives(1))
