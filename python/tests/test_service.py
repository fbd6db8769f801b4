"""to_dict() is what the web service answers."""

import json
import os
import subprocess
import urllib.request

import pytest

TEXT = "I saw the man with the telescope. He couldn't have known that.\n\nNaïve café owners smiled 😀."
PROGRAM = os.environ.get("COPSE_BINARY")
EMPTY_NODE = """1\tDogs\tdog\tNOUN\t_\t_\t_\t_\t1.1:nsubj\tA=B
1.1\tbark\tbark\tVERB\t_\t_\t_\t_\t0:root\t_
2\t.\t.\tPUNCT\t_\t_\t_\t_\t_\t_

"""


@pytest.fixture(scope="module")
def service():
    if "serve" not in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("the program was built without its server")
    server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--threads", "1"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)  # fmt: skip
    address = server.stdout.readline().split()[-1]

    def ask(**request):
        body = json.dumps(request).encode()
        with urllib.request.urlopen(urllib.request.Request(address + "v1/parse", body,
                                    {"Content-Type": "application/json"})) as reply:  # fmt: skip
            return json.load(reply)

    yield ask
    server.terminate()
    server.wait()


def assert_same(found, expected, place=""):
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for name in expected:
            assert_same(found[name], expected[name], f"{place}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for number, one in enumerate(expected):
            assert_same(found[number], one, f"{place}[{number}]")
    elif isinstance(found, float):
        assert found == pytest.approx(expected, abs=1e-5), place  # the service writes fewer digits, and 1 for 1.0
    else:
        assert found == expected and type(found) is type(expected), place


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"kbest": 3},
        {"min_confidence": 0.9},
        {"min_confidence": 0.9, "doubtful": "mark"},
        {"labels": False},
        {"decode": "mbr", "tag": "always"},
        {"constraints": [{"sentence": 1, "word": 7, "head": 4, "deprel": "nmod"}]},
    ],
)
def test_equals_the_service(nlp, service, options):
    assert_same(nlp(TEXT, **options).to_dict(), service(text=TEXT, **options))


def test_words_and_conllu_equal_the_service(nlp, service):
    words = [["It", "works", "."], ["So", "what", "?"]]
    assert_same(nlp(words=words).to_dict(), service(tokens=words))
    assert_same(nlp(conllu=EMPTY_NODE).to_dict(0), service(conllu=EMPTY_NODE, min_alternative=0))
    bare = dict(probabilities=False, min_alternative=0)
    assert_same(nlp(TEXT, probabilities=False).to_dict(0), service(text=TEXT, **bare))
