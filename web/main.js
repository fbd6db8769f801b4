// Puts the page together.

import { ServerError, fetchModels, setToken } from "./api.js";
import { countWords } from "./changes.js";
import { sentenceAtCaret } from "./conllu.js";
import { byId, make } from "./dom.js";
import { Drawing } from "./drawing.js";
import { conlluOf, download, jsonOf, svgOf } from "./export.js";
import { Interaction } from "./interaction.js";
import { LONGEST_IN_ADDRESS, fromFragment, toFragment } from "./link.js";
import { Panel } from "./panel.js";
import { SentenceList } from "./sentence_list.js";
import { Session } from "./state.js";
import { startTheme } from "./theme.js";
import { describeEntropy, percent } from "./uncertainty.js";

const EXAMPLES = [
  ["telescope", "I saw the man on the hill with the telescope."],
  ["arrow", "Time flies like an arrow."],
  ["committee", "The committee criticised the proposal for a new law in the report."],
  ["a page", "Visiting relatives can be boring. The old man the boats. She told the girl that she had seen the play in London last week. They discussed the plan to raise taxes with the ministers from the north."],
];

const view = { pointed: null, candidate: null, drawn: null };
let models = { default: null, models: [] };
let retry = null;
let retryTimer = null;

const session = new Session({ onChange: render, onError: showError, onBusy: showBusy });
const drawing = new Drawing(byId("drawing"));
const interaction = new Interaction(session, drawing, view, () => mark());
const sentenceList = new SentenceList((index) => session.selectSentence(index));
const panel = new Panel({
  pin: (word, head, deprel) => session.pin(word, head, deprel ?? null),
  unpin: (word) => session.unpin(word),
  close: () => session.selectWord(null),
});

function showBusy(busy) {
  byId("stage").setAttribute("aria-busy", String(busy));
  clearTimeout(showBusy.timer);
  if (busy) showBusy.timer = setTimeout(() => (byId("busy").hidden = false), 250);
  else byId("busy").hidden = true;
}

function showError(error, again = null) {
  clearTimeout(retryTimer);
  retry = again;
  byId("error").hidden = error === null;
  if (error === null) return;
  const known = error instanceof ServerError;
  byId("error-text").textContent = known ? error.message : `Something went wrong in the page: ${error.message}`;
  byId("token-form").hidden = !(known && error.needsToken);
  byId("retry").hidden = again === null || (known && error.status >= 400 && error.retryAfter === null);
  if (known && error.retryAfter !== null && again) retryTimer = setTimeout(again, 1000 * Math.min(30, error.retryAfter));
}

const labels = () => (models.models.find(({ name }) => name === (session.model ?? models.default)) ?? models.models[0])?.labels ?? [];

function render() {
  const { record } = session;
  sentenceList.render(session.records, session.current);
  byId("stage").hidden = record === null;
  byId("input-kind").hidden = !session.isConllu;
  byId("text").classList.toggle("columns", session.isConllu);
  byId("keep-choice").hidden = !session.isConllu;
  byId("lines-choice").hidden = session.isConllu;
  rememberInAddress();
  if (record === null) {
    drawing.clear();
    return;
  }
  if (session.word !== null && session.word > record.answer.words.length) session.word = null;
  const shown = session.shownWords();
  const drawnAs = JSON.stringify(shown);
  if (view.drawn?.answer !== record.answer || view.drawn.as !== drawnAs) {
    const sameSentence = view.drawn?.record === record;
    const left = byId("scroll").scrollLeft;
    drawing.render(record.answer, shown);
    if (!sameSentence) {
      view.pointed = null;
      byId("scroll").scrollLeft = drawing.layout.x(1) > drawing.layout.x(0) ? 0 : drawing.layout.width;
    } else byId("scroll").scrollLeft = left;
    view.drawn = { record, answer: record.answer, as: drawnAs };
  }
  if (view.word !== session.word) view.candidate = null;
  view.word = session.word;
  renderCertainty(record);
  renderNews();
  renderTrees(record);
  byId("undo").disabled = session.undoable.length === 0;
  byId("unpin-all").hidden = record.pins.size === 0;
  byId("threshold").value = session.threshold;
  const open = shown.filter(({ openHead }) => openHead).length;
  byId("threshold-text").textContent = session.threshold > 0 ? `${percent(session.threshold)} (${countWords(open)})` : "0%";
  byId("threshold").setAttribute("aria-valuetext", `${percent(session.threshold)}, ${countWords(open)} open`);
  mark(shown);
  fadeEdges();
}

