#!/usr/bin/env python3
"""How long a sentence takes beside large requests, how long /healthz takes beside thousands of connections, and the memory
of `copse serve` meanwhile.

    COPSE_BINARY=build/release/copse bench/serve_turns.py                  # text of the shared data, two threads
    COPSE_BINARY=build/release/copse bench/serve_turns.py --text FILE --threads 4
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "serving"))
from raw_http import exchange  # noqa: E402
from running_server import RunningServer  # noqa: E402
from server_load import (HALF_BODY, busy_workers, post, seconds_of_health, seconds_of_sentence,  # noqa: E402
                         wait_until)

LARGE = 100_000  # bytes of a large request
CONNECTIONS = 5_000


def text_to_parse(path):
    if path is None:
        data = pathlib.Path(os.environ.get("COPSE_SHARED_DATA", ROOT / ".." / "shared" / "data"))
        text = subprocess.run(["zstdcat", data / "text" / "en_wiki.txt.zst"], capture_output=True, check=True).stdout
    else:
        text = pathlib.Path(path).read_bytes()
    return text[:LARGE].decode(errors="ignore")


def megabytes(server, what):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith(what))


def report(what, times, server):
    print(f"| {what} | {statistics.median(times) * 1e3:.1f} ms | {max(times) * 1e3:.1f} ms "
          f"| {megabytes(server, 'VmHWM'):.0f} MB |",
          flush=True)


def beside_large_requests(server, text, count):
    request = post(json.dumps({"text": text}).encode())
    large = [threading.Thread(target=exchange, args=(server.port, request), kwargs={"timeout": 300.0}) for _ in range(count)]
    for thread in large:
        thread.start()
    wait_until(lambda: sum(busy_workers(server)) == count)
    times = []
    while sum(busy_workers(server)) >= min(count, 3):  # more than there are workers
        times.append(seconds_of_sentence(server))
    for thread in large:
        thread.join()
    report(f"a sentence beside {count} requests of 100 KB", times, server)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", help="a file of plain text")
    parser.add_argument("--threads", default="2", help="of the server")
    arguments = parser.parse_args()
    text = text_to_parse(arguments.text)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, CONNECTIONS + 1_000), hard))
    with RunningServer("--threads", arguments.threads, "--timeout", "300") as server:
        print("| request | median | longest | memory so far |\n| --- | ---: | ---: | ---: |")
        report("a sentence alone", [seconds_of_sentence(server) for _ in range(20)], server)
        with contextlib.ExitStack() as stack:
            for _ in range(CONNECTIONS):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                client.sendall(HALF_BODY)
            report(f"/healthz beside {CONNECTIONS:,} half requests", [seconds_of_health(server.port) for _ in range(100)], server)
        for count in (3, 20):
            beside_large_requests(server, text, count)


if __name__ == "__main__":
    main()
