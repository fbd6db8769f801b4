"""Compares `copse analyze --json` with reference_analysis.py on randomly spoilt trees.

usage: compare_analysis.py builtin|treebank    (COPSE_BINARY, COPSE_SHARED_DATA in the environment)
"""
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import reference_analysis  # puts the folder of the next two on the path
import compare_with_reference
import reference_eval

LABELLED = ["found_labelled", "right_labelled"]


def expect(is_so, message):
    if not is_so:
        sys.exit(message)


def expect_equal(found, expected, what):
    expect(found == expected, f"{what}: {found!r}, the reference says {expected!r}")


def without_labels(bins, is_label):
    """What is left of the counts of a system without labels."""
    kept = {}
    for name, counts in bins.items():
        counts = {key: value for key, value in counts.items() if key not in LABELLED}
        if is_label:
            counts.update(predicted=0, right=0)
        if any(counts.values()):
            kept[name] = counts
    return kept


def compare_breakdowns(report, number, expected, is_labelled, scores):
    expect_equal(set(report["breakdowns"]), set(expected), "properties")
    for name, bins in expected.items():
        if not is_labelled:
            bins = without_labels(bins, name == "label")
        found = {}
        for entry in report["breakdowns"][name]:
            counts = entry["systems"][number]
            found[entry["bin"]] = counts
            for share, part, whole in [("recall", "found", "gold"), ("precision", "right", "predicted")]:
                value = counts[part] / counts[whole] if counts[whole] else None
                expect_equal(counts[share], value, f"{share} of {name} {entry['bin']}")
        for key in set(found) | set(bins):
            # Bins that only another system has are all zeros.
            wanted = bins.get(key, dict.fromkeys(next(iter(bins.values())), 0) if bins else {})
            for field, value in wanted.items():
                expect_equal(found.get(key, {}).get(field, 0), value, f"{name} {key} {field}")
        total = {field: sum(counts[field] for counts in found.values()) for field in ("gold", "found")}
        expect_equal(total, {"gold": scores["uas"]["whole"], "found": scores["uas"]["part"]}, f"sums of {name}")


def compare_csv(path, report):
    """Every share of the breakdowns is in the table, too."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = {(r["table"], r["system"], r["bin"], r["measure"]): r for r in csv.DictReader(file)}
    for name, bins in report["breakdowns"].items():
        for entry in bins:
            for system, counts in zip(report["systems"], entry["systems"]):
                row = rows[name, system["name"], entry["bin"], "recall"]
                expect_equal((int(row["part"]), int(row["whole"])), (counts["found"], counts["gold"]), f"CSV of {name}")
                row = rows[name, system["name"], entry["bin"], "precision"]
                expect_equal((int(row["part"]), int(row["whole"])), (counts["right"], counts["predicted"]), f"CSV of {name}")


def compare(folder, gold_text, system_texts, convention, subtypes):
    gold = folder / "gold.conllu"
    gold.write_text(gold_text, encoding="utf-8")
    systems = []
    for number, text in enumerate(system_texts):
        systems.append(folder / f"system{number}.conllu")
        systems[-1].write_text(text, encoding="utf-8")
    command = [os.environ["COPSE_BINARY"], "analyze", "--punctuation", convention, "--subtypes", subtypes, "--gold", str(gold),
               "--json", str(folder / "report.json"), "--csv", str(folder / "report.csv"), "--bins", "15",
               "--sentences", "10000", "--output", str(folder / "page.html"),
               *[argument for k, path in enumerate(systems) for argument in ("--system", f"S,{k}={path}")]]
    subprocess.run(command, check=True)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    trees = reference_eval.read(gold)
    parsed = [reference_eval.read(path) for path in systems]
    for number, analyses in enumerate(parsed):
        entry = report["systems"][number]
        counts, scores = reference_eval.evaluate(trees, analyses, convention, subtypes, 15)
        found = compare_with_reference.differences(report, counts, "report")
        found += compare_with_reference.differences(entry, scores, f"system{number}")
        expect(not found, "\n".join(found[:20]))
        is_labelled = scores["las"] is not None
        expected = reference_analysis.analyze(trees, analyses, convention, subtypes)
        compare_breakdowns(report, number, expected, is_labelled, scores)
        if is_labelled:
            pairs = {(p["gold"], p["system"]): [p["words"], p["right_heads"]] for p in entry["label_pairs"]}
            expect_equal(pairs, reference_analysis.label_pairs(trees, analyses, convention, subtypes), "label pairs")
        else:
            expect_equal(entry["label_pairs"], None, "label pairs")
    expect_equal(report["agreement"], reference_analysis.agreement(trees, parsed, convention), "agreement")
    wrong = [sum(s["wrong_heads"] for s in sentence["systems"]) for sentence in report["worst_sentences"]]
    wrong = [errors for errors in wrong if errors > 0]  # some have only wrong labels
    expect_equal(wrong, reference_analysis.worst_sentences(trees, parsed, convention), "worst sentences")
    compare_csv(folder / "report.csv", report)


def compare_builtin(folder, generator):
    for round_number in range(30):
        chosen = generator.choices(compare_with_reference.SENTENCES, k=generator.randint(1, 12))
        gold = "".join(compare_with_reference.conllu(sentence, number) for number, sentence in enumerate(chosen))
        systems = [
            compare_with_reference.spoilt(gold, generator, generator.choice([0.0, 0.1, 0.5, 1.0]),
                                          labels=round_number % 3 > 0),
            compare_with_reference.spoilt(gold, generator, 0.3, probabilities=False),
        ]
        convention = compare_with_reference.CONVENTIONS[round_number % 5]
        compare(folder, gold, systems, convention, generator.choice(["ignore", "keep"]))


def compare_treebank(folder, generator):
    treebank = pathlib.Path(os.environ.get("COPSE_SHARED_DATA", "")) / "en_ewt" / "dev.conllu"
    if not treebank.is_file():
        print(f"skipped: there is no {treebank}; set COPSE_SHARED_DATA")
        sys.exit(compare_with_reference.SKIPPED)
    blocks = treebank.read_text(encoding="utf-8").split("\n\n")
    gold = "\n\n".join(generator.sample(blocks[:-1], 300)) + "\n\n"
    compare(folder, gold, [compare_with_reference.spoilt(gold, generator, 0.1)], "ud", "ignore")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        run = {"builtin": compare_builtin, "treebank": compare_treebank}[sys.argv[1]]
        run(pathlib.Path(name), random.Random(21))
