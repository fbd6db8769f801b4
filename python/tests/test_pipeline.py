"""copse.load() and what it returns: inputs, options, errors, threads."""

import os
import pathlib
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import copse

CONLLU = """# sent_id = a
# text = Dogs bark.
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tbark\tbark\tVERB\tVBP\tMood=Ind|Number=Plur\t0\troot\t0:root\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\tKept=Yes

"""


def test_models_are_found(tmp_path, monkeypatch):
    nlp = copse.load("english")
    assert nlp.name == "english" and nlp.has_segmenter and nlp.has_tagger and "nsubj" in nlp.labels
    assert copse.load().path == nlp.path == copse.load(pathlib.Path(nlp.path)).path
    with pytest.raises(copse.DataError, match="klingon: cannot open this file, and there is no model of that name"):
        copse.load("klingon")
    bad = tmp_path / "bad.copse"
    bad.write_bytes(b"nothing")
    with pytest.raises(copse.DataError, match="bad.copse: .*not a"):
        copse.load(bad)
    monkeypatch.setenv("COPSE_MODEL", str(bad))
    with pytest.raises(copse.DataError, match="bad.copse"):
        copse.load()


def test_words_and_conllu(nlp):
    one = nlp(words=["It", "works", "."])
    assert one.text is None and one[0].text is None and one[0][0].start is None
    assert one[0].heads.tolist() == [2, 0, 2] and str(one) == "It works ."
    two = nlp(words=[["It", "works", "."], ("So", "what", "?")])
    assert [str(sentence) for sentence in two] == ["It works .", "So what ?"]
    assert two[0].to_conllu() == one.to_conllu()
    given = nlp(conllu=CONLLU)
    assert given[0].sent_id == "a" and given[0].text == "Dogs bark."
    assert given[0].comments == ["# sent_id = a", "# text = Dogs bark."]
    assert given.to_conllu() == CONLLU  # the tree is the same, and so the other columns stay
    assert nlp("").sentences == [] and nlp("", kbest=3).heads.shape == (0,)
    assert nlp(" \n\n ").to_conllu() == "" and nlp("").to_dict() == {"model": "english", "sentences": []}


def test_lines_are_sentences(nlp):
    text = "A heading\nIt goes on without\na stop here"
    assert [s.text for s in nlp(text, lines=True)] == text.split("\n")


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (dict(), ValueError, "give exactly one of text, words and conllu, not none of them"),
        (dict(text="a", words=["a"]), ValueError, "exactly one of text, words and conllu, not 2"),
        (dict(text=3), TypeError, "text must be a str, not int"),
        (dict(text="a\ud800"), copse.DataError, "text: character 1 is half of a surrogate pair"),
        (dict(words="a b"), TypeError, "words must be a list of words; a text is parsed by"),
        (dict(words=[1, 2]), TypeError, "words must be a list of words, or a list of such lists"),
        (dict(words=[[1]]), TypeError, "a word must be a str, not int"),
        (dict(conllu=b""), TypeError, "conllu must be a str, not bytes"),
        (dict(words=[[]]), ValueError, "a sentence has at least one word"),
        (dict(words=["a", ""]), ValueError, "a word has at least one character"),
        (dict(words=["a\tb"]), copse.DataError, "tab"),
        (dict(conllu="1\tonly\n\n"), copse.DataError, "<conllu>:1: "),
        (dict(text="a", kbset=3), TypeError, "there is no option 'kbset'; did you mean kbest?"),
        (dict(text="a", kbest=-1), ValueError, "kbest: -1 is not from 0 to 10000"),
        (dict(text="a", kbest=2.5), ValueError, "kbest: 2.5 is no whole number"),
        (dict(text="a", kbest=2, decode="mbr"), ValueError, "kbest: the k best trees are the most probable ones"),
        (dict(text="a", decode="x"), ValueError, "decode: 'x' is not one of best, mbr"),
        (dict(text="a", min_confidence=float("nan")), ValueError, "min_confidence: nan is not from 0"),
        (dict(text="a", min_confidence="x"), ValueError, "min_confidence: 'x' is no number"),
        (dict(text="a", threads=0), ValueError, "threads: 0 is not from 1 to 1024"),
        (dict(text="a", constraints=True), ValueError, "constraints: True keeps the heads that conllu has"),
        (dict(text="a", constraints={1: 7}), ValueError, r"constraints\[0\].head: there is no word 7; the last is 1"),
        (dict(text="a", constraints={(2, 1): 0}), ValueError, r"constraints\[0\].sentence: there is no sentence 2"),
        (dict(text="a", constraints=[dict(word=1)]), ValueError, r"constraints\[0\]: head is missing"),
        (dict(text="a", constraints=[dict(word=1, haed=1)]), ValueError, "no member 'haed'; did you mean head?"),
        (dict(text="a b", constraints={1: 1}), ValueError, "word 1 cannot depend on itself"),
        (dict(text="a", constraints=[3]), ValueError, r"constraints\[0\]: 3 is no dictionary"),
    ],
)
def test_bad_arguments(nlp, arguments, error, message):
    with pytest.raises(error, match=message) as found:
        nlp(**arguments)
    assert "\n" not in str(found.value)


