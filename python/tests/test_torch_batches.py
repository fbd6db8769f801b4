"""copse.torch: lengths, masks, conventions, samples, and what is out of the ordinary, on every device that there is."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

# First, because this skips the tests where there is no PyTorch.
from torch_cases import DOUBLE, INFINITY, SPACES, Enumerated, TorchTest, on_every_device
from torch_cases import random_potentials, sub_sentence

import torch

import copse
from copse.torch import TreeCRF, TreeCRFLoss, arc_from_torch_struct
from enumeration import DIMENSIONS, all_trees, parts_of_tree


class Batches(TorchTest):
    @on_every_device(SPACES)
    def test_padding_and_masks(self, device, factorization, root, trees):
        lengths = [2, 5, 3]
        potentials = random_potentials(factorization, 3, 5, device, seed=12)
        spoiled = {}
        for kind, tensor in potentials.items():
            spoiled[kind] = tensor.clone()
            for i, n in enumerate(lengths):
                for d in range(DIMENSIONS[kind]):
                    spoiled[kind][i].narrow(d, n + 1, 5 - n).fill_(float("nan"))
            spoiled[kind].requires_grad_()
        mask = torch.arange(6) <= torch.tensor(lengths).view(-1, 1)
        mask[1, 0] = False  # the root counts or not, as in SuPar
        options = {"root": root, "trees": trees}
        crf = TreeCRF(**potentials, lengths=torch.tensor(lengths, device=device), **options)
        masked = TreeCRF(**spoiled, mask=mask.to(device), **options)
        self.assertEqual(masked.lengths, lengths)
        self.close(masked.log_partition, crf.log_partition, 0)
        self.close(masked.entropy, crf.entropy, 0)
        self.assertTrue(torch.equal(masked.argmax(), crf.argmax()))
        self.close(masked.log_prob(crf.argmax()), crf.log_prob(crf.argmax()), 0)
        loss = -masked.log_prob(crf.argmax()).sum() + masked.entropy.sum()
        for kind, gradient in zip(spoiled, torch.autograd.grad(loss, spoiled.values())):
            self.assertTrue(torch.isfinite(gradient).all())
            self.assertEqual(float(gradient[0][..., 3:].abs().sum()), 0)

    @on_every_device(SPACES)
    def test_conventions(self, device, factorization, root, trees):
        orders = {"arc": (0, 2, 1), "sibling": (0, 3, 1, 2), "grandchild": (0, 3, 2, 1)}
        orders["grandsibling"] = (0, 4, 2, 3, 1)
        potentials = random_potentials(factorization, 3, 5, device, seed=13)
        turned = {k: t.permute(orders[k]).contiguous().requires_grad_() for k, t in potentials.items()}
        views = {k: t.permute(orders[k]).requires_grad_() for k, t in potentials.items()}
        crf = TreeCRF(**potentials, root=root, trees=trees)
        heads = crf.sample(1, seed=1)[0]
        for other in (turned, views):
            second = TreeCRF(**other, root=root, trees=trees, convention="modifier_head")
            self.close(second.log_partition, crf.log_partition, 0)
            self.close(second.log_prob(heads), crf.log_prob(heads), 0)
            gradients = torch.autograd.grad(second.log_partition.sum() + second.entropy.sum(), other.values())
            self.assertEqual([g.shape for g in gradients], [t.shape for t in other.values()])
            for kind in potentials:
                marginal = getattr(crf.marginals(), kind)
                self.close(getattr(second.marginals(), kind), marginal.permute(orders[kind]), 0)

    @on_every_device()
    def test_expanded_tensors(self, device):
        arc = random_potentials("first", 1, 4, device)["arc"]
        crf = TreeCRF(arc.expand(3, 5, 5))
        self.close(crf.log_partition, TreeCRF(arc).log_partition.expand(3), 0)

    @on_every_device()
    def test_kinds_left_out_count_as_zero(self, device):
        potentials = random_potentials("grandsibling", 2, 4, device, seed=14)
        zeros = {k: torch.zeros_like(t) for k, t in potentials.items()}
        for given in (("arc", "sibling", "grandchild"), ("arc", "grandsibling")):
            some = {k: potentials[k] for k in given}
            crf = TreeCRF(**some)
            self.assertEqual(crf.factorization, "grandsibling")
            self.close(crf.log_partition, TreeCRF(**{**zeros, **some}).log_partition, 0)
            self.assertEqual([m is not None for m in crf.marginals()], [k in given for k in potentials])

    @on_every_device()
    def test_no_sentences(self, device):
        crf = TreeCRF(torch.zeros(0, 4, 4, device=device, requires_grad=True))
        self.assertEqual(crf.log_partition.shape, (0,))
        self.assertEqual(crf.argmax().shape, (0, 4))
        (crf.log_partition.sum() + crf.entropy.sum()).backward()

    @on_every_device(SPACES)
    def test_samples(self, device, factorization, root, trees):
        potentials = random_potentials(factorization, 2, 3, device, seed=15)
        crf = TreeCRF(**potentials, lengths=[3, 2], root=root, trees=trees)
        samples = crf.sample(20000, seed=3)
        self.assertEqual(samples.shape, (20000, 2, 4))
        few = crf.sample(500, seed=3)
        self.assertTrue(torch.equal(few, crf.sample(500, seed=3)))
        self.assertFalse(torch.equal(few, crf.sample(500, seed=4)))
        self.assertTrue(crf.contains(samples).all())
        arcs = torch.nn.functional.one_hot(samples[:, 0, 1:], 4).double().mean(0).T
        self.close(arcs, crf.marginals().arc[0, :, 1:], 0.02)
        torch.manual_seed(1)
        first = crf.sample(50)
        second = crf.sample(50)
        torch.manual_seed(1)
        self.assertTrue(torch.equal(first, crf.sample(50)))
        self.assertFalse(torch.equal(first, second))

    def test_torch_struct(self):
        scores = random_potentials("first", 2, 3, seed=16)["arc"][:, 1:, 1:]  # [b, 3, 3], the root on the diagonal
        arc = arc_from_torch_struct(scores)
        self.assertEqual(arc.shape, (2, 4, 4))
        for h in range(3):
            for m in range(3):
                self.close(arc[:, 0 if h == m else h + 1, m + 1], scores[:, h, m], 0)
        marginals = TreeCRF(arc).marginals().arc
        marginals = marginals[:, 1:, 1:] + torch.diag_embed(marginals[:, 0, 1:])  # as torch-struct has them
        self.close(marginals.sum(1), torch.ones(2, 3))

    def test_supar(self):
        # As SuPar has it: [modifier, head, sibling], and no score for a modifier without inner sibling.
        n = 4
        potentials = random_potentials("sibling", 1, n, seed=25)
        s_arc, s_sib = potentials["arc"], potentials["sibling"]
        trees = list(all_trees(n, "single"))
        scores = torch.tensor([
            sum(float(s_arc[0, m, t[m]]) for m in range(1, n + 1))
            + sum(float(s_sib[0, m, h, s]) for h, s, m in parts_of_tree(t)["sibling"] if s != h)
            for t in trees], dtype=DOUBLE)
        innermost = torch.eye(n + 1, dtype=torch.bool)
        options = {"root": "single", "convention": "modifier_head"}
        crf = TreeCRF(s_arc, s_sib.masked_fill(innermost, 0), **options)
        self.close(crf.log_partition[0], torch.logsumexp(scores, 0))
        # Partial trees: the share of all trees that agree.
        arcs = torch.tensor([[0, 2, -1, -1, 3]])
        agree = (arcs[:, :, None] == torch.arange(n + 1)) | (arcs[:, :, None] < 0)
        partial = TreeCRF(s_arc.masked_fill(~agree, -INFINITY), s_sib.masked_fill(innermost, 0), **options)
        kept = torch.tensor([t[1] == 2 and t[4] == 3 for t in trees])
        self.assertTrue(0 < kept.sum() < len(trees))
        self.close(partial.log_partition[0], torch.logsumexp(scores[kept], 0))

    @on_every_device()
    def test_half_precision(self, device):
        arc = random_potentials("first", 2, 5, device, torch.float32, seed=17)["arc"].bfloat16().requires_grad_()
        crf = TreeCRF(arc)
        self.assertEqual(crf.log_partition.dtype, torch.float32)
        self.close(crf.log_partition, TreeCRF(arc.detach().double()).log_partition, 1e-5)
        crf.log_partition.sum().backward()
        self.assertEqual(arc.grad.dtype, torch.bfloat16)

    def test_graph_is_asked_for_later(self):
        arc = torch.randn(1, 4, 4, requires_grad=True)
        crf = TreeCRF(arc)
        with torch.no_grad():
            self.assertFalse(crf.log_partition.requires_grad)
        self.assertTrue(crf.log_partition.requires_grad)


class BadConditions(TorchTest):
    @on_every_device()
    def test_minus_infinity(self, device):
        potentials = random_potentials("sibling", 3, 4, device, seed=18)
        arc = potentials["arc"]
        arc[0, 0, 1] = arc[0, 2, 1] = -INFINITY
        arc[1, :, 3] = -INFINITY  # no tree
        potentials["sibling"][2, 2, 2, 1] = -INFINITY
        for tensor in potentials.values():
            tensor.requires_grad_()
        crf = TreeCRF(**potentials, root="single")
        exact = Enumerated(sub_sentence(potentials, 0, 4), "single", "projective")
        self.close(crf.log_partition[0], exact.log_partition)
        self.assertEqual(float(crf.log_partition[1]), -INFINITY)
        self.assertEqual(float(crf.entropy[1]), 0)
        self.assertEqual(crf.argmax()[1].tolist(), [0, -1, -1, -1, -1])
        self.assertEqual(crf.log_prob(crf.argmax()).isneginf().tolist(), [False, True, False])
        self.close(crf.marginals().arc[0, 2, 1], 0, 0)
        gradients = torch.autograd.grad(crf.log_partition.sum() + crf.entropy.sum(), potentials.values())
        for gradient in gradients:
            self.assertTrue(torch.isfinite(gradient).all())
            self.assertEqual(float(gradient[1].abs().sum()), 0)
        covariance = exact.covariance_with(
            {k: torch.nan_to_num(t[0].detach().cpu(), neginf=0.0) for k, t in potentials.items()}
        )
        for kind, gradient in zip(potentials, gradients):
            self.close(gradient[0], exact.marginal(kind) - covariance[kind], 1e-10)

    @on_every_device()
    def test_large_numbers(self, device):
        potentials = random_potentials("sibling", 2, 4, device, seed=19)
        shifted = {k: t.clone().requires_grad_() for k, t in potentials.items()}
        with torch.no_grad():
            shifted["arc"] += 1000
            shifted["arc"][0, 3, 2] = -1000
            shifted["arc"][1, 3, 2] = -1e30
            potentials["arc"][:, 3, 2] = -INFINITY
        crf, plain = TreeCRF(**shifted), TreeCRF(**potentials)
        self.close(crf.log_partition, plain.log_partition + 4000)
        self.close(crf.entropy, plain.entropy, 1e-9)
        gradients = torch.autograd.grad(crf.entropy.sum(), shifted.values())
        for tensor in potentials.values():
            tensor.requires_grad_()
        expected = torch.autograd.grad(TreeCRF(**potentials).entropy.sum(), potentials.values())
        for a, b in zip(gradients, expected):
            self.close(a, b, 1e-9)

    @on_every_device()
    def test_not_a_number(self, device):
        arc = random_potentials("first", 2, 3, device, seed=20)["arc"]
        alone = TreeCRF(arc[1:]).log_partition
        arc[0, 1, 2] = float("nan")
        crf = TreeCRF(arc.requires_grad_())
        self.assertTrue(crf.log_partition[0].isnan())
        self.close(crf.log_partition[1:], alone, 0)
        # A gradient that is not a number stays one.
        values = torch.full_like(arc[1:].detach(), float("nan"))
        gradient = torch.autograd.grad(TreeCRF(arc[1:]).expectation(arc=values).sum(), arc)[0]
        self.assertTrue(gradient[1, 0, 1].isnan())

    def test_messages(self):
        arc = torch.zeros(2, 4, 4)
        cases = [
            (lambda: TreeCRF(arc, root="none"), "root must be 'multi' or 'single'"),
            (lambda: TreeCRF(arc, trees="all"), "trees must be"),
            (lambda: TreeCRF(arc, convention="SuPar"), "convention must be"),
            (lambda: TreeCRF(torch.zeros(4, 4)), r"arc must have the shape \[b, h, m\]"),
            (lambda: TreeCRF(arc, sibling=torch.zeros(2, 4, 4)), r"sibling must have the shape \[b, h, s, m\]"),
            (lambda: TreeCRF(arc, sibling=torch.zeros(2, 4, 4, 4), trees="nonprojective"), "arc potentials only"),
            (lambda: TreeCRF(arc, lengths=[3, 4]), "sentence 1 has 4 words; it must have 1 to 3"),
            (lambda: TreeCRF(arc, lengths=[0, 3]), "sentence 0 has 0 words"),
            (lambda: TreeCRF(arc, lengths=[3]), "1 lengths for 2 sentences"),
            (lambda: TreeCRF(arc, lengths=[3, 3], mask=torch.ones(2, 4).bool()), "not both"),
            (lambda: TreeCRF(arc, mask=torch.tensor([[1, 1, 0, 1]] * 2).bool()), "stand together"),
            (lambda: TreeCRF(arc, mask=torch.ones(2, 4)), "boolean"),
            (lambda: TreeCRF(torch.zeros(2, 1, 1)), "at least one word"),
            (lambda: TreeCRF(torch.zeros(1).expand(1, 46342, 46342)), "at most 46340 words"),
            (lambda: TreeCRF(arc).log_prob(torch.zeros(2, 3).long()), "heads must have the shape"),
            (lambda: TreeCRF(arc).expectation(sibling=torch.zeros(2, 4, 4, 4)), "no sibling potentials"),
            (lambda: TreeCRF(arc).expectation(), "expectation of what"),
            (lambda: TreeCRF(arc).sample(0), "at least 1"),
            (lambda: TreeCRFLoss(reduction="max"), "reduction must be"),
        ]
        for call, message in cases:
            with self.assertRaisesRegex(ValueError, message):
                call()
        with self.assertRaisesRegex(TypeError, "floating-point"):
            TreeCRF(arc.long())
        with self.assertRaisesRegex(RuntimeError, "no inference on meta"):
            TreeCRF(arc.to("meta"))

    def test_several_threads_of_one_computation(self):
        potentials = random_potentials("sibling", 40, 9, seed=26)
        lengths = [1 + i % 9 for i in range(40)]
        alone = TreeCRF(**potentials, lengths=lengths)
        entropy, marginals = alone.entropy, alone.marginals()
        threads = torch.get_num_threads()
        torch.set_num_threads(3)
        try:
            several = TreeCRF(**potentials, lengths=lengths)
            self.close(several.entropy, entropy, 0)
            self.close(several.marginals().sibling, marginals.sibling, 0)
        finally:
            torch.set_num_threads(threads)

    @on_every_device()
    def test_threads(self, device):
        arc = random_potentials("first", 8, 9, device, seed=21)["arc"]
        expected = TreeCRF(arc).log_partition
        results = []
        pool = [threading.Thread(target=lambda: results.append(TreeCRF(arc).log_partition)) for _ in range(8)]
        for thread in pool:
            thread.start()
        for thread in pool:
            thread.join()
        self.assertEqual(len(results), 8)
        for result in results:
            self.close(result, expected, 0)

    def test_without_the_extension(self):
        # As on a machine with another Python than the one that Copse was built for.
        package = pathlib.Path(copse.__file__).parent
        program = """
import torch, copse, copse.torch
assert copse.torch.TreeCRF(torch.zeros(1, 3, 3)).log_partition.exp().round() == 3
try:
    copse.TreeCRF
except AttributeError as error:
    print(error)
"""
        with tempfile.TemporaryDirectory() as folder:
            extension = shutil.ignore_patterns("_copse*.so", "__pycache__")
            shutil.copytree(package, pathlib.Path(folder, "copse"), ignore=extension)
            run = subprocess.run(
                [sys.executable, "-c", program],
                capture_output=True,
                text=True,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": folder},
            )
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("copse.TreeCRF needs the extension copse._copse, which was not built for this Python", run.stdout)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_fork(self):
        arc = random_potentials("first", 8, 9, seed=22)["arc"]
        expected = TreeCRF(arc).log_partition
        child = os.fork()
        if child == 0:
            os._exit(0 if torch.equal(TreeCRF(arc).log_partition, expected) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
