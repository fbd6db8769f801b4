// What can be taken away from the page: CoNLL-U, JSON, a drawing.

import { withOpenArcs } from "./conllu.js";

/** All sentences; what is less probable than the threshold has `_` as its head. */
export function conlluOf(records, threshold) {
  return records.map(({ answer }) => `${withOpenArcs(answer, threshold).trimEnd()}\n\n`).join("");
}

/** The answers of the server under what was pinned, as one object. */
export function jsonOf(records, { model, threshold }) {
  const sentences = records.map(({ answer }) => {
    const kept = { ...answer };
    delete kept.conllu;
    return kept;
  });
  return `${JSON.stringify({ model, min_confidence: threshold, sentences }, null, 1)}\n`;
}

const STYLE = `
svg { background: #fdfcf9; font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
text { text-anchor: middle; fill: #23282a; }
.form { font-size: 17px; font-weight: 500; }
.rtl .form, .rtl .token { direction: rtl; }
.tag { font-size: 10.5px; font-weight: 500; letter-spacing: .6px; fill: #5f6a66; }
.token { font-size: 12px; font-style: italic; fill: #5f6a66; }
.token-line { fill: none; stroke: #b9c0bb; }
.label { font-size: 12px; font-weight: 500; fill: #3c4643; }
.label-back { fill: #fdfcf9; }
.underline { fill: none; stroke: none; }
.doubtful .underline { stroke: #a85b00; stroke-width: 1.4; stroke-dasharray: 3 2.5; }
.stroke { fill: none; stroke: #43504b; }
.head, .root-mark { fill: #43504b; }
.doubtful .stroke { stroke: #a85b00; stroke-dasharray: 6 3.5; }
.doubtful .head, .doubtful .root-mark, .doubtful .label { fill: #96500a; }
.pinned .stroke { stroke: #1f7a55; }
.pinned .head, .pinned .root-mark, .pinned .label { fill: #1b6b4b; }
.open-mark { fill: none; stroke: #96500a; stroke-width: 1.5; stroke-dasharray: 2 2; }
@media (prefers-color-scheme: dark) {
svg { background: #15191a; }
text { fill: #e7ebe8; }
.tag, .token { fill: #98a39e; }
.label { fill: #c3ccc7; }
.label-back { fill: #15191a; }
.doubtful .underline { stroke: #e5a13d; }
.stroke { stroke: #a3b0aa; }
.head, .root-mark { fill: #a3b0aa; }
.doubtful .stroke { stroke: #e5a13d; }
.doubtful .head, .doubtful .root-mark, .doubtful .label { fill: #edb055; }
.pinned .stroke { stroke: #4fc08d; }
.pinned .head, .pinned .root-mark, .pinned .label { fill: #63cc9c; }
.open-mark { stroke: #edb055; }
}
`;

/** The drawing as a file of its own: with its styles, without what is only there for the pointer and the keyboard. */
export function svgOf(drawing, { layout, text }) {
  const copy = drawing.cloneNode(true);
  for (const node of copy.querySelectorAll(".ghosts, .hit, .halo, .box")) node.remove();
  for (const node of copy.querySelectorAll("*")) {
    for (const { name } of [...node.attributes]) {
      if (/^(aria-|data-|role$|tabindex$)/.test(name)) node.removeAttribute(name);
    }
  }
  copy.setAttribute("class", drawing.classList.contains("rtl") ? "rtl" : "");
  for (const name of ["id", "style"]) copy.removeAttribute(name);
  const height = Math.ceil(layout.below + 14);
  copy.setAttribute("height", height);
  copy.setAttribute("viewBox", `0 0 ${Math.ceil(layout.width)} ${height}`);
  copy.setAttribute("role", "img");
  const title = document.createElementNS(copy.namespaceURI, "title");
  title.textContent = text;
  copy.prepend(title);
  // The styles are put in as text: in the page, a <style> would be against its security policy.
  const source = new XMLSerializer().serializeToString(copy);
  const end = source.indexOf(">") + 1;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${source.slice(0, end)}<style>${STYLE}</style>${source.slice(end)}\n`;
}

export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
