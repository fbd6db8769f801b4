"""Documents, sentences and words, against what the program writes and against the laws of probabilities."""

import json
import math
import pickle
import xml.etree.ElementTree
from typing import Any

import numpy as np
import pytest

import copse

TEXT = "I saw the man with the telescope. He couldn't have known that.\n\nNaïve café owners — 10 of them — smiled 😀."


@pytest.fixture(scope="module")
def document(nlp):
    return nlp(TEXT)


def test_words_stand_in_the_text(document):
    assert document.text == TEXT
    assert len(document) == 3
    for sentence in document:
        tokens = {}
        for entry in sentence.to_dict()["multiword_tokens"]:
            tokens.update({id: entry for id in range(entry["first"], entry["last"] + 1)})
        for word in sentence:
            surface = tokens[word.id]["form"] if word.id in tokens else word.form
            assert TEXT[word.start : word.end] == surface
        assert TEXT[sentence.start : sentence.end] == sentence.text
    assert [word.form for word in document[1]][:3] == ["He", "could", "n't"]
    assert document[2].text.endswith("😀.")


def test_words_have_all_columns(document):
    saw = document[0][1]
    assert (saw.id, saw.form, saw.lemma, saw.upos, saw.xpos) == (2, "saw", "see", "VERB", "VBD")
    assert "Tense=Past" in saw.feats.split("|")
    assert (saw.head, saw.deprel, saw.parent) == (0, "root", None)
    assert saw.misc is None and not saw.is_doubtful and not saw.is_pinned
    assert document[0].roots == [saw]
    assert [word.form for word in saw.children] == ["I", "man", "telescope", "."]
    assert document[0][3].parent == saw and hash(document[0][3].parent) == hash(saw)
    assert 0.99 < saw.p <= 1.0 and 0.99 < saw.p_deprel <= 1.0


def test_sequences(document):
    sentence = document[0]
    assert len(sentence) == 8 and len(list(sentence)) == 8
    assert [word.id for word in sentence[-2:]] == [7, 8] and sentence[-1].form == "."
    assert sentence.words == sentence[:]
    assert document[-1] == document[2] and document[:2] == [document[0], document[1]] == document.sentences[:2]
    assert document.word_count == sum(map(len, document)) == len(list(document.words))
    for bad in (8, -9):
        with pytest.raises(IndexError):
            sentence[bad]
    with pytest.raises(IndexError):
        document[3]
    assert str(sentence) == "I saw the man with the telescope." and str(document) == TEXT
    assert repr(document) == "Document(3 sentences, 26 words)"
    assert repr(sentence) == "Sentence('I saw the man with the telescope.', 8 words)"
    assert repr(sentence[1]).startswith("Word(2, 'saw', upos='VERB', head=0, deprel='root', p=")


def test_arrays_are_views(document):
    sentence = document[0]
    np.testing.assert_array_equal(sentence.heads, [word.head for word in sentence])
    np.testing.assert_array_equal(sentence.probabilities, [word.p for word in sentence])
    np.testing.assert_array_equal(sentence.label_probabilities, [word.p_deprel for word in sentence])
    assert sentence.deprels == [word.deprel for word in sentence]
    heads = sentence.heads
    assert not heads.flags.owndata and not heads.flags.writeable
    assert heads.__array_interface__["data"] == sentence.heads.__array_interface__["data"]
    with pytest.raises(ValueError):
        heads[0] = 1
    np.testing.assert_array_equal(document.heads, np.concatenate([s.heads for s in document]))
    assert document.probabilities.shape == document.heads.shape == (document.word_count,)


def test_views_outlive_their_document(nlp):
    heads = nlp("It works.")[0].heads
    probabilities = nlp("It works.")[0].probabilities
    nlp("Something else takes the memory, perhaps.")
    assert heads.tolist() == [2, 0, 2] and (probabilities > 0.5).all()


