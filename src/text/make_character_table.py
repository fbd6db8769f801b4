"""Writes character_table.inc: what features of stored segmenters see of every character.

The table is frozen: models hold hashes of what it says, so a newer version of Unicode must not change it. This script
documents where it comes from, ICU 72 with Unicode 15.0, and refuses to run with any other version: if the classes ever
change, they need a new version of the segmenter's features, and both tables.
"""
import ctypes
import itertools
import pathlib
import sys
import textwrap

ICU = 72
UNICODE = (15, 0, 0, 0)
CODES = range(0x110000)
SURROGATES = range(0xD800, 0xE000)
SENTENCE_TERMINAL = 35  # UCHAR_S_TERM

# The numbers of CharacterClass in character_table.h.
SPACE, LOWER, UPPER, LETTER, MARK, DIGIT, NUMBER, DASH, OPEN, CLOSE, TERMINAL, PUNCTUATION, SYMBOL, OTHER = range(1, 15)

# By ICU's numbers of general categories: Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc
# Sk So Pi Pf.
CLASS_OF_CATEGORY = [OTHER, UPPER, LOWER, UPPER, LETTER, LETTER, MARK, MARK, MARK, DIGIT, NUMBER, NUMBER, OTHER, OTHER,
                     OTHER, OTHER, MARK, OTHER, OTHER, DASH, OPEN, CLOSE, DASH, PUNCTUATION, SYMBOL, SYMBOL, SYMBOL,
                     SYMBOL, OPEN, CLOSE]

# Treebanks and texts write quotation marks in different ways.
QUOTATION_MARKS = {0x2018: 0x27, 0x2019: 0x27, 0x201B: 0x27, 0x02BC: 0x27, 0x00B4: 0x27,
                   0x201C: 0x22, 0x201D: 0x22, 0x201E: 0x22, 0x201F: 0x22}

try:
    library = ctypes.CDLL(f"libicuuc.so.{ICU}")
except OSError:
    sys.exit(f"make_character_table.py: there is no libicuuc.so.{ICU}; install ICU {ICU}")


def icu(name, result=ctypes.c_int32):
    function = getattr(library, f"{name}_{ICU}")
    function.restype = result
    return function


def unicode_version():
    version = (ctypes.c_uint8 * 4)()
    icu("u_getUnicodeVersion", None)(version)
    return tuple(version)


is_space = icu("u_isUWhiteSpace", ctypes.c_int8)
has_property = icu("u_hasBinaryProperty", ctypes.c_int8)
category = icu("u_charType", ctypes.c_int8)
script_of = icu("uscript_getScript")
to_lower = icu("u_tolower")
to_upper = icu("u_toupper")
normalize = icu("unorm2_normalize")
error = ctypes.c_int32(0)
FOLDING = ctypes.c_void_p(icu("unorm2_getNFKCCasefoldInstance", ctypes.c_void_p)(ctypes.byref(error)))


def character_class(code):
    if code in SURROGATES:
        return OTHER
    if code == 0 or is_space(code):
        return SPACE
    if has_property(code, SENTENCE_TERMINAL):
        return TERMINAL
    return CLASS_OF_CATEGORY[category(code)]


def script(code):
    number = 0 if code in SURROGATES else script_of(code, ctypes.byref(error))
    return number if 0 < number < 256 else 0


def folded(code):
    """NFKC_Casefold where that is one character, else the lower case."""
    if code in SURROGATES:
        return code
    if character_class(code) == SPACE:
        return 0x20
    if code in QUOTATION_MARKS:
        return QUOTATION_MARKS[code]
    source = chr(code).encode("utf-16-le")
    target = ctypes.create_string_buffer(64)
    problem = ctypes.c_int32(0)
    size = normalize(FOLDING, source, len(source) // 2, target, 32, ctypes.byref(problem))
    if problem.value <= 0 and size > 0:
        text = target.raw[:2 * size].decode("utf-16-le")
        if len(text) == 1:
            return ord(text)
    return to_lower(code)


def numbers(name, values, kind="std::uint32_t"):
    text = textwrap.fill(", ".join(map(str, values)), 110, initial_indent="    ", subsequent_indent="    ")
    return f"constexpr {kind} {name}[] = {{\n{text},\n}};\n"


def runs(name, value, factor):
    """Runs of equal values from U+0000 on, as length * factor + value."""
    return numbers(name, [len(list(run)) * factor + v for v, run in itertools.groupby(map(value, CODES))])


def mapping(name, change):
    """Runs (first, last, step, distance) of characters that become others, all equally far away."""
    found = []
    for code in CODES:
        distance = change(code) - code
        if distance == 0 or code in SURROGATES:
            continue
        if found:
            first, last, step, shared = found[-1]
            if distance == shared and (code - last == step or (first == last and code - last <= 2)):
                found[-1] = (first, code, code - last, shared)
                continue
        found.append((code, code, 1, distance))
    cells = " ".join(f"{{{a},~{b},~{c},~{d}}}," for a, b, c, d in found)
    text = textwrap.fill(cells, 110, initial_indent="    ", subsequent_indent="    ").replace("~", " ")
    return f"constexpr MappedRange {name}[] = {{\n{text}\n}};\n"


if unicode_version() != UNICODE:
    sys.exit(f"make_character_table.py: ICU {ICU} has Unicode {unicode_version()} here, not {UNICODE}")
table = "\n".join([
    "// Made by make_character_table.py from Unicode 15.0 (ICU 72). Frozen: models depend on it.\n\n"
    "// Runs of characters of one class, from U+0000 on: length * 16 + class.\n" + runs("kClassRuns", character_class, 16),
    "// Runs of characters of one script: length * 256 + ICU's number of the script.\n" + runs("kScriptRuns", script, 256),
    "// Characters that are folded into others.\n" + mapping("kFolded", folded),
    "// Letters in upper case, and how far away those in lower case are.\n" + mapping("kLower", to_lower),
    "// The same in the other direction.\n" + mapping("kUpper", to_upper),
])
pathlib.Path(__file__).with_name("character_table.inc").write_text(table, encoding="ascii")
