// Where words, arcs and labels go. Nothing here knows of the document; text is measured by a function that is given.

export const METRICS = {
  level: 32, // height of a level of arcs
  crowdedLevel: 26, // the same where the nesting is deep
  crowded: 9, // levels from which it is deep
  slot: 8, // distance of two arcs at one word
  openSlot: 15, // the same for the mark of an open head
  gap: 24, // between two words
  margin: 28, // left and right of the sentence
  top: 26, // above the highest arc
  wordTop: 10, // from where arcs end to the top of the word
  wordHeight: 44, // form and tag
  token: 22, // forms of multiword tokens
  ghostLevel: 27,
  ghostTop: 8,
  ghostBottom: 16,
  labelPadding: 22,
};

/**
 * Levels of arcs ({ left, right }): an arc lies above every shorter arc that it covers or crosses. In a projective tree
 * no two lines meet, then. Returns an array as long as `arcs`.
 */
export function arcLevels(arcs) {
  const order = arcs.map((_, i) => i).sort((a, b) => arcs[a].right - arcs[a].left - (arcs[b].right - arcs[b].left));
  const levels = new Array(arcs.length).fill(0);
  const placed = [];
  for (const i of order) {
    let level = 0;
    for (const j of placed) {
      if (arcs[j].left < arcs[i].right && arcs[i].left < arcs[j].right) level = Math.max(level, levels[j]);
    }
    levels[i] = level + 1;
    placed.push(i);
  }
  return levels;
}

/** The ends of arcs at each word, left to right, in an order that keeps lines of nested arcs apart. */
function slotsOfWords(count, arcs, roots, open) {
  const slots = Array.from({ length: count + 1 }, () => []);
  arcs.forEach((arc, index) => {
    const span = arc.right - arc.left;
    // At its left end an arc goes to the right: the longest is nearest to the middle. At its right end, likewise.
    slots[arc.left].push({ index, order: 1 / span });
    slots[arc.right].push({ index, order: -1 / span });
  });
  for (const word of roots) slots[word].push({ index: -1, order: 0 });
  for (const word of open) slots[word].push({ index: -1, order: 0, width: METRICS.openSlot });
  for (const ends of slots) {
    ends.sort((a, b) => a.order - b.order);
    ends.width = ends.reduce((sum, { width = METRICS.slot }) => sum + width, 0);
    let at = -ends.width / 2;
    for (const end of ends) {
      const width = end.width ?? METRICS.slot;
      end.offset = at + width / 2;
      at += width;
    }
  }
  return slots;
}

/** Centres of words, from the left, so that neither words nor labels of arcs overlap. */
function placeWords(widths, spans, distances) {
  const centres = [0];
  const needs = widths.map(() => []);
  for (const { left, right, needed } of spans) needs[right].push({ left, needed });
  for (let word = 1; word < widths.length; word++) {
    let x = word === 1 ? METRICS.margin + widths[1] / 2 : centres[word - 1] + widths[word - 1] / 2 + METRICS.gap + widths[word] / 2;
    for (const { left, needed } of needs[word]) x = Math.max(x, centres[left] + needed);
    if (word > 1) x = Math.max(x, centres[word - 1] + (distances?.[word - 2] ?? 0));
    centres.push(x);
  }
  return centres;
}

/** Levels of the arcs from a word to its alternative heads, nearest first on either side. */
export function ghostLevels(word, heads) {
  const levels = new Map();
  for (const side of [-1, 1]) {
    heads
      .filter((head) => head !== 0 && Math.sign(head - word) === side)
      .sort((a, b) => Math.abs(a - word) - Math.abs(b - word))
      .forEach((head, i) => levels.set(head, i + 1));
  }
  return levels;
}

/**
 * words: [{ id, form, tag, head (null: open), label, ghosts: [{ head, label }] }] in order, ids from 1.
 * measure(text, kind): the width of a "word", a "tag" or a "label".
 * earlier: a layout of the same words; nothing gets narrower or lower than there, so that words stay where they are.
 * Coordinates count from the start of the sentence; `x(…)` mirrors them where text runs from right to left.
 */
