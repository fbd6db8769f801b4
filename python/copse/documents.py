"""What comes out of a pipeline: documents, their sentences, and the words of these.

Objects are made when they are asked for: a document that nobody looks into costs nothing in Python.
"""

from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Union, overload

import numpy as np

from copse import _copse
from copse._arguments import known_arcs

__all__ = ["Alternative", "Document", "Sentence", "Tree", "Word"]

# Alternatives are computed once for a sentence, down to this probability.
_LEAST_PROBABILITY = 1e-6
# A notebook that shows a novel is of no use.
_MOST_DRAWN = 20


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


class Sentence:
    """A sentence: a sequence of words. `sentence[0]` is the first word, whose number (`id`) is 1."""

    __slots__ = ("document", "_view")

    def __init__(self, document: "Document", view: Any) -> None:
        self.document = document
        """The document that it is part of."""
        self._view = view

    # Words

    def __len__(self) -> int:
        return len(self._view)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> List[Word]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Word, List[Word]]:
        ids = range(1, len(self) + 1)[index]
        if isinstance(ids, range):
            return [Word(self, id) for id in ids]
        return Word(self, ids)

    def __iter__(self) -> Iterator[Word]:
        return (Word(self, id) for id in range(1, len(self) + 1))

    @property
    def words(self) -> List[Word]:
        """All words."""
        return self[:]

    @property
    def roots(self) -> List[Word]:
        """The words under the root."""
        return [Word(self, int(k) + 1) for k in np.flatnonzero(self.heads == 0)]

    # What the model says

    @property
    def heads(self) -> np.ndarray:
        """Numbers of the heads of all words, a read-only view; 0 is the root, -1 a head that is left open."""
        return self._view.heads()

    @property
    def deprels(self) -> List[Optional[str]]:
        """Labels of the arcs of all words."""
        return self._view.labels()

    @property
    def probabilities(self) -> Optional[np.ndarray]:
        """Probabilities of the arcs of all words, a read-only view; None if they were not asked for."""
        return self._view.probabilities()

    @property
    def label_probabilities(self) -> Optional[np.ndarray]:
        """Probabilities of the labels of all words, given their arcs, a read-only view."""
        return self._view.label_probabilities()

    @property
    def log_probability(self) -> float:
        """Of the tree among all trees, in nats; 0.0 if probabilities were not asked for."""
        return self._view.log_probability

    @property
    def entropy(self) -> float:
        """Of the distribution over trees, in nats; 0.0 if probabilities were not asked for."""
        return self._view.entropy

    @property
    def trees(self) -> List[Tree]:
        """The trees that were asked for (`kbest`), best first: one, unless there was more to say."""
        return [Tree(*tree) for tree in self._view.trees()]

    def alternatives(self, word: Union[int, Word], min_p: float = 0.01) -> List[Alternative]:
        """The heads that a word (or the word of this number) may have, most probable first.

        The head that it has is among them, however probable. Computed when first asked for, which takes as long as parsing the
        sentence, unless the document was made with `min_alternative`.
        """
        if isinstance(word, Word):
            if word.sentence != self:
                raise ValueError("the word is not of this sentence")
            word = word.id
        if not 1 <= word <= len(self):
            raise ValueError(f"there is no word {word}; the last is {len(self)}")
        own = Word(self, word)
        found, has_own = [], own.head is None
        for one in map(Alternative._make, self.document._view_with_alternatives(self._view, min_p).alternatives(word)):
            if one.head == own.head:
                # With the label of the tree, which need not be the best one of the arc alone.
                has_own = True
                found.append(one if own.deprel is None else one._replace(deprel=own.deprel, p_deprel=own.p_deprel))
            elif one.p >= min_p:
                found.append(one)
        if not has_own and own.p is not None:
            found.append(Alternative(own.head, own.p, own.deprel, own.p_deprel))
        return found

    def kbest(self, k: int) -> List[Tree]:
        """The k most probable trees, best first; fewer if there are fewer."""
        if k < 1:
            raise ValueError("k must be at least 1")
        return [Tree(*tree) for tree in self._again(kbest=k).trees()]

    def sample(self, n: int = 1, seed: int = 1) -> List[Tree]:
        """`n` trees drawn from the distribution, each with its best labels; the same for the same seed."""
        if n < 0:
            raise ValueError("n must not be negative")
        return [Tree(*tree) for tree in self._again(samples=n, sample_seed=seed, kbest=0).samples()] if n else []

    def constrained(self, constraints: Any) -> "Sentence":
        """The sentence as it is under the condition that words have these heads, in a document of its own.

        `constraints` is `{word: head}` or `{word: (head, deprel)}`, by numbers; what was given before stays
        given. Raises `InfeasibleError` if no tree has them all.
        """
        view = self._again(known_arcs(constraints), keep_known=True)
        return Document(view.document, self.document._name)[0]

    def _again(self, known: Any = (), **changes: Any) -> Any:
        options = _copse.ParseOptions(self._view.document.options)
        options.probabilities = True
        for name, value in changes.items():
            setattr(options, name, value)
        return self._view.parse_again(options, list(known))

    # What the input says

    @property
    def text(self) -> Optional[str]:
        """The text of the sentence; None if it came as words."""
        return self._view.text

    @property
    def sent_id(self) -> Optional[str]:
        """What CoNLL-U calls the sentence."""
        return self._view.sent_id

    @property
    def comments(self) -> List[str]:
        """The comment lines of CoNLL-U, with their `#`."""
        return self._view.comments

    @property
    def start(self) -> Optional[int]:
        """Where its first word begins in the text of the document."""
        return self[0].start if len(self) else None

    @property
    def end(self) -> Optional[int]:
        """Where its last word ends in the text of the document."""
        return self[-1].end if len(self) else None

    # As something else

    def to_conllu(self, probabilities: bool = False, all_trees: bool = False) -> str:
        """CoNLL-U; see `Document.to_conllu()`."""
        return self._view.conllu(probabilities, all_trees)

    def to_dict(self, min_alternative: float = 0.01) -> Dict[str, Any]:
        """The sentence as the web service writes it: see `/v1/parse` in docs/serving.md.

        With the alternatives that are at least so probable; 0: none.
        """
        view = self._view
        has_alternatives = min_alternative > 0 and (view.document.has_model or _has_alternatives(view))
        words = []
        for id, row in enumerate(view.rows(), 1):
            form, lemma, upos, xpos, feats, deps, misc = row
            word = Word(self, id)
            entry = dict(id=id, form=form, lemma=lemma, upos=upos, xpos=xpos, feats=feats, head=word.head,
                         deprel=word.deprel, deps=deps, misc=misc, start=word.start, end=word.end)  # fmt: skip
            entry.update(_without_none(p=word.p, p_deprel=word.p_deprel))
            if word.is_doubtful:
                entry["doubtful"] = True
            if word.is_pinned:
                entry["pinned"] = True
            if has_alternatives:
                entry["alternatives"] = [
                    _without_none(**one._asdict()) for one in self.alternatives(id, min_alternative)
                ]
            words.append(entry)
        result: Dict[str, Any] = dict(sent_id=self.sent_id, text=self.text)
        if self.probabilities is not None:
            result.update(log_probability=self.log_probability, entropy=self.entropy)
        result.update(
            pieces=view.pieces, had_to_prune=view.had_to_prune, comments=self.comments, words=words,
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
                for rank, tree in enumerate(self.trees, 1)
            ]  # fmt: skip
        if view.dropped:
            result["dropped"] = list(view.dropped)
        return result

    def to_displacy(self) -> Dict[str, Any]:
        """What displaCy draws: `displacy.render(sentence.to_displacy(), style="dep", manual=True)`."""
        arcs = []
        for word in self:
            if not word.head:
                continue
            ends = sorted((word.id - 1, word.head - 1))
            arcs.append(dict(start=ends[0], end=ends[1], label=word.deprel or "",
                             dir="left" if word.id < word.head else "right"))  # fmt: skip
        return dict(words=[dict(text=word.form, tag=word.upos or word.xpos or "") for word in self], arcs=arcs)

    def to_svg(self) -> str:
        """A drawing of the tree: arcs from heads to words, paler where they are less probable."""
        return self._view.svg()

    def draw(self, unicode: bool = True) -> str:
        """A drawing of the tree with characters, for a terminal."""
        return self._view.drawing(unicode)

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.to_svg()}</div>'

    def __str__(self) -> str:
        return self.text or " ".join(word.form for word in self)

    def __repr__(self) -> str:
        text = str(self)
        return f"Sentence({text if len(text) <= 60 else text[:59] + '…'!r}, {_counted(len(self), 'word')})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sentence)
            and self._view.document is other._view.document
            and self._view.number == other._view.number
        )

    def __hash__(self) -> int:
        return hash((id(self._view.document), self._view.number))

    def __reduce__(self) -> Any:
        return _sentence_of, (self.document, self._view.number)


