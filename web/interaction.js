// Pointer and keys on the drawing.

import { byId, motion, speak } from "./dom.js";
import { percent } from "./uncertainty.js";

/** Connects the drawing with the session. `view` has pointed and candidate, which no one else needs to keep. */
export class Interaction {
  constructor(session, drawing, view, refresh) {
    Object.assign(this, { session, drawing, view, refresh });
    const svg = drawing.svg;
    svg.addEventListener("pointermove", (event) => this.point(event));
    svg.addEventListener("pointerleave", () => this.setPointed(null));
    svg.addEventListener("click", (event) => this.click(event));
    // Not on the drawing itself: listeners of focus make an SVG element take the focus.
    byId("scroll").addEventListener("focusin", (event) => {
      const word = Number(event.target.closest?.("[data-word]")?.dataset.word);
      if (word && word !== session.word) this.select(word);
    });
    svg.addEventListener("keydown", (event) => this.wordKey(event));
    document.addEventListener("keydown", (event) => this.pageKey(event));
  }

  setPointed(word) {
    if (this.view.pointed === word) return;
    this.view.pointed = word;
    this.drawing.mark({ selected: this.session.word, pointed: word, candidate: this.view.candidate });
  }

  /** A word, or its arc, is pointed at; on the way to its alternatives it stays so. */
  point(event) {
    if (event.pointerType === "touch") return;
    // A drawing that moves under a pointer at rest is not pointed at.
    const place = `${event.screenX} ${event.screenY}`;
    if (place === this.place) return;
    this.place = place;
    const target = event.target.closest("[data-word], [data-arc]");
    if (target) this.setPointed(Number(target.dataset.word ?? target.dataset.arc));
  }

  click(event) {
    const ghost = event.target.closest("[data-ghost]");
    if (ghost) {
      // The second click of two would meet the next alternative, which has come to this place.
      if (event.detail > 1) return;
      const word = Number(ghost.dataset.of);
      this.focusWord(word);
      this.session.pin(word, Number(ghost.dataset.ghost));
      return;
    }
    const arc = event.target.closest("[data-arc]");
    if (arc) {
      const word = Number(arc.dataset.arc);
      this.focusWord(word);
      if (!arc.classList.contains("open")) this.toggle(word, this.session.shownWords()[word - 1].head);
      return;
    }
    const word = event.target.closest("[data-word]");
    if (word) this.focusWord(Number(word.dataset.word));
  }

  toggle(word, head) {
    const pin = this.session.record.pins.get(word);
    if (pin?.head === head) this.session.unpin(word);
    else this.session.pin(word, head);
  }

  select(word) {
    this.view.candidate = null;
    this.session.selectWord(word);
  }

  /** Selects the word, puts the focus on it and brings it into view. */
  focusWord(word) {
    this.view.pointed = null;
    this.select(word);
    const group = this.drawing.words[word - 1];
    if (!group) return;
    group.focus({ preventScroll: true });
    this.reveal(word);
  }

  reveal(word) {
    const scroll = byId("scroll");
    const { x } = this.drawing.layout.words[word - 1];
    const margin = Math.min(160, scroll.clientWidth / 4);
    if (x < scroll.scrollLeft + margin || x > scroll.scrollLeft + scroll.clientWidth - margin) {
      scroll.scrollTo({ left: x - scroll.clientWidth / 2, behavior: motion() });
    }
    scroll.scrollIntoView({ block: "nearest", behavior: motion() });
  }

  move(step) {
    const count = this.session.record.answer.words.length;
    const word = Math.min(count, Math.max(1, (this.session.word ?? 1) + step));
    this.focusWord(word);
  }

  /** Goes through the heads that are offered for the selected word. */
  moveCandidate(step) {
    const { session, view } = this;
    const { word } = session;
    if (word === null) return;
    const shown = session.shownWords()[word - 1];
    const { offered } = shown;
    if (offered.length === 0) return;
    const at = offered.findIndex(({ head }) => head === (view.candidate ?? shown.head));
    const offer = offered[(at + step + offered.length) % offered.length];
    view.candidate = offer.head;
    const name = offer.head === 0 ? "the root" : session.record.answer.words[offer.head - 1].form;
    speak(`${name}${offer.deprel ? `, ${offer.deprel}` : ""}, ${percent(offer.p)}. Enter pins it.`);
    this.refresh();
  }

  wordKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.session.record) return;
    const { session, view, drawing } = this;
    const onward = drawing.layout.x(1) > drawing.layout.x(0) ? 1 : -1;
    const last = session.record.answer.words.length;
    const actions = {
      ArrowLeft: () => this.move(-onward),
      ArrowRight: () => this.move(onward),
      Home: () => this.focusWord(1),
      End: () => this.focusWord(last),
      ArrowUp: () => this.moveCandidate(-1),
      ArrowDown: () => this.moveCandidate(1),
      Delete: () => session.word && session.unpin(session.word),
      Backspace: () => session.word && session.unpin(session.word),
      Enter: () => this.enter(),
      " ": () => this.enter(),
      Escape: () => {
        view.candidate = null;
        session.selectWord(null);
      },
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  enter() {
    const { session, view } = this;
    if (session.word === null) return;
    const head = view.candidate ?? session.shownWords()[session.word - 1].head;
    if (head !== null) this.toggle(session.word, head);
  }

  showLeastCertain() {
    const word = this.session.showLeastCertain();
    if (word !== null) this.focusWord(word);
  }

  /** Single letters count wherever nobody is typing. */
  pageKey(event) {
    const { session } = this;
    if (event.target.id === "text" && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.showLeastCertain();
      return;
    }
    const typing = event.target.closest?.("textarea, select, input:not([type=range]):not([type=checkbox])");
    if (typing || byId("help-dialog").open || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key !== "z") return;
    const actions = {
      n: () => this.showLeastCertain(),
      z: () => session.undo(),
      "[": () => session.stepTree(-1),
      "]": () => session.stepTree(1),
      PageUp: () => session.selectSentence(session.current - 1),
      PageDown: () => session.selectSentence(session.current + 1),
      "/": () => byId("text").focus(),
      "?": () => byId("help").click(),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(actions, key) || (key.startsWith("Page") && session.records.length < 2)) return;
    event.preventDefault();
    actions[key]();
  }
}
