"""What comes out of a pipeline: documents, their sentences, and the words of these.

Objects are made when they are asked for: a document that nobody looks into costs nothing in Python.
"""

from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, Optional, Union, overload

import numpy as np

from copse import _copse
from copse._arguments import MOST_TREES, checked_integer, checked_number, item_numbers, known_arcs
from copse._formats import displacy_dict
from copse.words import Alternative, Tree, Word

__all__ = ["Document", "Sentence"]

# Alternatives are computed once for a sentence, down to this probability.
_LEAST_PROBABILITY = 1e-6
# Those that are less probable are left out unless somebody asks for them.
_USUAL_LEAST_PROBABILITY = 0.01
_MOST_SAMPLES = 10_000_000
# A notebook that shows a novel is of no use.
_MOST_DRAWN = 20


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
        numbers = item_numbers("the sentence", "word", len(self), index)
        if isinstance(numbers, range):
            return [Word(self, number + 1) for number in numbers]
        return Word(self, numbers + 1)

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

    def alternatives(self, word: Union[int, Word], min_p: Optional[float] = None) -> List[Alternative]:
        """The heads that a word (or the word of this number) may have, most probable first.

        min_p: leaves out what is less probable; without it, `min_alternative` of the document, or 0.01.

        The head that it has is among them, however probable. Computed when first asked for, which takes as long as parsing the
        sentence, unless the document was made with `min_alternative`.
        """
        min_p = self._least_probability("min_p", min_p)
        if isinstance(word, Word):
            if word.sentence != self:
                raise ValueError("the word is not of this sentence")
            word = word.id
        word = checked_integer("word", word, -(2**63), 2**63)
        if not 1 <= word <= len(self):
            raise ValueError(f"there is no word {word}; the last is {len(self)}")
        own = Word(self, word)
        head, has_own, found = own.head, False, []
        for one in map(Alternative._make, self.document._view_with_alternatives(self._view, min_p).alternatives(word)):
            if one.head == head:
                # With the label of the tree, which need not be the best one of the arc alone.
                has_own = True
                found.append(one if own.deprel is None else one._replace(deprel=own.deprel, p_deprel=own.p_deprel))
            elif one.p >= min_p:
                found.append(one)
        if not has_own and head is not None and own.p is not None:
            found.append(Alternative(head, own.p, own.deprel, own.p_deprel))
        return found

    @property
    def ignored_labels(self) -> List[int]:
        """Words whose given label stays, but says nothing about the others: no tree of the model has it."""
        return list(self._view.ignored_labels)

    def kbest(self, k: int, labels: bool = False) -> List[Tree]:
        """The k most probable trees, best first; fewer if there are fewer.

        labels: the k most probable pairs of a tree and labels, whose probability is that of both. Networks have them, and models
        that were trained with `labels="joint"`; others raise `DataError`.
        """
        k = checked_integer("k", k, 1, MOST_TREES)
        return [Tree(*tree) for tree in self._again(kbest=k, kbest_labels=bool(labels)).trees()]

    def sample(self, n: int = 1, seed: int = 1) -> List[Tree]:
        """`n` trees drawn from the distribution, each with its best labels; the same for the same seed."""
        n = checked_integer("n", n, 0, _MOST_SAMPLES)
        seed = checked_integer("seed", seed, 0, 2**64 - 1)
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
        return self._view.conllu(bool(probabilities), bool(all_trees))

    def to_dict(self, min_alternative: Optional[float] = None) -> Dict[str, Any]:
        """The sentence as the web service writes it: see `/v1/parse` in docs/serving.md.

        min_alternative: with the alternatives that are at least so probable; 0: none. Without it, that of the document, or 0.01.
        """
        min_alternative = self._least_probability("min_alternative", min_alternative)
        source = self.document._view_with_alternatives(self._view, min_alternative) if min_alternative > 0 else None
        return self._view.to_dict(source, min_alternative)

    def _least_probability(self, name: str, given: Optional[float]) -> float:
        if given is not None:
            return checked_number(name, given, 0.0, 1.0)
        return self._view.document.options.min_alternative or _USUAL_LEAST_PROBABILITY

    def to_displacy(self) -> Dict[str, Any]:
        """What displaCy draws: `displacy.render(sentence.to_displacy(), style="dep", manual=True)`."""
        return displacy_dict(self)

    def to_svg(self) -> str:
        """A drawing of the tree: arcs from heads to words, paler where they are less probable."""
        return self._view.svg()

    def draw(self, unicode: bool = True) -> str:
        """A drawing of the tree with characters, for a terminal."""
        return self._view.drawing(bool(unicode))

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
        numbers = item_numbers("the document", "sentence", len(self), index)
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
        return self._data.conllu(bool(probabilities), bool(all_trees))

    def to_dict(self, min_alternative: Optional[float] = None) -> Dict[str, Any]:
        """As the web service answers: see `/v1/parse` in docs/serving.md, and `Sentence.to_dict()`."""
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


def _sentence_of(document: Document, number: int) -> Sentence:
    return document[number]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
