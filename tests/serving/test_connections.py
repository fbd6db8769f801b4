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
from server_load import (HALF_BODY, HALF_HEAD, HEALTH, SENTENCE, busy_workers, post, seconds_of_health,
                         seconds_of_health_or_none, seconds_of_sentence, wait_until)

MANY = 5_000


@pytest.fixture
def many_files():
    """As many open files as the system allows, for this process and the server."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < MANY + 1_000:
        pytest.skip(f"the system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, MANY + 1_000), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


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
            time.sleep(0.1)  # until that is read, the connection is idle and makes room for others
        begin = time.monotonic()
        for _ in range(20):
            (status, headers, _), *_ = split_answers(exchange(server.port, HEALTH))[0]
            assert status == 503 and headers["retry-after"] == "1"
        assert time.monotonic() - begin < 5.0
        for client in clients:
            client.close()
        wait_until(lambda: seconds_of_health_or_none(server.port) is not None)


def test_a_sentence_does_not_wait_for_large_requests():
    """Three requests of 100 KB for two workers, and whoever asks for a sentence meanwhile."""
    text = SENTENCE * (100_000 // len(SENTENCE))
    with RunningServer("--threads", "2", "--timeout", "60") as server:
        seconds_of_sentence(server)
        answers = []
        large = [
            threading.Thread(target=lambda: answers.append(exchange(server.port, post(json.dumps({"text": text}).encode()),
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
            assert status == 200, body
            sentences = json.loads(body)["sentences"]
            assert len(sentences) == text.count(".")
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
            client.sendall(post(body))
        wait_until(lambda: busy_workers(server) == (0, 2), 60.0)
        assert seconds_of_sentence(server) < 1.0
