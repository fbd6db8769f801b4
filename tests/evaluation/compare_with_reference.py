"""Compares `copse eval --json` with reference_eval.py on randomly spoilt trees.

usage: compare_with_reference.py builtin|treebank    (COPSE_BINARY, COPSE_SHARED_DATA in the environment)
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import reference_eval

SKIPPED = 77
CONVENTIONS = ["keep", "ptb", "ctb", "ud", "unicode"]

# FORM/UPOS/XPOS/HEAD/LABEL; a word with - is a range or an empty node before the next word.
SENTENCES = [
    "The|DET|DT|2|det dogs|NOUN|NNS|4|nsubj:pass were|AUX|VBD|4|aux:pass seen|VERB|VBN|0|root "
    ",|PUNCT|,|7|punct ``|PUNCT|``|7|punct too|ADV|RB|4|advmod ''|PUNCT|''|7|punct .|PUNCT|.|4|punct",
    "1-2|- Vamos|VERB|_|0|root nos|PRON|_|1|obj 2.1|- :)|SYM|NFP|1|discourse !|PUNCT|_|1|punct",
    "«|PUNCT|PU|2|punct 海|NOUN|NN|0|root 。|PUNCT|PU|2|punct »|PUNCT|PU|2|punct",
    "…|PUNCT|:|0|root",
    "Two|NUM|CD|0|root roots|NOUN|NNS|0|root ,|,|_|2|punct unknown|ADJ|JJ|_|_ %|SYM|NN|2|dep -|PUNCT|HYPH|2|punct",
]


def conllu(sentence, number):
    lines = [f"# sent_id = {number}"]
    words = 0
    for item in sentence.split(" "):
        cells = item.split("|")
        if cells[1] == "-":
            lines.append("\t".join([cells[0], "x"] + ["_"] * 8))
            continue
        words += 1
        form, upos, xpos, head, label = cells
        lines.append("\t".join([str(words), form, "_", upos, xpos, "_", head, label, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def other_head(word, size, generator):
    choices = [str(head) for head in range(size + 1) if head != word] + ["_"]
    return generator.choice(choices)


def spoilt(text, generator, rate, labels=True, probabilities=True):
    blocks = []
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        size = sum(row[0].isdecimal() for row in rows)
        for row in rows:
            if len(row) != 10 or not row[0].isdecimal():
                continue
            if generator.random() < rate:
                row[6] = other_head(int(row[0]), size, generator)
            if generator.random() < rate:
                row[7] = generator.choice(["dep", "nsubj", row[7] + ":x", row[7].split(":")[0]])
            if not labels:
                row[7] = "_"
            row[9] = "_"
            if probabilities and generator.random() < 0.9:
                row[9] = f"A=b|P={generator.betavariate(3, 1):.{generator.choice([1, 2, 4])}f}"
        blocks.append("\n".join("\t".join(row) for row in rows))
    return "\n\n".join(blocks)


def differences(found, expected, path):
    """Of all that is in `expected`; `found` may say more."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [d for key in expected for d in differences(found.get(key, "absent"), expected[key], f"{path}.{key}")]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [d for k, value in enumerate(expected) for d in differences(found[k], value, f"{path}[{k}]")]
    if isinstance(expected, float) and isinstance(found, (int, float)):
        same = math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    else:
        same = found == expected
    return [] if same else [f"{path}: {found!r}, the reference says {expected!r}"]


def compare(folder, gold_text, system_texts, convention, subtypes, bins):
    gold = folder / "gold.conllu"
    gold.write_text(gold_text, encoding="utf-8")
    systems = []
    for number, text in enumerate(system_texts):
        systems.append(folder / f"system{number}.conllu")
        systems[-1].write_text(text, encoding="utf-8")
    command = [os.environ["COPSE_BINARY"], "eval", "--json", "--bootstrap", "5", "--trials", "5",
               "--punctuation", convention, "--subtypes", subtypes, "--bins", str(bins),
               "--gold", str(gold), "--system", *map(str, systems)]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    trees = reference_eval.read(gold)
    for number, system in enumerate(systems):
        counts, scores = reference_eval.evaluate(trees, reference_eval.read(system), convention, subtypes, bins)
        found = differences(report, counts, "report")
        found += differences(report["systems"][number], scores, f"system{number}")
        if found:
            sys.exit(f"{convention}, {subtypes} subtypes, {bins} bins:\n" + "\n".join(found[:20]))


def compare_builtin(folder, generator):
    for round_number in range(40):
        chosen = generator.choices(SENTENCES, k=generator.randint(1, 12))
        gold = "".join(conllu(sentence, number) for number, sentence in enumerate(chosen))
        systems = [
            spoilt(gold, generator, generator.choice([0.0, 0.1, 0.5, 1.0]), labels=round_number % 4 > 0),
            spoilt(gold, generator, 0.3, probabilities=False),
        ]
        for convention in CONVENTIONS:
            subtypes = generator.choice(["ignore", "keep"])
            compare(folder, gold, systems, convention, subtypes, generator.choice([1, 4, 15]))


def compare_treebank(folder, generator):
    treebank = pathlib.Path(os.environ.get("COPSE_SHARED_DATA", "")) / "en_ewt" / "dev.conllu"
    if not treebank.is_file():
        print(f"skipped: there is no {treebank}; set COPSE_SHARED_DATA")
        sys.exit(SKIPPED)
    gold = treebank.read_text(encoding="utf-8")
    system = spoilt(gold, generator, 0.1)
    for convention in CONVENTIONS:
        for subtypes in ["ignore", "keep"]:
            compare(folder, gold, [system], convention, subtypes, 15)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        run = {"builtin": compare_builtin, "treebank": compare_treebank}[sys.argv[1]]
        run(pathlib.Path(name), random.Random(20))
