"""What UDPipe's web service promises of its parameters, asked of `copse serve` by a client of the protocol."""

import re
import subprocess

import pytest
from running_server import COPSE
from udpipe_client import ServiceError, UdpipeClient

TEXT = "The dog can't see  the cats.\n\nIt sleeps in the garden, I think."
ALL = {"tokenizer": "", "tagger": "", "parser": ""}
CONLLU = (
    "# sent_id = a\n"
    "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
    "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n"
    "\n"
)


@pytest.fixture(params=["query", "urlencoded", "multipart"])
def client(server, request):
    return UdpipeClient(server.url, transport=request.param)


@pytest.fixture
def multipart(server):
    return UdpipeClient(server.url)


def rows(conllu):
    """The rows of words, as lists of columns."""
    return [line.split("\t") for line in conllu.split("\n") if re.match(r"\d+\t", line)]


def tokens(conllu):
    """The rows of what stands in the text: multiword tokens, and words outside of them."""
    found, covered = [], 0
    for line in conllu.split("\n"):
        columns = line.split("\t")
        if match := re.fullmatch(r"(\d+)-(\d+)", columns[0]):
            found.append(columns)
            covered = int(match[2])
        elif re.fullmatch(r"\d+", columns[0]):
            if int(columns[0]) == 1 and not (found and found[-1][0].startswith("1-")):
                covered = 0
            if int(columns[0]) > covered:
                found.append(columns)
    return found


def column(conllu, number):
    return [row[number] for row in rows(conllu)]


