"""Forms in the dialects that the standards allow: RFC 2046, 2231, 7578 and 9112, asked of `copse serve`."""

import email.mime.multipart
import email.mime.nonmultipart
import email.policy
import http.client
import json
import socket
import urllib.parse

import pytest
from raw_http import exchange, read_answers, split_answers
from udpipe_client import UdpipeClient

SEEN = "Zoë can't bark."
WORDS = "Zoë ca n't bark .\n"


@pytest.fixture
def client(server):
    return UdpipeClient(server.url)


def post(client, body, content_type, **headers):
    status, _, answer = client.request("POST", "/process", body, {"Content-Type": content_type, **headers})
    return status, answer.decode()


def expect_words(client, body, content_type, words=WORDS, **headers):
    status, answer = post(client, body, content_type, **headers)
    assert status == 200, answer
    assert json.loads(answer)["result"] == words


def expect_error(client, body, content_type, word):
    status, answer = post(client, body, content_type)
    assert status == 400, answer
    assert word in answer and "\n" not in answer.strip(), answer


def form(boundary=b"x", preamble=b"", epilogue=b"\r\n", data_headers=None, data=SEEN.encode(), padding=b"", end=b"--"):
    """A form that asks for words in horizontal format, with a part `data` of its own make."""
    data_headers = data_headers or b'Content-Disposition: form-data; name="data"\r\n'
    delimiter = b"\r\n--" + boundary
    parts = [
        b'Content-Disposition: form-data; name="tokenizer"\r\n\r\n',
        b'Content-Disposition: form-data; name="output"\r\n\r\nhorizontal',
        data_headers + b"\r\n" + data,
    ]
    body = b"".join(delimiter + padding + b"\r\n" + part for part in parts) + delimiter + end + padding + epilogue
    return preamble + body if preamble else body[2:]


def test_plain_multipart(client):
    expect_words(client, form(), "multipart/form-data; boundary=x")


@pytest.mark.parametrize(
    "boundary",
    ["----WebKitFormBoundaryABC", "=_x'()+_,-./:=?", "with spaces inside", "x" * 70, "0", "--", "a\\b"],
)
def test_odd_boundaries(client, boundary):
    escaped = boundary.replace("\\", "\\\\")
    expect_words(client, form(boundary.encode()), f'multipart/form-data; boundary="{escaped}"')


@pytest.mark.parametrize(
    "content_type",
    [
        "Multipart/Form-Data; Boundary=x",
        "multipart/form-data;boundary=x",
        'multipart/form-data ; charset=utf-8 ; boundary="x"',
        'multipart/form-data; boundary="x"; charset=UTF-8',
        "multipart/form-data;  boundary=x ",
        'multipart/form-data; note="a; boundary=y"; boundary=x',
    ],
)
def test_ways_to_say_the_content_type(client, content_type):
    expect_words(client, form(), content_type)


def test_text_around_the_parts(client):
    content_type = "multipart/form-data; boundary=x"
    for preamble in (b"This is a form.", b"Lines\nof LF\n--y\nalone", b"\r\n", b"--xy\r\n", b"a --x\r\n"):
        expect_words(client, form(preamble=preamble), content_type)
    for epilogue in (b"", b"\r\n", b"\r\nThe end.\r\n--x\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\nno\r\n--x--"):
        expect_words(client, form(epilogue=epilogue), content_type)


def test_space_after_boundaries(client):
    expect_words(client, form(padding=b" \t "), "multipart/form-data; boundary=x")


