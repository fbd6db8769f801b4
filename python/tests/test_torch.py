"""copse.torch against enumeration, copse.TreeCRF and finite differences, on every device that there is.

Needs nothing but PyTorch: `python3 -m unittest` runs it, too.
"""

import functools
import random
import unittest

# First, because this skips the tests where there is no PyTorch.
from torch_cases import DEVICES, DOUBLE, INFINITY, SPACES, Enumerated, TorchTest, on_every_device
from torch_cases import random_potentials, sub_sentence

import torch

import copse
from copse.torch import Parts, TreeCRF, TreeCRFLoss
from enumeration import DIMENSIONS, PARTS, is_projective, is_tree


class AgainstEnumeration(TorchTest):
    @on_every_device(SPACES)
    def test_answers(self, device, factorization, root, trees):
        lengths = [3, 1, 4, 2, 4]
        potentials = random_potentials(factorization, len(lengths), 4, device)
        crf = TreeCRF(**potentials, lengths=lengths, root=root, trees=trees)
        self.assertEqual(crf.factorization, factorization)
        best, marginals = crf.argmax(), crf.marginals()
        for i, n in enumerate(lengths):
            exact = Enumerated(sub_sentence(potentials, i, n), root, trees)
            self.close(crf.log_partition[i], exact.log_partition)
            self.close(crf.entropy[i], -(exact.p * exact.p.log()).sum())
            self.assertEqual(tuple(best[i, : n + 1].tolist()), exact.trees[int(exact.scores.argmax())])
            self.assertEqual(best[i, n + 1 :].tolist(), [0] * (4 - n))
            for kind in potentials:
                inside = (slice(0, n + 1),) * DIMENSIONS[kind]
                marginal = getattr(marginals, kind)[i]
                self.close(marginal[inside], exact.marginal(kind))
                self.close(marginal.sum(), n)

    @on_every_device(SPACES)
    def test_all_heads_of_three_words(self, device, factorization, root, trees):
        potentials = random_potentials(factorization, 2, 4, device, seed=2)
        crf = TreeCRF(**potentials, lengths=[3, 4], root=root, trees=trees)
        exact = Enumerated(sub_sentence(potentials, 0, 3), root, trees)
        heads = torch.cartesian_prod(*[torch.arange(-1, 5)] * 3)
        heads = torch.cat([torch.full((len(heads), 1), 7), heads, torch.full((len(heads), 1), 9)], 1)
        both = torch.stack([heads, torch.tensor([0, 2, 0, 2, 3]).expand(len(heads), 5)], 1).to(device)
        found = crf.log_prob(both)
        contained = crf.contains(both)
        self.assertEqual(found.shape, (len(heads), 2))
        expected = dict(zip(exact.trees, (exact.scores - exact.log_partition).tolist()))
        for row, value, inside in zip(heads.tolist(), found[:, 0].tolist(), contained[:, 0].tolist()):
            wanted = expected.get((0, *row[1:4]), -INFINITY)
            self.assertEqual(inside, wanted > -INFINITY)
            self.close(value, wanted)
        self.assertEqual(int(contained[:, 0].sum()), len(exact.trees))

    def test_membership_of_longer_trees(self):
        seed = 3
        print(f"seed {seed}")
        generator = random.Random(seed)
        n = 7
        crf = {s: TreeCRF(torch.zeros(1, n + 1, n + 1), root=s[0], trees=s[1]) for s in [
            ("multi", "projective"), ("single", "projective"), ("multi", "nonprojective")]}
        seen = set()
        for _ in range(3000):
            heads = (0, *(generator.randrange(n + 1) for _ in range(n)))
            tree = is_tree(heads)
            projective = tree and is_projective(heads)
            seen.add((tree, projective))
            tensor = torch.tensor([heads])
            self.assertEqual(bool(crf["multi", "nonprojective"].contains(tensor)), tree)
            self.assertEqual(bool(crf["multi", "projective"].contains(tensor)), projective)
            self.assertEqual(bool(crf["single", "projective"].contains(tensor)), projective and heads.count(0) == 2)
        self.assertEqual(len(seen), 3)

    @on_every_device(SPACES)
    def test_second_derivatives(self, device, factorization, root, trees):
        for dtype, tolerance in ((DOUBLE, 1e-11), (torch.float32, 2e-6)):
            potentials = random_potentials(factorization, 1, 4, device, dtype, seed=4)
            direction = random_potentials(factorization, 1, 4, device, dtype, seed=5, scale=3.0)
            for tensor in potentials.values():
                tensor.requires_grad_()
            crf = TreeCRF(**potentials, root=root, trees=trees)
            exact = Enumerated(potentials, root, trees)
            covariance = exact.covariance_with({k: v[0].cpu().double() for k, v in direction.items()})
            gradients = torch.autograd.grad(crf.expectation(**direction).sum(), potentials.values())
            for kind, gradient in zip(potentials, gradients):
                self.close(gradient[0], covariance[kind], tolerance)
            covariance = exact.covariance_with({k: v[0].detach().cpu().double() for k, v in potentials.items()})
            gradients = torch.autograd.grad(crf.entropy.sum(), potentials.values())
            for kind, gradient in zip(potentials, gradients):
                self.close(gradient[0], -covariance[kind], tolerance)


