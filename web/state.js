// What the page knows: the text, its sentences, what has been pinned; and the requests that keep them in step.

import { parse } from "./api.js";
import { changedWords, countWords, shownTree } from "./changes.js";
import { bestTree, givenLabels, looksLikeConllu, openParts, withPins } from "./conllu.js";
import { leastCertainWord } from "./uncertainty.js";

const TREES = 10; // so many of the best trees can be stepped through
const PAUSE = 140; // ms without a key before the text is sent
const SHORT = 3000; // characters up to which the k best trees come with the first answer
const LONG = 6000; // characters from which answers are streamed

const quoted = (form) => `“${form}”`;

const samePins = (a, b) =>
  a.size === b.size && [...a].every(([word, pin]) => b.get(word)?.head === pin.head && b.get(word)?.deprel === pin.deprel);

/**
 * A sentence: `base` is the server's answer to the text, `answer` the one under the pins; `given` are the pins that came
 * with the text, with their labels.
 */
function newRecord(sentence, labels) {
  const base = { ...sentence, conllu: bestTree(sentence.conllu) };
  const words = base.words.filter((word) => word.pinned);
  const given = new Map(words.map(({ id, head }) => [id, { head, deprel: labels?.get(id) ?? null }]));
  const key = base.words.map(({ form }) => form).join("\u0001");
  return { key, base, given, answer: base, pins: given, settled: given, changes: [], turn: 0 };
}

/** The same sentence has come again, perhaps at another place: what has not changed need not be drawn again. */
function keepObjects(record, base) {
  record.base.trees ??= base.trees;
  for (const { words } of [record.base, record.answer]) {
    words.forEach((word, i) => Object.assign(word, { start: base.words[i].start, end: base.words[i].end }));
  }
}

/**
 * [{ head, deprel, p }]: the heads to choose from, best first. Under its pin, a word has no choice any more: what it had
 * without pins is offered then.
 */
function offeredHeads({ base, answer }, { id, head, deprel, p, pinned }) {
  const offered = ((pinned ? base : answer).words[id - 1].alternatives ?? []).map((other) => ({ head: other.head, deprel: other.deprel ?? null, p: other.p }));
  if (head !== null && !offered.some((other) => other.head === head)) offered.push({ head, deprel, p: pinned ? 0 : p });
  return offered;
}

export class Session {
  /** onChange() is called after every change, onError(error or null) when something went wrong, or is over. */
  constructor({ onChange, onError, onBusy }) {
    Object.assign(this, { onChange, onError, onBusy });
    Object.assign(this, { text: "", lines: false, keep: false, model: null, threshold: 0 });
    Object.assign(this, { records: [], current: 0, tree: 0, word: null, news: null, undoable: [] });
    this.timer = null;
    this.running = null;
    this.awaitedPins = [];
    this.busy = 0;
  }

  get record() {
    return this.records[this.current] ?? null;
  }

  get isConllu() {
    return looksLikeConllu(this.text);
  }

  /** The words of the tree that is drawn. */
  shownWords(record = this.record) {
    const tree = record === this.record ? this.tree : 0;
    const changed = new Set(record.changes.map(({ id }) => id));
    const best = record.answer.words;
    return shownTree(record.answer, tree).map((word, i) => {
      const open = openParts(word, this.threshold);
      const differs = tree > 0 ? word.head !== best[i].head || word.deprel !== best[i].deprel : changed.has(word.id);
      const offered = offeredHeads(record, word);
      return { ...word, offered, openHead: open.head, openLabel: open.label && word.deprel !== null, changed: differs };
    });
  }

  // The text

  setInput(input, { now = false } = {}) {
    Object.assign(this, input);
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
    if (now) this.requestText();
    else this.timer = setTimeout(() => this.requestText(), PAUSE);
  }

  options(more) {
    const model = this.model ? { model: this.model } : {};
    return { ...model, probabilities: true, return_conllu: true, ...more };
  }

  async requestText() {
    clearTimeout(this.timer);
    const { text } = this;
    if (text.trim() === "") {
      this.commit([], true);
      this.onError(null);
      return;
    }
    const conllu = this.isConllu;
    const request = this.options(conllu ? { conllu: text.endsWith("\n\n") ? text : `${text.replace(/\n*$/, "")}\n\n` } : { text });
    if (conllu && this.keep) request.constraints = true;
    if (!conllu && this.lines) request.lines = true;
    if (text.length <= SHORT) request.kbest = TREES;
    if (text.length >= LONG) request.stream = true;
    const running = new AbortController();
    this.running?.abort();
    this.running = running;
    await this.during(async () => {
      try {
        const answer = await parse(request, {
          signal: running.signal,
          onSentences: (soFar) => this.running === running && this.commit(soFar, false),
        });
        if (this.running !== running) return;
        this.running = null;
        this.onError(null);
        this.commit(answer.sentences, true, answer.warnings);
      } catch (error) {
        if (error.name === "AbortError" || this.running !== running) return;
        this.running = null;
        this.onError(error, () => this.requestText());
      }
    });
  }

