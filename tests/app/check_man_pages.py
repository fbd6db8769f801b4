"""Every command has a manual page that `man` shows without complaint and that has all that its --help says."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COPSE = os.environ["COPSE_BINARY"]


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **options)


def words(text):
    """What is compared: the letters, without line breaks, backticks and the spaces between."""
    return re.sub(r"\s+", " ", text.replace("`", "")).strip()


def paragraphs(text):
    """Of a help: those of the texts above and below the lists, and every description of an option."""
    entry = re.compile(r"(?m)^  (?:\S.*?)(?:  +|\n {20,})(\S.*(?:\n {20,}\S.*)*)")
    for block in re.split(r"\n\n+", text.partition("\nUsage: ")[2]):
        if re.match(r"(?!Examples?:).*:\n  \S", block):  # a list with its heading
            yield from (match[1] for match in entry.finditer(block))
        elif not block.startswith("copse "):  # the usage
            yield block.removeprefix("Examples:\n")


def main():
    if shutil.which("man") is None:
        print("man is not installed")
        return 77
    failures = []
    pages = 0
    with tempfile.TemporaryDirectory() as folder:
        made = run(COPSE, "manual", "--folder", folder)
        assert made.returncode == 0, made.stderr
        for path in sorted(pathlib.Path(folder).iterdir()):
            pages += 1
            command = path.stem.split("-")[1:]
            if run(COPSE, "manual", *command).stdout != path.read_text():
                failures.append(f"{path.name} is not what `copse manual {' '.join(command)}` writes")
            shown = run("man", "--warnings", "-P", "cat", "-l", str(path),
                        env=dict(os.environ, MANWIDTH="2000", LC_ALL="C.UTF-8", MANPAGER="cat"))
            if shown.returncode != 0 or shown.stderr:
                failures.append(f"{path.name}: {shown.stderr}")
            text = words(shown.stdout)
            for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"):
                if f"\n{title}\n" not in shown.stdout:
                    failures.append(f"{path.name} has no section {title}")
            compared = 0
            for paragraph in paragraphs(run(COPSE, *command, "--help").stdout):
                compared += 1
                if words(paragraph) not in text:
                    failures.append(f"{path.name} lacks: {words(paragraph)}")
            if compared < 2:
                failures.append(f"{path.name}: only {compared} paragraphs of the help were compared")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{pages} pages, {len(failures)} failures")
    return 1 if failures or pages < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
