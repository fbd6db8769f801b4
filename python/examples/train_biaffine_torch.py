"""Trains a biaffine parser, with scores of siblings if wanted, by the exact likelihood of its trees.

usage: train_biaffine_torch.py --train FILE.conllu --dev FILE.conllu [--order first|sibling] [--device cpu|cuda]
                               [--passes N] [--words N] [--sentences N] [--seed N]

The network is a bidirectional LSTM over vectors of words and of their endings; an arc is scored by a biaffine form of
head and modifier, a sibling part by a trilinear form of head, sibling and modifier. What makes it a distribution over
trees is one line, TreeCRFLoss: everything else is ordinary PyTorch, and runs where --device says.
"""

import argparse
import collections
import random
import time

import torch
from torch import nn

from copse.torch import TreeCRF, TreeCRFLoss

PAD, ROOT, UNKNOWN = 0, 1, 2


def read_conllu(path):
    """A list of sentences; a sentence is a list of (form, head)."""
    sentences, words = [], []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                fields = line.split("\t")
                if not fields[0].isdigit():
                    continue  # ranges and empty nodes
                if len(fields) != 10 or not fields[6].isdigit():
                    raise SystemExit(f"{path}:{number}: not a word of CoNLL-U with a head")
                words.append((fields[1], int(fields[6])))
            elif not line and words:
                sentences.append(words)
                words = []
    if words:
        sentences.append(words)
    if not sentences:
        raise SystemExit(f"{path}: no sentences")
    return sentences


class Vocabulary:
    def __init__(self, items, least):
        counts = collections.Counter(items)
        self.numbers = {item: 3 + i for i, item in enumerate(i for i, c in counts.items() if c >= least)}

    def __len__(self):
        return 3 + len(self.numbers)

    def __getitem__(self, item):
        return self.numbers.get(item, UNKNOWN)


def ending(form):
    return form.lower()[-3:]


class Batch:
    """Tensors [sentences, words + 1]; element 0 is the root."""

    def __init__(self, sentences, words, endings, device):
        self.lengths = [len(s) for s in sentences]
        width = max(self.lengths) + 1
        rows = {"words": [], "endings": [], "heads": []}
        for s in sentences:
            padding = [PAD] * (width - 1 - len(s))
            rows["words"].append([ROOT] + [words[form.lower()] for form, _ in s] + padding)
            rows["endings"].append([ROOT] + [endings[ending(form)] for form, _ in s] + padding)
            rows["heads"].append([0] + [head for _, head in s] + padding)
        self.words, self.endings, self.heads = (torch.tensor(r, device=device) for r in rows.values())


def make_batches(sentences, most_words, *rest):
    """Sentences of similar length together; a batch has at most so many words, padding included."""
    batches, current = [], []
    for sentence in sorted(sentences, key=len):
        if current and (len(current) + 1) * len(sentence) > most_words:
            batches.append(Batch(current, *rest))
            current = []
        current.append(sentence)
    batches.append(Batch(current, *rest))
    return batches


class Parser(nn.Module):
    def __init__(self, words, endings, siblings, size=200, arc_size=200, rank=50):
        super().__init__()
        self.word_vectors = nn.Embedding(words, 100, padding_idx=PAD)
        self.ending_vectors = nn.Embedding(endings, 50, padding_idx=PAD)
        self.encoder = nn.LSTM(150, size, num_layers=2, batch_first=True, bidirectional=True, dropout=0.3)
        self.dropout = nn.Dropout(0.3)
        self.roles = nn.ModuleDict({role: self.role(2 * size, arc_size) for role in ("head", "modifier")})
        self.bilinear = nn.Parameter(torch.zeros(arc_size + 1, arc_size))
        self.siblings = siblings
        if siblings:
            for role in ("sibling_head", "sibling_sibling", "sibling_modifier"):
                self.roles[role] = self.role(2 * size, rank)

    def role(self, inputs, outputs):
        return nn.Sequential(nn.Linear(inputs, outputs), nn.LeakyReLU(0.1), nn.Dropout(0.3))

    def forward(self, batch):
        """Potentials: arc[b, h, m] and, if wanted, sibling[b, h, s, m]."""
        x = torch.cat([self.word_vectors(batch.words), self.ending_vectors(batch.endings)], -1)
        lengths = torch.tensor(batch.lengths) + 1
        packed = nn.utils.rnn.pack_padded_sequence(self.dropout(x), lengths, batch_first=True, enforce_sorted=False)
        x, _ = nn.utils.rnn.pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        x = self.dropout(x)
        head, modifier = self.roles["head"](x), self.roles["modifier"](x)
        one = torch.ones_like(modifier[..., :1])  # how well a word is a head at all
        scores = {"arc": head @ (torch.cat([modifier, one], -1) @ self.bilinear).transpose(1, 2)}
        if self.siblings:
            h, s, m = (self.roles[f"sibling_{role}"](x) for role in ("head", "sibling", "modifier"))
            scores["sibling"] = torch.einsum("bhr,bsr,bmr->bhsm", h, s, m)
        return scores


def accuracy(parser, batches):
    """Share of words with the correct head in the best trees."""
    parser.eval()
    correct = words = 0
    with torch.no_grad():
        for batch in batches:
            best = TreeCRF(**parser(batch), lengths=batch.lengths, root="single").argmax()
            places = torch.arange(best.shape[1], device=best.device)
            is_word = (places > 0) & (places <= torch.tensor(batch.lengths, device=best.device).view(-1, 1))
            correct += int(((best == batch.heads) & is_word).sum())
            words += sum(batch.lengths)
    return correct / words


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].replace("usage: ", ""))
    parser.add_argument("--train", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--order", choices=["first", "sibling"], default="sibling")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument("--words", type=int, default=1500, help="of a batch")
    parser.add_argument("--sentences", type=int, help="of the training file; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    torch.manual_seed(options.seed)
    shuffle = random.Random(options.seed).shuffle
    train = [s for s in read_conllu(options.train)[: options.sentences] if len(s) <= 100]
    words = Vocabulary((form.lower() for s in train for form, _ in s), least=2)
    endings = Vocabulary((ending(form) for s in train for form, _ in s), least=2)
    batches = make_batches(train, options.words, words, endings, options.device)
    dev = make_batches(read_conllu(options.dev), options.words, words, endings, options.device)

    model = Parser(len(words), len(endings), siblings=options.order == "sibling").to(options.device)
    # Trees that are not projective cannot be learnt from by a model of projective ones.
    loss_of = TreeCRFLoss(root="single", reduction="word_mean", skip_impossible=True)
    optimiser = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.9))
    steps = options.passes * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.0, 1 - step / steps))
    print(f"{len(train)} sentences in {len(batches)} batches, {options.order}, on {options.device}")
    begin = time.perf_counter()
    for number in range(1, options.passes + 1):
        model.train()
        shuffle(batches)
        total = 0.0
        for batch in batches:
            loss = loss_of(batch.heads, **model(batch), lengths=batch.lengths)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            total += float(loss) * sum(batch.lengths)
        per_word = total / sum(map(len, train))
        seconds = time.perf_counter() - begin
        uas = 100 * accuracy(model, dev)
        print(f"pass {number}: loss {per_word:.4f} per word, dev UAS {uas:.2f}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
