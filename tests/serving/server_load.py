"""Many connections and large requests, for tests and measurements of `copse serve`."""

import contextlib
import json
import socket
import time
import urllib.request

from raw_http import exchange, split_answers

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF_HEAD = b"POST /process HTTP/1.1\r\nHost: x\r\nConte"
HALF_BODY = b"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
SENTENCE = "The committee criticised the proposal for a new law in the report of last year. "


def seconds_of_health(port):
    begin = time.monotonic()
    answers, _ = split_answers(exchange(port, HEALTH))
    seconds = time.monotonic() - begin
    assert [(status, body) for status, _, body in answers] == [(200, b"ok\n")]
    return seconds


def seconds_of_health_or_none(port):
    with contextlib.suppress(AssertionError, OSError):
        return seconds_of_health(port)
    return None


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def post(body):
    head = f"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def seconds_of_sentence(server):
    begin = time.monotonic()
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), timeout=20)) as client:
        client.sendall(post(json.dumps({"text": "It works."}).encode()))
        received = b""
        while not split_answers(received)[0]:
            received += client.recv(65536)
    assert split_answers(received)[0][0][0] == 200
    return time.monotonic() - begin


def busy_workers(server):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=20) as answer:
        metrics = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
    return int(metrics["copse_workers_busy"]), int(metrics["copse_queue_length"])
