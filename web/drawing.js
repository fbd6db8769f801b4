// The drawing of a sentence: SVG elements made from a layout.

import { METRICS, arcPath, layoutGhosts, layoutSentence, runsRightToLeft } from "./layout.js";
import { isDoubtful, percent } from "./uncertainty.js";

const SVG = "http://www.w3.org/2000/svg";
const LONGEST_FORM = 48; // code points; the rest is in the tooltip
const MOST_GHOSTS = 7;

export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function shortened(form) {
  const points = [...form];
  return points.length <= LONGEST_FORM ? form : `${points.slice(0, LONGEST_FORM - 1).join("")}…`;
}

/** A function that measures text in the fonts of the drawing. */
function textMeasure(container) {
  const family = getComputedStyle(container).fontFamily;
  const context = document.createElement("canvas").getContext("2d");
  const fonts = { word: `500 17px ${family}`, tag: `500 10.5px ${family}`, label: `500 12px ${family}` };
  const widths = new Map();
  return (text, kind) => {
    if (!text) return 0;
    const key = `${kind}${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context.font = fonts[kind];
      width = context.measureText(text).width + (kind === "tag" ? text.length * 0.6 : 0);
      if (widths.size > 20000) widths.clear();
      widths.set(key, width);
    }
    return width;
  };
}

const arrowHead = (x, y, way) => `M${x} ${y}l-4 ${-7 * way}h8z`;

/** Long arcs have their label near either end, since the middle may be out of sight. */
function labelPlaces({ from, to }) {
  const inwards = Math.sign(to - from) * 110;
  return Math.abs(to - from) > 700 ? [from + inwards, to - inwards] : [(from + to) / 2];
}

/** Shows one sentence in an <svg>. Words keep their elements, and the focus, while the sentence stays the same. */
export class Drawing {
  constructor(svg) {
    this.svg = svg;
    this.measure = textMeasure(svg);
    this.arcLayer = element("g", { class: "arcs", "aria-hidden": "true" });
    this.ghostLayer = element("g", { class: "ghosts", "aria-hidden": "true" });
    this.tokenLayer = element("g", { class: "tokens", "aria-hidden": "true" });
    this.wordLayer = element("g", { class: "words", role: "listbox", "aria-orientation": "horizontal", "aria-label": "Words of the sentence" });
    svg.replaceChildren(this.tokenLayer, this.arcLayer, this.ghostLayer, this.wordLayer);
    this.words = [];
    this.forms = "";
  }

  clear() {
    for (const layer of [this.arcLayer, this.ghostLayer, this.tokenLayer, this.wordLayer]) layer.replaceChildren();
    this.words = [];
    this.forms = "";
    this.layout = null;
    this.svg.setAttribute("width", 0);
    this.svg.setAttribute("height", 0);
  }

  /**
   * sentence: the server's; shown: the words of the tree to draw, as the session has them.
   */
  render(sentence, shown) {
    this.shown = shown;
    const labelled = shown.map((word) => ({ ...word, text: this.labelText(word) }));
    const forms = shown.map(({ form }) => form).join("\u0001");
    const earlier = forms === this.forms ? this.layout : null;
    const rightToLeft = runsRightToLeft(shown.map(({ form }) => form).join(" "));
    this.svg.classList.toggle("rtl", rightToLeft);
    this.layout = layoutSentence(
      labelled.map((word) => ({
        id: word.id,
        form: shortened(word.form),
        tag: word.upos ?? word.xpos ?? "",
        head: word.openHead ? null : word.head,
        label: word.text,
        ghosts: this.ghostsOf(word).map((other) => ({ head: other.head, label: this.ghostText(other) })),
      })),
      {
        measure: this.measure,
        rightToLeft,
        tokens: sentence.multiword_tokens ?? [],
        earlier,
      },
    );
    const { width, height } = this.layout;
    this.svg.setAttribute("width", Math.ceil(width));
    this.svg.setAttribute("height", Math.ceil(height));
    this.svg.setAttribute("viewBox", `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
    this.drawArcs(labelled);
    this.drawTokens();
    this.drawWords(forms);
    this.ghostLayer.replaceChildren();
  }

  /** The other heads of a word that are worth drawing. */
  ghostsOf(word) {
    const drawn = word.openHead ? null : word.head;
    return word.offered.filter(({ head, p }) => head !== drawn && p >= 0.01).slice(0, MOST_GHOSTS);
  }

  labelText(word) {
    if (word.openHead) return "";
    const label = word.openLabel ? "label open" : (word.deprel ?? "");
    if (word.pinned) return `◆ ${label}`.trim();
    return isDoubtful(word.p) ? `${label} ${percent(word.p)}?`.trim() : label;
  }

  ghostText({ deprel, p }) {
    return `${deprel ?? ""} ${percent(p)}`.trim();
  }

  describeArc(word) {
    const head = word.head === 0 ? "root of the sentence" : `${word.form} ← ${this.shown[word.head - 1]?.form}`;
    return `${head}, ${word.deprel ?? "no label"}: ${word.pinned ? "pinned" : percent(word.p)}`;
  }

  drawArcs(labelled) {
    const { base, arcs, roots, open } = this.layout;
    const groups = [];
    for (const arc of arcs) {
      groups.push(this.arcGroup(labelled[arc.word - 1], arcPath(arc.from, arc.to, base, arc.y), arc.to, labelPlaces(arc), arc.y));
    }
    for (const { word, x, y } of roots) {
      const group = this.arcGroup(labelled[word - 1], `M${x} ${y + 6}V${base}`, x, [x], y - 8);
      group.classList.add("root");
      group.querySelector(".line").append(element("circle", { class: "root-mark", cx: x, cy: y + 6, r: 3.5 }));
      groups.push(group);
    }
    for (const { word: id, x } of open) {
      const word = labelled[id - 1];
      const group = element("g", { class: `arc open${word.changed ? " changed" : ""}`, "data-arc": id });
      group.append(
        element("circle", { class: "open-mark", cx: x, cy: base - 4, r: 5 }),
        element("title", {}, `${word.form}: left open, since its best head has ${percent(word.p)}`),
      );
      groups.push(group);
    }
    // Certain arcs first: what is doubtful or pinned is drawn over them.
    groups.sort((a, b) => Number(a.dataset.rank ?? 0) - Number(b.dataset.rank ?? 0));
    this.arcLayer.replaceChildren(...groups);
  }

  arcGroup(word, path, arrowX, labelXs, labelY) {
    const { base } = this.layout;
    const classes = ["arc"];
    if (word.pinned) classes.push("pinned");
    else if (isDoubtful(word.p)) classes.push("doubtful");
    if (word.changed) classes.push("changed");
    const strength = word.pinned ? 1 : word.p;
    const group = element("g", { class: classes.join(" "), "data-arc": word.id, "data-rank": classes.length });
    const line = element("g", { class: "line", opacity: (0.4 + 0.6 * strength).toFixed(2) });
    line.append(
      element("path", { class: "stroke", d: path, "stroke-width": (0.8 + 1.3 * strength).toFixed(2) }),
      element("path", { class: "head", d: arrowHead(arrowX, base + 2, 1) }),
    );
    group.append(
      element("title", {}, this.describeArc(word)),
      element("path", { class: "hit", d: path }),
      line,
      ...labelXs.flatMap((x) => this.label(word.text, x, labelY)),
    );
    if (word.changed) group.insertBefore(element("path", { class: "halo", d: path }), line);
    return group;
  }

  /** A label in the middle of a line, which it interrupts. */
  label(text, x, y) {
    if (text === "") return [];
    const width = this.measure(text, "label") + 8;
    return [
      element("rect", { class: "label-back", x: x - width / 2, y: y - 8, width, height: 16 }),
      element("text", { class: "label", x, y: y + 4 }, text),
    ];
  }

  drawTokens() {
    const y = this.layout.base + METRICS.wordTop + METRICS.wordHeight;
    this.tokenLayer.replaceChildren(
      ...this.layout.tokens.flatMap(({ form, from, to }) => [
        element("path", { class: "token-line", d: `M${from} ${y}V${y + 4}H${to}V${y}` }),
        element("text", { class: "token", x: (from + to) / 2, y: y + 16 }, shortened(form)),
      ]),
    );
  }

  drawWords(forms) {
    if (forms !== this.forms || this.words.length !== this.shown.length) {
      this.words = this.shown.map((word) => this.wordGroup(word));
      this.wordLayer.replaceChildren(...this.words);
      this.forms = forms;
    }
    const y = this.layout.base + METRICS.wordTop;
    this.shown.forEach((word, i) => {
      const { x, width } = this.layout.words[i];
      const group = this.words[i];
      group.setAttribute("transform", `translate(${Math.round(x * 10) / 10} ${y})`);
      const [box, , tag, underline] = group.children;
      box.setAttribute("x", -width / 2 - 8);
      box.setAttribute("width", width + 16);
      const half = this.measure(shortened(word.form), "word") / 2;
      underline.setAttribute("d", `M${-half} 20.5H${half}`);
      tag.textContent = word.upos ?? word.xpos ?? "";
      group.setAttribute("aria-label", this.describeWord(word));
      group.classList.toggle("doubtful", !word.pinned && isDoubtful(word.p));
      group.classList.toggle("changed", word.changed === true);
      group.classList.toggle("pinned", word.pinned);
    });
  }

  wordGroup(word) {
    const group = element("g", { class: "word", role: "option", tabindex: -1, "aria-selected": "false", "data-word": word.id });
    group.append(
      element("rect", { class: "box", y: -4, height: METRICS.wordHeight + 2, rx: 7 }),
      element("text", { class: "form", y: 16 }, shortened(word.form)),
      element("text", { class: "tag", y: 34 }),
      element("path", { class: "underline" }),
    );
    if ([...word.form].length > LONGEST_FORM) group.append(element("title", {}, word.form));
    return group;
  }

  describeWord(word) {
    const parts = [word.form];
    if (word.upos) parts.push(word.upos);
    if (word.openHead) parts.push(`head left open, best ${percent(word.p)}`);
    else {
      const head = word.head === 0 ? "root" : `depends on ${this.shown[word.head - 1]?.form}`;
      parts.push(word.deprel && word.head !== 0 ? `${head} as ${word.deprel}` : head);
      if (word.pinned) parts.push("pinned");
      else parts.push(isDoubtful(word.p) ? `doubtful, ${percent(word.p)}` : percent(word.p));
    }
    if (word.changed) parts.push("changed");
    return parts.join(", ");
  }

  /** Marks the words that are selected and pointed at, shows alternatives of one, and marks one of these. */
  mark({ selected, pointed, candidate }) {
    const active = pointed ?? selected;
    this.words.forEach((group, i) => {
      group.classList.toggle("selected", i + 1 === selected);
      group.classList.toggle("pointed", i + 1 === active);
      group.setAttribute("aria-selected", String(i + 1 === selected));
      group.setAttribute("tabindex", i + 1 === (selected ?? 1) ? 0 : -1);
    });
    this.svg.classList.toggle("has-active", active !== null && active !== undefined);
    for (const group of this.arcLayer.children) group.classList.toggle("active", Number(group.dataset.arc) === active);
    this.drawGhosts(active, candidate);
  }

  drawGhosts(active, candidate) {
    if (!active || !this.layout) {
      this.ghostLayer.replaceChildren();
      return;
    }
    const shown = this.shown[active - 1];
    const others = this.ghostsOf(shown);
    const { below } = this.layout;
    const places = layoutGhosts(this.layout, active, others.map(({ head }) => head));
    this.ghostLayer.replaceChildren(
      ...others.map((other, i) => {
        const place = places[i];
        const root = other.head === 0;
        const path = root ? `M${place.x} ${place.y}V${below}` : arcPath(place.from, place.to, below, place.y);
        const end = root ? place.x : place.to;
        const group = element("g", { class: `ghost${other.head === candidate ? " candidate" : ""}`, "data-ghost": other.head, "data-of": active });
        const head = root ? "the root" : this.shown[other.head - 1].form;
        const line = element("g", { class: "line", opacity: (0.55 + 0.45 * other.p).toFixed(2) });
        line.append(
          element("path", { class: "stroke", d: path, "stroke-width": (0.9 + 1.2 * other.p).toFixed(2) }),
          element("path", { class: "head", d: arrowHead(end, below - 1, -1) }),
        );
        if (root) line.append(element("circle", { class: "root-mark", cx: place.x, cy: place.y, r: 3.5 }));
        group.append(
          element("title", {}, `Pin ${head} as the head of ${shown.form} (${percent(other.p)})`),
          element("path", { class: "hit", d: path }),
          line,
          ...this.label(this.ghostText(other), root ? place.x : place.to + Math.max(-350, Math.min(350, (place.from - place.to) / 2)), place.y + (root ? 12 : 0)),
        );
        return group;
      }),
    );
  }
}