def test_constraints(nlp):
    text = "I saw the man with the telescope. I saw the man with the telescope."
    free, bound = nlp(text), nlp(text, constraints={(2, 7): (4, "nmod")})
    assert bound[0].heads.tolist() == free[0].heads.tolist()
    assert free[1][6].head == 2 and bound[1][6].head == 4 and bound[1][6].is_pinned
    assert bound[1].to_dict()["words"][6]["pinned"] and "pinned" not in bound[1].to_dict()["words"][0]
    listed = nlp(text, constraints=[dict(sentence=2, word=7, head=4, deprel="nmod")])
    assert listed.to_conllu() == bound.to_conllu()
    kept = nlp(conllu=CONLLU.replace("2\tnsubj", "3\tnsubj"), constraints=True, conflict="drop")
    assert kept[0][1].head == 0
    # Words that depend on each other are in no tree.
    circle = [dict(word=1, head=2), dict(word=2, head=1)]
    with pytest.raises(copse.InfeasibleError, match="sentence 1: no tree of the model has all known heads"):
        nlp(words=["It", "works", "."], constraints=circle)
    dropped = nlp(words=["It", "works", "."], constraints=circle, conflict="drop")[0]
    assert len(dropped.to_dict()["dropped"]) == 1


def test_confidence(nlp):
    text = "I saw the man with the telescope."
    open_ = nlp(text, min_confidence=0.9)[0]
    assert open_[6].is_doubtful and pickle.loads(pickle.dumps(open_))[6].is_doubtful
    assert open_[6].head is None and open_[6].deprel is None and open_.heads[6] == -1 and open_[6].parent is None
    assert open_.to_dict()["words"][6]["head"] is None and len(open_.to_displacy()["arcs"]) == 6
    marked = nlp(text, min_confidence=0.9, doubtful="mark")[0]
    assert marked[6].head == 2 and marked[6].is_doubtful and marked.to_dict()["words"][6]["doubtful"]
    assert [word.id for word in marked if word.is_doubtful] == [7]


def test_other_options(nlp):
    text = "I saw the man with the telescope."
    bare = nlp(text, probabilities=False, labels=False)[0]
    assert bare.probabilities is None and bare[0].p is None and bare[0].deprel is None
    assert not {"p", "p_deprel"} & set(bare.to_dict(0)["words"][0]) and "entropy" not in bare.to_dict(0)
    assert [one.head for one in bare.alternatives(7)] == [2, 4]  # asked for later
    assert nlp(text, decode="mbr")[0].heads.tolist() == nlp(text)[0].heads.tolist()
    assert copse.load(kbest=3)(text)[0].trees[2:] and not copse.load(kbest=3)(text, kbest=0)[0].trees[1:]
    assert nlp(text, prune="off")[0].heads.tolist() == nlp(text, prune=None)[0].heads.tolist()


def texts(number):
    return [f"Text {k} has sentences. It is the {k}th of them, " + "and it goes on " * (k % 7) + "." for k in range(number)]


@pytest.mark.parametrize("threads", [1, 3])
def test_pipe_equals_single_calls(nlp, threads):
    given = texts(60)
    expected = [nlp(text).to_conllu(probabilities=True) for text in given]
    found = list(nlp.pipe(given, threads=threads, batch_size=7))
    assert [document.text for document in found] == given
    assert [document.to_conllu(probabilities=True) for document in found] == expected
    pairs = list(nlp.pipe(zip(given, range(60)), threads=threads, as_tuples=True, kbest=2))
    assert [context for _, context in pairs] == list(range(60))
    assert [document.text for document, _ in pairs] == given and len(pairs[0][0][0].trees) == 2
    mixed = list(nlp.pipe([["It", "works"], "It works.", [["So"], ["what", "?"]]], threads=threads))
    assert [len(document) for document in mixed] == [1, 1, 2]
    assert list(nlp.pipe([], threads=threads)) == []


