"""Potentials of a batch of sentences as inference takes them, and the questions about them."""

import contextlib
import warnings
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Tuple

import torch

from copse import _batch_library
from copse._batch_library import KINDS, KINDS_OF_FACTORIZATION, DenseCopy, Questions, Workspace, fill_begins, workspace

# The words that each kind of parts has, in the order of the indices of a dense tensor after the sentence.
WORDS_OF_KIND = {
    "head_modifier": _batch_library.WORDS_OF_KIND,
    "modifier_head": {
        kind: "".join(word for word in "mhsg" if word in words) for kind, words in _batch_library.WORDS_OF_KIND.items()
    },
}

# Parts that matter less than this to a derivative, by probability times (1 + |direction|), are left out of it: they
# would only widen the range that the step follows from. -1000 and -infinity are among them.
_NEGLIGIBLE = 1e-20
# Central differences: how far the potentials are moved along a direction, as a share of 1 / (the range of its sum over
# trees), and the coefficients of once, twice, three times that. docs/torch.md has the errors that come of them.
_DIFFERENCES = {
    torch.float32: (1e-3, (1 / 2,)),
    torch.float64: (0.06, (3 / 4, -3 / 20, 1 / 60)),
}


def smallest_factorization(kinds: Iterable[str]) -> str:
    """The first factorization that has all of these kinds of parts."""
    return next(f for f, contained in KINDS_OF_FACTORIZATION.items() if set(kinds) <= set(contained))


