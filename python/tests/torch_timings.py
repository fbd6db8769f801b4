"""Times log_partition and its gradient, from dense tensors to dense ones, for sentences as long as a treebank's.

usage: torch_timings.py [--device cpu|cuda] [--treebank FILE.conllu] [--batch SENTENCES] [--longest WORDS] [--repeat N]
                        [FACTORIZATION ...]

Sentences are sorted by length and cut into batches, as is usual in training. Without a treebank, the lengths are drawn
from a geometric distribution with a mean of 13. Prints sentences per second: of the whole, and of inference alone,
without the copies between dense tensors and the order of inference.
"""

import argparse
import random
import time

import torch

from copse.torch import TreeCRF
from enumeration import DIMENSIONS, PARTS


def lengths_of(path, longest):
    if path is None:
        generator = random.Random(1)
        drawn = (1 + int(generator.expovariate(1 / 12.5)) for _ in range(2000))
        return [n for n in drawn if n <= longest]
    lengths, words = [], 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() == "" and words > 0:
                lengths.append(words)
                words = 0
            elif line[:1].isdigit() and line.split("\t")[0].isdigit():
                words += 1
    return [n for n in lengths + [words] * (words > 0) if n <= longest]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--treebank")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--longest", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("factorizations", nargs="*", default=["first", "sibling"])
    options = parser.parse_args()

    lengths = sorted(lengths_of(options.treebank, options.longest))
    batches = [lengths[i : i + options.batch] for i in range(0, len(lengths), options.batch)]
    wait = torch.cuda.synchronize if options.device == "cuda" else lambda: None
    name = torch.cuda.get_device_name() if options.device == "cuda" else f"{torch.get_num_threads()} threads of the CPU"
    print(f"{len(lengths)} sentences, {sum(lengths)} words, float32, batches of {options.batch}, {name}")
    print("factorization   dense to dense   inference alone   (sentences/s; best of", options.repeat, "rounds)")
    for factorization in options.factorizations:
        whole, inference = [], []
        for _ in range(options.repeat + 1):  # the first round warms up
            times = [0.0, 0.0]
            for batch in batches:
                size = batch[-1] + 1
                leaves = [
                    torch.randn((len(batch),) + (size,) * DIMENSIONS[kind], device=options.device, requires_grad=True)
                    for kind in PARTS[factorization]
                ]
                wait()
                begin = time.perf_counter()
                crf = TreeCRF(**dict(zip(PARTS[factorization], leaves)), lengths=batch)
                torch.autograd.grad(crf.log_partition.sum(), leaves)
                wait()
                middle = time.perf_counter()
                crf._batch.compute("log_partition", "marginals")
                wait()
                times[0] += middle - begin
                times[1] += time.perf_counter() - middle
            whole.append(times[0])
            inference.append(times[1])
        rates = [len(lengths) / min(seconds[1:]) for seconds in (whole, inference)]
        print(f"{factorization:13} {rates[0]:16,.0f} {rates[1]:17,.0f}", flush=True)


if __name__ == "__main__":
    main()
