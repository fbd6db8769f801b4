"""Completes command lines in real shells, with the scripts that `copse completion` writes.

What they propose is compared with what `copse COMMAND --help` lists. A shell that is not installed is named and skipped.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COPSE = os.environ["COPSE_BINARY"]

# A command line, and exactly what there is to propose.
EXPECTED = [
    ("copse pars", ["parse"]),
    ("copse parse --decode ", ["best", "mbr"]),
    ("copse parse --decode m", ["mbr"]),
    ("copse parse --min-conf", ["--min-confidence"]),
    ("copse parse --prune o", ["off"]),
    ("copse completion ", ["bash", "fish", "zsh"]),
    ("copse manual segm", ["segment"]),
    ("copse check tree", ["tree bank.conllu", "trees.conllu"]),
    ("copse train --train tree", ["tree bank.conllu", "trees.conllu"]),
    ("copse show --folder d", ["drawings"]),
]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60, **options).stdout


def words_of_line(line):
    """As bash cuts it: `=` is a word of its own, and the last word, which is completed, may be empty."""
    return [word for part in line.split(" ") for word in (re.split("(=)", part) if "=" in part else [part])]


def complete_in_bash(script, lines, folder):
    program = f"source {script}\n"
    for line in lines:
        words = " ".join(f"'{word}'" for word in words_of_line(line))
        program += f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _copse\n"
        program += "printf '%s\\n' \"${COMPREPLY[@]}\"; echo ==\n"
    return proposals(output("bash", "--norc", "-c", program, cwd=folder))


def complete_in_fish(script, lines, folder):
    program = f"source {script}\n"
    for line in lines:
        program += f"complete -C '{line}'\necho ==\n"
    home = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / "fish"))
    answers = proposals(output("fish", "--no-config", "-c", program, cwd=folder, env=home))
    # A tab comes before the description; folders end in a slash; spaces of files are escaped.
    clean = lambda word: word.split("\t")[0].rstrip("/").replace("\\ ", " ")
    return [sorted({clean(word) for word in answer} - {""}) for answer in answers]


def proposals(text):
    return [sorted(set(part.strip("\n").split("\n")) - {""}) for part in text.split("==\n")[:-1]]


# One shell for all lines: to begin one takes seconds of processor time. Ctrl-U empties the line again.
ZSH = r"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=0; echo REA''DY"
zpty -r shell text '*READY*'
shift
for line; do
  zpty -w -n shell $'\x15'"$line"$'\t\t'
  heard= tries_left=8
  for try in {1..100}; do
    if zpty -rt shell text; then
      heard+=$text tries_left=8
    elif [[ $heard == *$line* ]] && ((--tries_left == 0)); then
      break
    fi
    sleep 0.05
  done
  print -r -- "$heard"
  print -r -- "=="
done
zpty -d shell
"""


def complete_in_zsh(script, lines, folder):
    """What the terminal shows after two tabs, without escape sequences."""
    text = output("zsh", "-f", "-c", ZSH, "zsh", str(script.parent), *lines, cwd=folder)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\b\a]", "", text).split("\n==\n")[:-1]


def options_in_help(command):
    """The names at the beginnings of the lines that describe options."""
    text = output(COPSE, *command, "--help").split("\nOptions:")[1]
    names = set()
    for line in text.split("\n"):
        if entry := re.match(r"  (-[^\s,]+(?:,-[^\s,]+)*)( |$)", line):
            names.update(entry[1].split(","))
        elif line and not line.startswith(" ") and not line.endswith(":"):
            break  # the text below the options
    return sorted(names)


def commands_in_help():
    text = output(COPSE, "--help").split("\nSubcommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in text.split("\n") if re.match("  [a-z]", line)]


def main():
    failures = []

    def expect(shell, line, expected, got):
        if expected != got:
            failures.append(f"{shell}: {line!r}: expected {expected}, got {got}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in ("trees.conllu", "tree bank.conllu", "dregs"):
            (folder / file).write_text("")
        (folder / "drawings").mkdir()
        scripts = folder / "scripts"
        scripts.mkdir()
        for shell, script in (("bash", "copse"), ("zsh", "_copse"), ("fish", "copse.fish")):
            (scripts / script).write_text(output(COPSE, "completion", shell))

        commands = commands_in_help()
        assert len(commands) > 10, commands
        cases = EXPECTED + [("copse ", commands)]
        for command in commands:
            options = options_in_help([command])
            assert "--help" in options, command
            cases.append((f"copse {command} -", options))
        lines = [line for line, _ in cases]

        own_options = set(options_in_help([]))
        answers = complete_in_bash(scripts / "copse", lines + ["copse parse --decode=m"], folder)
        for (line, expected), got in zip(cases, answers):
            if line == "copse ":
                got = [word for word in got if word not in own_options]
            expect("bash", line, sorted(expected), got)
        expect("bash", "copse parse --decode=m", ["mbr"], answers[-1])

        if shutil.which("fish"):
            answers = complete_in_fish(scripts / "copse.fish", lines + ["copse parse --decode=m"], folder)
            for (line, expected), got in zip(cases, answers):
                expect("fish", line, sorted(expected), got)
            expect("fish", "copse parse --decode=m", ["--decode=mbr"], answers[-1])
        else:
            print("fish is not installed: skipped")

        if shutil.which("zsh"):
            answers = dict(zip(lines, complete_in_zsh(scripts / "_copse", [line for line, _ in EXPECTED], folder)))
            for line, expected in EXPECTED:
                got = answers[line]
                missing = [word for word in expected if word not in got.replace("\\ ", " ")]
                expect("zsh", line, [], missing)
            for line, unwanted in (("copse show --folder d", "dregs"), ("copse parse --decode ", "trees")):
                if unwanted in answers[line]:
                    failures.append(f"zsh: {line!r} proposes {unwanted}")
        else:
            print("zsh is not installed: skipped")

    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(cases)} command lines, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
