// Alternatives, pins and what follows from them; other trees; what stays open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forms, news, onPage, setThreshold, until, untilForms, untilNews, useBrowser, wordNames } from "./page.mjs";

useBrowser();

const drawnTree = (page) => wordNames(page);

/** The probability of the sentence's uncertainty as the page says it. */
const meaning = (page) => page.textContent("#meaning");

test("pointing at a word shows its other heads, and a click pins one", () =>
  onPage({}, async (page) => {
    const before = await drawnTree(page);
    await page.hover(".word >> nth=9");
    const ghosts = await page.$$eval(".ghost .label", (labels) => labels.map((label) => label.textContent));
    assert.ok(ghosts.length >= 1 && ghosts.every((text) => /^\S+ \d+(\.\d)?%$/.test(text)), String(ghosts));
    const head = Number(await page.getAttribute(".ghost", "data-ghost"));
    const name = head === 0 ? "root" : (await forms(page))[head - 1];
    await page.locator(".ghost .label").first().click();
    await page.waitForSelector("#drawing .arc.pinned");
    const [, form] = /^Pinned (?:.*) as the (?:head of|root) ?(.*?)\. (\d+) words? changed/.exec(await news(page)) ?? [];
    assert.equal(form, "“telescope”");
    const after = await drawnTree(page);
    assert.ok(after[9].includes(head === 0 ? "root" : `depends on ${name}`) && after[9].includes("pinned"), after[9]);

    // What is said to have changed is what has changed.
    const bare = (text) => text.replace(/, (doubtful, )?[<>]?[\d.]+%|, pinned|, changed/g, "");
    const changed = after.filter((text, i) => bare(text) !== bare(before[i])).map((text) => text.split(",")[0]);
    const said = await page.$$eval(".change", (buttons) => buttons.map((button) => button.textContent.split(":")[0]));
    assert.deepEqual(said, changed);
    assert.equal(await page.$$eval("#drawing .arc.changed", (arcs) => arcs.length), changed.length);
    assert.ok((await news(page)).includes(`${changed.length === 1 ? "1 word" : `${changed.length} words`} changed`));
  }));

test("a double click pins once, and the focus is on the word", () =>
  onPage({}, async (page) => {
    await page.hover(".word >> nth=9");
    await page.locator(".ghost .label").first().dblclick();
    await page.waitForSelector('#drawing .arc.pinned[data-arc="10"]');
    await page.click("#undo");
    await until(page, () => document.querySelector("#drawing .arc.pinned") === null);
    assert.ok(await page.isDisabled("#undo"), "there was one thing to undo");
    await page.locator('#drawing .arc[data-arc="10"] .label').click();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.word), "10");
  }));

test("the probabilities are those under the condition", () =>
  onPage({}, async (page) => {
    const asked = [];
    page.on("response", async (response) => response.url().includes("/v1/parse") && asked.push(await response.json()));
    await page.click(".word >> nth=9");
    await page.locator("#alternatives button:not(.drawn)").first().click();
    await page.waitForSelector("#drawing .arc.pinned");
    assert.equal(asked.length, 1, "one request");
    const { words } = asked[0].sentences[0];
    assert.ok(words[9].pinned);
    const labels = await drawnTree(page);
    for (const word of words) {
      const head = word.head === 0 ? "root" : `depends on ${words[word.head - 1].form}`;
      assert.ok(labels[word.id - 1].includes(head), labels[word.id - 1]);
    }
  }));

