"""Exact inference over the dependency trees of batches of sentences, for PyTorch: on the CPU or a GPU, with gradients.

    crf = copse.torch.TreeCRF(arc, sibling=sibling, lengths=lengths, root="single")
    loss = -crf.log_prob(heads).sum()
    loss.backward()

See docs/torch.md, also for how to move from torch-struct and SuPar.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import torch

from copse._batch_library import KINDS, obstacle
from copse._tree_batch import WORDS_OF_KIND, TreeBatch
from copse._tree_functions import Entropy, LogPartition, LogProbability, Marginals, Places, score_of_parts

_MOST_WORDS = 46340  # arcs are numbered with 32 bits

Numbers = Union[Sequence[int], torch.Tensor]

__all__ = ["Parts", "TreeCRF", "TreeCRFLoss", "arc_from_torch_struct"]


class Parts(NamedTuple):
    """One tensor for each kind of parts, in the shapes of the potentials; None for kinds without potentials."""

    arc: torch.Tensor
    sibling: Optional[torch.Tensor] = None
    grandchild: Optional[torch.Tensor] = None
    grandsibling: Optional[torch.Tensor] = None


class TreeCRF:
    """The distributions over the trees of a batch of sentences, P(tree) ∝ exp(sum of the potentials of its parts).

    arc[b, h, m], sibling[b, h, s, m] (s == h: m is the innermost modifier on its side), grandchild[b, g, h, m],
    grandsibling[b, g, h, s, m]: potentials; -inf forbids a part. Index 0 is the root, words are 1..n, so tensors have
    N + 1 elements in every dimension after the first, N the words of the longest sentence. The grandparent of a
    modifier of the root is 0. What the factorization has is inferred from the tensors that are given.
    lengths: words of each sentence, without the root; or mask[b, i]: whether i is a word (element 0 is ignored).
    None of them: all sentences have N words. Padding may hold anything.
    root: 'multi' (several words may depend on the root) or 'single'.
    trees: 'projective', or 'nonprojective' (arcs only).
    convention: 'head_modifier', as above, or 'modifier_head': arc[b, m, h], sibling[b, m, h, s],
    grandchild[b, m, h, g], grandsibling[b, m, h, s, g].

    float32 or float64 on the CPU or a GPU; float16 and bfloat16 become float32. A sentence that has no tree has
    log-partition -inf, one with a potential that is NaN or above 1e300 has NaN; both have marginals and entropy 0 and
    heads -1.
    """

    def __init__(
        self,
        arc: torch.Tensor,
        sibling: Optional[torch.Tensor] = None,
        grandchild: Optional[torch.Tensor] = None,
        grandsibling: Optional[torch.Tensor] = None,
        *,
        lengths: Optional[Numbers] = None,
        mask: Optional[torch.Tensor] = None,
        root: str = "multi",
        trees: str = "projective",
        convention: str = "head_modifier",
    ) -> None:
        given = {k: t for k, t in zip(KINDS, (arc, sibling, grandchild, grandsibling)) if t is not None}
        _check_choice("root", root, ("multi", "single"))
        _check_choice("trees", trees, ("projective", "nonprojective"))
        _check_choice("convention", convention, tuple(WORDS_OF_KIND))
        self.convention = convention
        given = _check_potentials(given, convention, trees)
        self.potentials = Parts(**given)
        self._tensors = tuple(given.values())
        lengths = _check_lengths(lengths, mask, given["arc"])
        self._batch = TreeBatch(given, lengths, root, trees, convention)
        self._kept: Dict[Tuple[str, bool], Any] = {}

    @property
    def lengths(self) -> List[int]:
        return list(self._batch.lengths)

    @property
    def factorization(self) -> str:
        return self._batch.factorization

    @property
    def root(self) -> str:
        return self._batch.root

    @property
    def trees(self) -> str:
        return self._batch.trees

    def _keep(self, name: str, function: Callable[[], Any]) -> Any:
        """Computed once; again if the gradient was not wanted then and is now."""
        key = (name, torch.is_grad_enabled())
        if key not in self._kept:
            self._kept[key] = function()
        return self._kept[key]

    @property
    def log_partition(self) -> torch.Tensor:
        """[b]: the log of the sum over all trees of exp(score). Differentiable, also twice."""
        return self._keep("log_partition", lambda: LogPartition.apply(self._batch, *self._tensors))

    @property
    def entropy(self) -> torch.Tensor:
        """[b]: of the distribution over trees, in nats. Differentiable."""
        return self._keep("entropy", lambda: Entropy.apply(self._batch, *self._tensors))

    def marginals(self) -> Parts:
        """Parts: the probability of every part, in the shapes of the potentials, 0 elsewhere. Differentiable."""
        dense = self._keep("marginals", lambda: Marginals.apply(self._batch, *self._tensors))
        return Parts(**dict(zip(self._batch.kinds, dense)))

    def expectation(
        self,
        arc: Optional[torch.Tensor] = None,
        sibling: Optional[torch.Tensor] = None,
        grandchild: Optional[torch.Tensor] = None,
        grandsibling: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """[b]: the expected sum over the parts of a tree of the given numbers, in the shapes of the potentials.
        Differentiable by them and by the potentials."""
        total: Optional[torch.Tensor] = None
        for kind, marginal, values in zip(KINDS, self.marginals(), (arc, sibling, grandchild, grandsibling)):
            if values is None:
                continue
            if marginal is None:
                raise ValueError(f"there are no {kind} potentials, so there is no expectation of {kind} parts")
            if values.shape != marginal.shape:
                raise ValueError(f"{kind} must have the shape of the potentials, {tuple(marginal.shape)}")
            # Where the probability is 0, anything may stand, minus infinity and padding included.
            values = torch.where(marginal.detach() > 0, values.to(marginal), torch.zeros_like(marginal))
            term = (marginal * values).flatten(1).sum(1)
            total = term if total is None else total + term
        if total is None:
            raise ValueError("expectation of what? Give it arc, sibling, grandchild or grandsibling")
        return total

    def cross_entropy(self, other: "TreeCRF") -> torch.Tensor:
        """[b]: -E[log P_other(tree)] of another TreeCRF with the same kinds of parts and the same trees."""
        return other.log_partition - self.expectation(**other.potentials._asdict())

    def kl(self, other: "TreeCRF") -> torch.Tensor:
        """[b]: the divergence of another TreeCRF from this one."""
        return self.cross_entropy(other) - self.entropy

    def argmax(self) -> torch.Tensor:
        """[b, N + 1]: the heads of the best tree of each sentence; 0 for the root itself and for padding."""
        return self._batch.compute("best_heads")["best_heads"][0]

    def sample(self, count: int = 1, seed: Optional[int] = None) -> torch.Tensor:
        """[count, b, N + 1]: heads of trees drawn from the distribution. Without a seed, PyTorch's generator gives
        one. The same seed gives the same trees on the same kind of device."""
        if count < 1:
            raise ValueError("count must be at least 1")
        if seed is None:
            seed = int(torch.randint(2**62, (1,)))
        return self._batch.compute("sampled_heads", samples=count, seed=seed)["sampled_heads"]

    def score(self, heads: torch.Tensor) -> torch.Tensor:
        """[..., b]: the sum of the potentials of the parts of trees, heads[..., b, N + 1]. Differentiable. Words
        without a possible head count as modifiers of the root: see contains()."""
        places, counts = self._places_of_parts(heads)
        return score_of_parts(places, counts, self._tensors)

    def contains(self, heads: torch.Tensor) -> torch.Tensor:
        """[..., b]: whether heads[..., b, N + 1] are trees of the distribution's kind: connected, projective (if it
        is about those), with one root (if it wants that)."""
        heads, is_word = self._check_heads(heads)
        m = torch.arange(heads.shape[-1], device=heads.device)
        possible = self._is_possible(heads) & (heads != m)
        good = (possible | ~is_word).all(-1)
        heads = torch.where(possible & is_word, heads, torch.zeros_like(heads))
        above = heads
        for _ in range(heads.shape[-1].bit_length()):
            above = above.gather(-1, above)
        good &= (above == 0).all(-1)
        if self.root == "single":
            good &= ((heads == 0) & is_word).sum(-1) == 1
        if self.trees == "projective":
            # Arcs are intervals; none of them may begin within another and end beyond it. Padding: empty ones.
            left = torch.where(is_word, torch.minimum(heads, m), torch.zeros_like(heads))
            right = torch.where(is_word, torch.maximum(heads, m), torch.zeros_like(heads))
            l1, r1, l2, r2 = left.unsqueeze(-1), right.unsqueeze(-1), left.unsqueeze(-2), right.unsqueeze(-2)
            good &= ~((l1 < l2) & (l2 < r1) & (r1 < r2)).flatten(-2).any(-1)
        return good

    def log_prob(self, heads: torch.Tensor) -> torch.Tensor:
        """[..., b]: log-probabilities of trees, heads[..., b, N + 1]; -inf for what is no tree of the distribution.
        Differentiable."""
        places, counts = self._places_of_parts(heads)
        value = LogProbability.apply(self._batch, places, counts, *self._tensors)
        possible = self.contains(heads) & (value > -float("inf"))
        return torch.where(possible, value, torch.full_like(value, -float("inf")))

    def _places_of_parts(self, heads: torch.Tensor) -> Tuple[Places, torch.Tensor]:
        """For each kind of parts the indices of the parts that end in each word, and which words there are."""
        heads, is_word = self._check_heads(heads)
        heads = torch.where(self._is_possible(heads) & is_word, heads, torch.zeros_like(heads))
        counts, h = is_word[..., 1:], heads[..., 1:]
        m = torch.arange(1, heads.shape[-1], device=heads.device).expand(h.shape)
        b = torch.arange(h.shape[-2], device=h.device).view(-1, 1).expand(h.shape)
        words = {"h": h, "m": m, "g": torch.where(h == 0, h, heads.gather(-1, h))}
        if self.potentials.sibling is not None or self.potentials.grandsibling is not None:
            words["s"] = _inner_siblings(h, m, counts)
        orders = WORDS_OF_KIND[self.convention]
        return [(b, *(words[word] for word in orders[kind])) for kind in self._batch.kinds], counts

    def _check_heads(self, heads: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """The heads with 0 for the root, and which of them are words."""
        expected = (len(self._batch.lengths), self._batch.size)
        if tuple(heads.shape[-2:]) != expected:
            raise ValueError(
                f"heads must have the shape [..., {expected[0]}, {expected[1]}]: sentences, and the words after an"
                f" element for the root; not {list(heads.shape)}"
            )
        places = torch.arange(expected[1], device=self._batch.device)
        is_word = (places > 0) & (places <= self._batch.words.view(-1, 1))
        heads = heads.to(self._batch.device, torch.int64)
        return heads * (places > 0), is_word.expand(heads.shape)

    def _is_possible(self, heads: torch.Tensor) -> torch.Tensor:
        return (heads >= 0) & (heads <= self._batch.words.view(-1, 1))


def _inner_siblings(h: torch.Tensor, m: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
    """For each word the next modifier of the same head on the way to it, or the head itself."""
    other, own = m.unsqueeze(-2), m.unsqueeze(-1)
    head = h.unsqueeze(-1)
    same = (h.unsqueeze(-2) == head) & is_word.unsqueeze(-2)
    rightward = torch.where(same & (head < other) & (other < own), other, head).amax(-1)
    leftward = torch.where(same & (own < other) & (other < head), other, head).amin(-1)
    return torch.where(m > h, rightward, leftward)


class TreeCRFLoss(torch.nn.Module):
    """-log P(gold tree), as a module.

    reduction: 'mean' (over sentences), 'word_mean' (over words), 'sum' or 'none'.
    skip_impossible: sentences whose gold tree is none of the distribution (a nonprojective one, say) count 0 instead
    of making the loss infinite.
    """

    def __init__(
        self,
        root: str = "multi",
        trees: str = "projective",
        convention: str = "head_modifier",
        reduction: str = "mean",
        skip_impossible: bool = False,
    ) -> None:
        super().__init__()
        _check_choice("reduction", reduction, ("mean", "word_mean", "sum", "none"))
        self.options = {"root": root, "trees": trees, "convention": convention}
        self.reduction, self.skip_impossible = reduction, skip_impossible

    def forward(
        self,
        heads: torch.Tensor,
        arc: torch.Tensor,
        sibling: Optional[torch.Tensor] = None,
        grandchild: Optional[torch.Tensor] = None,
        grandsibling: Optional[torch.Tensor] = None,
        lengths: Optional[Numbers] = None,
        mask: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        crf = TreeCRF(arc, sibling, grandchild, grandsibling, lengths=lengths, mask=mask, **self.options)
        loss = -crf.log_prob(heads)
        if self.skip_impossible:
            loss = torch.where(loss < float("inf"), loss, torch.zeros_like(loss))
        if self.reduction == "none":
            return loss
        divisor = {"mean": max(1, len(crf.lengths)), "word_mean": max(1, sum(crf.lengths)), "sum": 1}
        return loss.sum() / divisor[self.reduction]


def arc_from_torch_struct(log_potentials: torch.Tensor) -> torch.Tensor:
    """Arc potentials [b, N + 1, N + 1] from those of torch-struct, [b, N, N] with the root's on the diagonal."""
    arc = torch.nn.functional.pad(log_potentials, (1, 0, 1, 0))
    root = torch.nn.functional.pad(log_potentials.diagonal(dim1=1, dim2=2), (1, 0))
    return torch.cat([root.unsqueeze(1), arc[:, 1:]], 1)


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be {' or '.join(repr(c) for c in choices)}, not {value!r}")


