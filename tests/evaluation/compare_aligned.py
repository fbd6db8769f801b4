"""Compares `copse eval --aligned --json` with reference_aligned_eval.py on randomly changed analyses of one text.

usage: compare_aligned.py builtin|treebank    (COPSE_BINARY, COPSE_SHARED_DATA in the environment)

If CONLL18_UD_EVAL names the evaluation script of the shared task, its figures are compared, too. COPSE_TEST_SEED and
COPSE_TEST_SCALE choose the random cases and their number.
"""
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import changed_analysis
import reference_aligned_eval

SKIPPED = 77
TREEBANKS = ["en_ewt", "cs_mix", "zh_gsd"]


def official_script():
    path = os.environ.get("CONLL18_UD_EVAL")
    if not path:
        return None
    spec = importlib.util.spec_from_file_location("official", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def official_scores(script, gold, system):
    found = script.evaluate(script.load_conllu_file(str(gold)), script.load_conllu_file(str(system)))
    return {name.lower(): {"precision": one.precision, "recall": one.recall, "f1": one.f1,
                           "aligned_accuracy": one.aligned_accuracy, "correct": one.correct, "gold": one.gold_total,
                           "system": one.system_total, "aligned": one.aligned_total}
            for name, one in found.items()}


def differences(found, expected, source):
    return [f"{source}: {measure} {key} is {found[measure][key]}, not {value}"
            for measure in reference_aligned_eval.MEASURES for key, value in expected[measure].items()
            if found[measure][key] != value]


def compare(folder, gold, systems, script, what):
    paths = [folder / "gold.conllu"] + [folder / f"system{number}.conllu" for number in range(len(systems))]
    for path, text in zip(paths, [gold] + systems):
        path.write_text(text, encoding="utf-8", newline="\n")
    command = [os.environ["COPSE_BINARY"], "eval", "--aligned", "--json", "--gold", *map(str, paths[:1]), "--system",
               *map(str, paths[1:])]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    gold_text = reference_aligned_eval.Text(paths[0])
    for path, found in zip(paths[1:], report["systems"]):
        expected = reference_aligned_eval.evaluate(gold_text, reference_aligned_eval.Text(path))
        wrong = differences(found, expected, "reference")
        if script:
            wrong += differences(found, official_scores(script, paths[0], path), "official script")
        if wrong:
            system = path.read_text(encoding="utf-8")
            sys.exit(f"{what}, {path.name}:\n" + "\n".join(wrong) + f"\n\n{gold[:2000]}\n{system[:2000]}")
    return [found["words"]["f1"] for found in report["systems"]]


def compare_builtin(folder, seed, scale, script):
    reached = []
    for case in range(max(1, round(100 * scale))):
        generator = random.Random(f"{seed}/{case}")
        sentences = generator.choices(changed_analysis.builtin_sentences(), k=generator.randint(1, 4))
        texts = [changed_analysis.changed(sentences, generator, generator.choice([0.0, 0.05, 0.3, 0.8]))
                 for _ in range(4)]
        reached += compare(folder, texts[0], texts[1:], script, f"seed {seed}, case {case}")
    share = sum(value < 1.0 for value in reached) / len(reached)
    if len(reached) > 100 and not 0.2 < share < 0.98:
        sys.exit(f"the cases are too much alike: {share:.0%} have words that are not aligned")


def compare_treebank(folder, seed, _scale, script):
    data = pathlib.Path(os.environ.get("COPSE_SHARED_DATA", ""))
    files = [data / name / "dev.conllu" for name in TREEBANKS if (data / name / "dev.conllu").is_file()]
    if not files:
        print(f"skipped: there are no treebanks in {data}; set COPSE_SHARED_DATA")
        sys.exit(SKIPPED)
    for file in files:
        generator = random.Random(f"{seed}/{file.parent.name}")
        sentences = changed_analysis.read(file)
        system = changed_analysis.changed(sentences, generator, 0.1)
        compare(folder, file.read_text(encoding="utf-8"), [system], script, f"seed {seed}, {file}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        run = {"builtin": compare_builtin, "treebank": compare_treebank}[sys.argv[1]]
        run(pathlib.Path(name), os.environ.get("COPSE_TEST_SEED", "20"),
            float(os.environ.get("COPSE_TEST_SCALE", "1")), official_script())
