"""compare_layers.py PROGRAM: recomputes what layers of networks say, from their definitions.

PROGRAM (write_layers) prints inputs, weights and outputs as JSON. What follows was written from the formulas in
the literature, not from the program: LSTM (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al.
2000), deep biaffine attention (Dozat and Manning 2017), and sums of products of low rank for larger parts. It needs
nothing but Python, and so is never skipped.
"""
import json
import math
import subprocess
import sys


def times(vector, matrix):
    return [sum(x * row[k] for x, row in zip(vector, matrix)) for k in range(len(matrix[0]))]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def lstm_direction(inputs, weights, bias, recurrent):
    hidden = len(recurrent)
    h, c = [0.0] * hidden, [0.0] * hidden
    outputs = []
    for x in inputs:
        z = [a + b + d for a, b, d in zip(times(x, weights), bias, times(h, recurrent))]
        i, f, g, o = (z[k * hidden : (k + 1) * hidden] for k in range(4))
        c = [sigmoid(f[k]) * c[k] + sigmoid(i[k]) * math.tanh(g[k]) for k in range(hidden)]
        h = [sigmoid(o[k]) * math.tanh(c[k]) for k in range(hidden)]
        outputs.append(h)
    return outputs


def lstm(layer):
    gates = len(layer["recurrent"][0][0])
    weights = [[row[:gates] for row in layer["input_weights"]], [row[gates:] for row in layer["input_weights"]]]
    bias = [layer["bias"][:gates], layer["bias"][gates:]]
    outputs, begin = [], 0
    for length in layer["lengths"]:
        own = layer["input"][begin : begin + length]
        forward = lstm_direction(own, weights[0], bias[0], layer["recurrent"][0])
        backward = lstm_direction(own[::-1], weights[1], bias[1], layer["recurrent"][1])[::-1]
        outputs += [a + b for a, b in zip(forward, backward)]
        begin += length
    return outputs


def arcs(layer):
    def score(head, modifier):
        return sum(x * y for x, y in zip(times(modifier + [1.0], layer["weights"]), head))

    return [[score(head, modifier) for head in layer["heads"]] for modifier in layer["modifiers"]]


def labels(layer):
    size = len(layer["heads"][0]) + 1
    result = []
    for head, modifier in layer["arcs"]:
        all_labels = times(layer["modifiers"][modifier] + [1.0], layer["weights"])
        with_one = layer["heads"][head] + [1.0]
        result.append([sum(x * y for x, y in zip(all_labels[k : k + size], with_one))
                       for k in range(0, len(all_labels), size)])
    return result


def tags(layer):
    return [[a + b for a, b in zip(times(word, layer["weights"]), layer["bias"])] for word in layer["words"]]


def potentials(layer):
    result = []
    for part in layer["parts"]:
        products = list(layer["weights"])
        for role, word in part.items():
            own = layer["no_" + role] if word is None else layer[role][word]
            products = [a * b for a, b in zip(products, own)]
        result.append(sum(products))
    return [result]


def compare(name, expected, found):
    """The number of numbers that are compared; ends the program if they differ."""
    assert len(expected) == len(found) > 0, f"{name}: {len(expected)} rows, {len(found)} were found"
    count = 0
    for row, (one, other) in enumerate(zip(expected, found)):
        assert len(one) == len(other) > 0, f"{name}: rows of other lengths"
        for k, (a, b) in enumerate(zip(one, other)):
            if not abs(a - b) <= 2e-5 * (1 + abs(a)):
                sys.exit(f"{name}: {b} in row {row}, column {k}; it should be {a}")
            count += 1
    return count


def main():
    layers = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True).stdout)
    counts = {"lstm": compare("lstm", lstm(layers["lstm"]), layers["lstm"]["output"])}
    for name, recompute in (("arcs", arcs), ("labels", labels), ("tags", tags)):
        counts[name] = compare(name, recompute(layers[name]), layers[name]["scores"])
    for kinds in layers["parts"]:
        for name, parts in kinds.items():
            counts[name] = compare(name, potentials(parts), [parts["potentials"]]) + counts.get(name, 0)
    assert counts.keys() >= {"grandsibling", "outermost", "trisibling", "grandtrisibling"}
    print("the same numbers:", ", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
