"""Writes width_table.inc: which code points take no column of a terminal, and which take two.

Run it after an upgrade of Python has brought a newer version of Unicode: python3 make_width_table.py
"""
import pathlib
import sys
import unicodedata

# Format characters that are visible nevertheless: the soft hyphen, and signs that precede and enclose numbers.
VISIBLE = {0xAD, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD} | set(range(0x600, 0x606))


def takes_no_column(code):
    is_final_jamo = 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF  # these join the syllable before
    return code not in VISIBLE and (is_final_jamo or unicodedata.category(chr(code)) in ("Mn", "Me", "Cf"))


def is_unassigned(code):
    return unicodedata.category(chr(code)) == "Cn"


def takes_two_columns(code):
    is_wide = unicodedata.east_asian_width(chr(code)) in "WF"  # also said of some that are not assigned
    return is_wide and not is_unassigned(code) and not takes_no_column(code)


def ranges(belongs):
    """Closed ranges; code points that are not assigned do not interrupt one."""
    found = []
    extendable = False
    for code in range(sys.maxunicode + 1):
        if belongs(code):
            if extendable:
                found[-1][1] = code
            else:
                found.append([code, code])
            extendable = True
        elif not is_unassigned(code):
            extendable = False
    return found


def table(name, belongs):
    cells = [f"{{0x{first:X}, 0x{last:X}}}," for first, last in ranges(belongs)]
    lines = [f"constexpr CodePointRange {name}[] = {{"]
    for cell in cells:
        if len(lines) == 1 or len(lines[-1]) + 1 + len(cell) > 110:
            lines.append("   ")
        lines[-1] += " " + cell
    return "\n".join(lines + ["};"])


text = f"""// Made by make_width_table.py from Unicode {unicodedata.unidata_version}. Sorted, closed ranges.
{table("kNoColumn", takes_no_column)}

{table("kTwoColumns", takes_two_columns)}
"""
pathlib.Path(__file__).with_name("width_table.inc").write_text(text, encoding="ascii")
