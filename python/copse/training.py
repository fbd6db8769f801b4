"""Learning models from treebanks, and measuring what they are worth."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from copse import _copse
from copse._arguments import did_you_mean
from copse.documents import Document, Sentence

__all__ = ["Evaluation", "Score", "evaluate", "train"]

Path = Union[str, "os.PathLike[str]"]
Analysed = Union[Path, Document, Sentence, Iterable[Union[Document, Sentence]]]

_PUNCTUATION = tuple(_copse.punctuation_names)


def train(
    train: Union[Path, Sequence[Path]],
    model: Path,
    dev: Union[Path, Sequence[Path], None] = None,
    *,
    progress: Optional[Callable[[Dict[str, Any]], None]] = None,
    messages: Optional[Callable[[str], None]] = None,
    **options: Any,
) -> Dict[str, Any]:
    """Learns a model from treebanks and writes it: the command `copse train`.

    train, dev: files in CoNLL-U, CoNLL-X or `FORM POS HEAD`, plain, gzip or zstd.
    model: the file to write. Its log and, until the end, its checkpoints lie beside it.
    progress: is called with every line of the log, a dictionary such as
        `{"event": "iteration", "iteration": 3, "objective": ..., "dev_uas": ...}`.
    messages: is called with every line that the command would show.
    options: all other options of `copse train --help`, with underscores: `pipeline=True, max_length=80,
        l2="auto", threads=2`. What is None or False is left out.

    Returns the last line of the log: size of the model, scores on the development data, seconds.

    What a callback raises, and Ctrl-C, stops the run after the current iteration, and comes out of this
    call; `resume=True` goes on from there. Raises `ValueError` for options that make no sense and `DataError`
    for data that cannot be used, with the messages of the command.
    """
    arguments = _arguments(dict(train=train, model=model, dev=dev, **options))
    last: Dict[str, Any] = {}

    def on_event(text: str) -> None:
        nonlocal last
        last = json.loads(text)
        if progress is not None:
            progress(dict(last))

    _copse.train(arguments, on_event, messages or (lambda line: None))
    return last


def _arguments(options: Dict[str, Any]) -> List[str]:
    """As on the command line."""
    names = set(_copse.train_option_names()) - {"--help"}
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if option not in names:
            close = did_you_mean(option, names).replace("--", "").replace("-", "_")
            raise TypeError(f"train() has no option {name!r}{close}")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        arguments += [f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}" for one in values]
    return arguments


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