  /** Sentences that were there before keep what was pinned in them. */
  commit(sentences, complete, warnings = []) {
    const known = new Map();
    for (const record of this.records) known.set(record.key, [...(known.get(record.key) ?? []), record]);
    const shown = this.record;
    const labels = this.keep && this.isConllu ? givenLabels(this.text) : [];
    this.records = sentences.map((sentence, i) => {
      const fresh = newRecord(sentence, labels[i]);
      const { base } = fresh;
      const record = known.get(fresh.key)?.shift();
      // Pins that come with the text are not those of before.
      if (!record || !samePins(record.given, fresh.given)) return fresh;
      const same = record.base.conllu === base.conllu;
      if (same) keepObjects(record, base);
      else record.base = base;
      if (samePins(record.pins, record.given)) record.answer = record.base;
      else if (!same) this.recompute(record, record.pins);
      return record;
    });
    if (complete) this.applyAwaitedPins();
    this.undoable = this.undoable.filter(({ record }) => this.records.includes(record));
    const at = this.records.indexOf(shown);
    const wanted = this.caretSentence?.(this.records) ?? (at >= 0 ? at : this.current);
    this.current = Math.max(0, Math.min(wanted, this.records.length - 1));
    if (this.record !== shown) {
      this.tree = 0;
      this.word = null;
    }
    this.news = warnings.length > 0 ? { text: warnings.join(" "), changes: [] } : this.record === shown ? this.news : null;
    this.onChange();
    this.fetchTrees();
  }

  // Sentences and trees

  selectSentence(index) {
    if (index < 0 || index >= this.records.length || index === this.current) return;
    Object.assign(this, { current: index, tree: 0, word: null, news: null });
    this.onChange();
    this.fetchTrees();
  }

  /** The k best trees of long texts are asked for one sentence at a time. */
  async fetchTrees() {
    const { record } = this;
    if (record && !record.answer.trees && !this.running) await this.recompute(record, record.pins, { quiet: true });
  }

  stepTree(step) {
    const count = this.record?.answer.trees?.length ?? 0;
    const tree = this.tree + step;
    if (tree < 0 || tree >= count) return;
    this.tree = tree;
    this.record.changes = [];
    const { words } = this.record.answer;
    const differing = changedWords(shownTree(this.record.answer, 0), shownTree(this.record.answer, tree));
    const text = tree === 0 ? "The best tree." : `Tree ${tree + 1} differs from the best one in ${countWords(differing.length)}.`;
    this.news = { text, changes: differing, of: words };
    this.onChange();
  }

  // Words and pins

  selectWord(word) {
    this.word = word;
    this.onChange();
  }

  setThreshold(threshold) {
    this.threshold = threshold;
    this.onChange();
  }

  /** Selects the word to decide next; in another sentence if nothing is open in this one. Returns its id or null. */
  showLeastCertain() {
    if (!this.record) return null;
    let word = leastCertainWord(this.record.answer);
    if (word === null) {
      let most = 0;
      this.records.forEach((record, index) => {
        if (record.answer.entropy > most && leastCertainWord(record.answer) !== null) {
          most = record.answer.entropy;
          this.current = index;
        }
      });
      word = leastCertainWord(this.record.answer);
      if (word !== null) this.fetchTrees();
    }
    this.tree = 0;
    this.word = word ?? this.word;
    this.news = { text: word === null ? "Nothing is left to decide: every word is as good as certain." : null, changes: [] };
    if (word !== null) {
      const { form, alternatives } = this.record.answer.words[word - 1];
      this.news.text = `Least certain: ${quoted(form)}, with ${alternatives.length} possible heads. Which one is right?`;
    }
    this.onChange();
    return word;
  }

  pin(word, head, deprel = null) {
    const { words } = this.record.answer;
    const name = head === 0 ? "the root" : quoted(words[head - 1].form);
    const form = quoted(words[word - 1].form);
    const pins = new Map(this.record.pins).set(word, { head, deprel });
    const what = head === 0 ? `Pinned ${form} as the root` : `Pinned ${name} as the head of ${form}`;
    return this.change(pins, deprel ? `${what}, label ${deprel}` : what);
  }