function mark(shown = session.shownWords()) {
  drawing.mark({ selected: session.word, pointed: view.pointed, candidate: view.candidate });
  panel.render(session.record, shown, session.word, labels(), view.candidate);
  byId("hint").hidden = session.word !== null;
}

/** Where the drawing goes on, its edge fades. */
function fadeEdges() {
  const scroll = byId("scroll");
  scroll.classList.toggle("more-before", scroll.scrollLeft > 4);
  scroll.classList.toggle("more-after", scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 4);
}

function renderCertainty({ answer }) {
  const { verdict, meaning, exact, trees } = describeEntropy(answer.entropy ?? 0, answer.trees?.[0]?.probability);
  byId("verdict").textContent = `${verdict}:`;
  byId("meaning").textContent = meaning;
  byId("certainty").title = exact;
  byId("meter-fill").style.width = `${Math.round(100 / (1 + Math.log(trees)))}%`;
}

function renderNews() {
  const { news } = session;
  const changes = news?.changes ?? [];
  let text = news?.text ?? "";
  if (news?.counted) {
    text += changes.length > 0 ? `. ${countWords(changes.length)} changed` : ". No arc changed";
    const [before, after] = news.entropy;
    if (Math.abs(before - after) > 0.05) text += `; ${after < before ? "more" : "less"} certain than before`;
    text += ".";
  }
  if (byId("news").textContent !== text) byId("news").textContent = text;
  byId("changes").replaceChildren(
    ...changes.slice(0, 12).map(({ id, form, before, after }) =>
      make("li", {}, make("button", { type: "button", className: "change", dataset: { word: String(id) } }, make("bdi", {}, form), ": ", make("bdi", {}, before), " → ", make("bdi", {}, after))),
    ),
    ...(changes.length > 12 ? [make("li", {}, `and ${changes.length - 12} more`)] : []),
  );
}

function renderTrees({ answer }) {
  const trees = answer.trees ?? [];
  const tree = trees[session.tree];
  byId("tree-text").textContent = tree ? `Tree ${session.tree + 1} of ${trees.length}: ${percent(tree.probability)}` : "Tree 1";
  byId("tree-back").disabled = session.tree === 0;
  byId("tree-on").disabled = session.tree + 1 >= trees.length;
  byId("take-tree").hidden = session.tree === 0;
}

// The address has the state of the page, so that reloading it, or sending it to somebody, restores everything.

function fragment() {
  const { text, lines, keep, model, threshold, current } = session;
  return toFragment({ text, lines, keep, model, threshold, sentence: current + 1, pins: session.allPins() });
}

function rememberInAddress() {
  clearTimeout(rememberInAddress.timer);
  rememberInAddress.timer = setTimeout(() => {
    const wanted = session.text === "" || session.text.length > LONGEST_IN_ADDRESS ? location.pathname + location.search : fragment();
    history.replaceState(null, "", wanted);
  }, 300);
}

function restoreFromAddress() {
  const state = fromFragment(location.hash);
  if (state === null) return false;
  byId("text").value = state.text;
  byId("lines").checked = state.lines;
  byId("keep").checked = state.keep;
  fitText();
  session.awaitedPins = state.pins;
  session.current = state.sentence - 1;
  session.records = [];
  session.undoable = [];
  const known = models.models.some(({ name }) => name === state.model);
  if (known) byId("model").value = state.model;
  session.caretSentence = null;
  session.setInput({ text: state.text, lines: state.lines, keep: state.keep, threshold: state.threshold, model: known ? state.model : null }, { now: true });
  return true;
}