def _check_potentials(given: Dict[str, torch.Tensor], convention: str, trees: str) -> Dict[str, torch.Tensor]:
    """The tensors with one type of numbers; raises if they do not fit together."""
    if "arc" not in given:
        raise ValueError("arc potentials must be given; zeros will do")
    arc = given["arc"]
    for kind, tensor in given.items():
        words = WORDS_OF_KIND[convention][kind]
        if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point():
            raise TypeError(f"{kind} must be a tensor of floating-point numbers")
        shape = (arc.shape[0],) + (arc.shape[1],) * len(words) if arc.dim() == 3 else None
        if tensor.shape != shape:
            raise ValueError(
                f"{kind} must have the shape [b, {', '.join(words)}], words and root in every dimension but the first,"
                f" as arc has; not {list(tensor.shape)}"
            )
        if tensor.device != arc.device:
            raise ValueError(f"{kind} is on {tensor.device}, but arc is on {arc.device}")
    if arc.shape[1] < 2 and arc.shape[0] > 0:
        raise ValueError("a sentence needs at least one word after the root")
    if trees == "nonprojective" and len(given) > 1:
        raise ValueError("nonprojective trees have arc potentials only")
    problem = f"there is no inference on {arc.device.type}; move the potentials to the CPU or a CUDA device"
    if arc.device.type in ("cpu", "cuda"):
        problem = obstacle(arc.device.type)
    if problem:
        raise RuntimeError(problem)
    dtype = torch.float64 if any(t.dtype == torch.float64 for t in given.values()) else torch.float32
    return {kind: tensor.to(dtype) for kind, tensor in given.items()}


