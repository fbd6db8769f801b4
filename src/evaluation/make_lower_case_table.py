"""Writes lower_case_table.inc: the small letters of capital ones, and what decides the shape of a small sigma.

Run it after an upgrade of Python has brought a newer version of Unicode: python3 make_lower_case_table.py
"""
import itertools
import pathlib
import sys
import textwrap
import unicodedata

CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]


def filled(cells):
    text = " ".join(cell.replace(" ", "~") for cell in cells)
    return textwrap.fill(text, 110, initial_indent="    ", subsequent_indent="    ").replace("~", " ")


def mappings():
    """Runs (first, last, step, distance) of capitals whose small letters are all equally far away."""
    pairs = [(ord(c), ord(c.lower()) - ord(c)) for c in CHARACTERS if c.lower() != c and len(c.lower()) == 1]
    runs = []
    for code, distance in pairs:
        if runs:
            first, last, step, shared = runs[-1]
            if distance == shared and (code - last == step or (first == last and code - last <= 2)):
                runs[-1] = (first, code, code - last, shared)
                continue
        runs.append((code, code, 1, distance))
    return [f"{{0x{first:X}, 0x{last:X}, {step}, {distance}}}," for first, last, step, distance in runs]


def ranges(is_member):
    codes = [ord(c) for c in CHARACTERS if is_member(c)]
    runs = [list(run) for _, run in itertools.groupby(codes, key=lambda code, n=itertools.count(): code - next(n))]
    return [f"{{0x{run[0]:X}, 0x{run[-1]:X}}}," for run in runs]


def makes_final(before):
    return (before + "\u03a3").lower()[-1] == "\u03c2"


def is_cased(c):
    return makes_final(" " + c)


def is_ignorable(c):
    return makes_final("a" + c) and not is_cased(c)


text = f"""// Made by make_lower_case_table.py from Unicode {unicodedata.unidata_version}.

// Capitals and how far away their small letters are.
constexpr CapitalRange kCapitals[] = {{
{filled(mappings())}
}};

// Characters that have case and are not in the next table, in closed ranges.
constexpr CodePointRange kCased[] = {{
{filled(ranges(is_cased))}
}};

// Characters that are passed over in the search for the last letter before a sigma, or the first after it.
constexpr CodePointRange kCaseIgnorable[] = {{
{filled(ranges(is_ignorable))}
}};
"""
pathlib.Path(__file__).with_name("lower_case_table.inc").write_text(text, encoding="ascii")
