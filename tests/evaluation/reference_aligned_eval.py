"""A plain second implementation of the evaluation of the CoNLL 2018 shared task, the oracle of `copse eval --aligned`.

The definitions are in docs/evaluation.md. Nothing here is fast.
"""
import unicodedata

CONTENT = set("""nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod
    acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep""".split())
FUNCTIONAL = set("aux cop mark det clf case cc".split())
UNIVERSAL = set("""PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood
    Tense Aspect Voice Evident Polarity Person Polite""".split())

NOT_ALIGNED = "not aligned"
MEASURES = ["tokens", "sentences", "words", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las", "clas",
            "mlas", "blex"]


class Word:
    def __init__(self, cells, start, end, in_multiword):
        self.start, self.end, self.in_multiword = start, end, in_multiword
        form = cells[1] if in_multiword else without_spaces(cells[1])
        self.key = form.lower()
        self.lemma, self.upos, self.xpos, feats = cells[2:6]
        self.feats = sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL)
        self.head = int(cells[6])
        self.label = cells[7].partition(":")[0]
        self.parent = None
        self.functional = []


class Text:
    def __init__(self, path):
        self.characters = ""
        self.tokens, self.sentences, self.words = [], [], []
        with open(path, encoding="utf-8", newline="\n") as file:
            for block in file.read().split("\n\n"):
                rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
                if rows:
                    self.add_sentence(rows)

    def add_sentence(self, rows):
        begin = len(self.characters)
        words, last_in_range = [], 0
        for cells in rows:
            if "." in cells[0]:
                continue
            if "-" in cells[0]:
                last_in_range = int(cells[0].split("-")[1])
                self.add_token(cells[1])
                continue
            in_multiword = int(cells[0]) <= last_in_range
            if not in_multiword:
                self.add_token(cells[1])
            start, end = self.tokens[-1]
            words.append(Word(cells, start, end, in_multiword))
        for word in words:
            if word.head > 0:
                word.parent = words[word.head - 1]
                if word.label in FUNCTIONAL:
                    word.parent.functional.append(word)
        self.words += words
        self.sentences.append((begin, len(self.characters)))

    def add_token(self, form):
        begin = len(self.characters)
        self.characters += without_spaces(form)
        self.tokens.append((begin, len(self.characters)))


def without_spaces(form):
    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def common_subsequence(gold, system):
    """Pairs of words with equal keys. Of several longest ones: equal words that meet are paired; else the gold word is
    left behind if that costs nothing, and the system's word if it does."""
    length = {}
    for g in range(len(gold), -1, -1):
        for s in range(len(system), -1, -1):
            if g == len(gold) or s == len(system):
                length[g, s] = 0
            elif gold[g].key == system[s].key:
                length[g, s] = 1 + length[g + 1, s + 1]
            else:
                length[g, s] = max(length[g + 1, s], length[g, s + 1])
    pairs, g, s = [], 0, 0
    while g < len(gold) and s < len(system):
        if gold[g].key == system[s].key:
            pairs.append((gold[g], system[s]))
            g, s = g + 1, s + 1
        elif length[g + 1, s] == length[g, s]:
            g += 1
        else:
            s += 1
    return pairs


def take_multiword_span(gold, system):
    """Removes the words of the span that starts here from the fronts of both lists, and returns them."""
    first, second = (gold, system) if gold[0].in_multiword else (system, gold)
    end = first[0].end
    if not second[0].in_multiword and second[0].start < first[0].start:
        second.pop(0)
    taken = {id(gold): [], id(system): []}

    def concerns(words):
        return words and (words[0].start < end if words[0].in_multiword else words[0].end <= end)

    while concerns(gold) or concerns(system):
        front = min([words for words in (gold, system) if words], key=lambda words: words[0].start)
        word = front.pop(0)
        taken[id(front)].append(word)
        if word.in_multiword:
            end = max(end, word.end)
    return taken[id(gold)], taken[id(system)]


class Queue(list):
    """A list that is cheap to take from at its front."""

    def __init__(self, items):
        super().__init__(reversed(items))

    def __getitem__(self, index):
        assert index == 0
        return super().__getitem__(-1)

    def pop(self, index):
        assert index == 0
        return super().pop()


def aligned_pairs(gold_words, system_words):
    gold, system = Queue(gold_words), Queue(system_words)
    pairs = []
    while gold and system:
        if gold[0].in_multiword or system[0].in_multiword:
            pairs += common_subsequence(*take_multiword_span(gold, system))
        elif (gold[0].start, gold[0].end) == (system[0].start, system[0].end):
            pairs.append((gold.pop(0), system.pop(0)))
        elif gold[0].start <= system[0].start:
            gold.pop(0)
        else:
            system.pop(0)
    return pairs


def score(gold, system, correct, aligned=None):
    return {"precision": correct / system if system else 0.0, "recall": correct / gold if gold else 0.0,
            "f1": 2 * correct / (gold + system) if gold + system else 0.0,
            "aligned_accuracy": None if aligned is None else correct / aligned if aligned else 0.0,
            "correct": correct, "gold": gold, "system": system, "aligned": aligned}


def evaluate(gold, system):
    """The figures of every measure, or None if the texts differ."""
    if gold.characters != system.characters:
        return None
    pairs = aligned_pairs(gold.words, system.words)
    partner = {system_word: gold_word for gold_word, system_word in pairs}

    def itself(word):
        return word

    def aligned(word):
        return None if word is None else partner.get(word, NOT_ALIGNED)

    def arc(word, gold_of):
        return gold_of(word.parent), word.label

    def lemma(word, gold_of):
        return "_" if gold_of(word).lemma == "_" else word.lemma

    def functional(word, gold_of):
        return [(gold_of(child), child.label, child.upos, child.feats) for child in word.functional]

    keys = {
        "upos": lambda word, _: word.upos,
        "xpos": lambda word, _: word.xpos,
        "ufeats": lambda word, _: word.feats,
        "alltags": lambda word, _: (word.upos, word.xpos, word.feats),
        "lemmas": lemma,
        "uas": lambda word, gold_of: gold_of(word.parent),
        "las": arc,
        "clas": arc,
        "mlas": lambda word, gold_of: (arc(word, gold_of), word.upos, word.feats, functional(word, gold_of)),
        "blex": lambda word, gold_of: (arc(word, gold_of), lemma(word, gold_of)),
    }
    scores = {
        "tokens": score(len(gold.tokens), len(system.tokens), len(set(gold.tokens) & set(system.tokens))),
        "sentences": score(len(gold.sentences), len(system.sentences),
                           len(set(gold.sentences) & set(system.sentences))),
        "words": score(len(gold.words), len(system.words), len(pairs)),
    }
    for name, key in keys.items():
        counts = (lambda word: word.label in CONTENT) if name in ("clas", "mlas", "blex") else (lambda word: True)
        counted = [(g, s) for g, s in pairs if counts(g)]
        correct = sum(key(g, itself) == key(s, aligned) for g, s in counted)
        scores[name] = score(sum(map(counts, gold.words)), sum(map(counts, system.words)), correct, len(counted))
    return scores
