"""The error of second derivatives in copse.torch, against automatic differentiation of the inside algorithm.

usage: torch_derivatives.py [WORDS]

The reference is Eisner's algorithm for first order as PyTorch operations in double precision, differentiated twice.
"""

import sys

import torch

from copse.torch import TreeCRF


def log_partition(arc):
    """Of one sentence, several roots; arc[h, m]."""
    size = arc.shape[0]
    zero = arc.new_zeros(())
    complete = {(i, i, side): zero for i in range(size) for side in "lr"}
    incomplete = {}
    add = lambda terms: torch.logsumexp(torch.stack(terms), 0)
    for width in range(1, size):
        for i in range(size - width):
            j = i + width
            inner = add([complete[i, r, "r"] + complete[r + 1, j, "l"] for r in range(i, j)])
            incomplete[i, j, "r"] = inner + arc[i, j]
            incomplete[i, j, "l"] = inner + arc[j, i] if i > 0 else zero - float("inf")
            complete[i, j, "r"] = add([incomplete[i, r, "r"] + complete[r, j, "r"] for r in range(i + 1, j + 1)])
            complete[i, j, "l"] = zero - float("inf")
            if i > 0:
                complete[i, j, "l"] = add([complete[i, r, "l"] + incomplete[r, j, "l"] for r in range(i, j)])
    return complete[0, size - 1, "r"]


def main():
    words = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("largest error as part of the largest element, for potentials and directions of standard deviation")
    print("potentials direction   float64   float32")
    for seed, (scale, direction_scale) in enumerate(((1, 1), (5, 1), (5, 5), (1, 20), (10, None))):
        generator = torch.Generator().manual_seed(seed)
        draw = lambda: torch.randn(words + 1, words + 1, generator=generator, dtype=torch.float64).float()
        arc = scale * draw()
        direction = direction_scale * draw() if direction_scale else arc
        exact = arc.double().requires_grad_()
        (gradient,) = torch.autograd.grad(log_partition(exact), exact, create_graph=True)
        (expected,) = torch.autograd.grad((gradient * direction.double()).sum(), exact)
        errors = []
        for dtype in (torch.float64, torch.float32):
            leaf = arc.to(dtype).requires_grad_()
            crf = TreeCRF(leaf.unsqueeze(0))
            value = crf.expectation(arc=direction.to(dtype).unsqueeze(0)) if direction_scale else -crf.entropy
            (found,) = torch.autograd.grad(value.sum(), leaf)
            errors.append(float((found.double() - expected).abs().max() / expected.abs().max()))
        print(f"{scale:10} {direction_scale or 'potentials':>10} {errors[0]:9.1e} {errors[1]:9.1e}")


if __name__ == "__main__":
    main()