def command_line(command, text):
    done = subprocess.run([COPSE, *command], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode()


def expect_refused(client, form, *words, status=400):
    with pytest.raises(ServiceError) as refused:
        client.process_form(form)
    error = refused.value
    assert error.status == status
    assert error.headers.get_content_type() == "text/plain"
    assert error.text.strip() and "\n" not in error.text.strip(), error.text
    for word in words:
        assert word in error.text, error.text


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_models(multipart, method):
    models, default = multipart.models(method)
    assert list(models) == ["english-ewt-ud-2.15", "second-best"]
    assert default == "english-ewt-ud-2.15"
    for components in models.values():
        assert sorted(components) == ["parser", "tagger", "tokenizer"]


def test_text_to_trees(client):
    done = client.process(TEXT, **ALL)
    assert done.model == "english-ewt-ud-2.15"
    assert isinstance(done.acknowledgements, list)
    expected = command_line(["parse"], TEXT)
    assert [row[:9] for row in rows(done.result)] == [row[:9] for row in rows(expected)]
    assert "# text = The dog can't see  the cats." in done.result or "# text = The dog can't see the cats." in done.result
    assert done.result.endswith("\n\n")


# Only what is asked for is done.
def test_tokenizer_alone(client):
    result = client.process(TEXT, tokenizer="").result
    assert column(result, 1)[:4] == ["The", "dog", "ca", "n't"]
    for number in (3, 4, 5, 6, 7):
        assert set(column(result, number)) == {"_"}, number


def test_tagger_without_parser(client):
    result = client.process(TEXT, tokenizer="", tagger="").result
    assert column(result, 3)[:3] == ["DET", "NOUN", "AUX"]
    assert column(result, 2)[:3] == ["the", "dog", "can"]
    assert set(column(result, 6)) == set(column(result, 7)) == {"_"}


def test_parser_without_tagger_keeps_tags(multipart):
    odd = CONLLU.replace("NOUN\tNNS", "X\tFW").replace("2\tnsubj", "_\t_").replace("0\troot", "_\t_").replace("2\tpunct", "_\t_")
    result = multipart.process(odd, parser="").result
    assert column(result, 3) == ["X", "VERB", "PUNCT"]
    assert column(result, 6) == ["2", "0", "2"]


def test_parser_overwrites_heads(multipart):
    wrong = CONLLU.replace("2\tnsubj", "3\tdet").replace("2\tpunct", "2\tobj")
    result = multipart.process(wrong, parser="").result
    assert column(result, 6) == ["2", "0", "2"]
    assert column(result, 7) == ["nsubj", "root", "punct"]


def test_tagger_overwrites_tags_and_keeps_heads(multipart):
    wrong = CONLLU.replace("dog\tNOUN\tNNS\tNumber=Plur", "cat\tADJ\tJJ\t_")
    result = multipart.process(wrong, tagger="").result
    assert rows(result)[0][2:6] == ["dog", "NOUN", "NNS", "Number=Plur"]
    assert column(result, 6) == ["2", "0", "2"]


def test_nothing_asked_for_changes_nothing(client):
    assert client.process(CONLLU).result == CONLLU
    assert client.process(CONLLU, input="conllu", output="conllu").result == CONLLU


def test_comments_empty_nodes_and_ranges_come_back(multipart):
    text = (
        "# newdoc id = d\n# sent_id = s1\n# text = vámonos al mar\n"
        "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_\n"
        "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_\n"
        "2.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_\n"
        "3\tal\tal\tADP\t_\t_\t1\tobl\t_\t_\n\n"
    )
    assert multipart.process(text).result == text


# Options of the tokenizer.
def test_ranges_are_places_in_the_text(client):
    text = "Zoë can't see the 🐱 cats.\nReally? Yes."
    result = client.process(text, tokenizer="ranges").result
    found = tokens(result)
    assert len(found) > 8
    for row in found:
        begin, end = map(int, re.search(r"TokenRange=(\d+):(\d+)", row[9]).groups())
        assert text[begin:end] == row[1], row


def test_presegmented_lines_are_sentences(client):
    text = "One. Two. Three.\nA headline without an end\nand another"
    result = client.process(text, tokenizer="presegmented").result
    assert result.count("\n\n") == 3
    assert result.count("# text = ") == 3
    assert "# text = One. Two. Three.\n" in result


def test_options_of_the_tokenizer_are_joined_by_semicolons(client):
    for options in ("ranges;presegmented", "presegmented;ranges", "presegmented;ranges;"):
        result = client.process("One. Two.\nThree", tokenizer=options).result
        assert result.count("# text = ") == 2
        assert "TokenRange=10:15" in result


def test_spaces_are_kept_in_misc_unless_normalised(multipart):
    text = "Two  spaces,\ta tab.\n\n\nThe end.\n"
    assert "SpacesAfter=\\s\\s" in multipart.process(text, tokenizer="").result
    assert "SpaceAfter=No" in multipart.process(text, tokenizer="").result
    normalised = multipart.process(text, tokenizer="normalized_spaces").result
    assert "SpacesAfter" not in normalised and "SpacesBefore" not in normalised
    assert "SpaceAfter=No" in normalised


# Input formats.
def test_horizontal_input(client):
    result = client.process("Dogs bark .\nNew\u00a0York sleeps", input="horizontal").result
    assert column(result, 1) == ["Dogs", "bark", ".", "New York", "sleeps"]
    assert column(result, 0) == ["1", "2", "3", "1", "2"]
    parsed = client.process("Dogs bark .", input="horizontal", tagger="", parser="").result
    assert column(parsed, 6) == ["2", "0", "2"]
    assert column(parsed, 3) == ["NOUN", "VERB", "PUNCT"]


def test_vertical_input(client):
    result = client.process("Dogs\tignored\tx\nbark\n.\n\nCats\nsleep\n", input="vertical").result
    assert column(result, 1) == ["Dogs", "bark", ".", "Cats", "sleep"]
    assert column(result, 0) == ["1", "2", "3", "1", "2"]


def test_line_ends_of_windows(multipart):
    assert column(multipart.process("Dogs\r\nbark\r\n\r\nCats\r\n", input="vertical").result, 1) == ["Dogs", "bark", "Cats"]
    assert column(multipart.process("Dogs bark\r\nCats\r\n", input="horizontal").result, 1) == ["Dogs", "bark", "Cats"]
    assert column(multipart.process(CONLLU.replace("\n", "\r\n")).result, 1) == ["Dogs", "bark", "."]


def test_options_of_formats(multipart):
    assert multipart.process(CONLLU, input="conllu=v2", output="conllu=v2").result == CONLLU


def test_tokenizer_comes_before_input(multipart):
    assert column(multipart.process("Dogs bark.", tokenizer="", input="vertical").result, 1) == ["Dogs", "bark", "."]


# Output formats.
def test_horizontal_output(client):
    result = client.process(TEXT, tokenizer="", output="horizontal").result
    assert result == "The dog ca n't see the cats .\nIt sleeps in the garden , I think .\n"
    assert client.process("a New\u00a0York", input="horizontal", output="horizontal").result == "a New\u00a0York\n"


def test_vertical_output(client):
    result = client.process("Dogs bark. Cats sleep.", tokenizer="", output="vertical").result
    assert result == "Dogs\nbark\n.\n\nCats\nsleep\n.\n\n"


def test_plaintext_is_the_text_again(client):
    text = "Two  spaces,\ta tab: it can't\n be. Next?\n\n\nA paragraph. \n"
    assert client.process(text, tokenizer="", output="plaintext").result.rstrip() == text.rstrip()


def test_plaintext_with_normalised_spaces(multipart):
    text = "Two  spaces. It can't\n be."
    result = multipart.process(text, tokenizer="", output="plaintext=normalized_spaces").result
    assert result == "Two spaces.\nIt can't be.\n"


def test_paragraphs_of_horizontal_output(multipart):
    result = multipart.process("One. Two.\n\nThree.", tokenizer="", output="horizontal=paragraphs").result
    assert re.fullmatch(r"One \.\nTwo \.\n\nThree \.\n\n?", result), result


def test_empty_data(client):
    assert client.process("", tokenizer="", tagger="", parser="").result.strip() == ""
    assert client.process(" \n", tokenizer="").result.strip() == ""
    assert client.process("").result == ""


def test_characters_survive(client):
    data = "a&b=c;d+e %41 ü 漢字 🐱 \"quoted\" \\ <tag> '"
    result = client.process(data, tokenizer="", output="plaintext").result
    assert result.rstrip("\n") == data


# Selection of models.
def test_a_model_is_selected_by_the_beginning_of_its_name(client):
    for name in ("english-ewt-ud-2.15", "english-ewt-ud", "english-ewt", "english"):
        assert client.process("It works.", tokenizer="", model=name).model == "english-ewt-ud-2.15"
    assert client.process("It works.", tokenizer="", model="second").model == "second-best"
    assert client.process("It works.", tokenizer="", model="second-best").model == "second-best"


def test_an_unknown_model_is_refused(client):
    for name in ("klingon", "engl", "english-gum", "ewt"):
        expect_refused(client, {"data": "x", "tokenizer": "", "model": name}, name)


# Errors.
def test_data_is_required(client):
    expect_refused(client, {"tokenizer": "", "tagger": ""}, "data")


def test_unknown_formats_are_refused(client):
    expect_refused(client, {"data": "x", "input": "penn"}, "penn")
    expect_refused(client, {"data": CONLLU, "output": "docx"}, "docx")


def test_broken_conllu_is_refused_with_its_line(client):
    expect_refused(client, {"data": CONLLU + "1\tonly\tthree\n"}, "6")
    expect_refused(client, {"data": "plain text"}, "1")


def test_bytes_that_are_no_text_are_refused(server):
    client = UdpipeClient(server.url)
    for path, body, content_type in (
        ("/process?tokenizer&data=%ff%fe", None, None),
        ("/process", b"tokenizer=&data=%C3%28", "application/x-www-form-urlencoded"),
        ("/process", b'--x\r\nContent-Disposition: form-data; name="tokenizer"\r\n\r\n\r\n--x\r\n'
         b'Content-Disposition: form-data; name="data"\r\n\r\n\xed\xa0\x80\r\n--x--\r\n', "multipart/form-data; boundary=x"),
    ):
        status, headers, answer = client.request("POST" if body else "GET", path, body,
                                                 {"Content-Type": content_type} if body else {})
        assert status == 400, (path, answer)
        assert b"UTF-8" in answer


def test_other_methods_and_paths(multipart):
    assert multipart.request("PUT", "/process", b"")[0] == 405
    assert multipart.request("DELETE", "/models")[0] == 405
    assert multipart.request("GET", "/proces")[0] == 404
    assert multipart.request("GET", "/models/english")[0] == 404


def test_a_doubled_slash_is_one(server):
    client = UdpipeClient(server.url)
    assert client.request("GET", "//models")[0] == 200
    assert client.request("GET", "//process?tokenizer&data=x")[0] == 200
