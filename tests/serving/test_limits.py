"""What takes too long is really stopped: the worker is free for others."""

import json

from running_server import RunningServer
from udpipe_client import UdpipeClient


def parse(client, **request):
    status, _, body = client.request("POST", "/v1/parse", json.dumps(request).encode(), {"Content-Type": "application/json"})
    return status, json.loads(body)


def is_free(client):
    """A machine that has much else to do may need more than one attempt."""
    return any(parse(client, text="It works.")[0] == 200 for _ in range(10))


def test_one_very_long_sentence_is_stopped():
    with RunningServer("--threads", "1", "--timeout", "1") as server:
        client = UdpipeClient(server.url)
        sentence = ["word"] * 9_900  # several seconds of work
        status, answer = parse(client, tokens=[sentence])
        assert status == 504, answer
        assert is_free(client)
        status, _, answer = client.request("POST", "/process?input=horizontal&parser=", b"data=" + b"+".join([b"word"] * 9_900),
                                           {"Content-Type": "application/x-www-form-urlencoded"})
        assert status == 504, answer
        assert is_free(client)


def test_many_sentences_are_stopped():
    with RunningServer("--threads", "1", "--timeout", "1") as server:
        client = UdpipeClient(server.url)
        status, answer = parse(client, text="The dog sees the cat in the garden of the house. " * 8000)
        assert status == 504, answer
        assert is_free(client)
