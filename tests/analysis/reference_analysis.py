"""A second analysis, as plain as possible, that `copse analyze` is compared with. Everything is computed word by word from
the definitions in docs/analysis.md."""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "evaluation"))
import reference_eval  # noqa: E402

SENTENCE_LENGTHS = ["1–10", "11–20", "21–30", "31–40", "41–50", "51+"]
DEPENDENCY_LENGTHS = ["0", "1", "2", "3", "4", "5", "6", "7", "8–10", "11–15", "16–20", "21–30", "31+"]
ROOT_DISTANCES = [str(k) for k in range(1, 11)] + ["11+"]
NUMBERS = [str(k) for k in range(7)] + ["7+"]


def number_bin(names, number):
    for name in names:
        first, last = name.rstrip("+"), name
        if "–" in name:
            first, last = name.split("–")
        if int(first) <= number and (name.endswith("+") or number <= int(last)):
            return name
    raise ValueError(f"{number} is in none of {names}")


def head(sentence, word):
    text = sentence[word - 1].head
    return None if text == "_" else int(text)


def ancestors(sentence, word):
    """From the head on, up to the root (0), a word without a head (None) or the second visit of a word ("cycle")."""
    found = []
    while word != 0:
        word = head(sentence, word)
        if word is None or word in found:
            return found + [None if word is None else "cycle"]
        found.append(word)
    return found


def length_bin(sentence, word):
    h = head(sentence, word)
    return "root" if h == 0 else number_bin(DEPENDENCY_LENGTHS, abs(h - word))


def distance_bin(sentence, word):
    path = ancestors(sentence, word)
    return number_bin(ROOT_DISTANCES, len(path)) if path[-1] == 0 else "no path"


def modifiers(sentence, word):
    return [m for m in range(1, len(sentence) + 1) if head(sentence, m) == word]


def direction(sentence, word):
    h = head(sentence, word)
    return "root" if h == 0 else "left" if word < h else "right"


def cycle_of(sentence, word):
    """The words of the cycle that `word` is on; none if it is on none."""
    seen, current = [], word
    while current not in (0, None) and current not in seen:
        seen.append(current)
        current = head(sentence, current)
    return seen if current == word else []


def without_cycles(sentence):
    """Heads in which words without a head, and the first words of cycles, are under the root."""
    heads = {}
    for word in range(1, len(sentence) + 1):
        cycle = cycle_of(sentence, word)
        given = head(sentence, word)
        heads[word] = 0 if given is None or (cycle and word == min(cycle)) else given
    return heads


def descends(heads, word, from_word):
    while word != from_word and word != 0:
        word = heads[word]
    return word == from_word


def projectivity(sentence, word):
    heads = without_cycles(sentence)
    h = head(sentence, word)
    if heads[word] != h:
        return "projective"
    between = range(min(h, word) + 1, max(h, word))
    return "projective" if all(descends(heads, w, h) for w in between) else "non-projective"


def tag(word):
    return word.xpos if word.upos == "_" else word.upos


def base(label, subtypes):
    return label if subtypes == "keep" else label.split(":")[0]


def labelled(sentences):
    return any(word.label != "_" for words in sentences for word in words)


PROPERTIES = {
    "sentence_length": lambda s, w: number_bin(SENTENCE_LENGTHS, len(s)),
    "dependency_length": length_bin,
    "root_distance": distance_bin,
    "siblings": lambda s, w: number_bin(NUMBERS, len(modifiers(s, head(s, w))) - 1),
    "modifiers": lambda s, w: number_bin(NUMBERS, len(modifiers(s, w))),
    "direction": direction,
    "projectivity": projectivity,
}


def breakdown(gold, system, is_scored, gold_bin, system_bin, subtypes):
    """bin -> the counts that the JSON report has."""
    bins = collections.defaultdict(collections.Counter)
    for g, s in zip(gold, system):
        for word in range(1, len(g) + 1):
            if not is_scored(g[word - 1]):
                continue
            is_found = head(g, word) == head(s, word)
            same_label = base(g[word - 1].label, subtypes) == base(s[word - 1].label, subtypes)
            to = bins[gold_bin(g, s, word)]
            to["gold"] += 1
            to["found"] += is_found
            to["found_labelled"] += is_found and same_label
            if head(s, word) is None:
                continue
            to = bins[system_bin(g, s, word)]
            to["predicted"] += 1
            to["right"] += is_found
            to["right_labelled"] += is_found and same_label
    return {name: {key: counts[key] for key in ("gold", "found", "found_labelled", "predicted", "right", "right_labelled")}
            for name, counts in bins.items()}


def analyze(gold, system, convention, subtypes):
    def is_scored(word):
        return word.head != "_" and not reference_eval.is_punctuation(word, convention)

    found = {}
    for name, bin_of in PROPERTIES.items():
        found[name] = breakdown(gold, system, is_scored, lambda g, s, w, b=bin_of: b(g, w),
                                lambda g, s, w, b=bin_of: b(s, w), subtypes)
    found["tag"] = breakdown(gold, system, is_scored, lambda g, s, w: tag(g[w - 1]), lambda g, s, w: tag(g[w - 1]), subtypes)
    if labelled(gold):
        found["label"] = breakdown(gold, system, is_scored, lambda g, s, w: base(g[w - 1].label, subtypes),
                                   lambda g, s, w: base(s[w - 1].label, subtypes), subtypes)
    return found


def agreement(gold, systems, convention):
    def is_scored(word):
        return word.head != "_" and not reference_eval.is_punctuation(word, convention)

    rows = [[s[k][w].head == gold[k][w].head for s in systems]
            for k in range(len(gold)) for w in range(len(gold[k])) if is_scored(gold[k][w])]
    count = len(systems)
    return {
        "words": len(rows),
        "all_right": sum(all(row) for row in rows),
        "all_wrong": sum(not any(row) for row in rows),
        "only_right": [[sum(row[a] and not row[b] for row in rows) for b in range(count)] for a in range(count)],
    }


def label_pairs(gold, system, convention, subtypes):
    pairs = collections.defaultdict(lambda: [0, 0])
    for g, s in zip(gold, system):
        for gold_word, word in zip(g, s):
            if gold_word.head == "_" or word.head == "_" or reference_eval.is_punctuation(gold_word, convention):
                continue
            counts = pairs[base(gold_word.label, subtypes), base(word.label, subtypes)]
            counts[0] += 1
            counts[1] += gold_word.head == word.head
    return dict(pairs)


def worst_sentences(gold, systems, convention):
    """The numbers of the sentences by wrong heads of all systems, without those that have none."""
    errors = []
    for k, sentence in enumerate(gold):
        wrong = sum(s[k][w].head != word.head for s in systems for w, word in enumerate(sentence)
                    if word.head != "_" and not reference_eval.is_punctuation(word, convention))
        errors.append((wrong, k + 1))
    return [wrong for wrong, _ in sorted(errors, key=lambda e: (-e[0], e[1])) if wrong > 0]
