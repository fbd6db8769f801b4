"""Writes punctuation_table.inc: the characters whose general category in Unicode is punctuation.

Run it after an upgrade of Python has brought a newer version of Unicode: python3 make_punctuation_table.py
"""
import itertools
import pathlib
import sys
import textwrap
import unicodedata


def packed(code):
    return "0x" + chr(code).encode().hex().upper()


codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "P"]
runs = [list(run) for _, run in itertools.groupby(codes, key=lambda code, place=itertools.count(): code - next(place))]
cells = " ".join(f"{{{packed(run[0])},~{packed(run[-1])}}}," for run in runs)
rows = textwrap.fill(cells, 110, initial_indent="    ", subsequent_indent="    ").replace("~", " ")
text = f"""// Made by make_punctuation_table.py from Unicode {unicodedata.unidata_version}. Sorted, closed ranges.
constexpr CharacterRange kPunctuation[] = {{
{rows}
}};
"""
pathlib.Path(__file__).with_name("punctuation_table.inc").write_text(text, encoding="ascii")
