"""Connections cannot hold up others, however many there are and whatever they do."""

import contextlib
import json
import resource
import socket
import threading
import time
import urllib.request

import pytest
from raw_http import exchange, split_answers
from running_server import RunningServer

MANY = 5_000
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF_HEAD = b"POST /process HTTP/1.1\r\nHost: x\r\nConte"
HALF_BODY = b"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"


@pytest.fixture
def many_files():
    """As many open files as the system allows, for this process and the server."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < MANY + 1_000:
        pytest.skip(f"the system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, MANY + 1_000), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def seconds_of_health(port):
    begin = time.monotonic()
    answers, _ = split_answers(exchange(port, HEALTH))
    seconds = time.monotonic() - begin
    assert [(status, body) for status, _, body in answers] == [(200, b"ok\n")]
    return seconds


def test_five_thousand_connections_hold_up_nobody(many_files):
    """A third says nothing, a third stops in the middle, a third sends a byte now and then."""
    with RunningServer("--threads", "2") as server, contextlib.ExitStack() as stack:
        clients = []
        times = []
        for number in range(MANY):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            clients.append(client)
            if number % 3 == 1:
                client.sendall(HALF_HEAD if number % 2 else HALF_BODY)
            elif number % 3 == 2:
                client.sendall(HALF_BODY)
            if number % 100 == 0:
                times.append(seconds_of_health(server.port))
        for byte in range(4):
            for client in clients[2::3]:
                client.sendall(b" ")
            times += [seconds_of_health(server.port) for _ in range(20)]
        times.sort()
        # A machine that does other things meanwhile may be late once in a while; a server that waits always is.
        assert times[len(times) * 9 // 10] < 0.05, times[-20:]
        assert times[-1] < 1.0, times[-20:]
        with urllib.request.urlopen(f"{server.url}/metrics", timeout=20) as answer:
            open_now = [line for line in answer.read().decode().splitlines() if line.startswith("copse_connections ")]
        assert int(open_now[0].split()[1]) > MANY
        # Requests are answered, too.
        body = json.dumps({"text": "It works."}).encode()
        request = urllib.request.Request(f"{server.url}/v1/parse", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert len(json.load(answer)["sentences"]) == 1


FEW_FILES = 100  # which are enough for four connections


def connect(stack, server):
    return stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))


def test_idle_connections_make_room():
    with RunningServer(files=FEW_FILES) as server, contextlib.ExitStack() as stack:
        assert "only 4 connections at a time" in server.errors()
        for _ in range(60):
            connect(stack, server)
            seconds_of_health(server.port)


def test_connections_beyond_the_limit_are_refused_at_once():
    with RunningServer(files=FEW_FILES) as server, contextlib.ExitStack() as stack:
        clients = []
        while seconds_of_health_or_none(server.port) is not None:
            assert len(clients) < 60
            clients.append(connect(stack, server))
            clients[-1].sendall(HALF_HEAD)
        begin = time.monotonic()
        for _ in range(20):
            (status, headers, _), *_ = split_answers(exchange(server.port, HEALTH))[0]
            assert status == 503 and headers["retry-after"] == "1"
        assert time.monotonic() - begin < 5.0
        for client in clients:
            client.close()
        wait_until(lambda: seconds_of_health_or_none(server.port) is not None)


def seconds_of_health_or_none(port):
    with contextlib.suppress(AssertionError, OSError):
        return seconds_of_health(port)
    return None


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


SENTENCE = "The committee criticised the proposal for a new law in the report of last year. "


def post(port, body):
    head = f"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def seconds_of_sentence(server):
    begin = time.monotonic()
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), timeout=20)) as client:
        client.sendall(post(server.port, json.dumps({"text": "It works."}).encode()))
        received = b""
        while not split_answers(received)[0]:
            received += client.recv(65536)
    assert split_answers(received)[0][0][0] == 200
    return time.monotonic() - begin


def busy_workers(server):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=20) as answer:
        metrics = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
    return int(metrics["copse_workers_busy"]), int(metrics["copse_queue_length"])


def test_a_sentence_does_not_wait_for_large_requests():
    """Three requests of 100 KB for two workers, and whoever asks for a sentence meanwhile."""
    text = SENTENCE * (100_000 // len(SENTENCE))
    with RunningServer("--threads", "2") as server:
        seconds_of_sentence(server)
        answers = []
        large = [
            threading.Thread(target=lambda: answers.append(exchange(server.port, post(server.port, json.dumps({"text": text}).encode()),
                                                                    timeout=60.0)))
            for _ in range(3)
        ]
        begin = time.monotonic()
        for thread in large:
            thread.start()
        wait_until(lambda: busy_workers(server) == (2, 1))
        times = []
        while busy_workers(server)[0] == 2 and len(times) < 100:
            times.append(seconds_of_sentence(server))
        for thread in large:
            thread.join()
        # Where the machine has much else to do, everything takes longer.
        allowed = max(0.1, (time.monotonic() - begin) / 5)
        assert times, "the large requests were done at once"
        assert max(times) < allowed, (allowed, times)
        # Their sentences came in order, all of them.
        for received in answers:
            status, _, body = split_answers(received)[0][0]
            sentences = json.loads(body)["sentences"]
            assert status == 200 and len(sentences) == text.count(".")
            starts = [sentence["words"][0]["start"] for sentence in sentences]
            assert starts == sorted(starts)


def test_clients_that_do_not_read_hold_no_worker():
    """As many streams as there may be large requests at a time, which nobody reads."""
    body = json.dumps({"text": SENTENCE * 12_000, "stream": True}).encode()
    with RunningServer("--threads", "1", "--max-words", "1000000") as server, contextlib.ExitStack() as stack:
        for _ in range(2):
            client = stack.enter_context(contextlib.closing(socket.socket()))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(post(server.port, body))
        wait_until(lambda: busy_workers(server) == (0, 2), 60.0)
        assert seconds_of_sentence(server) < 1.0
