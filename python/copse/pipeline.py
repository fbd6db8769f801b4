"""Text to trees: `copse.load()` and the pipeline that it returns."""

from __future__ import annotations

import os
import time
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from copse import _copse
from copse._arguments import checked_integer, checked_options, checked_threads, known_arcs, parse_options
from copse.documents import Document

__all__ = ["Pipeline", "load"]

# Bytes of text that each thread gets at a time: so much that threads seldom wait for each other, and that a
# network is at its best.
_BYTES_PER_THREAD = 64 << 10
# A source of texts that takes longer than this to fill a batch is not waited for, in seconds.
_PATIENCE = 0.2

Words = Sequence[str]


def load(model: Union[str, "os.PathLike[str]"] = "", **options: Any) -> "Pipeline":
    """Loads a model, and returns what parses with it.

    model: a file, or the name of a model: `english` is the one that comes with Copse. Without either, the
        environment variable COPSE_MODEL may name one, else it is the English one.
    options: those of `Pipeline.__call__`, for all calls.

    Raises `DataError` if there is no such model, or the file is none.
    """
    return Pipeline(find(os.fspath(model)), **options)


def find(model: str) -> str:
    """The file that is meant by a path or by the name of a model."""
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [
        os.path.join(package, "models"),  # of a wheel
        *(os.path.join(package, *[os.pardir] * up, "share", "copse", "models") for up in (4, 5)),  # cmake --install
        _copse.model_folder,  # beside the sources
    ]
    folder = next((one for one in folders if os.path.isdir(one)), "")
    return _copse.find_model(model, folder)


