// CoNLL-U as far as the page needs it: recognising it, and changing heads in it.

const HEAD = 6;
const DEPREL = 7;
const COLUMNS = 10;

/** Whether somebody has pasted CoNLL-U: the first line that is no comment has an ID and ten columns. */
export function looksLikeConllu(text) {
  for (const line of text.split("\n", 200)) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    return /^[0-9]+([-.][0-9]+)?\t/.test(line) && line.split("\t").length === COLUMNS;
  }
  return false;
}

/** The best of the k best trees of one sentence, without the comments that only make sense among the others. */
export function bestTree(conllu) {
  const lines = conllu.split("\n\n", 1)[0].split("\n");
  return `${lines.filter((line) => !/^# (kbest_rank|tree_probability) =/.test(line)).join("\n").trimEnd()}\n\n`;
}

/** The sentence with `change(id, columns)` called for the columns of every word. */
function mapWords(conllu, change) {
  return conllu
    .split("\n")
    .map((line) => {
      const columns = line.split("\t");
      if (columns.length !== COLUMNS || !/^[0-9]+$/.test(columns[0])) return line;
      change(Number(columns[0]), columns);
      return columns.join("\t");
    })
    .join("\n");
}

/** Only pinned words (a Map of word to {head, deprel or null}) keep a head. */
export function withPins(conllu, pins) {
  return mapWords(conllu, (id, columns) => {
    const pin = pins.get(id);
    columns[HEAD] = pin ? String(pin.head) : "_";
    columns[DEPREL] = pin?.deprel ?? "_";
  });
}

/** Heads and labels that are less probable than the threshold become `_`, as by `copse parse --min-confidence`. */
export function withOpenArcs(sentence, threshold) {
  const words = new Map(sentence.words.map((word) => [word.id, word]));
  return mapWords(sentence.conllu, (id, columns) => {
    const { head, label } = openParts(words.get(id), threshold);
    if (head) columns[HEAD] = "_";
    if (head || label) columns[DEPREL] = "_";
  });
}

/** Whether a word's head, and its label, stay open at this threshold. */
export function openParts(word, threshold) {
  if (word.head === null) return { head: true, label: true };
  if (word.pinned) return { head: false, label: false };
  const head = word.p < threshold;
  return { head, label: head || word.p * (word.p_deprel ?? 1) < threshold };
}

/** For every sentence, a Map from words to the labels that its columns give. */
export function givenLabels(conllu) {
  const sentences = [];
  for (const block of conllu.split(/\n[ \t\r]*\n/)) {
    const labels = new Map();
    let words = 0;
    mapWords(block, (id, columns) => {
      words++;
      if (columns[DEPREL] !== "_") labels.set(id, columns[DEPREL]);
    });
    if (words > 0) sentences.push(labels);
  }
  return sentences;
}

/** The number of the sentence, from 0, in which the caret is. */
export function sentenceAtCaret(conllu, caret) {
  const before = conllu.slice(0, caret).split("\n");
  let sentence = 0;
  let inSentence = false;
  for (let i = 0; i < before.length; i++) {
    const blank = before[i].trim() === "";
    if (blank && inSentence && i + 1 < before.length) sentence++;
    inSentence = !blank;
  }
  return sentence;
}