def test_alternatives_sum_to_one(document):
    for sentence in document:
        for word in sentence:
            found = sentence.alternatives(word, min_p=0.0)
            assert sum(one.p for one in found) == pytest.approx(1.0, abs=1e-4)
            assert [one.p for one in found] == sorted((one.p for one in found), reverse=True)
            own = next(one for one in found if one.head == word.head)
            assert own.p == pytest.approx(word.p, abs=1e-9)
            assert own.deprel == word.deprel and own.p_deprel == pytest.approx(word.p_deprel, abs=1e-9)
            assert word.alternatives == [one for one in found if one.p >= 0.01]
    sentence = document[0]
    assert [one.head for one in sentence.alternatives(7)] == [2, 4]
    with pytest.raises(ValueError, match="there is no word 9; the last is 8"):
        sentence.alternatives(9)
    with pytest.raises(ValueError, match="the word is not of this sentence"):
        sentence.alternatives(document[1][0])


def test_alternatives_while_parsing(nlp, document):
    early = nlp(TEXT, min_alternative=0.01)
    for a, b in zip(early, document):
        for word, other in zip(a, b):
            assert [x.head for x in word.alternatives] == [x.head for x in other.alternatives]
            assert [x.p for x in word.alternatives] == pytest.approx([x.p for x in other.alternatives])


def test_the_least_probability_of_alternatives_is_that_of_the_document(nlp, document):
    low, high = nlp(TEXT, min_alternative=1e-4), nlp(TEXT, min_alternative=0.3)
    numbers = [[len(word.alternatives) for word in one.words] for one in (low, document, high)]
    assert sum(numbers[0]) > sum(numbers[1]) > sum(numbers[2])
    for one in (low, high):
        listed = [word["alternatives"] for word in one.to_dict()["sentences"][0]["words"]]
        assert [len(heads) for heads in listed] == [
            len([a for a in word.alternatives if a.p >= one[0]._view.document.options.min_alternative]) for word in one[0]
        ]
    # A limit that is given counts.
    assert [len(low[0].alternatives(word, 0.01)) for word in low[0]] == numbers[1][: len(low[0])]
    with pytest.raises(ValueError, match="min_p: 2.0 is not from 0.0 to 1.0"):
        low[0].alternatives(1, 2)


def test_words_and_sentences_that_are_not_there(document):
    with pytest.raises(IndexError, match=r"there is no word 99; the sentence has 8 words, counted from 0"):
        document[0][99]
    with pytest.raises(IndexError, match=r"there is no sentence 7; the document has 3 sentences"):
        document[7]
    with pytest.raises(TypeError, match="'a' is no number of a word, nor a slice"):
        document[0]["a"]
    assert [word.id for word in document[0][-2:]] == [7, 8]