class TreeBatch:
    """The potentials of a batch, packed: for each kind of parts one array, sentence after sentence, without
    the elements that are no part (padding, impossible orders of words). Nothing here is recorded by autograd."""

    def __init__(
        self, potentials: Mapping[str, torch.Tensor], lengths: Sequence[int], root: str, trees: str, convention: str
    ) -> None:
        arc = potentials["arc"]
        self.device, self.dtype, self.size = arc.device, arc.dtype, arc.shape[1]
        self.lengths, self.root, self.trees = tuple(lengths), root, trees
        self._words_of_kind = WORDS_OF_KIND[convention]
        self.kinds = tuple(potentials)
        self.factorization = smallest_factorization(self.kinds)
        self._make_tables()
        self._answers: Dict[str, Any] = {}
        with torch.no_grad():
            self.packed = {kind: self.gather(kind, potentials[kind]) for kind in self.kinds}

    def _make_tables(self) -> None:
        """Lengths, and where each sentence begins in the arrays of each kind, on the host and on the device."""
        sentences = len(self.lengths)
        table = torch.zeros((1 + len(KINDS), sentences + 1), dtype=torch.int64)
        table[0, :sentences] = torch.tensor(self.lengths, dtype=torch.int64)
        fill_begins(sentences, table[0].data_ptr(), table[1].data_ptr())
        self.totals = dict(zip(KINDS, table[1:, -1].tolist()))
        self._host_table = table
        table = table.to(self.device, non_blocking=True)
        self.words, self._begins = table[0, :sentences], table[1:]

    @contextlib.contextmanager
    def _workspace(self) -> Iterator[Tuple[Workspace, Optional[int]]]:
        """A workspace, and the stream that its work belongs to."""
        if self.device.type == "cuda":
            with torch.cuda.device(self.device):
                stream = torch.cuda.current_stream().cuda_stream
                with workspace("cuda", 0, self.device.index, stream, self.factorization) as taken:
                    yield taken, stream
        else:
            with workspace("cpu", torch.get_num_threads(), self.factorization) as taken:
                yield taken, None

    def _copy(
        self, kind: str, dense: torch.Tensor, packed: torch.Tensor, scatter: int, scale: Optional[torch.Tensor] = None
    ) -> None:
        order = self._words_of_kind[kind]
        strides = {"b": dense.stride(0), **{word: dense.stride(1 + i) for i, word in enumerate(order)}}
        copy = DenseCopy(
            scatter=scatter,
            kind=KINDS.index(kind),
            dense_is_double=dense.dtype == torch.float64,
            packed_is_double=packed.dtype == torch.float64,
            sentences=len(self.lengths),
            arcs=self.totals["arc"],
            words=self.words.data_ptr(),
            arc_begins=self._begins[0].data_ptr(),
            part_begins=self._begins[KINDS.index(kind)].data_ptr(),
            strides=tuple(strides.get(word, 0) for word in "bghsm"),
            dense=dense.data_ptr(),
            packed=packed.data_ptr(),
            scale=scale.data_ptr() if scale is not None else None,
        )
        with self._workspace() as (taken, copy.stream):
            taken.copy(copy)

    def gather(self, kind: str, dense: torch.Tensor, dtype: Optional[torch.dtype] = None) -> torch.Tensor:
        """A dense tensor, packed."""
        packed = torch.empty(self.totals[kind], dtype=dtype or self.dtype, device=self.device)
        self._copy(kind, dense, packed, scatter=0)
        return packed

    def scatter(self, kind: str, packed: torch.Tensor, scale: Optional[torch.Tensor] = None) -> torch.Tensor:
        """A dense tensor of packed numbers, times scale[sentence]; what is no part is 0."""
        shape = (len(self.lengths),) + (self.size,) * len(self._words_of_kind[kind])
        dense = torch.zeros(shape, dtype=self.dtype, device=self.device)
        if scale is not None:
            scale = scale.to(self.dtype).contiguous()
        self._copy(kind, dense, packed, scatter=1, scale=scale)
        return dense

    def answers(self, *wanted: str) -> Dict[str, Any]:
        """What compute() answers, computed once."""
        missing = [name for name in wanted if name not in self._answers]
        if missing:
            self._answers.update(self.compute(*missing))
        return {name: self._answers[name] for name in wanted}

    def compute(
        self, *wanted: str, potentials: Optional[Mapping[str, torch.Tensor]] = None, samples: int = 0, seed: int = 0
    ) -> Dict[str, Any]:
        """Answers by name, of 'log_partition', 'entropy', 'marginals' (packed, by kind), 'best_heads' and
        'sampled_heads' (padded)."""
        potentials = potentials or self.packed
        dtype = potentials["arc"].dtype
        zeros = {
            kind: torch.zeros(self.totals[kind], dtype=dtype, device=self.device)
            for kind in KINDS_OF_FACTORIZATION[self.factorization]
            if kind not in potentials
        }
        questions = Questions(is_double=dtype == torch.float64, samples=samples, seed=seed)
        for kind, tensor in {**potentials, **zeros}.items():
            questions.potentials[KINDS.index(kind)] = tensor.data_ptr()

        answers: Dict[str, Any] = {}
        for name in ("log_partition", "entropy"):
            if name in wanted:
                answers[name] = torch.empty(len(self.lengths), dtype=dtype, device=self.device)
                setattr(questions, name, answers[name].data_ptr())
        if "marginals" in wanted:
            answers["marginals"] = {kind: torch.empty_like(potentials[kind]) for kind in self.kinds}
            for kind, tensor in answers["marginals"].items():
                questions.marginals[KINDS.index(kind)] = tensor.data_ptr()
        for name, rows in (("best_heads", 1), ("sampled_heads", samples)):
            if name in wanted:
                shape = (rows, sum(self.lengths) + len(self.lengths))
                answers[name] = torch.empty(shape, dtype=torch.int32, device=self.device)
                setattr(questions, name, answers[name].data_ptr())

        if self.lengths:
            try:
                self._run(questions)
            except RuntimeError as error:
                if self.device.type != "cuda" or "memory" not in str(error):
                    raise
                torch.cuda.empty_cache()  # inference needs some of its own, which PyTorch may be keeping
                self._run(questions)
        for name in ("best_heads", "sampled_heads"):
            if name in answers:
                answers[name] = self._pad_heads(answers[name])
        return answers

    def _run(self, questions: Questions) -> None:
        with self._workspace() as (taken, questions.stream):
            taken.assign(
                self.factorization,
                self.root == "single",
                self.trees == "nonprojective",
                self.lengths,
                self._host_table.data_ptr(),
            )
            taken.compute(questions)

    def _pad_heads(self, heads: torch.Tensor) -> torch.Tensor:
        places = [torch.arange(n + 1) + i * self.size for i, n in enumerate(self.lengths)]
        padded = torch.zeros((heads.shape[0], len(self.lengths) * self.size), dtype=torch.int64, device=self.device)
        if places:
            padded[:, torch.cat(places).to(self.device, non_blocking=True)] = heads.long()
        return padded.view(heads.shape[0], len(self.lengths), self.size)

    def owners(self, kind: str) -> torch.Tensor:
        """The number of the sentence that each packed element belongs to."""
        numbers = torch.arange(len(self.lengths), device=self.device)
        sizes = self._begins[KINDS.index(kind)].diff()
        return torch.repeat_interleave(numbers, sizes, output_size=self.totals[kind])

    def derivative_of_marginals(self, direction: Mapping[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
        """d/dε marginals(potentials + ε direction) at ε = 0, packed and in double precision; of all given kinds.

        This is the covariance of each part with the direction's sum over the parts of a tree, and so the gradient of
        that sum's expectation. `direction` has tensors for some kinds, packed, in double precision."""
        step_share, coefficients = _DIFFERENCES[self.dtype]
        sentences = len(self.lengths)
        marginals = self.answers("marginals")["marginals"]
        owners = {kind: self.owners(kind) for kind in direction}
        words = self.words.double()
        spread = torch.zeros(sentences, dtype=torch.float64, device=self.device)
        moves = {}
        for kind, values in direction.items():
            probability = marginals[kind].double()
            matters = (probability > 0) & ~(probability * (1 + values.abs()) < _NEGLIGIBLE)
            low = _extreme(values, matters, owners[kind], sentences, "amin")
            high = _extreme(values, matters, owners[kind], sentences, "amax")
            nothing = low > high
            # A tree has one part of a kind for every word, so the same number added to all of them changes nothing.
            middle = ((low + high) / 2).masked_fill(nothing, 0)
            moves[kind] = torch.where(matters, values - middle[owners[kind]], torch.zeros_like(values))
            spread += words * (high - low).masked_fill(nothing, 0)
            broken = _extreme((~values.isfinite()).double(), matters, owners[kind], sentences, "amax") > 0
            spread.masked_fill_(broken, float("nan"))
        # What is not a number in the direction is not a number in the derivative.
        step = torch.where(spread == 0, torch.zeros_like(spread), step_share / spread)
        for kind, move in moves.items():
            move *= step[owners[kind]]

        result: Dict[str, torch.Tensor] = {}
        base = {kind: tensor.double() for kind, tensor in self.packed.items()}
        for multiple, coefficient in enumerate(coefficients, 1):
            for sign in (1, -1):
                moved = {
                    kind: tensor + (sign * multiple) * moves[kind] if kind in moves else tensor
                    for kind, tensor in base.items()
                }
                for kind, tensor in self.compute("marginals", potentials=moved)["marginals"].items():
                    term = tensor * (sign * coefficient)
                    result[kind] = result[kind].add_(term) if kind in result else term
        per_step = spread / step_share
        for kind, tensor in result.items():
            tensor *= per_step[owners[kind] if kind in owners else self.owners(kind)]
        return result


def _extreme(
    values: torch.Tensor, matters: torch.Tensor, owners: torch.Tensor, sentences: int, which: str
) -> torch.Tensor:
    """The least or largest value that matters in each sentence; the wrong infinity if none does."""
    nothing = float("inf") if which == "amin" else float("-inf")
    result = torch.full((sentences,), nothing, dtype=values.dtype, device=values.device)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="scatter_reduce")  # older versions call it new
        return result.scatter_reduce_(0, owners, torch.where(matters, values, result.new_tensor(nothing)), which)
