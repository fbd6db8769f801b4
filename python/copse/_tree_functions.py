"""What autograd knows of a TreeBatch. The derivative of the log-partition by the potential of a part is the part's
probability; second derivatives are covariances."""

from typing import Any, Sequence, Tuple

import torch
from torch.autograd.function import once_differentiable

from copse._tree_batch import TreeBatch

# One index for each word of a part, as a dense tensor takes them.
Places = Sequence[Tuple[torch.Tensor, ...]]


def _times(numbers: torch.Tensor, dense: torch.Tensor) -> torch.Tensor:
    return numbers.view((-1,) + (1,) * (dense.dim() - 1)) * dense


class LogPartition(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, batch: TreeBatch, *potentials: torch.Tensor) -> torch.Tensor:
        ctx.batch = batch
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(*potentials)
            batch.answers("log_partition", "marginals")
        return batch.answers("log_partition")["log_partition"].clone()

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> Tuple[Any, ...]:
        batch = ctx.batch
        if torch.is_grad_enabled():  # second derivatives are wanted
            return (None, *(_times(upstream, dense) for dense in Marginals.apply(batch, *ctx.saved_tensors)))
        marginals = batch.answers("marginals")["marginals"]
        return (None, *(batch.scatter(kind, marginals[kind], scale=upstream) for kind in batch.kinds))


class LogProbability(torch.autograd.Function):
    """Of trees whose parts are at `places`, indices of the dense tensors, where `counts` is true. One function and not
    a difference of two, so that a gradient is one dense tensor and not the sum of two."""

    @staticmethod
    def forward(
        ctx: Any, batch: TreeBatch, places: Places, counts: torch.Tensor, *potentials: torch.Tensor
    ) -> torch.Tensor:
        ctx.batch, ctx.places, ctx.counts = batch, places, counts
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(*potentials)
            batch.answers("log_partition", "marginals")
        score = score_of_parts(places, counts, potentials)
        return score - batch.answers("log_partition")["log_partition"]

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> Tuple[Any, ...]:
        batch = ctx.batch
        total = -upstream.reshape(-1, upstream.shape[-1]).sum(0)
        values = upstream.unsqueeze(-1) * ctx.counts
        if torch.is_grad_enabled():
            expected = [_times(total, dense) for dense in Marginals.apply(batch, *ctx.saved_tensors)]
            put = torch.Tensor.index_put
        else:
            marginals = batch.answers("marginals")["marginals"]
            expected = [batch.scatter(kind, marginals[kind], scale=total) for kind in batch.kinds]
            put = torch.Tensor.index_put_
        return (None, None, None, *(put(e, p, values, accumulate=True) for e, p in zip(expected, ctx.places)))


def score_of_parts(places: Places, counts: torch.Tensor, potentials: Sequence[torch.Tensor]) -> torch.Tensor:
    total: Any = 0
    for place, tensor in zip(places, potentials):
        numbers = tensor[place]
        total = total + torch.where(counts, numbers, torch.zeros_like(numbers)).sum(-1)
    return total


class Marginals(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, batch: TreeBatch, *potentials: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        ctx.batch = batch
        marginals = batch.answers("marginals")["marginals"]
        return tuple(batch.scatter(kind, tensor) for kind, tensor in marginals.items())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *upstream: torch.Tensor) -> Tuple[Any, ...]:
        batch = ctx.batch
        direction = {kind: batch.gather(kind, dense, torch.float64) for kind, dense in zip(batch.kinds, upstream)}
        gradients = batch.derivative_of_marginals(direction)
        return (None, *(batch.scatter(kind, gradients[kind]) for kind in batch.kinds))


class Entropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, batch: TreeBatch, *potentials: torch.Tensor) -> torch.Tensor:
        ctx.batch = batch
        if any(ctx.needs_input_grad):
            batch.answers("entropy", "marginals")
        return batch.answers("entropy")["entropy"].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: torch.Tensor) -> Tuple[Any, ...]:
        # H = log Z - E[score]: its gradient is minus the covariance of each part with the score.
        batch = ctx.batch
        gradients = batch.derivative_of_marginals({kind: tensor.double() for kind, tensor in batch.packed.items()})
        return (None, *(batch.scatter(kind, gradients[kind], scale=-upstream) for kind in batch.kinds))