def _check_lengths(lengths: Optional[Numbers], mask: Optional[torch.Tensor], arc: torch.Tensor) -> List[int]:
    sentences, words = arc.shape[0], arc.shape[1] - 1
    if words > _MOST_WORDS:
        raise ValueError(f"sentences have at most {_MOST_WORDS} words, not {words}")
    if lengths is not None and mask is not None:
        raise ValueError("give lengths or mask, not both")
    if mask is not None:
        if mask.dtype != torch.bool or tuple(mask.shape) != (sentences, words + 1):
            raise ValueError(f"mask must be a boolean tensor of the shape [{sentences}, {words + 1}]")
        mask = mask[:, 1:].cpu()
        lengths = mask.sum(1)
        if not torch.equal(mask, torch.arange(words) < lengths.view(-1, 1)):
            raise ValueError("the words of a sentence must stand together at the beginning of its row of the mask")
    if lengths is None:
        return [words] * sentences
    lengths = lengths.tolist() if isinstance(lengths, torch.Tensor) else [int(n) for n in lengths]
    if len(lengths) != sentences:
        raise ValueError(f"{len(lengths)} lengths for {sentences} sentences")
    for i, n in enumerate(lengths):
        if not 1 <= n <= words:
            raise ValueError(f"sentence {i} has {n} words; it must have 1 to {words}")
    return lengths
