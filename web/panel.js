// The panel of one word: its possible heads as a list, any other head, its label.

import { byId, make } from "./dom.js";
import { percent } from "./uncertainty.js";

const headName = (words, head) => (head === 0 ? "the root" : words[head - 1].form);

export class Panel {
  /** actions: { pin(word, head, deprel), unpin(word), close() } */
  constructor(actions) {
    this.word = null;
    byId("panel-close").addEventListener("click", () => actions.close());
    byId("unpin").addEventListener("click", () => actions.unpin(this.word));
    byId("alternatives").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.getAttribute("aria-pressed") === "true") actions.unpin(this.word);
      else actions.pin(this.word, Number(button.dataset.head));
    });
    byId("other-head").addEventListener("change", (event) => {
      if (event.target.value !== "") actions.pin(this.word, Number(event.target.value));
    });
    byId("label").addEventListener("change", (event) => {
      if (event.target.value !== "" && this.head !== null) actions.pin(this.word, this.head, event.target.value);
    });
  }

  render(record, shownWords, id, labels, candidate) {
    const panel = byId("panel");
    this.word = id;
    panel.hidden = id === null;
    if (id === null) return;
    const word = record.answer.words[id - 1];
    const shown = shownWords[id - 1];
    const pin = record.pins.get(id);
    this.head = shown.head;

    byId("panel-title").replaceChildren(make("bdi", {}, word.form));
    const facts = [word.upos, word.lemma && word.lemma !== word.form ? `lemma ${word.lemma}` : null, word.feats?.replaceAll("|", " · ")];
    byId("panel-word").textContent = facts.filter(Boolean).join(" · ");
    byId("panel-question").textContent = pin
      ? "You have pinned its head. Without pins, these would be its heads:"
      : "Which word does it depend on? Pin the right one.";

    const { offered } = shown;
    const rest = 1 - offered.reduce((sum, { p }) => sum + p, 0);
    const focused = document.activeElement?.closest("#alternatives button")?.dataset.head;
    const rows = offered.map((offer) => this.row(record, shown, pin, offer, candidate));
    if (rest > 0.0005) {
      rows.push(make("li", { className: "rest" }, `${percent(rest)} for all other words together`));
    }
    byId("alternatives").replaceChildren(...rows);
    if (focused !== undefined) byId("alternatives").querySelector(`[data-head="${focused}"]`)?.focus();

    const words = record.answer.words;
    const options = [make("option", { value: "" }, "choose…")];
    if (!offered.some(({ head }) => head === 0)) options.push(make("option", { value: "0" }, "the root"));
    for (const other of words) {
      if (other.id === id || offered.some(({ head }) => head === other.id)) continue;
      options.push(make("option", { value: String(other.id) }, `${other.id} ${other.form}`));
    }
    byId("other-head").replaceChildren(...options);

    byId("label-choice").hidden = labels.length === 0 || shown.head === null || shown.head === 0;
    const known = shown.deprel === null || labels.includes(shown.deprel) ? labels : [shown.deprel, ...labels];
    byId("label").replaceChildren(...known.map((label) => make("option", { value: label, selected: label === shown.deprel }, label)));
    byId("unpin").hidden = !pin;
  }

  row(record, shown, pin, { head, deprel, p }, candidate) {
    const words = record.answer.words;
    const drawn = head === shown.head;
    const pinned = pin?.head === head;
    const name = headName(words, head);
    const label = drawn ? shown.deprel : deprel;
    const bar = make("span", { className: "bar", "aria-hidden": "true" }, make("span", {}));
    bar.firstChild.style.width = `${Math.round(1000 * p) / 10}%`;
    const button = make(
      "button",
      {
        type: "button",
        className: `alternative${head === candidate ? " candidate" : ""}${drawn ? " drawn" : ""}`,
        dataset: { head: String(head) },
        "aria-pressed": String(pinned),
        "aria-label": `${pinned ? "Unpin" : "Pin"} ${name}${label ? ` (${label})` : ""}, ${percent(p)}${pinned ? ", pinned" : ""}${drawn ? ", in the tree" : ""}`,
      },
      make("span", { className: "p" }, percent(p)),
      bar,
      make("bdi", { className: "name" }, pinned ? `◆ ${name}` : name),
      make("span", { className: "deprel" }, label ?? ""),
      make("span", { className: "state" }, pinned ? "pinned" : drawn ? "in the tree" : ""),
    );
    return make("li", {}, button);
  }
}
