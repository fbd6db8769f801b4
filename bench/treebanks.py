"""The treebanks of the experiments, and what all of them do with results."""

import glob
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("COPSE_SHARED_DATA", ROOT.parent / "shared" / "data"))
COPSE = pathlib.Path(os.environ.get("COPSE_BINARY", ROOT / "build" / "release" / "copse"))
FOLDER = ROOT / "build" / "experiments"
PAGE = ROOT / "docs" / "notes" / "experiments.md"


def penn_files(split):
    return sorted(glob.glob(str(DATA / "en_ptb" / split / "dependencies" / "*.dp")))


def universal(name, punctuation):
    folder = DATA / name
    return {"train": [str(folder / "train.conllu")], "dev": [str(folder / "dev.conllu")],
            "punctuation": punctuation, "root": "single"}


TREEBANKS = {
    "en_ptb": {"train": penn_files("train"), "dev": penn_files("dev"), "punctuation": "ptb", "root": "multi"},
    "zh_gsd": universal("zh_gsd", "ud"),
    "cs_mix": universal("cs_mix", "keep"),
    "en_ewt": universal("en_ewt", "ud"),
}


def dev_file(treebank):
    """One file with the whole dev set."""
    files = TREEBANKS[treebank]["dev"]
    path = FOLDER / f"{treebank}-dev{pathlib.Path(files[0]).suffix}"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        text = "".join(pathlib.Path(file).read_text(encoding="utf-8").rstrip("\n") + "\n\n" for file in files)
        path.write_text(text, encoding="utf-8")
    return path


def percent(value):
    value = value["value"] if isinstance(value, dict) else value
    return f"{100 * value:.2f}"


def minutes(seconds):
    return f"{seconds / 60:.1f}"


def write_between(name, text):
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    PAGE.write_text(before + begin + "\n" + text + "\n" + end + after, encoding="utf-8")
