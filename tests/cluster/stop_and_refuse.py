"""Processes that fail, are stopped, or do not fit together: one line, a status, nothing half-written."""
import os
import shutil
import signal
import sys
import unittest

from processes import (BINARY, MPIRUN, ProcessTest, command_of, expect_program_with_mpi, is_running,
                       programs_below, wait_until)

RUN_AGAIN = 75  # as sysexits.h has it
TREES = "train --train train --dev dev --model model --factorization first --labels none".split()
LONG = TREES + "--iterations 3000 --patience off --learner adagrad".split()


class Stops(ProcessTest):
    def iterations_so_far(self):
        log = self.folder / "model.log.jsonl"
        return log.read_text().count('"event":"iteration"') if log.exists() else 0

    def start_long_run(self, ranks, iterations=2, more=()):
        process = self.start(command_of(ranks, LONG + list(more), 1))
        reached = wait_until(lambda: self.iterations_so_far() >= iterations or process.poll() is not None)
        if not reached or process.poll() is not None:
            process.kill()
            self.fail(f"the run has not come so far: {process.communicate()}")
        self.assertTrue(wait_until(lambda: len(programs_below(process.pid)) == ranks))
        return process

    def end_of(self, process, seconds=15):
        output, errors = process.communicate(timeout=seconds)
        return process.returncode, output, errors

    def test_signals_of_schedulers_stop_all_at_the_same_iteration(self):
        short = TREES + "--iterations 60 --patience off --learner adagrad".split()
        self.expect_success(1, short)
        expected = self.bytes_of("model")
        # To mpirun, which sends it on; and to one process alone.
        for receiver, number in (("mpirun", signal.SIGUSR1), ("rank", signal.SIGUSR1), ("rank", signal.SIGTERM)):
            with self.subTest(receiver=receiver, signal=number):
                (self.folder / "model").unlink()
                process = self.start(command_of(3, short, 1))
                done = self.iterations_so_far()
                self.assertTrue(wait_until(lambda: len(programs_below(process.pid)) == 3))
                ranks = programs_below(process.pid)
                self.assertTrue(wait_until(lambda: 2 <= self.iterations_so_far() != done))
                os.kill(process.pid if receiver == "mpirun" else ranks[1], number)
                outcome = self.end_of(process)
                self.assertEqual(outcome[0], RUN_AGAIN, outcome[2])
                self.assertIn("copse: stopped; the same command with --resume goes on", outcome[2])
                self.assertFalse((self.folder / "model").exists())
                self.expect_nothing_half_written()
                self.expect_success(2, short + ["--resume"])
                self.assertEqual(self.bytes_of("model"), expected)

    def test_nobody_survives(self):
        for victim in ("rank 0", "rank 2", "mpirun"):
            with self.subTest(victim=victim):
                process = self.start_long_run(3)
                ranks = programs_below(process.pid)
                killed = process.pid if victim == "mpirun" else ranks[int(victim[-1])]
                os.kill(killed, signal.SIGKILL)
                status, _, errors = self.end_of(process)
                self.assertNotEqual(status, 0)
                if victim != "mpirun":
                    self.assertIn("signal 9", errors)
                self.assertTrue(wait_until(lambda: not any(map(is_running, ranks)), 10))
                self.remove_temporaries_of(ranks)
                shutil.rmtree(self.folder / "model.checkpoint")
                (self.folder / "model.log.jsonl").unlink()

    def test_mpirun_is_stopped(self):
        process = self.start_long_run(2)
        ranks = programs_below(process.pid)
        process.terminate()
        status, _, errors = self.end_of(process)
        self.assertNotEqual(status, 0)
        self.assertNotIn("stopping when this iteration is done", errors)
        self.assertTrue(wait_until(lambda: not any(map(is_running, ranks)), 10))
        self.expect_nothing_half_written()

    def test_a_full_disk_of_rank_0(self):
        os.symlink("/dev/full", self.folder / "model.log.jsonl")
        outcome = self.run_ranks(3, TREES + ["--iterations", "3"])
        self.expect_one_line(outcome, 1, "rank 0 of 3 on ", "model.log.jsonl: cannot write")
        self.assertFalse((self.folder / "model").exists())
        self.expect_nothing_half_written()

    def test_a_file_that_one_machine_cannot_read(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            shutil.copy(self.folder / "dev", self.folder / name)
        shutil.copy(self.folder / "train", self.folder / "a")
        (self.folder / "b" / "train").mkdir()  # a folder in its place
        program = [os.path.abspath(BINARY)] + TREES + ["--iterations", "3"]
        command = MPIRUN + ["-n", "2", "--wdir", str(self.folder / "a")] + program
        command += [":", "-n", "1", "--wdir", str(self.folder / "b")] + program
        self.expect_one_line(self.run_command(command), 1, "rank 2 of 3 on ", "train")


class Refusals(ProcessTest):
    def test_what_is_for_one_process(self):
        for arguments in (["eval", "--gold", "dev", "--system", "dev"], ["check", "train"],
                          ["parse", "dev", "--output", "parsed"], ["tag", "dev"]):
            outcome = self.run_ranks(2, arguments, None)
            self.expect_one_line(outcome, 2, "mpirun has started 2 copies of `copse " + arguments[0])
            self.assertEqual(outcome[1], "")

    def test_wrong_usage_is_said_once(self):
        for arguments in (["train", "--train", "train"], ["train", "--nonsense"],
                          TREES + ["--trees", "nonprojective", "--factorization", "sibling"]):
            self.expect_one_line(self.run_ranks(3, arguments, None), 2)

    def test_other_options(self):
        own = [os.path.abspath(BINARY)] + TREES
        command = MPIRUN + ["-n", "2"] + own + ["--iterations", "3", ":", "-n", "1"] + own + ["--iterations", "4"]
        self.expect_one_line(self.run_command(command), 2, "rank 2 on ", "has other options than rank 0")

    def test_other_programs(self):
        other = self.folder / "copse"
        shutil.copy(BINARY, other)
        with open(other, "ab") as file:
            file.write(b"another build")
        command = MPIRUN + ["-n", "1", os.path.abspath(BINARY)] + TREES + [":", "-n", "1", str(other)] + TREES
        self.expect_one_line(self.run_command(command), 2, "rank 1 on ", "runs another program than rank 0")

    def test_other_data(self):
        for name, seed in (("a", 1), ("b", 7)):
            (self.folder / name).mkdir()
            shutil.copy(self.folder / "dev", self.folder / name)
        shutil.copy(self.folder / "train", self.folder / "a")
        (self.folder / "b" / "train").write_bytes(self.bytes_of("train").replace(b"house", b"horse", 1))
        program = [os.path.abspath(BINARY)] + TREES + ["--iterations", "3"]
        command = MPIRUN + ["-n", "1", "--wdir", str(self.folder / "a")] + program
        command += [":", "-n", "1", "--wdir", str(self.folder / "b")] + program
        self.expect_one_line(self.run_command(command), 1, "rank 1", "train")


if __name__ == "__main__":
    expect_program_with_mpi()
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