  unpin(word) {
    if (!this.record?.pins.has(word)) return null;
    const pins = new Map(this.record.pins);
    pins.delete(word);
    return this.change(pins, `Unpinned ${quoted(this.record.answer.words[word - 1].form)}`);
  }

  unpinAll() {
    return this.record?.pins.size > 0 ? this.change(new Map(), "Unpinned all words") : null;
  }

  /** Pins where the tree that is drawn differs from the best one. */
  takeTree() {
    const tree = this.record?.answer.trees?.[this.tree];
    if (!tree || this.tree === 0) return null;
    const pins = new Map(this.record.pins);
    this.record.answer.words.forEach(({ id, head, deprel }, i) => {
      const relabelled = tree.heads[i] === head && tree.deprels?.[i] !== deprel;
      if (tree.heads[i] !== head || relabelled) pins.set(id, { head: tree.heads[i], deprel: relabelled ? tree.deprels[i] : null });
    });
    return this.change(pins, `Took tree ${this.tree + 1}`);
  }

  undo() {
    const last = this.undoable.pop();
    if (!last) return null;
    const index = this.records.indexOf(last.record);
    if (index !== this.current) Object.assign(this, { current: index, word: null });
    return this.recompute(last.record, last.pins, { what: `Undone: ${last.what}` });
  }

  change(pins, what) {
    const { record } = this;
    this.undoable.push({ record, pins: record.pins, what });
    return this.recompute(record, pins, { what, undo: true });
  }

  /** Asks for the sentence under these pins. If no tree has them all, the last ones that worked come back. */
  async recompute(record, pins, { what = null, undo = false, quiet = false } = {}) {
    const turn = ++record.turn;
    record.pins = pins;
    try {
      const answer = await this.during(() => this.answerUnder(record, pins));
      if (record.turn !== turn) return;
      const before = shownTree(record.answer, record === this.record ? this.tree : 0);
      const entropy = record.answer.entropy;
      record.answer = answer;
      record.settled = pins;
      if (!quiet) {
        if (record === this.record) this.tree = 0;
        record.changes = changedWords(before, shownTree(answer, 0));
        this.news = { text: what, changes: record.changes, counted: what !== null, entropy: [entropy, answer.entropy] };
        this.onError(null);
      }
    } catch (error) {
      if (record.turn !== turn) return;
      record.pins = record.settled;
      if (undo) this.undoable.pop();
      if (!quiet) this.onError(error, () => this.recompute(record, pins, { what, undo }));
    }
    this.onChange();
  }

  async answerUnder(record, pins) {
    const { base } = record;
    if (samePins(pins, record.given) && base.trees) return base;
    const request = this.options({ conllu: withPins(base.conllu, pins), constraints: true, kbest: TREES });
    const answer = (await parse(request)).sentences[0];
    answer.conllu = bestTree(answer.conllu);
    // The places of words in the text are known from before.
    answer.words.forEach((word, i) => Object.assign(word, { start: base.words[i].start, end: base.words[i].end }));
    if (samePins(pins, record.given)) record.base = answer;
    return answer;
  }

  // Links

  /** [{ sentence, word, head, deprel }], counted from 1; a word 0 where all pins that came with the text are gone. */
  allPins() {
    if (this.awaitedPins.length > 0) return this.awaitedPins;
    return this.records.flatMap(({ pins, given }, i) => {
      if (samePins(pins, given)) return [];
      const listed = [...pins].map(([word, { head, deprel }]) => ({ sentence: i + 1, word, head, deprel }));
      return listed.length > 0 ? listed : [{ sentence: i + 1, word: 0, head: 0, deprel: null }];
    });
  }

  applyAwaitedPins() {
    const bySentence = new Map();
    for (const { sentence, word, head, deprel } of this.awaitedPins) {
      const record = this.records[sentence - 1];
      const size = record?.base.words.length ?? -1;
      if (word > size || head > size || (word === head && word > 0)) continue;
      if (!bySentence.has(record)) bySentence.set(record, new Map());
      if (word > 0) bySentence.get(record).set(word, { head, deprel });
    }
    this.awaitedPins = [];
    for (const [record, pins] of bySentence) if (!samePins(pins, record.pins)) this.recompute(record, pins);
  }

  async during(work) {
    this.busy++;
    this.onBusy(true);
    try {
      return await work();
    } finally {
      this.busy--;
      this.onBusy(this.busy > 0);
    }
  }
}
