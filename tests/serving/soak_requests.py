"""The requests of bench/serve_soak.py. Good ones know what must be answered; broken and hostile ones are functions that
get a connection, do their worst, and return a status, or a word for what became of them."""

import asyncio
import json
import socket
import struct
import subprocess
import urllib.parse

from running_server import COPSE
from udpipe_client import multipart_form

TEXTS = [
    "It works.",
    "The dog sees the cat. It can't sleep.",
    "I saw the man with the telescope, and he saw me.",
    "Time flies like an arrow; fruit flies like a banana.\n\nZoë paid €3.50 for 漢字 🐱.",
]
LONG_TEXT = "The committee criticised the proposal for a new law in the report of last year. " * 60


def heads_of_conllu(text):
    return [line.split("\t")[6] for line in text.split("\n") if line.split("\t")[0].isdigit()]


class GoodRequest:
    def __init__(self, name, text, check):
        self.name = name
        self.bytes = text
        self.check = check  # of a body: None, or what is wrong with it


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def post(path, body, content_type):
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def compared(found, expected):
    return None if found == expected else f"expected {str(expected)[:300]}, got {str(found)[:300]}"


class GoodRequests:
    """Of all kinds; the answers are compared with what the command line says of the same texts."""

    def __init__(self):
        self.requests = []
        for text in TEXTS:
            heads = self._heads(text)
            form = {"data": text, "tokenizer": "", "tagger": "", "parser": ""}
            query = "&".join(f"{name}={urllib.parse.quote(value)}" for name, value in form.items())
            self._add("GET /process", get("/process?" + query), self._check_process(heads))
            body, content_type = multipart_form(form)
            self._add("POST /process, multipart", post("/process", body, content_type), self._check_process(heads))
            body = urllib.parse.urlencode(form).encode()
            self._add("POST /process, urlencoded", post("/process", body, "application/x-www-form-urlencoded"),
                      self._check_process(heads))
            parse_options: list[dict[str, object]] = [{}, {"kbest": 3}, {"decode": "best", "return_conllu": True}]
            for options in parse_options:
                body = json.dumps({"text": text, **options}).encode()
                self._add(f"/v1/parse {options}", post("/v1/parse", body, "application/json"), self._check_json(heads))
            body = json.dumps({"text": text, "stream": True}).encode()
            self._add("/v1/parse, streamed", post("/v1/parse", body, "application/json"), self._check_stream(heads))
        self._add("/models", get("/models"), lambda body: compared("models" in json.loads(body), True))
        self._add("/v1/models", get("/v1/models"), lambda body: compared("models" in json.loads(body), True))
        self._add("/healthz", get("/healthz"), lambda body: None)
        self._add("/metrics", get("/metrics"), lambda body: compared(b"# TYPE" in body, True))

    def choose(self, random):
        return random.choice(self.requests)

    def long_request(self):
        """One that takes a while."""
        body = json.dumps({"text": LONG_TEXT, "probabilities": True}).encode()
        return GoodRequest("long", post("/v1/parse", body, "application/json"), self._check_json(self._heads(LONG_TEXT)))

    def _add(self, name, text, check):
        self.requests.append(GoodRequest(name, text, check))

    @staticmethod
    def _heads(text):
        parsed = subprocess.run([COPSE, "parse", "--input-format", "text"], input=text.encode(), capture_output=True, check=True)
        return heads_of_conllu(parsed.stdout.decode())

    @staticmethod
    def _check_process(heads):
        return lambda body: compared(heads_of_conllu(json.loads(body)["result"]), heads)

    @staticmethod
    def _check_json(heads):
        def check(body):
            words = [word for sentence in json.loads(body)["sentences"] for word in sentence["words"]]
            return compared([str(word["head"]) for word in words], heads)

        return check

    @staticmethod
    def _check_stream(heads):
        def check(body):
            lines = [json.loads(line) for line in body.decode().splitlines()]
            if lines[-1].get("done") is not True:
                return f"the last line is {lines[-1]}"
            return compared([str(word["head"]) for line in lines[:-1] for word in line["words"]], heads)

        return check


# Broken requests: each is answered by an error, or by closing the connection.
def broken(name, *requests):
    async def send(random, reader, writer, read_answer):
        request = random.choice(requests)
        writer.write(request(random) if callable(request) else request)
        return (await read_answer(reader))[0]

    send.__name__ = name
    return send


def json_post(text):
    return post("/v1/parse", text if isinstance(text, bytes) else text.encode(), "application/json")


def random_bytes(random):
    return bytes(random.randrange(256) for _ in range(random.randint(1, 2000))) + b"\r\n\r\n"


def damaged(random):
    """A good request of which some bytes have been changed."""
    request = bytearray(json_post(json.dumps({"text": "It works.", "kbest": 2})))
    for _ in range(random.randint(1, 5)):
        request[random.randrange(len(request))] = random.randrange(256)
    return bytes(request) + b"\r\n\r\n" * 200  # so that a longer Content-Length is satisfied


