"""copse.train() against the program, and copse.evaluate()."""

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Dict

import pytest

import copse

PROGRAM = os.environ.get("COPSE_BINARY")
WORDS = ["dogs", "cats", "birds", "cows"]
VERBS = ["see", "hear", "like"]


def tree(subject, verb, thing):
    rows = [(subject, "NOUN", 2, "nsubj"), (verb, "VERB", 0, "root"), ("the", "DET", 4, "det"),
            (thing, "NOUN", 2, "obj"), (".", "PUNCT", 2, "punct")]  # fmt: skip
    lines = (f"{k}\t{w}\t{w}\t{t}\t_\t_\t{h}\t{r}\t_\t_\n" for k, (w, t, h, r) in enumerate(rows, 1))
    return f"# text = {' '.join(row[0] for row in rows)}\n" + "".join(lines) + "\n"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebank")
    trees = [tree(a, verb, b) for a in WORDS for verb in VERBS for b in WORDS]
    (folder / "train.conllu").write_text("".join(trees[::2]))
    (folder / "dev.conllu").write_text("".join(trees[1::6]))
    return folder


OPTIONS: Dict[str, Any] = dict(factorization="first", iterations=4, threads=1)


def learn(treebank, name="model.copse", **options):
    model = treebank / name
    return model, copse.train(treebank / "train.conllu", model, treebank / "dev.conllu", **{**OPTIONS, **options})


def test_train_equals_the_program(treebank):
    events, lines = [], []
    model, end = learn(treebank, progress=events.append, messages=lines.append)
    assert end == events[-1] and end["event"] == "end" and end["dev_uas"] == 1.0
    assert end["model_bytes"] == model.stat().st_size
    log = [json.loads(line) for line in (treebank / "model.copse.log.jsonl").read_text().splitlines()]
    assert events == log
    assert [e["iteration"] for e in events if e["event"] == "iteration"] == [1, 2, 3, 4]
    assert any("objective" in line for line in lines)
    other = treebank / "program.copse"
    command = [PROGRAM, "train", "--train", "train.conllu", "--dev", "dev.conllu", "--model", other]
    for name, value in OPTIONS.items():
        command += [f"--{name}", str(value)]
    subprocess.run(command, cwd=treebank, check=True, capture_output=True)
    assert other.read_bytes() == model.read_bytes()


def test_nothing_is_printed(treebank, capfd):
    learn(treebank, "silent.copse")
    assert capfd.readouterr() == ("", "")


def test_a_callback_stops_the_run_and_it_goes_on(treebank):
    expected = learn(treebank, "whole.copse")[0].read_bytes()

    class Enough(Exception):
        pass

    def stop(event):
        if event["event"] == "iteration" and event["iteration"] == 2:
            raise Enough("of this")

    with pytest.raises(Enough, match="of this"):
        learn(treebank, "stopped.copse", progress=stop)
    assert not (treebank / "stopped.copse").exists()
    assert (treebank / "stopped.copse.checkpoint").is_dir()
    with pytest.raises(copse.DataError, match="there are checkpoints of an interrupted run; go on with"):
        learn(treebank, "stopped.copse")
    events = []
    model, _ = learn(treebank, "stopped.copse", resume=True, progress=events.append)
    assert model.read_bytes() == expected
    assert any(event["event"] == "resumed" for event in events)
    assert not (treebank / "stopped.copse.checkpoint").exists()


def test_ctrl_c_stops_the_run(treebank):
    program = f"""
import os, signal, copse
def press(event):
    if event["event"] == "iteration":
        os.kill(os.getpid(), signal.SIGINT)
try:
    copse.train({str(treebank / "train.conllu")!r}, {str(treebank / "interrupted.copse")!r}, factorization="first",
                iterations=50, threads=1, progress=press)
except KeyboardInterrupt:
    print("interrupted")
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert found.stdout == "interrupted\n", found.stderr
    assert not (treebank / "interrupted.copse").exists()


@pytest.mark.parametrize(
    "options, error, message",
    [
        (dict(factorisation="first"), TypeError, "train.. has no option 'factorisation'; did you mean factorization?"),
        (dict(l2="x"), ValueError, "l2: 'x' is neither a number from 0 to 1000000 nor auto"),
        (dict(iterations=0), ValueError, "iterations: .*0 not in range"),
        (dict(trees="nonprojective", factorization="sibling"), ValueError, "trees: nonprojective needs factorization"),
        (dict(l2=float("inf")), ValueError, "l2: "),
        (dict(train="nowhere.conllu"), copse.DataError, "nowhere.conllu: cannot open: "),
    ],
)
def test_bad_options_have_the_messages_of_the_program(treebank, options, error, message):
    given = {**OPTIONS, "train": treebank / "train.conllu", **options}
    with pytest.raises(error, match=message) as found:
        copse.train(model=treebank / "bad.copse", **given)
    assert "\n" not in str(found.value)
    assert not list(treebank.glob("bad.copse*"))


def test_models_without_a_tagger_say_what_they_miss(treebank):
    model, _ = learn(treebank, "no-tagger.copse")
    nlp = copse.load(model)
    assert not nlp.has_tagger and not nlp.has_segmenter
    with pytest.warns(UserWarning, match="2 words have no tag, and the model has learnt from words with tags"):
        nlp(words=["dogs", "see"])
    with pytest.raises(copse.DataError, match="no segmenter"):
        nlp("dogs see the birds .")
    with pytest.raises(copse.DataError, match="has no tagger; leave out tag='always'"):
        nlp(words=["dogs"], tag="always")
    with pytest.raises(copse.DataError, match="has no pruner; leave out prune"):
        nlp(words=["dogs"], prune=0.1)


def test_evaluate(treebank, nlp):
    gold = treebank / "dev.conllu"
    model, _ = learn(treebank, "evaluated.copse")
    document = copse.load(model)(conllu=gold.read_text())
    perfect = copse.evaluate(gold, document)
    assert perfect.uas == perfect["las"] == 1.0 and perfect.uas.part == perfect.uas.whole == 40
    assert perfect.uas.interval == (1.0, 1.0) and perfect.calibration["arcs"] == 40
    assert repr(perfect).startswith("Evaluation(uas=1.0000, las=1.0000, ra=1.0000")
    worse = treebank / "worse.conllu"
    worse.write_text(gold.read_text().replace("\t2\tpunct", "\t4\tpunct", 3))
    scores = copse.evaluate(gold, worse, bootstrap=0)
    assert scores.uas == pytest.approx(37 / 40) and scores.cm == pytest.approx(5 / 8) and scores.uas.interval is None
    assert "calibration" not in scores
    assert copse.evaluate(str(gold), pathlib.Path(worse), punctuation="ud").uas == 1.0
    command = [PROGRAM, "eval", "--gold", gold, "--system", worse, "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["systems"][0]
    by_python = copse.evaluate(gold, worse)
    for name in ("uas", "las", "ra", "cm", "lcm", "coverage", "precision"):
        assert report[name]["value"] == by_python[name]
        assert tuple(report[name]["interval"]) == pytest.approx(by_python[name].interval)
    aligned = copse.evaluate(gold, (sentence for sentence in document), aligned=True)
    assert aligned.words == aligned.las == 1.0 and aligned.las.recall == 1.0
    with pytest.raises(copse.DataError):
        copse.evaluate(gold, nlp("Something else."))
    with pytest.raises(ValueError, match="punctuation: 'x' is not one of keep, ptb"):
        copse.evaluate(gold, gold, punctuation="x")
    with pytest.raises(AttributeError, match="there is no score 'f1'; there are uas, las"):
        perfect.f1