def test_data_that_looks_like_a_boundary(client):
    data = b"--x dogs bark\n--xx cats\r\n-- x\r\n--X."
    status, answer = post(client, form(data=data).replace(b"horizontal", b"plaintext"), "multipart/form-data; boundary=x")
    # A line that begins with the delimiter ends the part, also if more follows: RFC 2046 forbids such data.
    assert status in (200, 400), answer
    data = b"a --x b\n -- x\r\n--X\r\n-x."
    status, answer = post(client, form(data=data).replace(b"horizontal", b"plaintext"), "multipart/form-data; boundary=x")
    assert status == 200, answer
    assert json.loads(answer)["result"].split() == data.decode().split()


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Disposition: form-data; name=data\r\n",
        b"content-disposition:form-data;name=data\r\n",
        b'CONTENT-DISPOSITION: Form-Data; NAME="data"\r\n',
        b'Content-Disposition: form-data;\r\n name="data"\r\n',
        b'Content-Disposition: form-data; filename="a;b.txt"; name="data"\r\n',
        b'Content-Disposition: form-data; name="data"; filename="say \\"name=x\\".txt"\r\nContent-Type: text/plain\r\n',
        b"Content-Disposition: form-data; name=\"data\"; filename*=UTF-8''na%C3%AFve%3B.txt\r\n",
        b"Content-Disposition: form-data; name=\"data\"; filename=\"x\"; filename*=utf-8'en'y\r\n",
        b'Content-Disposition: form-data; name="da\\ta"\r\n',
        b'X-Note: first\r\nContent-Disposition: form-data; name="data"\r\nContent-Length: 3\r\n',
        b'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="data"\r\n',
        b'Content-Disposition: form-data; name="data"\r\nContent-Type: text/plain; charset="UTF-8"\r\nMIME-Version: 1.0\r\n',
        b'Content-Disposition: form-data; name="data"\r\nContent-Type: application/octet-stream\r\n',
        b'Content-Disposition: form-data; name="data"\r\nContent-Transfer-Encoding: 8bit\r\n',
        b'Content-Disposition: form-data; name="data"\r\nContent-Transfer-Encoding: binary\r\n',
    ],
)
def test_headers_of_parts(client, headers):
    expect_words(client, form(data_headers=headers), "multipart/form-data; boundary=x")


def test_encodings_of_parts(client):
    named = b'Content-Disposition: form-data; name="data"\r\nContent-Transfer-Encoding: '
    for encoding, data in (
        (b"base64\r\n", b"Wm/DqyBjYW4n\r\ndCBiYXJrLg=="),
        (b"BASE64\r\n", b"Wm/DqyBjYW4ndCBiYXJrLg=="),
        (b"quoted-printable\r\n", b"Zo=C3=AB can't =\r\nbark."),
        (b"Quoted-Printable\r\n", b"Zo=c3=ab can=27t bark."),
    ):
        expect_words(client, form(data_headers=named + encoding, data=data), "multipart/form-data; boundary=x")


def test_charsets_of_parts(client):
    headers = b'Content-Disposition: form-data; name="data"\r\nContent-Type: text/plain; charset='
    for charset in ("iso-8859-1", '"ISO-8859-1"', "windows-1252"):
        encoded = SEEN.encode(charset.strip('"'))
        expect_words(client, form(data_headers=headers + charset.encode() + b"\r\n", data=encoded),
                     "multipart/form-data; boundary=x")
    expect_error(client, form(data_headers=headers + b"klingon\r\n"), "multipart/form-data; boundary=x", "klingon")


def test_a_form_may_name_its_charset(client):
    named = b'Content-Disposition: form-data; name="data"\r\n'
    with_charset = form(data_headers=named, data=SEEN.encode("latin-1")).replace(
        b"--x\r\n", b'--x\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\niso-8859-1\r\n--x\r\n', 1)
    expect_words(client, with_charset, "multipart/form-data; boundary=x")


def test_broken_multipart_is_refused(client):
    expect_error(client, form(), "multipart/form-data", "boundary")
    expect_error(client, form(), "multipart/form-data; boundary=", "boundary")
    expect_error(client, form(), "multipart/form-data; boundary=other", "")
    expect_error(client, form()[:-10], "multipart/form-data; boundary=x", "")
    expect_error(client, form(end=b""), "multipart/form-data; boundary=x", "")
    expect_error(client, form(data_headers=b"Content-Type: text/plain\r\n"), "multipart/form-data; boundary=x", "")
    broken = b'Content-Disposition: form-data; name="data"\r\nContent-Transfer-Encoding: base64\r\n'
    expect_error(client, form(data_headers=broken, data=b"@@@@"), "multipart/form-data; boundary=x", "base64")


def test_a_form_of_pythons_email_package(client):
    """The parts have MIME headers of their own, and the first boundary comes without an empty line before it."""
    message = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in (("tokenizer", ""), ("output", "horizontal"), ("data", SEEN + "\nIt is.")):
        part = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        message.attach(part)
    body = message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1]
    expect_words(client, body, message["Content-Type"], words=WORDS + "It is .\n")


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=UTF-8",
     "Application/X-WWW-Form-URLEncoded;Charset=utf-8"],
)
def test_urlencoded(client, content_type):
    body = urllib.parse.urlencode({"tokenizer": "", "output": "horizontal", "data": SEEN}).encode()
    expect_words(client, body, content_type)