test("unpin, undo and unpin all bring back what was", () =>
  onPage({}, async (page) => {
    const before = await drawnTree(page);
    const open = await meaning(page);
    const bare = (names) => names.map((name) => name.replace(", changed", ""));
    const pinOther = async () => {
      await page.click(".word >> nth=9");
      await page.locator("#alternatives button:not(.drawn)").first().click();
      await page.waitForSelector("#drawing .arc.pinned");
      assert.notDeepEqual(bare(await drawnTree(page)), before);
    };
    await pinOther();
    assert.notEqual(await meaning(page), open);
    await page.click("#unpin");
    await untilNews(page, /^Unpinned “telescope”\. \d+ words? changed/);
    assert.deepEqual(bare(await drawnTree(page)), before);
    assert.equal(await meaning(page), open);

    await pinOther();
    await page.click("#undo");
    await untilNews(page, /^Undone: Pinned/);
    assert.deepEqual(bare(await drawnTree(page)), before);

    await page.click("#undo"); // the unpinning before that
    await page.waitForSelector("#drawing .arc.pinned");
    await page.click("#unpin-all");
    await untilNews(page, /^Unpinned all words/);
    assert.deepEqual(bare(await drawnTree(page)), before);
    assert.ok(await page.isHidden("#unpin-all"));
  }));

test("a click on an arc confirms it, another one takes that back", () =>
  onPage({}, async (page) => {
    await page.locator('#drawing .arc[data-arc="10"] .label').click();
    await page.waitForSelector('#drawing .arc.pinned[data-arc="10"]');
    assert.match(await news(page), /No arc changed/);
    await page.locator('#drawing .arc[data-arc="10"] .label').click();
    await until(page, () => document.querySelector("#drawing .arc.pinned") === null);
  }));

/** Pins a head of the selected word, from the list or from all others. */
async function pinHead(page, head) {
  const offered = page.locator(`#alternatives [data-head="${head}"]`);
  if ((await offered.count()) > 0) await offered.click();
  else await page.selectOption("#other-head", String(head));
}

test("any head and any label can be pinned; what has no tree is refused in words", () =>
  onPage({ allowed: /422/ }, async (page) => {
    await page.click(".word >> nth=9");
    await page.selectOption("#other-head", { label: "1 I" });
    await page.waitForSelector('#drawing .arc.pinned[data-arc="10"]');
    assert.match((await wordNames(page))[9], /depends on I/);
    await page.selectOption("#label", "nmod");
    await untilNews(page, /label nmod/);
    assert.match((await wordNames(page))[9], /as nmod, pinned/);

    // saw under telescope, and telescope under saw: no tree.
    await pinHead(page, 2);
    await page.waitForFunction(() => /depends on saw.*pinned/.test(document.querySelectorAll(".word")[9].getAttribute("aria-label")));
    const before = await wordNames(page);
    await page.click(".word >> nth=1");
    await pinHead(page, 10);
    await page.waitForSelector("#error:not([hidden])");
    assert.match(await page.textContent("#error-text"), /tree/);
    assert.deepEqual((await wordNames(page)).map((name) => name.replace(", changed", "")), before.map((name) => name.replace(", changed", "")));
    await page.click("#dismiss");
    assert.ok(await page.isHidden("#error"));
  }));

/** The word of the first sentence with the highest entropy of its heads, by a request of its own. */
const mostEntropy = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ text: document.getElementById("text").value, min_alternative: 0.0001 });
    const response = await fetch("/v1/parse", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const { words } = (await response.json()).sentences[0];
    const entropy = ({ alternatives }) => alternatives.reduce((sum, { p }) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
    return words.reduce((best, word) => (entropy(word) > entropy(best) ? word : best)).id;
  });

test("the least certain word leads to a certain sentence in a few steps", () =>
  onPage({}, async (page) => {
    let steps = 0;
    for (; steps < 9; steps++) {
      await page.click("#least");
      if ((await news(page)).startsWith("Nothing is left")) break;
      const chosen = await page.getAttribute(".word.selected", "data-word");
      if (steps === 0) assert.equal(Number(chosen), await mostEntropy(page));
      await page.locator("#alternatives button").first().click();
      await until(page, (word) => document.querySelector(`#drawing .arc.pinned[data-arc="${word}"]`) !== null, chosen);
    }
    assert.ok(steps >= 1 && steps <= 5, `${steps} steps`);
    assert.match(await meaning(page), /nearly all|among 1(\.[0-2])? /);
  }));