export function layoutSentence(words, { measure, rightToLeft = false, tokens = [], earlier = null }) {
  const arcs = [];
  const roots = [];
  const open = [];
  for (const { id, head, label } of words) {
    if (head === null) open.push(id);
    else if (head === 0) roots.push(id);
    else arcs.push({ word: id, head, left: Math.min(id, head), right: Math.max(id, head), label });
  }
  const levels = arcLevels(arcs);
  const slots = slotsOfWords(words.length, arcs, roots, open);
  const widths = [0];
  for (const { id, form, tag } of words) {
    widths.push(Math.max(measure(form, "word"), measure(tag, "tag"), slots[id].width, 24));
  }

  const half = (word) => slots[word].width / 2;
  const spans = arcs.map(({ left, right, label }) => ({
    left,
    right,
    needed: measure(label, "label") + METRICS.labelPadding + half(left) + half(right),
  }));
  for (const { id, ghosts } of words) {
    for (const { head, label } of ghosts) {
      if (head === 0) continue;
      const needed = measure(label, "label") + METRICS.labelPadding + 2 * METRICS.slot;
      spans.push({ left: Math.min(id, head), right: Math.max(id, head), needed });
    }
  }
  const centres = placeWords(widths, spans, earlier?.distances);
  const last = words.length;
  const width = last === 0 ? 0 : centres[last] + widths[last] / 2 + METRICS.margin;

  const deepest = Math.max(0, ...levels);
  const rootLevel = (word) => 1 + Math.max(0, ...levels.filter((_, i) => arcs[i].left <= word && word <= arcs[i].right));
  const rootLevels = new Map(roots.map((word) => [word, rootLevel(word)]));
  const height = deepest >= METRICS.crowded ? METRICS.crowdedLevel : METRICS.level;
  const highest = Math.max(1, deepest, ...rootLevels.values());
  const base = Math.max(METRICS.top + highest * height, earlier?.base ?? 0);

  let deepestGhost = Math.max(1, earlier?.deepestGhost ?? 0);
  for (const { id, ghosts } of words) {
    const heads = ghosts.map(({ head }) => head);
    deepestGhost = Math.max(deepestGhost, heads.includes(0) ? 1 : 0, ...ghostLevels(id, heads).values());
  }
  const below = base + METRICS.wordTop + METRICS.wordHeight + (tokens.length > 0 ? METRICS.token : 0);

  const x = rightToLeft ? (at) => width - at : (at) => at;
  // An arc's slot at a word; -1 is that of the root's arc, or of an open head.
  const slotAt = (word, arc) => centres[word] + slots[word].find(({ index }) => index === arc).offset;
  return {
    width,
    height: below + METRICS.ghostTop + deepestGhost * METRICS.ghostLevel + METRICS.ghostBottom,
    base,
    below,
    x,
    deepestGhost,
    distances: centres.slice(2).map((centre, i) => centre - centres[i + 1]),
    words: words.map(({ id }) => ({ id, x: x(centres[id]), width: widths[id] })),
    arcs: arcs.map((arc, index) => {
      const ends = [slotAt(arc.left, index), slotAt(arc.right, index)];
      const [from, to] = arc.head < arc.word ? ends : [ends[1], ends[0]];
      return { word: arc.word, head: arc.head, from: x(from), to: x(to), y: base - levels[index] * height, level: levels[index] };
    }),
    roots: roots.map((word) => ({
      word,
      x: x(slotAt(word, -1)),
      y: base - rootLevels.get(word) * height,
    })),
    open: open.map((word) => ({ word, x: x(slotAt(word, -1)) })),
    tokens: tokens.map(({ first, last: end, form }) => ({
      form,
      from: x(centres[first] - widths[first] / 2),
      to: x(centres[end] + widths[end] / 2),
    })),
  };
}

/** The arcs below the words from one word to its alternative heads. */
export function layoutGhosts(layout, word, heads) {
  const levels = ghostLevels(word, heads);
  const centre = layout.words[word - 1].x;
  const arcs = [];
  const direction = Math.sign(layout.x(1) - layout.x(0)); // 1, or -1 from right to left
  const sides = { [-1]: 0, 1: 0 };
  for (const level of levels.keys()) sides[Math.sign(level - word)]++;
  for (const head of heads) {
    if (head === 0) {
      arcs.push({ head, x: centre, y: layout.below + METRICS.ghostTop + METRICS.ghostLevel });
      continue;
    }
    const side = Math.sign(head - word);
    const level = levels.get(head);
    // The longest arc is nearest to the middle of the word.
    const offset = (sides[side] - level + 1) * METRICS.slot * side * direction;
    arcs.push({
      head,
      from: layout.words[head - 1].x,
      to: centre + offset,
      y: layout.below + METRICS.ghostTop + level * METRICS.ghostLevel,
    });
  }
  return arcs;
}

/** An arc with round corners from (from, base) over the height y to (to, base). */
export function arcPath(from, to, base, y) {
  const way = Math.sign(to - from) || 1;
  const radius = Math.min(18, Math.abs(to - from) / 2, Math.abs(base - y));
  const bend = y < base ? radius : -radius;
  const round = (number) => Math.round(number * 10) / 10;
  const [x1, x2, yb, yt] = [from, to, base, y].map(round);
  const inner = [from + way * radius, to - way * radius].map(round);
  const corner = round(y + bend);
  return `M${x1} ${yb}V${corner}Q${x1} ${yt} ${inner[0]} ${yt}H${inner[1]}Q${x2} ${yt} ${x2} ${corner}V${yb}`;
}

/** Whether a text runs from right to left: its first letter with a direction says so. */
export function runsRightToLeft(text) {
  const strong = /\p{L}/u.exec(text ?? "");
  return strong !== null && /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(strong[0]);
}
