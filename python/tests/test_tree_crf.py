"""The Python module against the enumeration of all trees, written from the definitions."""

import subprocess
import sys
import threading
from typing import Any, Dict

import numpy as np
import pytest

import copse
import enumeration
from enumeration import DIMENSIONS
from enumeration import PARTS as FACTORIZATIONS
from tree_crf_layer import TreeLoss, parts_of_tree


def all_trees(n, root, trees="projective"):
    return map(np.array, enumeration.all_trees(n, root, trees))


def random_potentials(factorization, n, random) -> Dict[str, Any]:
    return {o: random.normal(size=(n + 1,) * DIMENSIONS[o]) for o in FACTORIZATIONS[factorization]}


def scores_of(trees, potentials):
    return np.array([sum(x[parts_of_tree(t)[o]].sum() for o, x in potentials.items()) for t in trees])


@pytest.mark.parametrize("root", ["multi", "single"])
@pytest.mark.parametrize(
    "factorization, kind", [*((f, "projective") for f in FACTORIZATIONS), ("first", "nonprojective")]
)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equals_enumeration(factorization, kind, root, n):
    random = np.random.default_rng(n)
    potentials = random_potentials(factorization, n, random)
    trees = list(all_trees(n, root, kind))
    scores = scores_of(trees, potentials)
    log_z = np.logaddexp.reduce(scores)
    probabilities = np.exp(scores - log_z)
    crf = copse.TreeCRF(factorization, root=root, trees=kind, **potentials)

    assert (crf.root, crf.trees) == (root, kind)
    assert crf.log_partition == pytest.approx(log_z, abs=1e-10)
    assert crf.entropy == pytest.approx(-(probabilities * (scores - log_z)).sum(), abs=1e-9)
    expected = {o: np.zeros_like(x) for o, x in potentials.items()}
    for tree, p in zip(trees, probabilities):
        for o in potentials:
            expected[o][parts_of_tree(tree)[o]] += p
    marginals = crf.marginals()
    assert list(marginals.keys()) == list(potentials)
    for o in potentials:
        np.testing.assert_allclose(marginals[o], expected[o], atol=1e-10)
        np.testing.assert_array_equal(getattr(marginals, o), marginals[o])
    np.testing.assert_array_equal(crf.argmax(), trees[scores.argmax()])
    best = crf.kbest(len(trees) + 5)
    np.testing.assert_allclose([s for _, s in best], np.sort(scores)[::-1], atol=1e-10)
    assert len({tuple(h) for h, _ in best}) == len(trees)
    accuracies = [expected["arc"][t[1:], np.arange(1, n + 1)].sum() for t in trees]
    mbr = crf.mbr()
    assert expected["arc"][mbr[1:], np.arange(1, n + 1)].sum() == pytest.approx(max(accuracies))
    for tree, p in zip(trees, probabilities):
        assert crf.log_prob(tree) == pytest.approx(np.log(p), abs=1e-9)


@pytest.mark.parametrize("root", ["multi", "single"])
@pytest.mark.parametrize("factorization", list(enumeration.MORE_PARTS))
@pytest.mark.parametrize("n", [1, 3, 5])
def test_higher_orders_equal_enumeration(factorization, root, n):
    random = np.random.default_rng(n)
    dimensions = {**DIMENSIONS, **enumeration.MORE_DIMENSIONS}
    potentials: Dict[str, Any] = {
        o: random.normal(size=(n + 1,) * dimensions[o]) for o in enumeration.MORE_PARTS[factorization]
    }
    trees = list(enumeration.all_trees(n, root))
    parts = [{**enumeration.parts_of_tree(t), **enumeration.more_parts_of_tree(t)} for t in trees]
    scores = np.array([sum(x[part] for o, x in potentials.items() for part in of[o]) for of in parts])
    log_z = np.logaddexp.reduce(scores)
    expected = {o: np.zeros_like(x) for o, x in potentials.items()}
    for of, score in zip(parts, scores):
        for o in potentials:
            for part in of[o]:
                expected[o][part] += np.exp(score - log_z)
    crf = copse.TreeCRF(factorization, root=root, **potentials)
    assert crf.log_partition == pytest.approx(log_z, abs=1e-10)
    marginals = crf.marginals()
    assert set(marginals.keys()) == set(potentials)
    for o in potentials:
        np.testing.assert_allclose(marginals[o], expected[o], atol=1e-10)
        np.testing.assert_array_equal(getattr(marginals, o), marginals[o])
    np.testing.assert_array_equal(crf.argmax(), trees[scores.argmax()])
    np.testing.assert_allclose([s for _, s in crf.kbest(len(trees) + 1)], np.sort(scores)[::-1], atol=1e-10)
    with pytest.raises(ValueError, match=f"a first model has no {list(potentials)[-1]} potentials"):
        copse.TreeCRF("first", **{o: potentials[o] for o in ("arc", list(potentials)[-1])})


