"""Writes copse/_train_options.pyi, the types of the options of copse.train(), from the table that the program has.

usage: train_options_stub.py > python/copse/_train_options.pyi
"""

from copse import _copse

HEADER = '''"""The options of copse.train(). Written by python/tests/train_options_stub.py; a test compares."""

import os
from typing import Literal, Optional, Sequence, TypedDict, Union

_Path = Union[str, "os.PathLike[str]"]

class TrainOptions(TypedDict, total=False):
'''
TYPES = {
    "flag": "bool",
    "integer": "int",
    "number": "float",
    "size": "Union[int, str]",
    "text": "str",
    "file": "_Path",
    "files": "Union[_Path, Sequence[_Path]]",
}
# Arguments of train() itself.
NAMED = {"train", "model", "dev"}


def type_of(option):
    if option["kind"] == "name":
        return f"Literal[{', '.join(repr(choice) for choice in option['choices'])}]".replace("'", '"')
    plain = TYPES[option["kind"]]
    return f'Union[{plain}, Literal["{option["word"]}"]]' if option["word"] else plain


def text():
    lines = (f"    {o['name']}: Optional[{type_of(o)}]\n" for o in _copse.train_options() if o["name"] not in NAMED)
    return HEADER + "".join(lines)


if __name__ == "__main__":
    print(text(), end="")
