// What is different between two trees of one sentence.

/** The heads and labels of a sentence, or of one of its k best trees (from 0), as words for the drawing. */
export function shownTree(sentence, tree) {
  const other = tree > 0 ? sentence.trees?.[tree] : undefined;
  return sentence.words.map((word, i) => ({
    id: word.id,
    form: word.form,
    upos: word.upos,
    xpos: word.xpos,
    pinned: word.pinned === true,
    head: other ? other.heads[i] : word.head,
    deprel: other ? (other.deprels?.[i] ?? null) : word.deprel,
    p: other ? (other.p?.[i] ?? word.p) : word.p,
    p_deprel: other && other.heads[i] !== word.head ? undefined : word.p_deprel,
  }));
}

/** [{ id, form, before, after }] for every word whose head or label differs; names are those of heads. */
export function changedWords(before, after) {
  const name = (words, head) => (head === null ? "open" : head === 0 ? "root" : (words[head - 1]?.form ?? "?"));
  const changes = [];
  after.forEach((word, i) => {
    const old = before[i];
    if (!old || (old.head === word.head && old.deprel === word.deprel)) return;
    const headChanged = old.head !== word.head;
    changes.push({
      id: word.id,
      form: word.form,
      before: headChanged ? name(before, old.head) : (old.deprel ?? "no label"),
      after: headChanged ? name(after, word.head) : (word.deprel ?? "no label"),
    });
  });
  return changes;
}

export const countWords = (n) => (n === 1 ? "1 word" : `${n.toLocaleString("en")} words`);