test("the k best trees are stepped through, and one can be taken", () =>
  onPage({}, async (page) => {
    const best = await wordNames(page);
    assert.match(await page.textContent("#tree-text"), /^Tree 1 of 10: \d/);
    assert.ok(await page.isDisabled("#tree-back"));
    await page.click("#tree-on");
    const text = await page.textContent("#tree-text");
    assert.match(text, /^Tree 2 of 10: /);
    const percent = (line) => Number(/: .?([\d.]+)%/.exec(line)[1]);
    assert.match(await news(page), /^Tree 2 differs from the best one in \d+ words?\.$/);
    const second = await wordNames(page);
    assert.notDeepEqual(second, best);
    await page.click("#tree-on");
    assert.ok(percent(await page.textContent("#tree-text")) <= percent(text));
    await page.click("#tree-back");
    await page.click("#take-tree");
    await page.waitForSelector("#drawing .arc.pinned");
    const heads = (names) => names.map((name) => /(depends on \S+|root)/.exec(name)[0]);
    assert.deepEqual(heads(await wordNames(page)), heads(second));
    assert.match(await page.textContent("#tree-text"), /^Tree 1 of /);
  }));

test("the slider leaves open what is less certain", () =>
  onPage({}, async (page) => {
    assert.equal(await page.$$eval("#drawing .arc.open", (arcs) => arcs.length), 0);
    const doubtful = (await wordNames(page)).filter((name) => name.includes("doubtful")).length;
    assert.ok(doubtful > 0);
    await setThreshold(page, 0.9);
    assert.equal(await page.$$eval("#drawing .arc.open", (arcs) => arcs.length), doubtful);
    assert.match(await page.textContent("#threshold-text"), new RegExp(`^90% \\(${doubtful} word`));
    assert.equal(await page.$$eval("#drawing .arc.doubtful", (arcs) => arcs.length), 0);
    await setThreshold(page, 0);
    assert.equal(await page.$$eval("#drawing .arc.open", (arcs) => arcs.length), 0);
  }));

test("doubt is shown by more than colour, probability by width and opacity", () =>
  onPage({}, async (page) => {
    const arcs = await page.$$eval("#drawing .arc", (groups) =>
      groups.map((group) => ({
        doubtful: group.classList.contains("doubtful"),
        dashes: getComputedStyle(group.querySelector(".stroke")).strokeDasharray,
        label: group.querySelector(".label").textContent,
        width: Number(group.querySelector(".stroke").getAttribute("stroke-width")),
        opacity: Number(group.querySelector(".line").getAttribute("opacity")),
      })),
    );
    const doubtful = arcs.filter((arc) => arc.doubtful);
    const certain = arcs.filter((arc) => !arc.doubtful);
    assert.ok(doubtful.length > 0 && certain.length > 0);
    for (const arc of doubtful) {
      assert.notEqual(arc.dashes, "none");
      assert.match(arc.label, /%\?$/);
      for (const sure of certain) assert.ok(arc.width < sure.width && arc.opacity < sure.opacity);
    }
    for (const arc of certain) assert.equal(arc.dashes, "none");
  }));

test("pins of a sentence stay while another one is edited", () =>
  onPage({ text: "I saw the man with the telescope. Birds sing." }, async (page) => {
    await page.locator("#least").click();
    await page.locator("#alternatives button").last().click();
    await page.waitForSelector("#drawing .arc.pinned");
    const pinned = await wordNames(page);
    await page.focus("#text");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Cats sleep.");
    await untilForms(page, "Cats sleep .");
    await page.click("#sentence-list button >> nth=0");
    await page.waitForSelector("#drawing .arc.pinned");
    assert.deepEqual(await wordNames(page), pinned);
  }));