def test_candidates_and_constraints():
    random = np.random.default_rng(5)
    n = 4
    potentials = random_potentials("grandsibling", n, random)
    candidates = random.random((n + 1, n + 1)) < 0.8
    candidates[0, :] = True
    trees = [t for t in all_trees(n, "multi") if candidates[t[1:], np.arange(1, n + 1)].all()]
    crf = copse.TreeCRF("grandsibling", candidates=candidates, **potentials)
    assert crf.log_partition == pytest.approx(np.logaddexp.reduce(scores_of(trees, potentials)))

    required = np.full(n + 1, -1)
    required[2] = trees[0][2]
    kept = [t for t in trees if t[2] == required[2] and t[1] != 0]
    restricted = crf.constrained(heads=required, forbidden=[(0, 1)])
    assert restricted.log_partition == pytest.approx(np.logaddexp.reduce(scores_of(kept, potentials)))
    assert np.isneginf(restricted.log_prob([0, 0, 0, 0, 0]))


@pytest.mark.parametrize("root", ["multi", "single"])
def test_candidates_and_constraints_of_nonprojective_trees(root):
    random = np.random.default_rng(8)
    n = 5
    arc = random.normal(size=(n + 1, n + 1))
    candidates = random.random((n + 1, n + 1)) < 0.8
    candidates[0, :] = True
    trees = [t for t in all_trees(n, root, "nonprojective") if candidates[t[1:], np.arange(1, n + 1)].all()]
    crossing = next(t for t in trees if not enumeration.is_projective(t))
    crf = copse.TreeCRF("first", arc, candidates=candidates, root=root, trees="nonprojective")
    assert np.isfinite(crf.log_prob(crossing))
    assert np.isneginf(copse.TreeCRF("first", arc, candidates=candidates, root=root).log_prob(crossing))
    required = np.full(n + 1, -1)
    required[2] = crossing[2]
    forbidden = next((h, 3) for h in range(n + 1) if h != 3 and h != crossing[3] and candidates[h, 3])
    kept = [t for t in trees if t[2] == required[2] and t[3] != forbidden[0]]
    restricted = crf.constrained(heads=required, forbidden=[forbidden])
    assert restricted.log_partition == pytest.approx(np.logaddexp.reduce(scores_of(kept, {"arc": arc})))


def test_nonprojective_trees_are_of_first_order():
    arc = np.zeros((3, 3))
    with pytest.raises(ValueError, match="nonprojective trees need the factorization 'first'"):
        copse.TreeCRF("sibling", arc, trees="nonprojective")
    with pytest.raises(ValueError, match="trees must be 'projective' or 'nonprojective', not 'any'"):
        copse.TreeCRF("first", arc, trees="any")


@pytest.mark.parametrize("kind", ["projective", "nonprojective"])
def test_samples_follow_the_distribution(kind):
    random = np.random.default_rng(6)
    crf = copse.TreeCRF("first", random.normal(size=(4, 4)), trees=kind)
    samples = crf.sample(20000, seed=3)
    assert samples.shape == (20000, 4)
    np.testing.assert_array_equal(samples, crf.sample(20000, seed=3))
    assert (samples != crf.sample(20000, seed=4)).any()
    arcs = np.zeros((4, 4))
    np.add.at(arcs, (samples[:, 1:].ravel(), np.tile([1, 2, 3], 20000)), 1 / 20000)
    np.testing.assert_allclose(arcs, crf.marginals().arc, atol=0.02)


def test_batch_equals_single_calls():
    random = np.random.default_rng(7)
    crfs = []
    for i in range(40):
        factorization = list(FACTORIZATIONS)[i % 4]
        potentials = random_potentials(factorization, 1 + i % 9, random)
        kind = "nonprojective" if i % 8 == 0 else "projective"
        crfs.append(copse.TreeCRF(factorization, trees=kind, **potentials))
    what = ["log_partition", "entropy", "marginals", "argmax", "mbr"]
    for threads in (1, 2, 4):
        out: Dict[str, Any] = copse.batch(crfs, what, threads=threads)
        assert sorted(out) == sorted(what)
        for i, crf in enumerate(crfs):
            assert out["log_partition"][i] == crf.log_partition
            assert out["entropy"][i] == crf.entropy
            np.testing.assert_array_equal(out["argmax"][i], crf.argmax())
            np.testing.assert_array_equal(out["mbr"][i], crf.mbr())
            np.testing.assert_array_equal(out["marginals"][i].arc, crf.marginals().arc)
    with pytest.raises(ValueError, match="batch cannot compute"):
        copse.batch(crfs, ["everything"])


