// The state of the page as the fragment of its address, and back.

/** Texts longer than this are not put into the address while one types. */
export const LONGEST_IN_ADDRESS = 8000;

/** pins: [{ sentence, word, head, deprel }], all numbers from 1, head 0 the root. */
export function toFragment({ text, lines, keep, model, threshold, sentence, pins }) {
  const parts = new URLSearchParams();
  if (model) parts.set("model", model);
  if (lines) parts.set("lines", "1");
  if (keep) parts.set("keep", "1");
  if (threshold > 0) parts.set("min", String(threshold));
  if (sentence > 1) parts.set("sentence", String(sentence));
  for (const pin of pins) {
    parts.append("pin", [pin.sentence, pin.word, pin.head, ...(pin.deprel ? [pin.deprel] : [])].join("."));
  }
  parts.set("text", text);
  return `#${parts.toString()}`;
}

function wholeNumber(text, least) {
  const number = /^[0-9]{1,7}$/.test(text ?? "") ? Number(text) : NaN;
  return number >= least ? number : null;
}

/** What toFragment has written; null if there is no text. What cannot be read is left out. */
export function fromFragment(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!parts.has("text")) return null;
  const pins = [];
  for (const value of parts.getAll("pin")) {
    const [sentence, word, head, ...deprel] = value.split(".");
    const pin = { sentence: wholeNumber(sentence, 1), word: wholeNumber(word, 0), head: wholeNumber(head, 0) };
    if (pin.sentence === null || pin.word === null || pin.head === null) continue;
    pins.push({ ...pin, deprel: deprel.join(".") || null });
  }
  const threshold = Number(parts.get("min"));
  return {
    text: parts.get("text"),
    lines: parts.get("lines") === "1",
    keep: parts.get("keep") === "1",
    model: parts.get("model"),
    threshold: threshold > 0 && threshold <= 1 ? threshold : 0,
    sentence: wholeNumber(parts.get("sentence"), 1) ?? 1,
    pins,
  };
}
