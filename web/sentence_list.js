// The list of sentences beside the drawing, for texts of more than one.

import { countWords } from "./changes.js";
import { byId, make } from "./dom.js";
import { doubtfulWords } from "./uncertainty.js";

function label({ answer, pins }, index) {
  const doubtful = doubtfulWords(answer);
  const notes = [];
  if (doubtful > 0) notes.push(make("span", { className: "note doubt", title: `${countWords(doubtful)} with a doubtful head` }, `${doubtful}?`));
  if (pins.size > 0) notes.push(make("span", { className: "note pins", title: `${countWords(pins.size)} pinned` }, `◆${pins.size}`));
  const text = answer.text ?? answer.words.map(({ form }) => form).join(" ");
  const said = `Sentence ${index + 1}: ${text}. ${doubtful > 0 ? `${doubtful} doubtful` : "nothing doubtful"}${pins.size > 0 ? `, ${pins.size} pinned` : ""}`;
  return { doubtful, notes, text, said };
}

export class SentenceList {
  constructor(onSelect) {
    this.items = [];
    byId("sentence-list").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) onSelect(Number(button.dataset.index));
    });
  }

  render(records, current) {
    byId("sentences").hidden = records.length < 2;
    byId("work").classList.toggle("with-list", records.length >= 2);
    if (records.length < 2) {
      this.items = [];
      byId("sentence-list").replaceChildren();
      return;
    }
    let doubtful = 0;
    let words = 0;
    const list = byId("sentence-list");
    while (this.items.length > records.length) this.items.pop().li.remove();
    records.forEach((record, index) => {
      const seen = this.items[index];
      doubtful += doubtfulWords(record.answer);
      words += record.answer.words.length;
      if (seen?.answer === record.answer && seen.pins === record.pins.size) return;
      const { notes, text, said } = label(record, index);
      const button = make("button", { type: "button", dataset: { index: String(index) }, "aria-label": said }, make("span", { className: "text", dir: "auto" }, text), ...notes);
      const li = make("li", {}, button);
      if (seen) seen.li.replaceWith(li);
      else list.append(li);
      this.items[index] = { li, answer: record.answer, pins: record.pins.size };
    });
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.items[current]?.li.firstChild;
    button?.setAttribute("aria-current", "true");
    if (button && this.shown !== current) {
      // Only the list scrolls, not the page.
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
    }
    this.shown = current;
    byId("sentence-count").textContent = `${records.length.toLocaleString("en")} sentences, ${countWords(words)}${doubtful > 0 ? `, ${doubtful.toLocaleString("en")} doubtful` : ""}`;
  }
}
