"""A differentiable tree CRF: the negative log-likelihood of gold trees as a function of the potentials.

The derivative of log_partition by the potential of a part is the part's probability, and that of the gold
tree's score is 1 for its own parts. So the gradient of the loss is (probability - indicator), for every part of
every order, and both passes are exact.

`TreeLoss` needs NumPy alone. `torch_tree_loss` wraps it for PyTorch, where it can sit on top of any network that
scores parts:

    loss = torch_tree_loss("sibling", heads, arc=arc_scores, sibling=sibling_scores, root="single")
    loss.backward()
"""

import numpy as np

import copse

ORDERS = ("arc", "sibling", "grandchild", "grandsibling")


def parts_of_tree(heads):
    """Index arrays of the parts of a tree, by order, in the shapes of the potentials."""
    n = len(heads) - 1
    modifiers = np.arange(1, n + 1)
    head = np.asarray(heads)[1:]
    grandparent = np.where(head == 0, 0, np.asarray(heads)[head])
    sibling = np.empty(n, dtype=int)
    for m in modifiers:
        h = heads[m]
        step = 1 if h > m else -1
        s = m + step
        while s != h and heads[s] != h:
            s += step
        sibling[m - 1] = s
    return {
        "arc": (head, modifiers),
        "sibling": (head, sibling, modifiers),
        "grandchild": (grandparent, head, modifiers),
        "grandsibling": (grandparent, head, sibling, modifiers),
    }


class TreeLoss:
    """-log P(heads), and its gradient by all potentials."""

    def __init__(self, factorization, heads, root="multi", candidates=None):
        self.factorization, self.heads, self.root, self.candidates = factorization, heads, root, candidates

    def forward(self, **potentials):
        self.potentials = {order: x for order, x in potentials.items() if x is not None}
        self.crf = copse.TreeCRF(
            self.factorization, candidates=self.candidates, root=self.root, **self.potentials
        )
        return -self.crf.log_prob(self.heads)

    def backward(self):
        gold = parts_of_tree(self.heads)
        marginals = self.crf.marginals()
        gradients = {}
        for order in self.potentials:
            gradients[order] = marginals[order]
            gradients[order][gold[order]] -= 1.0
        return gradients


def torch_tree_loss(factorization, heads, root="multi", candidates=None, **potentials):
    """The same as a PyTorch function: potentials are tensors, the result is a scalar tensor."""
    import torch

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *tensors):
            ctx.loss = TreeLoss(factorization, heads, root, candidates)
            arrays = {o: t.detach().double().cpu().numpy() for o, t in zip(potentials, tensors)}
            return tensors[0].new_tensor(ctx.loss.forward(**arrays))

        @staticmethod
        def backward(ctx, upstream):
            gradients = ctx.loss.backward()
            return tuple(upstream * upstream.new_tensor(gradients[o]) for o in potentials)

    return Function.apply(*potentials.values())


if __name__ == "__main__":
    # Gradient descent on the potentials themselves: the gold tree becomes certain.
    gold = np.array([0, 2, 0, 5, 5, 2])
    scores = {"arc": np.zeros((6, 6)), "sibling": np.zeros((6, 6, 6))}
    for step in range(41):
        loss = TreeLoss("sibling", gold, root="single")
        value = loss.forward(**scores)
        if step % 10 == 0:
            print(f"step {step:2d}   -log P(gold) = {value:.4f}   best tree {loss.crf.argmax()[1:]}")
        for order, gradient in loss.backward().items():
            scores[order] -= 0.5 * gradient