def test_dialects_of_urlencoded(client):
    content_type = "application/x-www-form-urlencoded"
    for body in (
        b"tokenizer&output=horizontal&data=Zo%C3%AB+can't+bark.",
        b"data=Zo%c3%ab%20can%27t%20bark.&output=horizontal&tokenizer=",
        "tokenizer=&output=horizontal&data=Zoë can't bark.".encode(),  # as `curl --data` sends what it is given
        b"&&tokenizer=&&output=%68orizontal&d%61ta=Zo%C3%AB can't bark.&",
    ):
        expect_words(client, body, content_type)


def test_parameters_of_query_and_body_together(client):
    status, _, answer = client.request("POST", "/process?tokenizer=&output=horizontal",
                                       b"data=" + urllib.parse.quote(SEEN).encode(),
                                       {"Content-Type": "application/x-www-form-urlencoded"})
    assert status == 200, answer
    assert json.loads(answer)["result"] == WORDS
    status, _, answer = client.request("POST", "/process?tokenizer&output=horizontal&data=" + urllib.parse.quote(SEEN), b"")
    assert status == 200, answer


def test_query_in_dialects(client):
    for query in ("tokenizer&output=horizontal&data=Zo%C3%AB+can't+bark.",
                  "data=Zo%c3%ab%20can%27t%20bark.&tokenizer=&output=horizontal&"):
        status, _, answer = client.request("GET", "/process?" + query)
        assert status == 200, answer
        assert json.loads(answer)["result"] == WORDS


def test_unknown_kinds_of_body_are_refused(client):
    for content_type in ("text/plain", "application/xml", "nonsense"):
        status, answer = post(client, b"tokenizer=&data=x", content_type)
        assert status in (400, 415), (content_type, answer)
        assert "\n" not in answer.strip()


# HTTP itself.
def test_chunked_body(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    body = form()
    pieces = (body[i : i + 7] for i in range(0, len(body), 7))
    connection.request("POST", "/process", pieces, {"Content-Type": "multipart/form-data; boundary=x"}, encode_chunked=True)
    answer = json.loads(connection.getresponse().read())
    assert answer["result"] == WORDS
    connection.close()


def request_bytes(body, extra=b"", version=b"1.1"):
    return (b"POST /process HTTP/" + version + b"\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
            + extra + b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n")


def only_answer(received):
    answers, rest = split_answers(received)
    assert len(answers) == 1 and rest == b"", received
    return answers[0]


def test_expectation_of_curl(server):
    body = form()
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request_bytes(body, b"Expect: 100-continue\r\n"))
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(body)
        status, _, answer = only_answer(read_answers(connection))
    assert status == 200 and json.loads(answer)["result"] == WORDS


def test_old_version_of_http(server):
    body = form()
    status, _, answer = only_answer(exchange(server.port, request_bytes(body, version=b"1.0"), body))
    assert status == 200 and json.loads(answer)["result"] == WORDS


def test_bytes_that_come_one_by_one(server):
    request = request_bytes(form()) + form()
    status, _, _ = only_answer(exchange(server.port, *(request[i : i + 1] for i in range(len(request)))))
    assert status == 200


def test_a_client_that_has_said_all_still_hears_the_answer(server):
    body = form()
    status, _, answer = only_answer(exchange(server.port, request_bytes(body), body, half_close=True))
    assert status == 200 and json.loads(answer)["result"] == WORDS


def test_one_connection_for_many_requests(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    for i in range(20):
        text = f"Number {i} works."
        connection.request("GET", "/process?tokenizer&output=horizontal&data=" + urllib.parse.quote(text))
        response = connection.getresponse()
        assert json.loads(response.read())["result"] == f"Number {i} works .\n"
    connection.close()


def test_requests_sent_before_the_answers(server):
    request = b"".join(
        b"GET /process?tokenizer&output=horizontal&data=Number+%d HTTP/1.1\r\nHost: x\r\n\r\n" % i for i in range(5))
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request)
        answers, _ = split_answers(read_answers(connection, 5))
    assert [json.loads(body)["result"] for _, _, body in answers] == [f"Number {i}\n" for i in range(5)]


def test_a_body_that_is_too_large(server):
    status, _, answer = only_answer(exchange(server.port, request_bytes(b"x" * (5 << 20))))
    assert status == 413, answer
