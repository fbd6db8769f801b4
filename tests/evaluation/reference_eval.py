"""A second evaluator, as plain as possible, that `copse eval` is compared with. Reads CoNLL-U only."""
import collections
import math
import unicodedata

Word = collections.namedtuple("Word", "form upos xpos head label misc")

PTB_TAGS = {"''", "``", ":", ",", "."}
THRESHOLDS = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999]


def read(path):
    sentences = []
    with open(path, encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
            words = [Word(r[1], r[3], r[4], r[6], r[7], r[9]) for r in rows if r[0].isdecimal()]
            if words:
                sentences.append(words)
    return sentences


def is_punctuation(word, convention):
    tag = word.upos if word.xpos == "_" else word.xpos
    return {
        "keep": False,
        "ptb": tag in PTB_TAGS,
        "ctb": tag == "PU",
        "ud": word.upos == "PUNCT",
        "unicode": all(unicodedata.category(character).startswith("P") for character in word.form),
    }[convention]


def share(values):
    values = list(values)
    return {"part": sum(values), "whole": len(values), "value": sum(values) / len(values) if values else None}


def probability(word):
    found = [entry[2:] for entry in word.misc.split("|") if entry.startswith("P=")]
    return float(found[0]) if found else None


def bin_summary(arcs):
    return {
        "arcs": len(arcs),
        "mean_probability": sum(p for p, _ in arcs) / len(arcs),
        "right": sum(right for _, right in arcs) / len(arcs),
    }


def expected_error(bins):
    gaps = [b["arcs"] * abs(b["mean_probability"] - b["right"]) for b in bins]
    return sum(gaps) / sum(b["arcs"] for b in bins)


def equal_width_bins(arcs, count):
    bins = collections.defaultdict(list)
    for arc in arcs:
        bins[min(int(arc[0] * count), count - 1)].append(arc)
    return [{"lower": k / count, "upper": (k + 1) / count, **bin_summary(bins[k])} for k in sorted(bins)]


def equal_count_bins(arcs, count):
    """Whole groups of equal probability are taken until one of the even cuts is reached."""
    groups = collections.defaultdict(list)
    for arc in arcs:
        groups[arc[0]].append(arc)
    cuts = {k * len(arcs) // count for k in range(1, count + 1)}
    bins, current, seen = [], [], 0
    for key in sorted(groups):
        reached = any(seen < cut <= seen + len(groups[key]) for cut in cuts)
        current += groups[key]
        seen += len(groups[key])
        if reached:
            bins.append({"lower": current[0][0], "upper": key, **bin_summary(current)})
            current = []
    return bins


def log_loss(arc):
    p = min(max(arc[0], 1e-6), 1 - 1e-6)
    return -math.log(p if arc[1] else 1 - p)


def calibration(arcs, scored_words, bins):
    if not arcs:
        return None
    curve = []
    for threshold in THRESHOLDS:
        kept = [right for p, right in arcs if p >= threshold]
        coverage = {"part": len(kept), "whole": scored_words, "value": len(kept) / scored_words}
        curve.append({"threshold": threshold, "coverage": coverage, "precision": share(kept)})
    width, count = equal_width_bins(arcs, bins), equal_count_bins(arcs, bins)
    return {
        **bin_summary(arcs),
        "brier": sum((right - p) ** 2 for p, right in arcs) / len(arcs),
        "log_loss": sum(map(log_loss, arcs)) / len(arcs),
        "error_equal_width": expected_error(width),
        "error_equal_count": expected_error(count),
        "equal_width": width,
        "equal_count": count,
        "precision_curve": curve,
    }


def evaluate(gold, system, convention="keep", subtypes="ignore", bins=15):
    """The counts, and the entry of the system, under the names that the JSON report has."""
    def label(word):
        return word.label if subtypes == "keep" else word.label.split(":")[0]

    pairs = [list(zip(*sentence)) for sentence in zip(gold, system)]
    headed = [[(g, s) for g, s in pair if g.head != "_"] for pair in pairs]
    scored = [[(g, s) for g, s in pair if not is_punctuation(g, convention)] for pair in headed]
    head_right = [[g.head == s.head for g, s in pair] for pair in scored]
    both_right = [[g.head == s.head and label(g) == label(s) for g, s in pair] for pair in scored]
    flat = [both for pair in scored for both in pair]
    arcs = [(probability(s), g.head == s.head) for g, s in flat if s.head != "_" and probability(s) is not None]
    labelled = all(any(word.label != "_" for words in side for word in words) for side in (gold, system))
    result = {
        "uas": share(right for rights in head_right for right in rights),
        "las": share(right for rights in both_right for right in rights) if labelled else None,
        "ra": share(s.head == "0" for pair in headed for g, s in pair if g.head == "0"),
        "cm": share(all(rights) for rights in head_right if rights),
        "lcm": share(all(rights) for rights in both_right if rights) if labelled else None,
        "coverage": share(s.head != "_" for _, s in flat),
        "precision": share(g.head == s.head for g, s in flat if s.head != "_"),
        "calibration": calibration(arcs, len(flat), bins),
    }
    words = sum(map(len, gold))
    counts = {
        "sentences": len(gold),
        "scored_sentences": sum(1 for pair in scored if pair),
        "words": words,
        "scored_words": len(flat),
        "excluded_words": sum(map(len, headed)) - len(flat),
        "words_without_gold_head": words - sum(map(len, headed)),
        "gold_roots": result["ra"]["whole"],
    }
    return counts, result