@unittest.skipUnless(hasattr(copse, "TreeCRF"), "the extension was not built for this Python")
class AgainstTreeCRF(TorchTest):
    @on_every_device([(f, root) for f, root, trees in SPACES if trees == "projective"])
    def test_batches_of_unequal_lengths(self, device, factorization, root):
        lengths = [9, 1, 5, 12, 2, 7]
        for dtype, tolerance in ((DOUBLE, 1e-11), (torch.float32, 1e-5)):
            potentials = random_potentials(factorization, len(lengths), 12, device, dtype, seed=6)
            crf = TreeCRF(**potentials, lengths=lengths, root=root)
            best, marginals = crf.argmax(), crf.marginals()
            samples = crf.sample(3, seed=7)
            log_probs = crf.log_prob(samples)
            for i, n in enumerate(lengths):
                single = {k: t[0].cpu().numpy() for k, t in sub_sentence(potentials, i, n).items()}
                other = copse.TreeCRF(factorization, root=root, **single)
                self.close(crf.log_partition[i], other.log_partition, tolerance)
                self.close(crf.entropy[i], other.entropy, tolerance)
                self.assertEqual(best[i, : n + 1].tolist(), other.argmax().tolist())
                for kind in potentials:
                    inside = (slice(0, n + 1),) * DIMENSIONS[kind]
                    self.close(getattr(marginals, kind)[i][inside], other.marginals()[kind], tolerance)
                for s in range(3):
                    tree = samples[s, i, : n + 1].cpu().numpy()
                    self.close(log_probs[s, i], other.log_prob(tree), 10 * tolerance)


