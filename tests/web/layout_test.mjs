// The layout of arcs, on random trees: no two lines meet, no two labels overlap; and the small pure functions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, useBrowser } from "./page.mjs";

useBrowser();

const SEED = Number(process.env.COPSE_TEST_SEED ?? Date.now() % 1e6);

/** Runs in the page: lays out random projective trees and tells what is wrong with the first bad one. */
async function checkRandomTrees(seed) {
  const { layoutSentence, layoutGhosts } = await import("/layout.js");
  let state = seed;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  // A projective tree: a head splits its span, and every part has a head of its own.
  const grow = (heads, from, to, head) => {
    if (from > to) return;
    const root = from + random(to - from + 1);
    heads[root] = head;
    for (const [left, right] of [[from, root - 1], [root + 1, to]]) {
      let at = left;
      while (at <= right) {
        const end = at + random(right - at + 1);
        grow(heads, at, end, root);
        at = end + 1;
      }
    }
  };
  const measure = (text, kind) => [...text].length * { word: 9, tag: 7, label: 7 }[kind];
  const overlap = (a, b) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
  for (let round = 0; round < 300; round++) {
    const n = 1 + random(40);
    const heads = [];
    grow(heads, 1, n, 0);
    const words = Array.from({ length: n }, (_, i) => ({
      id: i + 1,
      form: "w".repeat(1 + random(12)),
      tag: "NOUN",
      head: random(12) === 0 && heads[i + 1] !== 0 ? null : heads[i + 1],
      label: "l".repeat(random(14)),
      ghosts: n > 2 ? [...new Set([1 + random(n), 1 + random(n), 0])].filter((head) => head !== i + 1).map((head) => ({ head, label: "nmod 11%" })) : [],
    }));
    const rightToLeft = random(2) === 1;
    const layout = layoutSentence(words, { measure, rightToLeft });
    const where = `round ${round}, heads ${words.map(({ head }) => head)}`;
    const boxes = layout.words.map(({ x, width }) => ({ x0: x - width / 2, x1: x + width / 2, y0: 0, y1: 1 }));
    for (let i = 1; i < n; i++) if (overlap(boxes[i], boxes[i - 1])) return `words overlap: ${where}`;
    if (boxes.some(({ x0, x1 }) => x0 < 0 || x1 > layout.width)) return `a word is outside: ${where}`;
    // Lines: three sides of each arc. Sides of two arcs must be apart: vertical against horizontal, and in parallel.
    const sides = (arc) => {
      const [left, right] = [Math.min(arc.from, arc.to), Math.max(arc.from, arc.to)];
      return { left, right, top: arc.y };
    };
    const crosses = (a, b) => [a.left, a.right].some((x) => x > b.left && x < b.right && a.top < b.top);
    for (const [i, one] of layout.arcs.entries()) {
      for (const other of layout.arcs.slice(0, i)) {
        const [a, b] = [sides(one), sides(other)];
        if (crosses(a, b) || crosses(b, a)) return `arcs cross: ${where}, ${JSON.stringify([one, other])}`;
        if (a.top === b.top && a.left < b.right && b.left < a.right) return `arcs coincide: ${where}`;
        for (const x of [a.left, a.right]) for (const z of [b.left, b.right]) if (Math.abs(x - z) < 6) return `ends meet: ${where}, ${JSON.stringify([one, other])}`;
      }
    }
    for (const root of layout.roots) {
      if (layout.arcs.some((arc) => sides(arc).left < root.x && root.x < sides(arc).right && sides(arc).top > root.y)) return `the root's line crosses an arc: ${where}`;
    }
    const labels = layout.arcs.map((arc) => {
      const half = measure(words[arc.word - 1].label, "label") / 2;
      const middle = (arc.from + arc.to) / 2;
      if (2 * half > Math.abs(arc.to - arc.from)) return null;
      return { x0: middle - half, x1: middle + half, y0: arc.y - 7, y1: arc.y + 7 };
    });
    if (labels.includes(null)) return `a label is wider than its arc: ${where}`;
    for (let i = 0; i < labels.length; i++) for (let j = 0; j < i; j++) if (overlap(labels[i], labels[j])) return `labels overlap: ${where}`;
    if (layout.arcs.some(({ y }) => y < 10)) return `an arc is outside: ${where}`;
    for (const { id, ghosts } of words) {
      const places = layoutGhosts(layout, id, ghosts.map(({ head }) => head));
      for (const [i, one] of places.entries()) {
        if (one.y > layout.height - 4) return `an alternative is outside: ${where}`;
        for (const other of places.slice(0, i)) {
          if (one.head !== 0 && other.head !== 0 && one.y === other.y && Math.sign(one.head - id) === Math.sign(other.head - id)) return `alternatives coincide: ${where}`;
        }
      }
    }
    // Laid out again with an earlier layout of other labels, no word comes nearer to its neighbour.
    const again = layoutSentence(words.map((word) => ({ ...word, label: "", ghosts: [] })), { measure, rightToLeft, earlier: layout });
    if (again.words.some(({ x }, i) => Math.abs(x - layout.words[i].x) > 1e-6) || again.base !== layout.base) return `words move: ${where}`;
  }
  return null;
}