// The text

function fitText() {
  const text = byId("text");
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight + 2, innerHeight * 0.32)}px`;
}

/** The sentence in which the caret is, so that the one that is being typed is the one that is drawn. */
function caretSentence(records) {
  const text = byId("text");
  if (document.activeElement !== text) return null;
  if (session.isConllu) return sentenceAtCaret(text.value, text.selectionStart);
  const caret = [...text.value.slice(0, text.selectionStart)].length;
  const at = records.findLastIndex(({ base }) => (base.words[0]?.start ?? Infinity) <= caret);
  return at < 0 ? null : at;
}

function textChanged({ now = false } = {}) {
  session.caretSentence = caretSentence;
  fitText();
  session.setInput({ text: byId("text").value, lines: byId("lines").checked, keep: byId("keep").checked }, { now });
}

function setText(text) {
  byId("text").value = text;
  session.current = 0;
  textChanged({ now: true });
}

async function copyLink() {
  const link = new URL(fragment(), location.href).href;
  const button = byId("copy-link");
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = "Copied";
  } catch {
    history.replaceState(null, "", fragment());
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 2000);
}

function connect() {
  const on = (id, event, action) => byId(id).addEventListener(event, action);
  on("text", "input", () => textChanged());
  on("lines", "change", () => textChanged({ now: true }));
  on("keep", "change", () => textChanged({ now: true }));
  on("model", "change", (event) => session.setInput({ model: event.target.value }, { now: true }));
  on("least", "click", () => interaction.showLeastCertain());
  on("undo", "click", () => session.undo());
  on("unpin-all", "click", () => session.unpinAll());
  on("tree-back", "click", () => session.stepTree(-1));
  on("tree-on", "click", () => session.stepTree(1));
  on("take-tree", "click", () => session.takeTree());
  on("threshold", "input", (event) => session.setThreshold(Number(event.target.value)));
  on("changes", "click", (event) => {
    const button = event.target.closest("button");
    if (button) interaction.focusWord(Number(button.dataset.word));
  });
  on("export-conllu", "click", () => download("copse.conllu", "text/plain;charset=utf-8", conlluOf(session.records, session.threshold)));
  on("export-json", "click", () => download("copse.json", "application/json", jsonOf(session.records, { model: session.model ?? models.default, threshold: session.threshold })));
  on("export-svg", "click", () => {
    const { answer } = session.record;
    const text = answer.text ?? answer.words.map(({ form }) => form).join(" ");
    download("copse.svg", "image/svg+xml", svgOf(drawing.svg, { layout: drawing.layout, text }));
  });
  on("copy-link", "click", copyLink);
  on("help", "click", () => byId("help-dialog").showModal());
  on("help-close", "click", () => byId("help-dialog").close());
  on("retry", "click", () => retry?.());
  on("dismiss", "click", () => showError(null));
  on("token-form", "submit", (event) => {
    event.preventDefault();
    setToken(byId("token").value.trim());
    byId("token").value = "";
    start();
  });
  on("skip", "click", (event) => {
    event.preventDefault(); // the address keeps the state
    byId("drawing-title").focus();
  });
  addEventListener("hashchange", restoreFromAddress);
  on("scroll", "scroll", fadeEdges);
  addEventListener("resize", () => {
    fitText();
    fadeEdges();
  });
  byId("examples").append(
    ...EXAMPLES.map(([name, text]) => {
      const button = make("button", { type: "button", className: "example", title: text }, name);
      button.addEventListener("click", () => setText(text));
      return button;
    }),
  );
}

async function start() {
  try {
    models = await fetchModels();
    byId("model").replaceChildren(...models.models.map(({ name }) => make("option", { value: name, selected: name === models.default }, name)));
    byId("model-choice").hidden = models.models.length < 2;
    showError(null);
  } catch (error) {
    showError(error, start);
    if (error.needsToken) return;
  }
  if (session.text !== "") session.requestText();
  else if (!restoreFromAddress()) setText(byId("text").value || EXAMPLES[0][1]);
}

connect();
startTheme();
start();