class Gradients(TorchTest):
    LENGTHS = [3, 2]

    def leaves(self, factorization, device, seed):
        potentials = random_potentials(factorization, len(self.LENGTHS), 3, device, seed=seed)
        return tuple(tensor.requires_grad_() for tensor in potentials.values())

    def crf(self, factorization, tensors, root, trees):
        return TreeCRF(**dict(zip(PARTS[factorization], tensors)), lengths=self.LENGTHS, root=root, trees=trees)

    @on_every_device(SPACES)
    def test_against_finite_differences(self, device, factorization, root, trees):
        leaves = self.leaves(factorization, device, 8)
        others = self.leaves(factorization, device, 9)
        build = lambda tensors: self.crf(factorization, tensors, root, trees)
        heads = torch.tensor([[0, 2, 0, 2], [0, 0, 1, 0]], device=device)
        self.assertTrue(torch.autograd.gradcheck(lambda *t: build(t).log_partition, leaves))
        self.assertTrue(torch.autograd.gradcheck(lambda *t: build(t).log_prob(heads), leaves))
        self.assertTrue(torch.autograd.gradcheck(lambda *t: build(t).entropy, leaves))
        k = len(leaves)
        both = lambda *t: build(t[:k]).expectation(*Parts(**dict(zip(PARTS[factorization], t[k:]))))
        self.assertTrue(torch.autograd.gradcheck(both, leaves + others, fast_mode=factorization == "grandsibling"))
        if factorization != "grandsibling":  # slow, and the same code
            self.assertTrue(torch.autograd.gradgradcheck(lambda *t: build(t).log_partition, leaves))
            self.assertTrue(torch.autograd.gradgradcheck(lambda *t: build(t).log_prob(heads), leaves))
            self.assertTrue(torch.autograd.gradcheck(lambda *t: build(t[:k]).kl(build(t[k:])), leaves + others))

    @on_every_device(SPACES)
    def test_gradient_of_log_partition_is_marginals(self, device, factorization, root, trees):
        for dtype in (DOUBLE, torch.float32):
            potentials = random_potentials(factorization, 3, 6, device, dtype, seed=10)
            for tensor in potentials.values():
                tensor.requires_grad_()
            crf = TreeCRF(**potentials, lengths=[6, 1, 4], root=root, trees=trees)
            weights = torch.tensor([1.0, -2.0, 0.5], device=device, dtype=dtype)
            (crf.log_partition * weights).sum().backward()
            for kind, tensor in potentials.items():
                shape = (-1,) + (1,) * DIMENSIONS[kind]
                self.close(tensor.grad, weights.view(shape) * getattr(crf.marginals(), kind), 1e-15)

    @on_every_device()
    def test_loss(self, device):
        potentials = random_potentials("sibling", 3, 4, device, seed=11)
        for tensor in potentials.values():
            tensor.requires_grad_()
        heads = torch.tensor([[0, 2, 0, 2, 3], [0, 2, 0, 0, 0], [0, 3, 0, 2, 2]], device=device)
        lengths = [4, 2, 4]  # the last tree is not projective
        crf = TreeCRF(**potentials, lengths=lengths, root="single")
        self.assertEqual(crf.contains(heads).tolist(), [True, True, False])
        each = TreeCRFLoss(root="single", reduction="none")(heads, **potentials, lengths=lengths)
        self.close(each, -crf.log_prob(heads))
        self.assertEqual(float(each[2]), INFINITY)
        for reduction, divisor in (("sum", 1), ("mean", 3), ("word_mean", 10)):
            loss = TreeCRFLoss(root="single", reduction=reduction, skip_impossible=True)
            value = loss(heads, **potentials, lengths=lengths)
            self.close(value, each[:2].sum() / divisor)
        gradient = torch.autograd.grad(value, potentials["arc"])[0] * 10
        expected = crf.marginals().arc.detach().clone()
        for m in range(1, 5):
            expected[0, heads[0, m], m] -= 1
        for m in range(1, 3):
            expected[1, heads[1, m], m] -= 1
        expected[2] = 0
        self.close(gradient, expected)


@unittest.skipUnless("cuda" in DEVICES, "no GPU, or no CUDA in Copse: copse.torch is tested on the CPU only")
class OnGpu(TorchTest):
    def test_equals_cpu(self):
        for factorization, root, trees in SPACES:
            lengths = [40, 1, 17, 33, 8] if factorization != "grandsibling" else [20, 1, 17, 13, 8]
            for dtype, tolerance in ((DOUBLE, 1e-10), (torch.float32, 2e-5)):
                with self.subTest(case=(factorization, root, trees, dtype)):
                    potentials = random_potentials(factorization, 5, max(lengths), "cpu", dtype, seed=23)
                    there = {k: t.cuda() for k, t in potentials.items()}
                    for tensor in [*potentials.values(), *there.values()]:
                        tensor.requires_grad_()
                    build = functools.partial(TreeCRF, lengths=lengths, root=root, trees=trees)
                    cpu, gpu = build(**potentials), build(**there)
                    self.close(gpu.log_partition, cpu.log_partition, 10 * tolerance)
                    self.close(gpu.entropy, cpu.entropy, 10 * tolerance)
                    self.assertTrue(torch.equal(gpu.argmax().cpu(), cpu.argmax()))
                    a = torch.autograd.grad(cpu.log_partition.sum() + cpu.entropy.sum(), potentials.values())
                    b = torch.autograd.grad(gpu.log_partition.sum() + gpu.entropy.sum(), there.values())
                    for x, y in zip(a, b):
                        self.close(y, x, 10 * tolerance)

    def test_same_bits_and_other_streams(self):
        potentials = random_potentials("sibling", 16, 30, "cuda", torch.float32, seed=24)
        first = TreeCRF(**potentials).marginals()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            second = TreeCRF(**potentials).marginals()
        torch.cuda.current_stream().wait_stream(stream)
        for a, b in zip(first, second):
            self.assertTrue(a is None or torch.equal(a, b))


if __name__ == "__main__":
    unittest.main()
