"""Learning models from treebanks, and measuring what they are worth."""

from __future__ import annotations

import contextlib
import inspect
import os
import tempfile
import textwrap
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, Optional, Sequence, Tuple, Union

from copse import _copse
from copse._arguments import did_you_mean
from copse.documents import Document, Sentence

if TYPE_CHECKING:
    from copse._train_options import TrainOptions
    from typing_extensions import Unpack

__all__ = ["Evaluation", "Score", "evaluate", "train"]

Path = Union[str, "os.PathLike[str]"]
Analysed = Union[Path, Document, Sentence, Iterable[Union[Document, Sentence]]]

_PUNCTUATION = tuple(_copse.punctuation_names)
_OPTIONS = {option["name"]: option for option in _copse.train_options()}


def train(
    train: Union[Path, Sequence[Path]],
    model: Path,
    dev: Union[Path, Sequence[Path], None] = None,
    *,
    progress: Optional[Callable[[Dict[str, Any]], None]] = None,
    messages: Optional[Callable[[str], None]] = None,
    **options: Unpack[TrainOptions],
) -> Dict[str, Any]:
    """Learns a model from treebanks and writes it, as the command `copse train` does.

    train, dev: files in CoNLL-U, CoNLL-X or `FORM POS HEAD`, plain, gzip or zstd.
    model: the file to write. Its log and, until the end, its checkpoints lie beside it.
    progress: is called with every record of the log, a dictionary such as
        `{"event": "iteration", "iteration": 3, "objective": ..., "dev_uas": ...}`.
    messages: is called with every line that the command would show.

    Returns the last record of the log: size of the model, scores on the development data, seconds.

    What a callback raises, and Ctrl-C, stops the run after the current iteration, and comes out of this
    call; `resume=True` goes on from there. Raises `ValueError` for options that make no sense and `DataError`
    for data that cannot be used, with the messages of the command; options have their names as here.

    The other options are those of `copse train`; what is None or False is left out:

    """
    given = dict(train=train, model=model, dev=dev, **options)
    for name in given:
        if name not in _OPTIONS:
            close = did_you_mean(name, _OPTIONS)
            raise TypeError(f"train() has no option {name!r}{close}")
    last: Dict[str, Any] = {}

    def on_event(record: Dict[str, Any]) -> None:
        nonlocal last
        last = record
        if progress is not None:
            progress(dict(record))

    _copse.train(given, on_event, messages or (lambda line: None))
    return last


def _describe(function: Callable[..., Any]) -> None:
    """Gives train() the keywords that it takes, for help()."""
    signature = inspect.signature(function)
    keywords = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    known = {p.name for p in keywords}
    lines = []
    for option in _OPTIONS.values():
        if option["name"] not in known:
            default = False if option["kind"] == "flag" else None
            keywords.append(inspect.Parameter(option["name"], inspect.Parameter.KEYWORD_ONLY, default=default))
            otherwise = f" [{option['otherwise']}]" if option["otherwise"] else ""
            what = textwrap.fill(f"{option['name']}: {option['help']}{otherwise}", 110, subsequent_indent=" " * 4)
            lines.append(textwrap.indent(what, " " * 4))
    function.__doc__ = "\n".join([(function.__doc__ or "").rstrip(), "", *lines])
    function.__signature__ = signature.replace(parameters=keywords)  # type: ignore[attr-defined]


_describe(train)


class Score(float):
    """A share from 0 to 1, with what it is made of."""

    part: Optional[int]
    """The numerator, where it is a plain share."""
    whole: Optional[int]
    """The denominator."""
    interval: Optional[Tuple[float, float]]
    """Of 95%, by the bootstrap; None if it was not asked for."""
    precision: Optional[float]
    """Of aligned scores, whose value is F1."""
    recall: Optional[float]
    aligned_accuracy: Optional[float]

    def __new__(cls, value: float, **details: Any) -> "Score":
        score = super().__new__(cls, value)
        for name in ("part", "whole", "interval", "precision", "recall", "aligned_accuracy"):
            setattr(score, name, details.get(name))
        return score

    def __getnewargs_ex__(self) -> Any:
        return (float(self),), dict(self.__dict__)


class Evaluation(Dict[str, Any]):
    """Scores by their names: `evaluation["uas"]`, or `evaluation.uas`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no score {name!r}; there are {', '.join(self)}") from None

    def __repr__(self) -> str:
        scores = (f"{name}={value:.4f}" for name, value in self.items() if isinstance(value, Score))
        return f"Evaluation({', '.join(scores)})"


def evaluate(
    gold: Analysed,
    system: Analysed,
    *,
    punctuation: str = "keep",
    subtypes: str = "ignore",
    bootstrap: int = 1000,
    seed: int = 1,
    aligned: bool = False,
) -> Evaluation:
    """Compares trees with gold trees: the command `copse eval`; docs/evaluation.md defines every figure.

    gold, system: files, or documents or sentences.
    punctuation: words that are not scored: "keep" (none), "ptb", "ctb", "ud", "unicode".
    subtypes: "ignore": nsubj:pass counts as nsubj; or "keep".
    bootstrap: rounds for the intervals, 0 for none.
    aligned: for systems that find sentences and words themselves: CoNLL 2018's scores.

    Returns `uas`, `las`, `ra`, `cm`, `lcm`, `coverage` and `precision`, and `calibration` where there are
    probabilities; with `aligned`, `tokens`, `sentences`, `words`, `upos`, ..., `las`, `mlas`, `blex`.
    """
    if punctuation not in _PUNCTUATION:
        raise ValueError(f"punctuation: {punctuation!r} is not one of {', '.join(_PUNCTUATION)}")
    if subtypes not in ("ignore", "keep"):
        raise ValueError(f"subtypes: {subtypes!r} is not one of ignore, keep")
    if not 0 <= bootstrap <= 10_000_000:
        raise ValueError(f"bootstrap: {bootstrap} is not from 0 to 10000000")
    with _as_file(gold) as gold_file, _as_file(system) as system_file:
        if aligned:
            found = _copse.evaluate_aligned(gold_file, system_file)
        else:
            found = _copse.evaluate(gold_file, system_file, punctuation, subtypes == "keep", bootstrap, seed)
    return Evaluation((name, Score(**entry) if "value" in entry else entry) for name, entry in found.items())


@contextlib.contextmanager
def _as_file(analysed: Any) -> Iterator[str]:
    if isinstance(analysed, (str, os.PathLike)):
        yield os.fspath(analysed)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "documents.conllu")
        with open(path, "w", encoding="utf-8") as file:
            for one in [analysed] if isinstance(analysed, (Document, Sentence)) else analysed:
                file.write(one.to_conllu(probabilities=one.probabilities is not None))
        yield path
