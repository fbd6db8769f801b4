"""All trees of short sentences and their parts, written from the definitions, in plain Python."""

import itertools

PARTS = {
    "first": ("arc",),
    "sibling": ("arc", "sibling"),
    "grandchild": ("arc", "grandchild"),
    "grandsibling": ("arc", "sibling", "grandchild", "grandsibling"),
}
DIMENSIONS = {"arc": 2, "sibling": 3, "grandchild": 3, "grandsibling": 4}
# Of single sentences only.
MORE_PARTS = {
    "outermost": ("arc", "sibling", "outermost"),
    "trisibling": ("arc", "sibling", "grandchild", "grandsibling", "trisibling"),
    "grandtrisibling": ("arc", "sibling", "grandchild", "grandsibling", "trisibling", "grandtrisibling"),
}
MORE_DIMENSIONS = {"outermost": 3, "trisibling": 4, "grandtrisibling": 5}


def is_tree(heads):
    """Whether every word leads to the root; heads[0] is ignored."""
    for m in range(1, len(heads)):
        seen, at = set(), m
        while at != 0:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at]
    return True


def is_projective(heads):
    """Of a tree: whether the words between a word and its head descend from that head."""
    for m in range(1, len(heads)):
        for between in range(min(m, heads[m]) + 1, max(m, heads[m])):
            at = between
            while at not in (0, heads[m]):
                at = heads[at]
            if at != heads[m]:
                return False
    return True


def all_trees(n, root, trees="projective"):
    for choice in itertools.product(range(n + 1), repeat=n):
        heads = (0, *choice)
        if not is_tree(heads) or (trees == "projective" and not is_projective(heads)):
            continue
        if root == "multi" or choice.count(0) == 1:
            yield heads


def inner_sibling(heads, m):
    """The modifier of the same head, on the same side of it and nearer to it, that is next to m; else the head."""
    head = heads[m]
    between = [s for s in range(1, len(heads)) if heads[s] == head and min(m, head) < s < max(m, head)]
    return min(between, key=lambda s: abs(s - m), default=head)


def parts_of_tree(heads):
    """Tuples of words, by kind of part, in the order of the indices of the potentials."""
    parts = {kind: [] for kind in DIMENSIONS}
    for m in range(1, len(heads)):
        h = heads[m]
        g = 0 if h == 0 else heads[h]
        s = inner_sibling(heads, m)
        parts["arc"].append((h, m))
        parts["sibling"].append((h, s, m))
        parts["grandchild"].append((g, h, m))
        parts["grandsibling"].append((g, h, s, m))
    return parts


def more_parts_of_tree(heads):
    """The same for the kinds that batches do not have."""
    parts = {kind: [] for kind in MORE_DIMENSIONS}
    for m in range(1, len(heads)):
        h = heads[m]
        g = 0 if h == 0 else heads[h]
        s = inner_sibling(heads, m)
        t = h if s == h else inner_sibling(heads, s)
        if not any(heads[x] == h and (m - h) * (x - m) > 0 for x in range(1, len(heads))):
            parts["outermost"].append((g, h, m))
        parts["trisibling"].append((h, t, s, m))
        parts["grandtrisibling"].append((g, h, t, s, m))
    return parts