def test_batch_goes_on_where_threads_cannot_be_started():
    # In a process of its own, with room for a few stacks of threads: it used to end the process.
    program = """
import resource
import numpy as np
import copse
crfs = [copse.TreeCRF("first", np.full((2, 2), 0.5)) for _ in range(3000)]
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (64 << 20), size + (64 << 20)))
out = copse.batch(crfs, threads=3000)
assert np.allclose(out["log_partition"], 0.5)
print("done")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "done\n"


def test_potentials_that_cannot_be_summed_are_refused():
    for name, kinds in FACTORIZATIONS.items():
        for kind in kinds:
            potentials: Dict[str, Any] = {k: np.zeros((4,) * DIMENSIONS[k]) for k in kinds}
            potentials[kind][...] = 1e308
            with pytest.raises(ValueError, match="1e300"):
                copse.TreeCRF(name, **potentials)
    assert copse.TreeCRF("first", np.full((4, 4), 1e299)).log_partition == pytest.approx(3e299)


def test_one_object_from_several_threads():
    crf = copse.TreeCRF("sibling", np.random.default_rng(8).normal(size=(31, 31)))
    results = []
    pool = [threading.Thread(target=lambda: results.append((crf.log_partition, crf.entropy))) for _ in range(8)]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join()
    assert len(set(results)) == 1


def test_errors_are_clear():
    arc = np.zeros((4, 4))
    with pytest.raises(ValueError, match="no factorization 'third'"):
        copse.TreeCRF("third", arc)
    with pytest.raises(ValueError, match="no sibling potentials"):
        copse.TreeCRF("first", arc, sibling=np.zeros((4, 4, 4)))
    with pytest.raises(ValueError, match="3 dimensions of size 4"):
        copse.TreeCRF("sibling", arc, sibling=np.zeros((4, 4)))
    with pytest.raises(ValueError, match="root"):
        copse.TreeCRF("first", arc, root="none")
    with pytest.raises(ValueError, match="not a number"):
        copse.TreeCRF("first", np.full((4, 4), np.nan))
    with pytest.raises(TypeError, match="needs potentials: arc"):
        copse.TreeCRF("first")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="got 'arc' twice"):
        copse.TreeCRF("first", arc, arc=arc)  # type: ignore[misc]
    with pytest.raises(TypeError, match="no argument 'arcs'"):
        copse.TreeCRF("first", arc, arcs=arc)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="at most 7 kinds of parts"):
        copse.TreeCRF("first", *[arc] * 8)
    with pytest.raises(TypeError, match="'arc' must be an array of numbers"):
        copse.TreeCRF("first", "arc")
    impossible = copse.TreeCRF("first", arc, candidates=np.zeros((4, 4), dtype=bool))
    for question in (lambda c: c.log_partition, lambda c: c.argmax(), lambda c: c.marginals(), lambda c: c.mbr()):
        with pytest.raises(copse.InfeasibleError, match="no tree is possible"):
            question(impossible)


@pytest.mark.parametrize("factorization", FACTORIZATIONS)
def test_gradient_of_the_layer(factorization):
    random = np.random.default_rng(9)
    potentials = random_potentials(factorization, 4, random)
    loss = TreeLoss(factorization, np.array([0, 2, 0, 4, 2]), root="single")
    loss.forward(**potentials)
    gradients = loss.backward()
    for order, x in potentials.items():
        for index in [tuple(random.integers(0, 5, size=x.ndim)) for _ in range(20)]:
            kept, h = x[index], 1e-5
            x[index] = kept + h
            above = loss.forward(**potentials)
            x[index] = kept - h
            below = loss.forward(**potentials)
            x[index] = kept
            assert (above - below) / (2 * h) == pytest.approx(gradients[order][index], abs=1e-6)


def test_torch_layer():
    torch = pytest.importorskip("torch")
    from tree_crf_layer import torch_tree_loss

    arc = torch.randn(5, 5, dtype=torch.float64, requires_grad=True)
    gold = np.array([0, 2, 0, 4, 2])
    assert torch.autograd.gradcheck(lambda a: torch_tree_loss("first", gold, arc=a), (arc,))
