"""Analyses of one text that differ at random: other tokens, multiword tokens, sentences, trees, tags and lemmas."""
import unicodedata

LABELS = ["nsubj", "nsubj:pass", "obj", "root", "punct", "det", "case", "case:gen", "aux", "cc", "mark", "cop", "clf",
          "conj", "flat", "dep", "_", "x:", ":y"]
TAGS = ["NOUN", "VERB", "DET", "_", "X"]
FEATS = ["_", "Number=Sing", "Number=Plur", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Number[psor]=Sing",
         "Foo=Bar|Tense=Past", "Tense=Past", "Typo=Yes|Abbr=Yes|Abbr=Yes", "Number", "Gender=Fem,Masc|Person=3"]
SPACES = " \u00a0\u2009\u3000"

# Tokens: form, or form=parts joined by +. Every other word is a function word of the content word before it; the content
# words form a chain.
SENTENCES = [
    "The dogs=dog+s can't=ca+n't bark , don't=do+not they ?",
    "Vamonos=vamos+nos al=a+el mar del=de+el Sur .",
    "ΣΤΟΣ=σε+τος ΟΔΟΣ=οδος+Σ ΣΣ=σ+ς Σ' ΑΣ́=ας́+x",
    "İstanbul=İstanbul+da I=ı+i ǅ=ǆ+Ǆ ẞß=ß+ẞ",
    "北京大学 在=在+于 中国 。",
    "aaaa=a+a+a+a aa=a+a a a ab=a+b abab=ab+ab a",
    "aba=a+b+a bab=b+a+b ab=b+a ba=a+b",
    "New\u00a0York is big=b+i+g",
    "x",
]


class Word:
    def __init__(self, form, lemma="_", upos="X", xpos="_", feats="_", head=None, label="dep"):
        self.form, self.lemma, self.upos, self.xpos, self.feats = form, lemma, upos, xpos, feats
        self.head, self.label = head, label  # the head is a Word, or None for the root


class Token:
    """A multiword token has its own form and at least two words."""

    def __init__(self, form, words):
        self.form, self.words = form, words

    def copy(self, copies):
        for word in self.words:
            copies[word] = Word(word.form, word.lemma, word.upos, word.xpos, word.feats, word.head, word.label)
        return Token(self.form, [copies[word] for word in self.words])


def single(form, like):
    return Token(form, [Word(form, like.lemma, like.upos, like.xpos, like.feats, like.head, like.label)])


