"""Teams of any number of processes make the same models, byte by byte, and the same parses."""
import json
import sys
import unittest

from processes import NETWORK, ProcessTest, expect_program_with_mpi

TREES = "train --train train --dev dev --model model".split()


class Models(ProcessTest):
    def expect_same_models(self, arguments, ranks=(2, 3, 4), outputs=("model",)):
        """One process with two threads; then several, with threads of different numbers."""
        def run(count, threads):
            output = self.expect_success(count, arguments, threads)
            files = [self.bytes_of(name) for name in outputs]
            for name in outputs:
                (self.folder / name).unlink()
            return output, files

        alone, expected = run(1, 2)
        for count in ranks:
            threads = [1 + (rank + count) % 3 for rank in range(count)]
            output, files = run(count, threads)
            self.assertEqual(files, expected, f"{count} processes: {' '.join(arguments)}")
            first = output.splitlines()
            self.assertEqual(first[:len(alone.splitlines())], alone.splitlines())
        self.expect_nothing_half_written()

    def test_first_order(self):
        self.expect_same_models(TREES + "--factorization first --iterations 8 --labels none".split())

    def test_pruned_grandsibling_and_labeller(self):
        self.expect_same_models(TREES + ["--iterations", "4"], ranks=(2, 3))

    def test_joint_labels(self):
        self.expect_same_models(
            TREES + "--factorization first --labels joint --iterations 3".split(), ranks=(3,))

    def test_other_learners(self):
        arguments = TREES + "--factorization first --labels none --iterations 3 --learner".split()
        self.expect_same_models(arguments + ["adagrad"], ranks=(3,))
        for learner in ("perceptron", "mira"):  # each example changes what the next one is learnt with
            outcome = self.run_ranks(2, arguments + [learner])
            self.expect_one_line(outcome, 1, f"{learner} changes its weights after every example")

    def test_limited_features(self):
        self.expect_same_models(
            TREES + "--factorization first --labels none --iterations 3 --max-features 200".split(), ranks=(2,))

    def test_pipeline(self):
        self.expect_same_models(
            TREES + "--pipeline --factorization first --iterations 3 --folds 2".split(), ranks=(2, 4))

    def test_crossing_arcs(self):
        self.expect_same_models(
            TREES + "--factorization first --nonprojective auto --iterations 3".split(), ranks=(3,))

    def test_network(self):
        self.expect_same_models(TREES + NETWORK, ranks=(2, 3))

    def test_tagger(self):
        self.expect_same_models("tag --train train --dev dev --model model --iterations 3".split(), ranks=(3,))

    def test_segmenter(self):
        self.expect_same_models("segment --train train --dev dev --model model --iterations 3".split(), ranks=(2,))

    def test_pretrained_encoder(self):
        self.write("text", "\n".join(f"the old dog sees the new house {k % 7} times ." for k in range(60)) + "\n")
        self.expect_same_models(
            "pretrain --text text --output model --tokens spaces --size small --layers 1 --hidden 16 --word-size 8 "
            "--spelling-size 8 --passes 2 --batch 60 --batch-parts 3 --min-count 1".split(), ranks=(2,))

    def test_fewer_sentences_than_processes(self):
        for arguments in ("--train few --dev one --model model --factorization first --iterations 3",
                          "--train one --model model --iterations 2"):
            self.expect_same_models(["train"] + arguments.split(), ranks=(4,))
        self.expect_same_models("tag --train few --model model --iterations 2".split(), ranks=(3,))

    def test_traffic_is_in_the_log(self):
        output = self.expect_success(2, TREES + "--factorization first --iterations 3".split())
        self.assertIn("2 processes: ", output)
        events = [json.loads(line) for line in self.bytes_of("model.log.jsonl").splitlines()]
        iterations = [event for event in events if event["event"] == "iteration"]
        self.assertTrue(iterations)
        for event in iterations:
            self.assertGreater(event["sent_bytes"], 0)
            self.assertTrue(0 <= event["waiting_share"] <= 1, event)
        end = events[-1]
        self.assertEqual(end["processes"], 2)
        self.assertTrue(end["least_waiting_share"] <= end["waiting_share"] <= end["most_waiting_share"])


class Parses(ProcessTest):
    def files_in(self, folder):
        return {str(path.relative_to(self.folder / folder)): path.read_bytes()
                for path in (self.folder / folder).rglob("*") if path.is_file()}

    def test_parses_are_those_of_one_process(self):
        self.expect_success(1, TREES + "--factorization first --iterations 3".split())
        for number in range(5):
            self.write(f"text{number}.conllu", self.bytes_of("train").decode() * (number + 1))
        texts = [f"text{number}.conllu" for number in range(5)]
        parse = ["parse", "--model", "model", "--input"] + texts
        self.expect_success(1, parse + ["--output", "alone/"])
        for ranks in (2, 4):
            self.expect_success(ranks, parse + ["--output", f"team{ranks}/"])
            alone = self.files_in("alone")
            team = self.files_in(f"team{ranks}")
            self.assertEqual(sorted(alone), sorted(team))
            for name, content in alone.items():
                if name.endswith(".conllu"):
                    self.assertEqual(team[name], content, name)
        # A second run does what is missing, and nothing else.
        (self.folder / "team4" / "text3.conllu").unlink()
        before = (self.folder / "team4" / "text1.conllu").stat().st_mtime_ns
        self.expect_success(3, parse + ["--output", "team4/"])
        self.assertEqual(self.files_in("team4")["text3.conllu"], self.files_in("alone")["text3.conllu"])
        self.assertEqual((self.folder / "team4" / "text1.conllu").stat().st_mtime_ns, before)


if __name__ == "__main__":
    expect_program_with_mpi()
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
