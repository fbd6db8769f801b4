"""What the tests with real processes share: a treebank, mpirun, and a look at what a run has left behind.

COPSE_BINARY names the program; it must be built with MPI."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = os.environ.get("COPSE_BINARY", "build/release/copse")
SKIPPED = 77  # what ctest takes for a test that could not be run
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

NETWORK = ("--potentials network --size small --layers 1 --hidden 32 --arc-size 16 --label-size 8 --rank 16 "
           "--word-size 8 --spelling-size 8 --batch 60 --batch-parts 4 --iterations 3").split()

NOUNS = "dog cat house tree report law letter man".split()
VERBS = "sees likes reads finds writes".split()
ADJECTIVES = "old new red small".split()
PREPOSITIONS = "with in on of".split()


def toy_treebank(sentences, seed):
    """CoNLL-U of a small language with ambiguous attachment, tags, labels and a few crossing arcs."""
    generator = random.Random(seed)
    lines = []
    for number in range(sentences):
        rows = []  # form, tag, head, label

        def noun_phrase(head, label):
            first = len(rows) + 1
            adjectives = generator.choice([0, 0, 1, 2])
            noun = first + 1 + adjectives
            rows.append(("the", "DET", noun, "det"))
            rows.extend((generator.choice(ADJECTIVES), "ADJ", noun, "amod") for _ in range(adjectives))
            rows.append((generator.choice(NOUNS), "NOUN", head, label))
            return noun

        rows.append((generator.choice(["Yesterday", "Today"]), "ADV", 0, "advmod"))
        subject = noun_phrase(0, "nsubj")
        verb = len(rows) + 1
        rows.append((generator.choice(VERBS), "VERB", 0, "root"))
        rows[0] = (rows[0][0], "ADV", verb, "advmod")
        rows[subject - 1] = rows[subject - 1][:2] + (verb, "nsubj")
        goal = noun_phrase(verb, "obj")
        for _ in range(generator.choice([0, 1, 1, 2])):
            head = generator.choice([verb, goal, subject if generator.random() < 0.1 else verb])
            case = len(rows) + 1
            rows.append((generator.choice(PREPOSITIONS), "ADP", 0, "case"))
            noun = noun_phrase(head, "obl" if head == verb else "nmod")
            rows[case - 1] = rows[case - 1][:2] + (noun, "case")
        rows.append((".", "PUNCT", verb, "punct"))
        text = " ".join(row[0] for row in rows[:-1]) + "."
        lines += [f"# sent_id = {number + 1}", f"# text = {text}"]
        for index, (form, tag, head, label) in enumerate(rows, 1):
            misc = "SpaceAfter=No" if index == len(rows) - 1 else "_"
            lines.append(f"{index}\t{form}\t{form.lower()}\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t{misc}")
        lines.append("")
    return "\n".join(lines) + "\n"


def expect_program_with_mpi():
    """Ends this test, as skipped, where there is nothing to test."""
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
    if "with MPI" not in version or "without" in version or shutil.which("mpirun") is None:
        print("needs copse with MPI, and mpirun")
        sys.exit(SKIPPED)


def command_of(ranks, arguments, threads=None):
    """Processes with `arguments`; `threads` may be one number, or one for each rank."""
    own = [os.path.abspath(BINARY)] + list(arguments)
    if isinstance(threads, (list, tuple)):
        command = list(MPIRUN)
        for rank, count in enumerate(threads):
            command += ([":"] if rank else []) + ["-n", "1"] + own + ["--threads", str(count)]
        return command
    own += ["--threads", str(threads)] if threads else []
    return own if ranks == 1 else MPIRUN + ["-n", str(ranks)] + own


class ProcessTest(unittest.TestCase):
    """In a folder of its own, with the treebanks `train`, `dev`, `few` (two sentences) and `one`."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="copse_cluster_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, sentences, seed in (("train", 40, 1), ("dev", 11, 2), ("few", 2, 3), ("one", 1, 4)):
            self.write(name, toy_treebank(sentences, seed))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def start(self, command, **options):
        process = subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        """What is left of it after a test that has failed."""
        if process.poll() is None:
            process.kill()
            process.communicate()

    def run_command(self, command, seconds=300):
        """Status, standard output, standard error."""
        process = self.start(command)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"still running after {seconds} s: {' '.join(command)}")
        return process.returncode, output, errors

    def run_ranks(self, ranks, arguments, threads=1):
        return self.run_command(command_of(ranks, arguments, threads))

    def expect_success(self, ranks, arguments, threads=1):
        status, output, errors = self.run_ranks(ranks, arguments, threads)
        self.assertEqual(status, 0, f"{ranks} ranks, {' '.join(arguments)}:\n{errors}")
        return output

    def expect_one_line(self, outcome, status, *parts):
        """Of a run that has failed: the message of the program is one line, with these parts."""
        self.assertEqual(outcome[0], status, outcome[2])
        lines = [line for line in outcome[2].splitlines() if line.startswith("copse: ")]
        self.assertEqual(len(lines), 1, outcome[2])
        for part in parts:
            self.assertIn(part, lines[0])

    def temporaries(self):
        return [path for path in self.folder.rglob("*") if ".tmp-" in path.name]

    def remove_temporaries_of(self, processes):
        """Whoever is ended where he is cannot clean up: the victim, and, a second later or if mpirun is the victim at
        once, all others. What they leave unfinished has the names of temporaries, and nothing else may be left."""
        for path in self.temporaries():
            self.assertIn(int(path.name.rsplit("-", 2)[1]), processes, path)
            path.unlink()

    def expect_nothing_half_written(self):
        self.assertEqual(self.temporaries(), [])


def processes_below(process):
    """The process ids of a process's children, and of theirs."""
    found = []
    for child in children_of(process):
        found += [child] + processes_below(child)
    return found


def children_of(process):
    children = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            children.append(int(status.parent.name))
    return children


def programs_below(process):
    """Those of them that are copse, by rank."""
    programs = []
    for child in processes_below(process):
        try:
            if os.path.samefile(f"/proc/{child}/exe", BINARY):
                environment = pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
                rank = next(value for value in environment if value.startswith(b"OMPI_COMM_WORLD_RANK="))
                programs.append((int(rank.split(b"=")[1]), child))
        except (OSError, StopIteration):
            continue
    return [child for _, child in sorted(programs)]


def is_running(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False
