#!/usr/bin/env python3
"""Soaks `copse serve`: good, broken and hostile requests at once, for as long as is wanted.

    COPSE_BINARY=build/release/copse bench/serve_soak.py                        # 3,000 requests, well under a minute
    COPSE_BINARY=build/release/copse bench/serve_soak.py --requests 1000000 --seconds 7200

Starts a server of its own on 127.0.0.1 and asks nobody else. Good requests must be answered, and answered right: with the
trees that `copse parse` gives. Broken ones must be refused, and nobody may be left waiting. The memory and the open files
of the server are watched; in the end it must stop when it is asked to, answering what it has begun. The exit status is 0
if all was well, and 1 if not.
"""

import argparse
import asyncio
import collections
import json
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "serving"))
from running_server import RunningServer  # noqa: E402
from soak_requests import BROKEN, HOSTILE, GoodRequests  # noqa: E402

PATIENCE = 60.0  # seconds that any answer may take before it counts as none
REQUESTS_PER_CONNECTION = 50


def memory_of(process):
    """Resident bytes, and the number of open files."""
    with open(f"/proc/{process}/statm") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(f"/proc/{process}/fd"))


class Soak:
    def __init__(self, arguments, server):
        self.arguments = arguments
        self.server = server
        self.counts = collections.Counter()  # of kinds and what became of them
        self.failures = []
        self.latencies = collections.deque(maxlen=100_000)
        self.samples = []  # (requests, resident bytes, open files)
        self.started = 0
        self.begin = time.monotonic()
        self.good = GoodRequests()

    def is_over(self):
        too_long = time.monotonic() - self.begin > self.arguments.seconds
        return self.started >= self.arguments.requests or too_long or len(self.failures) >= 20

    def fail(self, what):
        self.failures.append(what)
        print(f"FAILED: {what}", file=sys.stderr, flush=True)

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.server.port, limit=1 << 24)

    async def visitor(self, seed):
        """One of the many who ask at the same time: mostly good, now and then broken or hostile."""
        choose = random.Random(seed)
        while not self.is_over():
            share = choose.random()
            if share < self.arguments.good:
                await self.visit_well(choose)
            elif share < self.arguments.good + (1.0 - self.arguments.good) * 0.8:
                await self.visit_with(choose, choose.choice(BROKEN))
            else:
                await self.visit_with(choose, choose.choice(HOSTILE))

    async def visit_well(self, choose):
        """Some good requests, one after the other over one connection."""
        reader, writer = await self.connect()
        try:
            for _ in range(choose.randint(1, REQUESTS_PER_CONNECTION)):
                if self.is_over():
                    break
                self.started += 1
                request = self.good.choose(choose)
                start = time.monotonic()
                writer.write(request.bytes)
                status, headers, body = await asyncio.wait_for(read_answer(reader), PATIENCE)
                self.latencies.append(time.monotonic() - start)
                self.counts[f"good: {status}"] += 1
                if status == 503:
                    if "retry-after" not in headers:
                        self.fail("503 without Retry-After")
                    break
                if status != 200:
                    self.fail(f"{request.name}: {status} {body[:200]!r}")
                elif complaint := request.check(body):
                    self.fail(f"{request.name}: {complaint}")
                if headers.get("connection", "").lower() == "close":
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
            self.fail(f"a good request was not answered: {error!r}")
        finally:
            writer.close()

    async def visit_with(self, choose, kind):
        self.started += 1
        reader, writer = await self.connect()
        try:
            outcome = await asyncio.wait_for(kind(choose, reader, writer, read_answer), PATIENCE)
            self.counts[f"{kind.__name__}: {outcome}"] += 1
            if isinstance(outcome, int) and not (400 <= outcome < 500 or outcome in (200, 501, 503, 504, 505)):
                self.fail(f"{kind.__name__}: {outcome}")
        except asyncio.TimeoutError:
            self.fail(f"{kind.__name__}: left waiting for {PATIENCE} s")
        except (OSError, asyncio.IncompleteReadError):
            self.counts[f"{kind.__name__}: closed"] += 1
        finally:
            writer.transport.abort()

    async def watch(self):
        """Looks at the server now and then, and says how things are."""
        last_report = self.begin
        while not self.is_over():
            await asyncio.sleep(1.0)
            if self.server.process.poll() is not None:
                self.fail(f"the server has ended with status {self.server.process.returncode}")
                return
            self.samples.append((self.started, *memory_of(self.server.process.pid)))
            if time.monotonic() - last_report > self.arguments.report:
                last_report = time.monotonic()
                self.report()

    def report(self):
        requests, memory, files = self.samples[-1]
        seconds = time.monotonic() - self.begin
        print(f"{seconds:7.0f} s  {requests:9,} requests  {memory / 1e6:7.1f} MB  {files:4} open files", flush=True)

    async def run(self):
        await asyncio.gather(self.watch(), *(self.visitor(self.arguments.seed + i) for i in range(self.arguments.connections)))

    async def stop_gently(self):
        """Requests that have begun are answered although the server is asked to stop meanwhile."""
        visits = [self.connect() for _ in range(4)]
        request = self.good.long_request()
        streams = [await visit for visit in visits]
        for _, writer in streams:
            writer.write(request.bytes)
        await asyncio.sleep(0.2)
        stopping = asyncio.get_running_loop().run_in_executor(None, self.server.stop)
        for reader, writer in streams:
            try:
                status, _, body = await asyncio.wait_for(read_answer(reader), PATIENCE)
                complaint = request.check(body) if status == 200 else None
                if status not in (200, 504) or complaint:  # a busy machine may need longer than the server allows
                    self.fail(f"while stopping: {status} {complaint or body[:200]!r}")
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
                self.fail(f"while stopping, a request that had begun was not answered: {error!r}")
            writer.close()
        status = await stopping
        if status != 0:
            self.fail(f"the server stopped with status {status}")

    def judge_memory(self):
        """After the first quarter, in which all workspaces grow to their size, memory stays flat."""
        quarter = len(self.samples) // 4
        if len(self.samples) < 20:
            return
        early = max(memory for _, memory, _ in self.samples[: quarter + 1])
        late = sorted(memory for _, memory, _ in self.samples[-quarter:])[quarter // 2]
        print(f"memory: {early / 1e6:.1f} MB at most in the first quarter, {late / 1e6:.1f} MB (median) in the last")
        if late > early * 1.10 + 8e6:
            self.fail("memory grows")


async def read_answer(reader):
    """Status, headers and body of the next answer; interim ones are passed over."""
    while True:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ")[1])
        if status >= 200:
            break
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return status, headers, await reader.readexactly(int(headers.get("content-length", "0")))
    body = b""
    while True:
        length = int((await reader.readline()).split(b";")[0], 16)
        body += (await reader.readexactly(length + 2))[:-2]
        if length == 0:
            return status, headers, body


async def soak(arguments, server):
    run = Soak(arguments, server)
    await asyncio.sleep(0.5)
    before = memory_of(server.process.pid)
    print(f"seed {arguments.seed}; at the start {before[0] / 1e6:.1f} MB, {before[1]} open files")
    await run.run()
    if server.process.poll() is None:
        await asyncio.sleep(arguments.timeout + 1.0)  # connections that idle are given up
        after = memory_of(server.process.pid)
        print(f"at the end {after[0] / 1e6:.1f} MB, {after[1]} open files")
        if after[1] > before[1] + 8:
            run.fail(f"{after[1] - before[1]} files stay open")
        run.judge_memory()
        await run.stop_gently()
    seconds = time.monotonic() - run.begin
    for kind, count in sorted(run.counts.items()):
        print(f"  {count:9,}  {kind}")
    times = sorted(run.latencies)
    if times:
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"good requests: {p50 * 1e3:.1f} ms at the median, {p99 * 1e3:.1f} ms at the 99th percentile")
    print(f"{run.started:,} requests in {seconds:.0f} s, {len(run.failures)} failures")
    if arguments.json:
        record = {"requests": run.started, "seconds": seconds, "failures": run.failures, "counts": run.counts,
                  "samples": run.samples}
        pathlib.Path(arguments.json).write_text(json.dumps(record, indent=1))
    return 1 if run.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after so long, whatever has been asked by then")
    parser.add_argument("--connections", type=int, default=24, help="visitors at the same time")
    parser.add_argument("--good", type=float, default=0.3, help="share of visits that are good; each has up to 50 requests")
    parser.add_argument("--timeout", type=float, default=5.0, help="of the server: what takes longer is cut off")
    parser.add_argument("--threads", type=int, default=2, help="of the server")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--report", type=float, default=10.0, help="seconds between lines of report")
    parser.add_argument("--json", help="write the record of the run to this file, too")
    arguments = parser.parse_args()
    with RunningServer("--threads", str(arguments.threads), "--timeout", str(arguments.timeout), "--max-body", "256K",
                       "--max-words", "20000", "--queue", "64") as server:
        return asyncio.run(soak(arguments, server))


if __name__ == "__main__":
    sys.exit(main())