class Pipeline:
    """A model, and the options to parse with. Calls may come from several threads at a time."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], **options: Any) -> None:
        """Loads a file; `copse.load()` finds models by their names, too."""
        self.path = os.path.abspath(os.fspath(path))
        """The file of the model."""
        self._options = checked_options(options)
        parse_options(self._options)
        self._model = _copse.LoadedModel(os.fspath(path))
        self._expect_parts(self._options)
        self._has_warned = False

    @property
    def name(self) -> str:
        """The name of the model: that of its file, up to the first hyphen or dot."""
        return os.path.basename(self.path).split(".")[0].split("-")[0]

    @property
    def labels(self) -> List[str]:
        """All labels that arcs can get; none if the model does not label."""
        return self._model.labels

    @property
    def has_segmenter(self) -> bool:
        """Whether the model finds sentences and words in text. Without, give it words."""
        return self._model.has_segmenter

    @property
    def has_tagger(self) -> bool:
        """Whether the model tags words. Without, give it CoNLL-U with tags."""
        return self._model.has_tagger

    def __call__(
        self,
        text: Optional[str] = None,
        *,
        words: Union[Words, Sequence[Words], None] = None,
        conllu: Optional[str] = None,
        constraints: Union[bool, Mapping[Any, Any], Iterable[Mapping[str, Any]], None] = None,
        threads: int = 1,
        **options: Any,
    ) -> Document:
        """Parses a text, or words, or CoNLL-U: exactly one of them.

        text: finds its sentences and words first.
        words: a sentence that is cut into words, or a list of such sentences.
        conllu: sentences in CoNLL-U, which keep their columns but for HEAD and DEPREL.
        constraints: heads that words must have, under which condition everything else is computed:
            `{word: head}`, by numbers from 1, head 0 being the root; `{(sentence, word): (head, deprel)}`;
            a list of `dict(sentence=1, word=7, head=4, deprel="nmod")`; or True: those that `conllu` has.
        threads: for long texts; `pipe()` is the way to parse many.

        Options, which `copse.load()` takes, too:
            kbest=0: so many of the most probable trees of each sentence (`sentence.trees`).
            kbest_labels=False: of kbest: pairs of a tree and labels; of models that score both together.
            decode="best": the most probable tree; "mbr": that with the most right arcs to expect.
            probabilities=True: of arcs, labels and trees.
            min_alternative=0: heads that are so probable are listed while parsing, and from then on unless another limit is
                given; 0: they are found when asked for, down to 0.01.
            min_confidence=None: what is less probable is left open, or marked: doubtful="open" or "mark".
            conflict="error": no tree has all known heads: `InfeasibleError`; "drop": the fewest are given up.
            tag="missing": words that lack tags get them; "always", "never".
            labels=True: of arcs.
            lines=False: every line of a text is a sentence.
            prune=None: leave out arcs that are so many times less probable than the best; "off": none.
            device="cpu": what computes networks; or "cuda".

        Raises `ValueError` for bad arguments and `DataError` for input that cannot be used.
        """
        given = sum(one is not None for one in (text, words, conllu))
        if given != 1:
            raise ValueError(f"give exactly one of text, words and conllu, not {given or 'none'} of them")
        batch = self._batch(constraints, checked_threads(threads), options)
        known = [] if constraints is None or isinstance(constraints, bool) else known_arcs(constraints)
        if constraints is True and conllu is None:
            raise ValueError("constraints: True keeps the heads that conllu has; give conllu, or name arcs")
        if text is not None:
            _add_text(batch, text, known)
        elif words is not None:
            batch.add_words(_sentences(words), known)
        else:
            batch.add_conllu(_utf8(conllu, "conllu"), known)
        batch.start()
        batch.wait()
        return self._document(batch, 0)

    def pipe(
        self,
        texts: Iterable[Any],
        *,
        threads: Optional[int] = None,
        batch_size: int = 1000,
        as_tuples: bool = False,
        **options: Any,
    ) -> Iterator[Any]:
        """Parses many texts, on several threads (all cores), and yields their documents in the same order.

        texts: strings, or sentences as lists of words; with `as_tuples`, pairs of one and anything else,
            and what comes out are pairs of the document and that.

        While the documents of a batch are looked at, the next batch is being parsed, with the interpreter lock
        released, and at most these two are in memory. A batch has at most `batch_size` texts, and fewer where
        they are long, or come slowly. An error comes in the place of the document, after which there are no
        more.
        """
        number = checked_threads(threads)
        batch_size = checked_integer("batch_size", batch_size, 1, 2**31 - 1)
        if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
            raise TypeError(f"texts must be several texts, such as a list of them, not {texts!r}")
        self._batch(None, number, options)  # finds what is wrong now, and not at the first document
        return self._pipe(iter(texts), number, batch_size, as_tuples, options)

    def _pipe(
        self, texts: Iterator[Any], threads: int, size: int, as_tuples: bool, options: Dict[str, Any]
    ) -> Iterator[Any]:
        current = self._fill(texts, threads, size, as_tuples, options)
        current.start()
        while True:
            upcoming = None if current.is_last else self._fill(texts, threads, size, as_tuples, options)
            current.wait()
            if upcoming is not None:
                upcoming.start()
            for number, context in enumerate(current.contexts):
                document = self._document(current.batch, number)
                yield (document, context) if as_tuples else document
            if current.error is not None:
                raise current.error
            if upcoming is None:
                return
            current = upcoming

    def _fill(
        self, texts: Iterator[Any], threads: int, size: int, as_tuples: bool, options: Dict[str, Any]
    ) -> "_Filled":
        filled = _Filled(self._batch(None, threads, options))
        end = time.monotonic() + _PATIENCE
        while len(filled.contexts) < size and filled.batch.bytes < threads * _BYTES_PER_THREAD:
            try:
                text = next(texts)
                context = None
                if as_tuples:
                    text, context = _pair(text)
                if isinstance(text, str):
                    _add_text(filled.batch, text, [])
                elif isinstance(text, bytes) or not hasattr(text, "__iter__"):
                    raise TypeError(f"texts: {text!r} is neither a str nor a list of words")
                else:
                    filled.batch.add_words(_sentences(text), [])
            except StopIteration:
                filled.is_last = True
                break
            except BaseException as error:  # of the source, or of what it gave: in its place
                filled.is_last = True
                filled.error = error
                break
            filled.contexts.append(context)
            if time.monotonic() > end:
                break
        return filled

    def _batch(self, constraints: Any, threads: int, given: Mapping[str, Any]) -> Any:
        options = {**self._options, **checked_options(given)}
        self._expect_parts(options)
        parsing, lines = parse_options(options)
        parsing.keep_known = constraints is not None and constraints is not False
        return _copse.TextBatch(self._model, parsing, lines, threads)

    def _document(self, batch: Any, number: int) -> Document:
        data = batch.document(number)
        untagged = data.untagged_words
        if untagged > 0 and not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"{'a word has' if untagged == 1 else f'{untagged} words have'} no tag, and the model has learnt"
                " from words with tags; tag them, or use a model with a tagger",
                stacklevel=3,
            )
        return Document(data, self.name)

    def _expect_parts(self, options: Mapping[str, Any]) -> None:
        if options.get("prune") and not self._model.has_pruner:
            raise _copse.DataError(f"{self.path}: has no pruner; leave out prune, or train a model with one")
        if options.get("tag") == "always" and not self.has_tagger:
            raise _copse.DataError(
                f"{self.path}: has no tagger; leave out tag='always', or train a model with one"
            )

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"Pipeline({self.path!r}{options})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _pipeline_of, (self.path, self._options)


class _Filled:
    """A batch of texts for `pipe()`, and what goes with them."""

    def __init__(self, batch: Any) -> None:
        self.batch = batch
        self.contexts: List[Any] = []
        self.is_last = False
        self.error: Optional[BaseException] = None

    def start(self) -> None:
        self.batch.start()

    def wait(self) -> None:
        self.batch.wait()


def _pipeline_of(path: str, options: Dict[str, Any]) -> Pipeline:
    return Pipeline(path, **options)


def _add_text(batch: Any, text: str, known: List[Any]) -> None:
    batch.add_text(_utf8(text, "text"), known)


def _pair(item: Any) -> Tuple[Any, Any]:
    if not isinstance(item, (tuple, list)) or len(item) != 2:
        raise TypeError(f"texts: {item!r} is no pair of a text and its context, as as_tuples=True wants")
    return item[0], item[1]


def _utf8(text: Any, what: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise _copse.DataError(
            f"{what}: character {error.start} is half of a surrogate pair, and no character; decode the bytes again"
        ) from None


def _sentences(words: Any) -> List[List[bytes]]:
    """Of a sentence, or of several."""
    if isinstance(words, (str, bytes)):
        raise TypeError("words must be a list of words; a text is parsed by nlp(text)")
    if not hasattr(words, "__iter__"):
        raise TypeError(f"words must be a list of words, not {words!r}")
    items = list(words)
    sentences = [items] if items and all(isinstance(item, str) for item in items) else items
    result = []
    for sentence in sentences:
        if isinstance(sentence, (str, bytes)) or not hasattr(sentence, "__iter__"):
            raise TypeError("words must be a list of words, or a list of such lists")
        result.append([_utf8(word, "a word") for word in sentence])
    return result
