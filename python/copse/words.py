"""Words of sentences, and the trees and heads that these may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple, Optional

import numpy as np

if TYPE_CHECKING:
    from copse.documents import Sentence

__all__ = ["Alternative", "Tree", "Word"]


class Alternative(NamedTuple):
    """A head that a word may have."""

    head: int
    """Number of the head; 0 is the root."""
    p: float
    """Probability of the arc, all other arcs summed out."""
    deprel: Optional[str]
    """The most probable label of this arc; None if the model does not label single arcs."""
    p_deprel: Optional[float]
    """Probability of the label, given the arc."""


class Tree(NamedTuple):
    """One tree of a sentence. All members have an entry per word."""

    log_probability: float
    """Of the tree among all trees, in nats; 0.0 if probabilities were not asked for."""
    heads: np.ndarray
    """Numbers of the heads; 0 is the root, -1 a head that is left open."""
    deprels: List[Optional[str]]
    p: Optional[np.ndarray]
    """Probabilities of the arcs; None if they were not asked for."""
    p_deprel: Optional[np.ndarray]
    """Probabilities of the labels, given the arcs."""

    @property
    def probability(self) -> float:
        """Of the tree among all trees."""
        return float(np.exp(self.log_probability))


class Word:
    """A word of a sentence. Columns that are empty (`_`) are None."""

    __slots__ = ("sentence", "id")

    def __init__(self, sentence: "Sentence", id: int) -> None:
        self.sentence = sentence
        self.id = id
        """Number in the sentence, from 1."""

    @property
    def form(self) -> str:
        """The word as it is written."""
        return self.sentence._view.form(self.id)

    @property
    def lemma(self) -> Optional[str]:
        """Its dictionary form."""
        return self.sentence._view.lemma(self.id)

    @property
    def upos(self) -> Optional[str]:
        """Its universal part of speech."""
        return self.sentence._view.upos(self.id)

    @property
    def xpos(self) -> Optional[str]:
        """Its part of speech in the treebank's own tags."""
        return self.sentence._view.xpos(self.id)

    @property
    def feats(self) -> Optional[str]:
        """Its morphological features, as in `Number=Sing|Person=3`."""
        return self.sentence._view.feats(self.id)

    @property
    def misc(self) -> Optional[str]:
        """What else the input says about it."""
        return self.sentence._view.misc(self.id)

    @property
    def head(self) -> Optional[int]:
        """Number of the word that it depends on; 0 is the root, None a head that is left open."""
        head = self.sentence._view.head(self.id)
        return None if head < 0 else head

    @property
    def deprel(self) -> Optional[str]:
        """The label of the arc from its head."""
        return self.sentence._view.deprel(self.id)

    @property
    def p(self) -> Optional[float]:
        """Probability of the arc from its head; None if probabilities were not asked for."""
        return self.sentence._view.p(self.id)

    @property
    def p_deprel(self) -> Optional[float]:
        """Probability of the label, given the arc."""
        return self.sentence._view.p_deprel(self.id)

    @property
    def start(self) -> Optional[int]:
        """Where it begins in the text of the document. Words of a multiword token stand where that stands."""
        return self.sentence._view.start(self.id)

    @property
    def end(self) -> Optional[int]:
        """Where it ends in the text: `document.text[word.start:word.end]` is the word."""
        return self.sentence._view.end(self.id)

    @property
    def is_doubtful(self) -> bool:
        """Head, or head and label together, are less probable than `min_confidence`."""
        return self.sentence._view.is_doubtful(self.id)

    @property
    def is_pinned(self) -> bool:
        """Its head was given by `constraints`."""
        view = self.sentence._view
        return view.known_head(self.id) >= 0 and self.id not in view.dropped

    @property
    def alternatives(self) -> List[Alternative]:
        """See `Sentence.alternatives()`."""
        return self.sentence.alternatives(self)

    @property
    def parent(self) -> Optional["Word"]:
        """The word that it depends on; None for the root, and where the head is open."""
        head = self.head
        return Word(self.sentence, head) if head else None

    @property
    def children(self) -> List["Word"]:
        """The words that depend on it."""
        return [Word(self.sentence, int(k) + 1) for k in np.flatnonzero(self.sentence.heads == self.id)]

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        p = "" if self.p is None else f", p={self.p:.4f}"
        return f"Word({self.id}, {self.form!r}, upos={self.upos!r}, head={self.head}, deprel={self.deprel!r}{p})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and (self.id, self.sentence) == (other.id, other.sentence)

    def __hash__(self) -> int:
        return hash((self.id, self.sentence))