def builtin_sentences():
    sentences = []
    for text in SENTENCES:
        tokens, words = [], []
        for item in text.split(" "):
            form, _, parts = item.partition("=")
            first = len(words)
            for part in parts.split("+") if parts else [form]:
                number = len(words)
                head = words[(number - 1) // 2 * 2] if words else None
                label = "root" if head is None else "case" if number % 2 else "nsubj"
                words.append(Word(part, part.lower(), head=head, label=label))
            tokens.append(Token(form, words[first:]))
        sentences.append(tokens)
    return sentences


def read(path):
    sentences = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        tokens, heads, words, last = [], [], [], 0
        for cells in rows:
            if "-" in cells[0]:
                tokens.append(Token(cells[1], []))
                last = int(cells[0].split("-")[1])
            elif "." not in cells[0]:
                form, lemma, upos, xpos, feats = cells[1:6]
                words.append(Word(form, lemma, upos, xpos, feats, label=cells[7]))
                heads.append(int(cells[6]))
                if len(words) > last:
                    tokens.append(Token(cells[1], []))
                tokens[-1].words.append(words[-1])
        for word, head in zip(words, heads):
            word.head = words[head - 1] if head else None
        if tokens:
            sentences.append(tokens)
    return sentences


def characters(form):
    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def pieces(form, count, generator):
    """The characters of a form in `count` pieces that are not empty, or None."""
    text = characters(form)
    if len(text) < count:
        return None
    cuts = [0] + sorted(generator.sample(range(1, len(text)), count - 1)) + [len(text)]
    return [text[a:b] for a, b in zip(cuts, cuts[1:])]


def odd_form(form, generator):
    return generator.choice([form.upper(), form.lower(), form.title(), form[:1] + " " + form[1:], form[::-1], form + "x"])


def change_tokens(tokens, generator, rate):
    changed = []
    for token in tokens:
        if generator.random() >= rate:
            changed.append(token)
            continue
        word = token.words[0]
        kind = generator.randrange(6)
        parts = pieces(token.form, generator.choice([2, 2, 3]), generator)
        if kind == 0 and parts:  # other tokens for the same characters
            changed += [single(part, word) for part in parts]
        elif kind == 1 and parts:  # a multiword token
            changed.append(Token(token.form, [single(part, word).words[0] for part in parts]))
        elif kind == 2 and changed:  # one token with the token before
            changed[-1] = single(characters(changed[-1].form) + characters(token.form), word)
        elif kind == 3 and changed:  # one multiword token with the token before
            before = changed[-1]
            changed[-1] = Token(before.form + generator.choice(["", " "]) + token.form, before.words + token.words)
        elif kind == 4 and len(token.words) > 1:  # the words of a multiword token as they come
            for part in token.words:
                if generator.random() < 0.5:
                    part.form = odd_form(part.form, generator)
            if len(token.words) > 2 and generator.random() < 0.5:
                token.words.pop(generator.randrange(len(token.words)))
            generator.shuffle(token.words)
            changed.append(token)
        elif len(token.form) > 1:  # spaces
            place = generator.randrange(len(token.form))
            token.form = token.form[:place] + generator.choice(SPACES) + token.form[place:]
            if len(token.words) == 1:
                word.form = token.form
            changed.append(token)
        else:
            changed.append(token)
    return changed


def change_word(word, generator, rate):
    if generator.random() < rate:
        word.label = generator.choice(LABELS)
    if generator.random() < rate:
        word.upos = generator.choice(TAGS)
    if generator.random() < rate:
        word.xpos = generator.choice(TAGS)
    if generator.random() < rate:
        word.feats = generator.choice(FEATS)
    if generator.random() < rate:
        word.lemma = generator.choice(["_", word.form, "a"])


def change_boundaries(sentences, generator, rate):
    changed = []
    for tokens in sentences:
        if changed and generator.random() < rate / 2:
            changed[-1] = changed[-1] + tokens
        elif len(tokens) > 1 and generator.random() < rate / 2:
            middle = generator.randrange(1, len(tokens))
            changed += [tokens[:middle], tokens[middle:]]
        else:
            changed.append(tokens)
    return changed


def mend(words, generator, rate):
    """Makes a tree with one root of the heads that are still there, and changes some."""
    members = set(words)
    for word in words:
        if generator.random() < rate:
            word.head = generator.choice(words)
    for word in words:
        if word.head not in members:
            word.head = None
        seen = {word}
        above = word.head
        while above in members and above not in seen:
            seen.add(above)
            above = above.head
        if above in seen:
            word.head = None
    roots = [word for word in words if word.head is None]
    keeper = generator.choice(roots)
    for word in roots:
        if word is not keeper:
            word.head = keeper


def as_text(sentences, generator):
    lines = []
    for number, tokens in enumerate(sentences):
        lines.append(f"# sent_id = {number}")
        index = {word: k for k, word in enumerate((word for token in tokens for word in token.words), 1)}
        for token in tokens:
            if len(token.words) > 1:
                first, last = index[token.words[0]], index[token.words[-1]]
                lines.append("\t".join([f"{first}-{last}", token.form] + ["_"] * 8))
            for word in token.words:
                lines.append("\t".join([str(index[word]), word.form, word.lemma, word.upos, word.xpos, word.feats,
                                        str(index.get(word.head, 0)), word.label, "_", "_"]))
            if generator.random() < 0.05:
                lines.append("\t".join([f"{index[token.words[-1]]}.1", "empty"] + ["_"] * 8))
        lines.append("")
    return "".join(line + "\n" for line in lines)


def changed(sentences, generator, rate):
    """The text of a CoNLL-U file."""
    copies, copied = {}, []
    for tokens in sentences:
        copied.append([token.copy(copies) for token in tokens])
        for token in copied[-1]:
            for word in token.words:
                word.head = copies.get(word.head)
    copied = [change_tokens(tokens, generator, rate) for tokens in change_boundaries(copied, generator, rate)]
    for tokens in copied:
        words = [word for token in tokens for word in token.words]
        for word in words:
            change_word(word, generator, rate)
        mend(words, generator, rate)
    return as_text(copied, generator)