def test_arguments_that_cannot_be(document):
    sentence = document[0]
    for call, message in [
        (lambda: sentence.kbest("3"), "k: '3' is no whole number"),
        (lambda: sentence.sample(2.5), "n: 2.5 is no whole number"),
        (lambda: sentence.sample(1, seed=-1), "seed: -1 is not from 0"),
        (lambda: sentence.alternatives(1.5), "word: 1.5 is no whole number"),
        (lambda: sentence.to_dict("much"), "min_alternative: 'much' is no number"),
        (lambda: sentence.constrained(5), "constraints: 5 is neither"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_best_trees(nlp, document):
    sentence = document[0]
    trees = sentence.kbest(20)
    assert [t.log_probability for t in trees] == sorted((t.log_probability for t in trees), reverse=True)
    assert len({tuple(t.heads) for t in trees}) == len(trees) == 14  # all that pruning has left
    np.testing.assert_array_equal(trees[0].heads, sentence.heads)
    assert trees[0].deprels == sentence.deprels
    assert trees[0].log_probability == pytest.approx(sentence.log_probability)
    assert trees[0].probability == pytest.approx(math.exp(sentence.log_probability))
    assert sum(t.probability for t in trees) == pytest.approx(1.0)
    assert len(sentence.trees) == 1
    asked = nlp(sentence.text, kbest=3)[0]
    assert [tuple(t.heads) for t in asked.trees] == [tuple(t.heads) for t in trees[:3]]
    assert asked.to_conllu(all_trees=True).count("# kbest_rank") == 3
    assert asked.to_conllu() == nlp(sentence.text).to_conllu()
    with pytest.raises(ValueError, match="k: 0 is not from 1 to 10000"):
        sentence.kbest(0)


def test_labelled_trees(nlp, document):
    sentence = document[0]
    pairs = sentence.kbest(60, labels=True)
    assert [t.log_probability for t in pairs] == sorted((t.log_probability for t in pairs), reverse=True)
    assert len({(tuple(t.heads), tuple(t.deprels)) for t in pairs}) == 60 > len({tuple(t.heads) for t in pairs})
    # P(tree, labels) = P(tree) times the probabilities of the labels given the arcs
    trees = {tuple(t.heads): t.log_probability for t in sentence.kbest(20)}
    for pair in pairs:
        assert pair.log_probability == pytest.approx(trees[tuple(pair.heads)] + np.log(pair.p_deprel).sum(), abs=1e-5)
    asked = nlp(sentence.text, kbest=3, kbest_labels=True)[0]
    assert [t.deprels for t in asked.trees] == [t.deprels for t in pairs[:3]]
    with pytest.raises(ValueError, match="leave out labels=False"):
        nlp(sentence.text, kbest=3, kbest_labels=True, labels=False)


def test_labels_say_something_about_heads(nlp, document):
    sentence = document[0]
    rows = [line.split("\t") for line in sentence.to_conllu().splitlines() if line and line[0] != "#"]
    for row in rows:
        row[6:8] = ["_", "nmod" if row[0] == "7" else "_"]
    given = nlp(conllu="".join("\t".join(row) + "\n" for row in rows) + "\n", constraints=True)[0]
    assert (given[6].deprel, given[6].p_deprel) == ("nmod", 1.0) and not given[6].is_pinned
    # Bayes: P(arc | label) = P(arc) P(label | arc) / sum over all arcs
    pairs = [t for t in sentence.kbest(10000, labels=True) if t.deprels[6] == "nmod"]
    of_head = sum(t.probability for t in pairs if t.heads[6] == given[6].head) / sum(t.probability for t in pairs)
    assert given[6].p == pytest.approx(of_head, abs=2e-3)
    assert given.ignored_labels == []
    row = rows[0]
    row[7] = rows[1][7] = "root"
    two_roots = nlp(conllu="".join("\t".join(row) + "\n" for row in rows) + "\n", constraints=True)[0]
    assert len(two_roots.ignored_labels) == 1 and [word.deprel for word in two_roots[:2]] == ["root", "root"]


def test_samples_follow_the_probabilities(document):
    sentence = document[0]
    samples = sentence.sample(4000, seed=7)
    heads = np.array([tree.heads for tree in samples])
    assert heads.shape == (4000, 8)
    with_this_head = (heads == sentence.heads).mean(axis=0)
    np.testing.assert_allclose(with_this_head, sentence.probabilities, atol=0.03)
    np.testing.assert_array_equal(heads[:10], [tree.heads for tree in sentence.sample(10, seed=7)])
    assert (heads[:100] != [tree.heads for tree in sentence.sample(100, seed=8)]).any()
    assert sentence.sample(0) == []


def test_constrained_sentences(document):
    sentence = document[0]
    other = sentence.constrained({7: 4})
    assert other[6].head == 4 and other[6].is_pinned and other[6].p == pytest.approx(1.0)
    assert not other[0].is_pinned and not sentence[6].is_pinned
    # P(tree | arc) = P(tree) / P(arc)
    best = next(t for t in sentence.kbest(2) if t.heads[6] == 4)
    arc = next(one for one in sentence.alternatives(7) if one.head == 4)
    assert other.log_probability == pytest.approx(best.log_probability - math.log(arc.p), abs=1e-6)
    again = other.constrained({8: (4, "dep")})
    assert (again[6].head, again[7].head, again[7].deprel) == (4, 4, "dep")
    assert [one.head for one in again.alternatives(7, 1e-6)] == [4]
    with pytest.raises(copse.InfeasibleError, match="no tree"):
        other.constrained({4: 7})
    assert [word.start for word in other] == [word.start for word in sentence]


def test_conllu_of_the_program(document):
    plain = document.to_conllu()
    assert plain == "".join(sentence.to_conllu() for sentence in document)
    assert "P=" not in plain and "TokenRange" not in plain
    rows = [row.split("\t") for row in plain.splitlines() if row[:1].isdigit() and "-" not in row.split("\t")[0]]
    assert [row[6] for row in rows] == [str(head) for head in document.heads]
    with_p = document.to_conllu(probabilities=True)
    assert with_p.count("|P=") + with_p.count("\tP=") == document.word_count
    assert with_p.count("# tree_entropy = ") == 3


def test_dictionaries_keep_to_the_contract(nlp, document):
    answer = document.to_dict()
    assert json.loads(json.dumps(answer)) == answer
    assert list(answer) == ["model", "sentences"] and answer["model"] == "english"
    for sentence, entry in zip(document, answer["sentences"]):
        assert set(entry) == {"sent_id", "text", "log_probability", "entropy", "pieces", "had_to_prune", "comments",
                              "words", "multiword_tokens", "empty_nodes"}  # fmt: skip
        assert entry["text"] == sentence.text and entry["entropy"] == sentence.entropy
        for word, row in zip(sentence, entry["words"]):
            assert set(row) == {"id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc",
                                "start", "end", "p", "p_deprel", "alternatives"}  # fmt: skip
            for name in ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "misc", "p", "start", "end"):
                assert row[name] == getattr(word, name)
            assert row["alternatives"][0].keys() == {"head", "p", "deprel", "p_deprel"}
    token = answer["sentences"][1]["multiword_tokens"][0]
    assert (token["first"], token["last"], token["form"]) == (2, 3, "couldn't")
    assert TEXT[token["start"] : token["end"]] == "couldn't"
    trees = nlp(document[0].text, kbest=2).to_dict(min_alternative=0)["sentences"][0]
    assert "alternatives" not in trees["words"][0]
    assert [tree["rank"] for tree in trees["trees"]] == [1, 2]
    assert set(trees["trees"][0]) == {"rank", "log_probability", "probability", "heads", "deprels", "p"}


def test_displacy(document):
    drawing = document[0].to_displacy()
    assert drawing["words"][1] == {"text": "saw", "tag": "VERB"}
    assert {"start": 0, "end": 1, "label": "nsubj", "dir": "left"} in drawing["arcs"]
    assert {"start": 1, "end": 3, "label": "obj", "dir": "right"} in drawing["arcs"]
    assert len(drawing["arcs"]) == 7 and len(document.to_displacy()) == 3


def test_drawings(nlp, document):
    svg = document[0].to_svg()
    root = xml.etree.ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert all(form in svg for form in ("telescope", "nsubj"))
    assert svg in document._repr_html_() and document._repr_html_().count("<svg") == 3
    assert "──┼───► saw" in document[0].draw() and document[0].draw(unicode=False).isascii()
    many = nlp("\n\n".join(["It works."] * 25))
    assert many._repr_html_().count("<svg") == 20 and "5 more sentences" in many._repr_html_()


def test_pickles(nlp, document):
    copy = pickle.loads(pickle.dumps(document))
    assert copy.to_conllu(probabilities=True) == document.to_conllu(probabilities=True)
    assert copy.text == TEXT and copy.model == "english"
    assert [(w.start, w.end, w.p) for w in copy.words] == [(w.start, w.end, w.p) for w in document.words]
    assert copy.to_dict(0) == document.to_dict(0)
    word = pickle.loads(pickle.dumps(document[1][3]))
    assert (word.id, word.form, word.sentence.text) == (4, "have", document[1].text)
    with pytest.raises(copse.DataError, match="without its model; parse its text again"):
        copy[0].kbest(2)
    full = nlp(document[0].text, kbest=2, min_alternative=0.001, constraints={1: 2})
    again = pickle.loads(pickle.dumps(full))
    assert again[0].trees[1].deprels == full[0].trees[1].deprels
    assert again[0].alternatives(3) == full[0].alternatives(3) and again[0][0].is_pinned
    data = list(document._data.__getstate__())
    data[0] = 99
    with pytest.raises(ValueError, match="another version of Copse"):
        kind: Any = type(document._data)
        kind.__new__(kind).__setstate__(tuple(data))
