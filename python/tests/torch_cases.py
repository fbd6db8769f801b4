"""What the tests of copse.torch share: devices, cases, and distributions tree by tree."""

import functools
import os
import unittest

try:
    import torch
except ImportError:
    if os.environ.get("COPSE_EXPECT_TORCH"):
        raise
    raise unittest.SkipTest("copse.torch is not tested: PyTorch is not installed")

from copse._batch_library import obstacle
from enumeration import DIMENSIONS, PARTS, all_trees, parts_of_tree

# Batches here are so small that a second thread doubles the processor time.
torch.set_num_threads(1)

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and not obstacle("cuda") else [])
SPACES = [(f, root, "projective") for f in PARTS for root in ("multi", "single")]
SPACES += [("first", "multi", "nonprojective"), ("first", "single", "nonprojective")]
INFINITY = float("inf")
DOUBLE = torch.float64


def random_potentials(factorization, sentences, n, device="cpu", dtype=DOUBLE, seed=1, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    result = {}
    for kind in PARTS[factorization]:
        shape = (sentences,) + (n + 1,) * DIMENSIONS[kind]
        result[kind] = (scale * torch.randn(shape, generator=generator, dtype=DOUBLE)).to(device, dtype)
    return result


def sub_sentence(potentials, i, n):
    """The potentials of sentence i, without padding, as a batch of one."""
    return {k: t[i : i + 1][(slice(None),) + (slice(0, n + 1),) * DIMENSIONS[k]] for k, t in potentials.items()}


class Enumerated:
    """The distribution of one sentence, tree by tree."""

    def __init__(self, potentials, root, trees):
        n = potentials["arc"].shape[-1] - 1
        self.trees = list(all_trees(n, root, trees))
        self.counts = {}  # [tree, words...]: whether the part is in the tree
        scores = torch.zeros(len(self.trees), dtype=DOUBLE)
        for kind, tensor in potentials.items():
            counts = torch.zeros((len(self.trees), *tensor.shape[1:]), dtype=DOUBLE)
            for row, tree in zip(counts, self.trees):
                for words in parts_of_tree(tree)[kind]:
                    row[words] = 1
            self.counts[kind] = counts
            finite = tensor[0].detach().cpu().double()
            scores = scores + torch.where(counts > 0, finite, torch.zeros((), dtype=DOUBLE)).flatten(1).sum(1)
        self.scores = scores
        self.log_partition = torch.logsumexp(scores, 0)
        self.p = torch.exp(scores - self.log_partition)

    def marginal(self, kind):
        return torch.tensordot(self.p, self.counts[kind], 1)

    def covariance_with(self, direction):
        """Of each part with the sum of the direction's numbers over the parts of a tree."""
        sums = sum((self.counts[k] * v).flatten(1).sum(1) for k, v in direction.items())
        weights = self.p * (sums - (self.p * sums).sum())
        return {k: torch.tensordot(weights, counts, 1) for k, counts in self.counts.items()}


class TorchTest(unittest.TestCase):
    def close(self, a, b, tolerance=1e-10):
        a, b = (torch.as_tensor(x, dtype=DOUBLE, device="cpu").detach() for x in (a, b))
        self.assertEqual(a.shape, b.shape)
        same = (a == b) | ((a - b).abs() <= tolerance)
        self.assertTrue(same.all(), f"largest difference {(a - b).abs().max()}, tolerance {tolerance}")


def on_every_device(cases=((),)):
    """The test gets a device and what is in a case, for each of them."""

    def decorate(test):
        @functools.wraps(test)
        def run(self):
            for device in DEVICES:
                for case in cases:
                    with self.subTest(device=device, case=case):
                        test(self, device, *case)

        return run

    return decorate
