"""Kills random processes at random times, resumes with another number of them, and compares the models.

usage: kill_processes.py [--kills N] [--seed S]

Every round kills one process of a run (a rank, or now and then mpirun itself) with SIGKILL, somewhere between its
start and its end; all others must end within seconds. Runs are resumed, with 1 to 4 processes, until they come to
their end; the model must be, byte by byte, that of a run that nobody has disturbed."""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from processes import (NETWORK, ProcessTest, command_of, expect_program_with_mpi, is_running, programs_below,
                       wait_until)

TREES = "train --train train --dev dev --model model --patience off".split()
KINDS = {
    "lbfgs": TREES + "--factorization first --labels none --iterations 40".split(),
    "adagrad": TREES + "--factorization first --labels none --iterations 60 --learner adagrad".split(),
    "pruned": TREES + "--factorization grandsibling --iterations 15".split(),
    "network": "train --train train --dev dev --model model".split() + NETWORK,
}
LONGEST_END = 15.0  # seconds: until everybody has gone, on a machine that is busy with other things


def state_of(pid):
    """What a process does, for a message."""
    try:
        fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
        waits_in = pathlib.Path(f"/proc/{pid}/wchan").read_text()
        return f"{pid}{fields['State']} below {fields['PPid'].strip()} in {waits_in}"
    except OSError:
        return f"{pid} has gone meanwhile"


class Kills(ProcessTest):
    def start_afresh(self):
        for name in ("model", "model.log.jsonl"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "model.checkpoint", ignore_errors=True)

    def kill_somebody(self, process, generator, longest):
        """Waits for a random time; returns how long the others took to end, or nothing if all had ended before."""
        wait_until(lambda: process.poll() is not None, generator.uniform(0.0, longest))
        everybody = programs_below(process.pid)
        if process.poll() is not None or not everybody:
            return None
        victim = process.pid if generator.random() < 0.1 else generator.choice(everybody)
        os.kill(victim, signal.SIGKILL)
        begin = time.monotonic()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            # Whether mpirun ends is its own business, but it must not be one of ours that keeps it.
            self.assertFalse([state_of(pid) for pid in everybody if is_running(pid)], f"{victim} was killed")
            print(f"mpirun stays although all {len(everybody)} processes have gone", flush=True)
            process.kill()
            process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        gone = wait_until(lambda: not any(map(is_running, everybody)), LONGEST_END)
        self.assertTrue(gone, "a process has survived")
        self.remove_temporaries_of(everybody)
        return time.monotonic() - begin

    def kill_until(self, kills, kind, generator):
        arguments = KINDS[kind]
        self.start_afresh()
        begin = time.monotonic()
        self.expect_success(2, arguments)
        longest = 1.2 * (time.monotonic() - begin)
        expected = self.bytes_of("model")
        self.start_afresh()
        done, ends, resume, slowest = 0, 0, [], 0.0
        while done < kills or not ends:
            ranks = generator.randint(2, 4)
            if done >= kills:  # nobody is killed any more: it comes to its end
                self.expect_success(generator.randint(1, 4), arguments + resume)
            else:
                begin = time.monotonic()
                process = self.start(command_of(ranks, arguments + resume, generator.randint(1, 2)))
                seconds = self.kill_somebody(process, generator, longest)
                if seconds is not None:
                    done += 1
                    slowest = max(slowest, seconds)
                    resume = ["--resume"] if (self.folder / "model.checkpoint").exists() else []
                    continue
                _, errors = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 0, errors)
                longest = min(longest, time.monotonic() - begin)  # the machine is quicker than it was
            ends += 1
            self.assertEqual(self.bytes_of("model"), expected, f"{kind}: another model after {done} kills")
            self.start_afresh()
            resume = []
        print(f"{kind}: {done} kills, {ends} models, all the same; everybody had gone after {slowest:.1f} s "
              "at the latest", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--kind", choices=sorted(KINDS), action="append")
    options = parser.parse_args()
    expect_program_with_mpi()
    seed = options.seed if options.seed is not None else int(os.environ.get("COPSE_TEST_SEED", time.time_ns() % 10**9))
    print(f"seed {seed}", flush=True)
    generator = random.Random(seed)
    kinds = options.kind or list(KINDS)
    for number, kind in enumerate(kinds):
        share = options.kills * (number + 1) // len(kinds) - options.kills * number // len(kinds)
        test = Kills()
        test.setUp()
        try:
            test.kill_until(share, kind, generator)
        finally:
            test.doCleanups()


if __name__ == "__main__":
    sys.exit(main())