test(`random trees (seed ${SEED})`, () =>
  onPage({}, async (page) => {
    assert.equal(await page.evaluate(checkRandomTrees, SEED), null);
  }));

test("crossing arcs have levels of their own", () =>
  onPage({}, async (page) => {
    const levels = await page.evaluate(async () => {
      const { arcLevels } = await import("/layout.js");
      return [arcLevels([{ left: 1, right: 3 }, { left: 2, right: 4 }]), arcLevels([{ left: 1, right: 2 }, { left: 2, right: 3 }, { left: 1, right: 3 }])];
    });
    assert.notEqual(levels[0][0], levels[0][1]);
    assert.deepEqual(levels[1], [1, 1, 2]);
  }));

test("links say what they were told, whatever the text", () =>
  onPage({}, async (page) => {
    const state = {
      text: "a&b=c#d %41 +\n\t\"<é 👩‍🚀 الولد",
      lines: true,
      keep: true,
      model: "my model&",
      threshold: 0.35,
      sentence: 7,
      pins: [{ sentence: 1, word: 2, head: 0, deprel: null }, { sentence: 3, word: 4, head: 5, deprel: "obl:unmarked.x" }],
    };
    const again = await page.evaluate(async (given) => {
      const { fromFragment, toFragment } = await import("/link.js");
      return fromFragment(new URL(toFragment(given), location.href).hash);
    }, state);
    assert.deepEqual(again, state);
  }));

test("CoNLL-U: recognised, pinned, opened, found by the caret", () =>
  onPage({}, async (page) => {
    const rest = "\t_".repeat(8);
    const result = await page.evaluate(async (rest) => {
      const { bestTree, looksLikeConllu, sentenceAtCaret, withOpenArcs, withPins } = await import("/conllu.js");
      const two = `# a\n1-2\tdel${rest}\n1\tde\t_\t_\t_\t_\t2\tcase\t_\tP=1\n2\tel\t_\t_\t_\t_\t0\troot\t_\t_\n2.1\te${rest}\n\n`;
      const words = [{ id: 1, head: 2, p: 0.9, p_deprel: 0.5 }, { id: 2, head: 0, p: 0.4, p_deprel: 1 }];
      return {
        likes: [`1\ta${rest}`, `# c\n\n1-2\ta${rest}`, "1 a b", "I am.", "", "1\ta\tb", "# only\n"].map(looksLikeConllu),
        pinned: withPins(two, new Map([[2, { head: 1, deprel: "x" }]])),
        open: withOpenArcs({ conllu: two, words }, 0.5),
        caret: [0, 3, two.length - 1, two.length, two.length + 2].map((at) => sentenceAtCaret(two + two, at)),
        best: bestTree(`# kbest_rank = 1\n# text = a\n1\ta${rest}\n\n# kbest_rank = 2\n1\ta${rest}\n\n`),
      };
    }, rest);
    assert.deepEqual(result.likes, [true, true, false, false, false, false, false]);
    const head = (conllu) => conllu.split("\n").map((line) => line.split("\t").slice(6, 8).join(" ")).filter((text) => text !== "");
    assert.deepEqual(head(result.pinned), ["_ _", "_ _", "1 x", "_ _"]);
    assert.deepEqual(head(result.open), ["_ _", "2 _", "_ _", "_ _"]);
    assert.deepEqual(result.caret, [0, 0, 0, 1, 1]);
    assert.equal(result.best, `# text = a\n1\ta${rest}\n\n`);
  }));

test("entropy in words and numbers", () =>
  onPage({}, async (page) => {
    const said = await page.evaluate(async () => {
      const { describeEntropy, headEntropy, leastCertainWord, percent } = await import("/uncertainty.js");
      const word = (id, ...ps) => ({ id, alternatives: ps.map((p, head) => ({ head, p })) });
      return {
        entropies: [word(1, 0.5, 0.5), word(1, 1), word(1, 0.5), { ...word(1, 0.5, 0.5), pinned: true }].map(headEntropy),
        least: [leastCertainWord({ words: [word(1, 0.9, 0.1), word(2, 0.6, 0.2, 0.2), word(3, 0.5, 0.5)] }), leastCertainWord({ words: [word(1, 0.999)] })],
        verdicts: [0, 0.3, Math.LN2, 1.5, 3, 9, 40].map((entropy) => describeEntropy(entropy, 0.5)),
        percents: [0, 1e-5, 0.005, 0.123, 0.9, 0.9949, 0.9999, 1].map(percent),
      };
    });
    for (const [i, wanted] of [Math.LN2, 0, Math.LN2, 0].entries()) assert.ok(Math.abs(said.entropies[i] - wanted) < 1e-9);
    assert.deepEqual(said.least, [2, null]);
    assert.equal(said.verdicts[2].meaning, "as open as a choice among 2 equally likely trees");
    assert.equal(said.verdicts[2].exact, "Entropy 0.69 nats = 1.00 bits; the best tree has 50%");
    assert.equal(new Set(said.verdicts.map(({ verdict }) => verdict)).size, 6);
    assert.deepEqual(said.percents, ["0%", "<0.1%", "0.5%", "12%", "90%", "99.4%", ">99.9%", "100%"]);
  }));