HEAD = b"POST /process HTTP/1.1\r\nHost: x\r\n"
FORM = "application/x-www-form-urlencoded"
BROKEN = [
    broken("bad JSON", json_post("{"), json_post('{"text": 3}'), json_post('{"txet": "x"}'), json_post("[1]"),
           json_post('{"text": "x", "kbest": -1}'), json_post("[" * 50_000), json_post('{"text": "x"'), json_post("")),
    broken("bad UTF-8", json_post(b'{"text": "\xff"}'), get("/process?tokenizer&data=%ff"), json_post(b'{"text": "\\ud800"}'),
           post("/process", b"tokenizer=&data=\xc3", FORM), json_post(b"\xef\xbb\xbf{}")),
    broken("bad CoNLL-U", json_post(json.dumps({"conllu": "1\tx"})), post("/process", b"data=1%09x", FORM),
           json_post(json.dumps({"conllu": "1\ta\t_\t_\t_\t_\t9\t_\t_\t_\n\n"}))),
    broken("impossible constraints",
           json_post(json.dumps({"text": "It works.", "constraints": [{"sentence": 1, "word": 1, "head": 2},
                                                                      {"sentence": 1, "word": 2, "head": 1}]})),
           json_post(json.dumps({"text": "It works.", "constraints": [{"sentence": 7, "word": 1, "head": 2}]})),
           json_post(json.dumps({"text": "It works.", "constraints": [{"sentence": 1, "word": 1, "head": 1}]}))),
    broken("bad forms", post("/process", b"--y\r\n", "multipart/form-data; boundary=x"),
           post("/process", b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x"),
           post("/process", b"x", "multipart/form-data"), post("/process", b"tokenizer=", FORM)),
    broken("unknown paths and methods", get("/nothing"), get("/../../etc/passwd"), b"BREW /process HTTP/1.1\r\nHost: x\r\n\r\n",
           b"PUT /process HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", get("/" + "a" * 5000),
           get("/%00%ff"), get("//" * 1000)),
    broken("bad lengths", HEAD + b"Content-Length: -5\r\n\r\nabc", HEAD + b"Content-Length: x\r\n\r\nabc",
           HEAD + b"Content-Length: 99999999999999999999\r\n\r\nabc",
           HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
           HEAD + b"Content-Length: 300000\r\n\r\n"),
    broken("bad chunks", HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
           HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
           HEAD + b"Transfer-Encoding: gzip\r\n\r\n", HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc"),
    broken("huge headers", HEAD + b"X: " + b"a" * 100_000 + b"\r\n\r\n", HEAD + b"X: y\r\n" * 5000 + b"\r\n",
           get("/process?data=" + "a" * 100_000), HEAD + b"a" * 200_000),
    broken("bad heads", b"\r\n\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nBad Header\r\n\r\n",
           b"GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 50 + b"\r\n\r\n"),
    broken("random bytes", random_bytes),
    broken("damaged requests", damaged),
    broken("too much", json_post(json.dumps({"text": "word " * 50_000})),
           json_post(json.dumps({"tokens": [["a"] * 21_000]})), json_post(json.dumps({"text": "x" * 255_000}))),
]


# Hostile ones: there may be no answer, but they must cost the server nothing for long.
def reset_on_close(writer):
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def slow_sender(random, reader, writer, read_answer):
    """A byte now and then: the server gives up, or the sender does."""
    request = post("/process", b"tokenizer=&data=" + b"a" * 100, FORM)
    for byte in request[: random.randint(10, len(request) - 10)]:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(random.uniform(0.02, 0.06))
    return (await read_answer(reader))[0]


async def half_closed(random, reader, writer, read_answer):
    """Says that no more will come, in the middle of a request or after it."""
    request = post("/process", b"tokenizer=&data=It works.", FORM)
    writer.write(request[: random.choice((len(request), random.randrange(len(request))))])
    writer.write_eof()
    return (await read_answer(reader))[0]


async def aborted_upload(random, reader, writer, read_answer):
    reset_on_close(writer)
    writer.write(HEAD + b"Content-Length: 100000\r\n\r\n" + b"a" * random.randrange(50_000))
    await asyncio.sleep(random.uniform(0.0, 0.05))
    return "aborted"


async def gone_before_the_answer(random, reader, writer, read_answer):
    reset_on_close(writer)
    writer.write(json_post(json.dumps({"text": LONG_TEXT, "stream": random.random() < 0.5})))
    await writer.drain()
    await asyncio.sleep(random.uniform(0.0, 0.1))
    return "gone"


async def slow_reader(random, reader, writer, read_answer):
    """Asks for much and does not take it."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    writer.transport.pause_reading()
    writer.write(json_post(json.dumps({"text": LONG_TEXT, "return_conllu": True})))
    await asyncio.sleep(random.uniform(0.5, 4.0))
    reset_on_close(writer)
    return "gone"


async def silent(random, reader, writer, read_answer):
    await asyncio.sleep(random.uniform(0.0, 3.0))
    return "silent"


async def many_connections(random, reader, writer, read_answer):
    """Opens a number of them that say nothing, or half a request."""
    port = writer.get_extra_info("peername")[1]
    others = [await asyncio.open_connection("127.0.0.1", port) for _ in range(random.randint(5, 30))]
    for _, other in others:
        if random.random() < 0.5:
            other.write(b"GET /process?tok")
    await asyncio.sleep(random.uniform(0.0, 1.0))
    for _, other in others:
        reset_on_close(other)
        other.transport.abort()
    return "closed"


async def pipelined(random, reader, writer, read_answer):
    """Good requests and a broken one, all before the first answer."""
    good = random.randint(1, 8)
    writer.write(get("/process?tokenizer&data=It+works.") * good + b"GET / HTTP/1.1\r\nBroken\r\n\r\n")
    for _ in range(good):
        status, headers, _ = await read_answer(reader)
        if status != 200:
            return status
    return (await read_answer(reader))[0]


HOSTILE = [slow_sender, half_closed, aborted_upload, gone_before_the_answer, slow_reader, silent, many_connections, pipelined]
