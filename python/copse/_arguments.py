"""Checks of arguments: what is wrong with them is a ValueError of one line."""

from __future__ import annotations

import difflib
import math
import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from copse import _copse

MOST_TREES = 10_000
MOST_THREADS = 1024


def checked_integer(name: str, value: Any, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: {value!r} is no whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: {number} is not from {least} to {most}")
    return number


def checked_number(name: str, value: Any, least: float, most: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {value!r} is no number") from None
    if math.isnan(number) or not least <= number <= most:
        raise ValueError(f"{name}: {number} is not from {least} to {most}")
    return number


def item_numbers(of_what: str, item: str, count: int, index: Any) -> Union[int, range]:
    """The numbers, from 0, that `of_what[index]` means: one, or those of a slice."""
    try:
        return range(count)[index]
    except IndexError:
        there = f"{count} {item}{'' if count == 1 else 's'}"
        raise IndexError(f"there is no {item} {index}; {of_what} has {there}, counted from 0") from None
    except TypeError:
        raise TypeError(f"{index!r} is no number of a {item}, nor a slice") from None


def _choice(name: str, value: Any, names: Tuple[str, ...]) -> str:
    if value not in names:
        raise ValueError(f"{name}: {value!r} is not one of {', '.join(names)}")
    return value


def _prune(name: str, value: Any) -> Optional[float]:
    return 0.0 if value == "off" else checked_number(name, value, 0.0, 1.0)


# Every option of a pipeline: how its value is checked. None stands for the default.
_CHECKS: Dict[str, Callable[[str, Any], Any]] = {
    "kbest": lambda name, value: checked_integer(name, value, 0, MOST_TREES),
    "kbest_labels": lambda name, value: bool(value),
    "decode": lambda name, value: _choice(name, value, ("best", "mbr")),
    "probabilities": lambda name, value: bool(value),
    "min_alternative": lambda name, value: checked_number(name, value, 0.0, 1.0),
    "min_confidence": lambda name, value: checked_number(name, value, 0.0, 1.0),
    "doubtful": lambda name, value: _choice(name, value, ("open", "mark")),
    "conflict": lambda name, value: _choice(name, value, ("error", "drop")),
    "tag": lambda name, value: _choice(name, value, ("missing", "always", "never")),
    "labels": lambda name, value: bool(value),
    "lines": lambda name, value: bool(value),
    "prune": _prune,
    "device": lambda name, value: _choice(name, value, ("cpu", "cuda")),
}


def did_you_mean(name: str, names: Any) -> str:
    close = difflib.get_close_matches(name, list(names), 1)
    return f"; did you mean {close[0]}?" if close else ""


def checked_options(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The same options with checked values; those that are None are left out."""
    options = {}
    for name, value in given.items():
        if name not in _CHECKS:
            raise TypeError(f"there is no option {name!r}{did_you_mean(name, _CHECKS)}")
        if value is not None:
            options[name] = _CHECKS[name](name, value)
    return options


def parse_options(options: Mapping[str, Any]) -> Tuple[Any, bool]:
    """Of checked options: those of the parser, and whether lines are sentences."""
    if options.get("kbest", 0) > 0 and options.get("decode") == "mbr":
        raise ValueError("kbest: the k best trees are the most probable ones; leave out decode='mbr'")
    if options.get("kbest_labels") and not options.get("labels", True):
        raise ValueError("kbest_labels: is about labels; leave out labels=False")
    result = _copse.ParseOptions()
    result.probabilities = True
    for name, value in options.items():
        if name == "conflict":
            result.drop_conflicts = value == "drop"
        elif name != "lines":
            setattr(result, name, value)
    return result, options.get("lines", False)


def checked_threads(threads: Optional[int]) -> int:
    if threads is None:
        return min(_copse.default_threads, MOST_THREADS)
    return checked_integer("threads", threads, 1, MOST_THREADS)


def known_arcs(constraints: Any) -> List[Any]:
    """The arcs that `constraints` asks for: see `Pipeline.__call__`."""
    if isinstance(constraints, Mapping):
        entries = [_entry_of_pair(key, value) for key, value in constraints.items()]
    elif isinstance(constraints, (str, bytes)) or not hasattr(constraints, "__iter__"):
        raise ValueError(f"constraints: {constraints!r} is neither {{word: head}} nor a list of dictionaries")
    else:
        entries = list(constraints)
    return [_known_arc(number, entry) for number, entry in enumerate(entries)]


def _entry_of_pair(key: Any, value: Any) -> Dict[str, Any]:
    sentence, word = key if isinstance(key, tuple) else (1, key)
    head, deprel = value if isinstance(value, tuple) else (value, None)
    return dict(sentence=sentence, word=word, head=head, deprel=deprel)


def _known_arc(number: int, entry: Any) -> Any:
    where = f"constraints[{number}]"
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where}: {entry!r} is no dictionary such as dict(sentence=1, word=7, head=4)")
    unknown = set(entry) - {"sentence", "word", "head", "deprel"}
    if unknown:
        name = str(sorted(map(str, unknown))[0])
        raise ValueError(f"{where}: there is no member {name!r}{did_you_mean(name, ('sentence', 'word', 'head', 'deprel'))}")
    for name in ("word", "head"):
        if name not in entry:
            raise ValueError(f"{where}: {name} is missing")
    most = 2**31 - 1
    label = entry.get("deprel")
    if label is not None and not isinstance(label, str):
        raise ValueError(f"{where}.deprel: {label!r} is no text")
    return _copse.KnownArc(
        checked_integer(f"{where}.sentence", entry.get("sentence", 1), -most, most),
        checked_integer(f"{where}.word", entry["word"], -most, most),
        checked_integer(f"{where}.head", entry["head"], -most, most),
        label or "",
    )