class Document:
    """A text, or sentences, with what a model says about them: a sequence of sentences."""

    __slots__ = ("_data", "_name", "_alternatives")

    def __init__(self, data: Any, name: str = "") -> None:
        self._data = data
        self._name = name
        self._alternatives: Dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._data)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> List[Sentence]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Sentence, List[Sentence]]:
        numbers = range(len(self))[index]
        if isinstance(numbers, range):
            return [Sentence(self, self._data.sentence(number)) for number in numbers]
        return Sentence(self, self._data.sentence(numbers))

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self, self._data.sentence(number)) for number in range(len(self)))

    @property
    def sentences(self) -> List[Sentence]:
        """All sentences."""
        return self[:]

    @property
    def words(self) -> Iterator[Word]:
        """The words of all sentences, one after the other."""
        return (word for sentence in self for word in sentence)

    @property
    def word_count(self) -> int:
        """How many words all sentences have."""
        return self._data.words

    @property
    def text(self) -> Optional[str]:
        """The text as it was given; None if words or CoNLL-U were."""
        return self._data.text

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._name

    @property
    def heads(self) -> np.ndarray:
        """The heads of all words (a copy), each counted in its own sentence."""
        return np.concatenate([np.zeros(0, np.int32), *(sentence.heads for sentence in self)])

    @property
    def probabilities(self) -> Optional[np.ndarray]:
        """Probabilities of the arcs of all words (a copy); None if they were not asked for."""
        parts = [sentence.probabilities for sentence in self]
        return None if any(part is None for part in parts) else np.concatenate([np.zeros(0), *parts])

    def to_conllu(self, probabilities: bool = False, all_trees: bool = False) -> str:
        """CoNLL-U.

        probabilities: in MISC and comments, as `copse parse --probabilities` has them.
        all_trees: of each sentence (`kbest`), one after the other, as `copse parse --kbest` has them.
        """
        return self._data.conllu(probabilities, all_trees)

    def to_dict(self, min_alternative: float = 0.01) -> Dict[str, Any]:
        """As the web service answers: see `/v1/parse` in docs/serving.md."""
        return dict(model=self._name, sentences=[sentence.to_dict(min_alternative) for sentence in self])

    def to_displacy(self) -> List[Dict[str, Any]]:
        """What displaCy draws: `displacy.render(document.to_displacy(), style="dep", manual=True)`."""
        return [sentence.to_displacy() for sentence in self]

    def _repr_html_(self) -> str:
        drawings = "".join(sentence._repr_html_() for sentence in self[:_MOST_DRAWN])
        more = len(self) - _MOST_DRAWN
        return drawings + (f"<p>{html.escape(_counted(more, 'more sentence'))}</p>" if more > 0 else "")

    def _view_with_alternatives(self, view: Any, min_p: float) -> Any:
        asked = view.document.options.min_alternative
        if not view.document.has_model or 0 < asked <= min_p:
            return view
        if view.number not in self._alternatives:
            again = Sentence(self, view)._again(min_alternative=_LEAST_PROBABILITY, kbest=0)
            self._alternatives[view.number] = again
        return self._alternatives[view.number]

    def __str__(self) -> str:
        return self.text if self.text is not None else "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"Document({_counted(len(self), 'sentence')}, {_counted(self.word_count, 'word')})"

    def __reduce__(self) -> Any:
        return Document, (self._data, self._name)


_EMPTY_NODE = ("word", "index", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def _without_none(**members: Any) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _sentence_of(document: Document, number: int) -> Sentence:
    return document[number]


def _has_alternatives(view: Any) -> bool:
    return len(view) > 0 and bool(view.alternatives(1))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