def test_pipe_looks_ahead_by_a_bounded_number(nlp):
    taken = []

    def source():
        for text in texts(100):
            taken.append(text)
            yield text

    for number, _ in enumerate(nlp.pipe(source(), threads=2, batch_size=5), 1):
        assert len(taken) <= (number + 4) // 5 * 5 + 5
    assert len(taken) == 100


def test_pipe_raises_in_the_place_of_the_document(nlp):
    class Broken(Exception):
        pass

    def source(bad):
        yield from texts(12)
        if isinstance(bad, Exception):
            raise bad
        yield bad
        yield "never"

    for bad, error in ((Broken(), Broken), (3, TypeError), ("\udc80", ValueError), (["a\tb"], copse.DataError)):
        for batch_size in (1, 5, 100):
            seen = []
            with pytest.raises(error):
                for document in nlp.pipe(source(bad), threads=2, batch_size=batch_size):
                    seen.append(document.text)
            assert seen == texts(12)
    with pytest.raises(ValueError, match="batch_size"):
        nlp.pipe([], batch_size=0)
    with pytest.raises(TypeError, match="there is no option"):
        nlp.pipe([], constraint=1)
    abandoned = nlp.pipe(texts(50), threads=2, batch_size=5)
    next(abandoned)
    abandoned.close()


def test_several_python_threads(nlp):
    given = texts(12)
    expected = [nlp(text).to_conllu() for text in given]
    found = [None] * len(given)

    def work(first):
        for k in range(first, len(given), 4):
            found[k] = nlp(given[k], kbest=k % 3).to_conllu()

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_pipelines_can_be_pickled_and_forked(nlp):
    copy = pickle.loads(pickle.dumps(copse.load(nlp.path, kbest=2)))
    assert repr(copy) == f"Pipeline({nlp.path!r}, kbest=2)"
    list(nlp.pipe(texts(4), threads=2))  # has threads now, which the child will not have
    iterator = nlp.pipe(texts(40), threads=2, batch_size=4)
    next(iterator)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if len(list(nlp.pipe(texts(4), threads=2))) == 4 and len(nlp("It works.")) == 1 else 1
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert len(list(iterator)) == 39


def test_ctrl_c_interrupts(nlp):
    program = """
import os, signal, threading, copse
nlp = copse.load()
text = "It goes on and on, and nobody knows why it does not stop here. " * 300
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for document in nlp.pipe([text] * 100000, threads=1):
        pass
except KeyboardInterrupt:
    print("interrupted")
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert found.stdout == "interrupted\n", found.stderr


def test_the_lock_is_released(nlp):
    counted = 0
    batch = nlp.pipe([" ".join(texts(60))], threads=1)
    done = threading.Event()

    def consume():
        list(batch)
        done.set()

    thread = threading.Thread(target=consume)
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 100


def test_arrays_of_long_sentences(nlp):
    words = ("the dog barks and the cat sleeps , so " * 67).split()[:601]
    sentence = nlp(words=words)[0]
    assert sentence.to_dict(0)["pieces"] > 1 and len(sentence.heads) == 601
    assert np.isfinite(sentence.probabilities).all()


def test_what_is_no_text_is_named(nlp):
    for texts, message in [
        ([None], "texts: None is neither a str nor a list of words"),
        ([5], "texts: 5 is neither a str nor a list of words"),
        ([b"a"], "texts: b'a' is neither a str nor a list of words"),
    ]:
        with pytest.raises(TypeError, match=message):
            list(nlp.pipe(texts))
    with pytest.raises(TypeError, match="texts: 'ab' is no pair of a text and its context"):
        list(nlp.pipe(["ab"], as_tuples=True))
    for texts in ("one text", None, 5):
        with pytest.raises(TypeError, match="texts must be several texts"):
            nlp.pipe(texts)
    with pytest.raises(TypeError, match="words must be a list of words, not 5"):
        nlp(words=5)
    with pytest.raises(ValueError, match="batch_size: 'a' is no whole number"):
        nlp.pipe([], batch_size="a")
