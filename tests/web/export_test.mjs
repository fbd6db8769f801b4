// What can be taken away: CoNLL-U, SVG, JSON, a link.

import assert from "node:assert/strict";
import { test } from "node:test";
import { downloadBy, fragmentOf, onPage, setThreshold, until, useBrowser, wordNames } from "./page.mjs";

useBrowser();

const TEXT = "I saw the man with the telescope. He couldn't have known that.";

/** Heads and labels of the rows of words, sentence by sentence. */
const treesOf = (conllu) =>
  conllu
    .trimEnd()
    .split("\n\n")
    .map((block) =>
      block
        .split("\n")
        .map((line) => line.split("\t"))
        .filter(([id]) => /^\d+$/.test(id))
        .map((columns) => ({ form: columns[1], head: columns[6], deprel: columns[7], columns: columns.length })),
    );

async function pinLast(page) {
  await page.click("#least");
  await page.locator("#alternatives button").last().click();
  await page.waitForSelector("#drawing .arc.pinned");
  return { word: Number(await page.getAttribute("#drawing .arc.pinned", "data-arc")), head: Number(await page.getAttribute("#alternatives [aria-pressed=true]", "data-head")) };
}

test("CoNLL-U has all sentences, what was pinned, and open heads", () =>
  onPage({ text: TEXT }, async (page) => {
    const { word, head } = await pinLast(page);
    const { name, content } = await downloadBy(page, "#export-conllu");
    assert.equal(name, "copse.conllu");
    assert.ok(content.endsWith("\n\n"));
    const trees = treesOf(content);
    assert.equal(trees.length, 2);
    assert.equal(trees[0][word - 1].head, String(head));
    for (const row of trees.flat()) assert.equal(row.columns, 10);
    assert.match(content, /^\d-\d\tcouldn't\t/m);
    assert.match(content, /^# text = I saw the man with the telescope\.$/m);
    assert.ok(!content.includes("kbest_rank"));
    // One tree a sentence, each a tree.
    for (const tree of trees) assert.equal(tree.filter((row) => row.head === "0").length, 1);

    await setThreshold(page, 1);
    const open = treesOf((await downloadBy(page, "#export-conllu")).content);
    assert.equal(open[0][word - 1].head, String(head), "what is pinned is certain");
    assert.ok(open[0].some((row) => row.head === "_" && row.deprel === "_"));
  }));

test("JSON has the answers of the server", () =>
  onPage({ text: TEXT }, async (page) => {
    const { word, head } = await pinLast(page);
    const { name, content } = await downloadBy(page, "#export-json");
    assert.equal(name, "copse.json");
    const { model, sentences } = JSON.parse(content);
    assert.equal(typeof model, "string");
    assert.equal(sentences.length, 2);
    assert.equal(sentences[0].words[word - 1].head, head);
    assert.equal(sentences[0].words[word - 1].pinned, true);
    assert.equal(sentences[0].words[0].start, 0);
    assert.equal(sentences[1].words[0].start, 34);
    assert.ok(sentences[1].entropy >= 0);
  }));

test("SVG stands alone and shows the same", () =>
  onPage({ text: "A <b>cat</b> & dogs sleep in the garden with us." }, async (page) => {
    const { name, content } = await downloadBy(page, "#export-svg");
    assert.equal(name, "copse.svg");
    assert.match(content, /<style>[^<]*prefers-color-scheme: dark/);
    assert.ok(!/href|url\(|<script|data-|aria-|tabindex/.test(content));
    const arcs = await page.$$eval("#drawing .arc .label", (labels) => labels.map((label) => label.textContent));
    // It opens as a picture of its own, with the same on it.
    const picture = await page.context().newPage();
    await picture.goto(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(content)}`);
    const seen = await picture.evaluate(() => ({
      labels: [...document.querySelectorAll(".label")].map((label) => label.textContent),
      forms: [...document.querySelectorAll(".form")].map((form) => form.textContent).join(" "),
      anchor: getComputedStyle(document.querySelector(".label")).textAnchor,
      inside: [...document.querySelectorAll("text")].every((text) => {
        const { x, y, width, height } = text.getBoundingClientRect();
        const whole = document.documentElement;
        return x >= 0 && y >= 0 && x + width <= whole.width.baseVal.value && y + height <= whole.height.baseVal.value;
      }),
    }));
    assert.deepEqual(seen.labels, arcs);
    assert.ok(seen.forms.includes("dogs sleep in the garden"));
    assert.equal(seen.anchor, "middle", "its styles are inside");
    assert.ok(seen.inside, "nothing is cut off");
  }));

test("a link restores text, pins, slider and sentence", () =>
  onPage({ text: `Birds sing. ${TEXT}`, permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.click("#sentence-list button >> nth=1");
    await pinLast(page);
    await setThreshold(page, 0.6);
    const before = await wordNames(page);
    await page.click("#copy-link");
    await until(page, () => document.getElementById("copy-link").textContent === "Copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(new URL(link).hash.includes("text="));
    await page.goto("about:blank");
    await page.goto(link);
    await page.waitForSelector("#drawing .arc.pinned");
    assert.equal(await page.inputValue("#text"), `Birds sing. ${TEXT}`);
    assert.equal(await page.inputValue("#threshold"), "0.6");
    const bare = (names) => names.map((name) => name.replace(", changed", ""));
    assert.deepEqual(bare(await wordNames(page)), bare(before));
  }));

test("reloading the page keeps everything, and another link in the same page is followed", () =>
  onPage({}, async (page) => {
    await pinLast(page);
    await until(page, () => location.hash.includes("pin="));
    const before = await wordNames(page);
    await page.reload();
    await page.waitForSelector("#drawing .arc.pinned");
    const bare = (names) => names.map((name) => name.replace(", changed", ""));
    assert.deepEqual(bare(await wordNames(page)), bare(before));
    await page.evaluate((fragment) => (location.hash = fragment), fragmentOf("Fish swim."));
    await until(page, () => document.querySelector(".word .form").textContent === "Fish");
    assert.equal(await page.$$eval("#drawing .arc.pinned", (arcs) => arcs.length), 0);
  }));

test("a link restores what was unpinned of the heads of a file", () => {
  const row = (...columns) => columns.join("\t");
  const text = [row(1, "Birds", "_", "_", "_", "_", 2, "dep", "_", "_"), row(2, "sing", "_", "_", "_", "_", 0, "root", "_", "_"), row(3, "loudly", "_", "_", "_", "_", 2, "_", "_", "_"), "", ""].join("\n");
  return onPage({ text: null, fragment: fragmentOf(text, { keep: "1" }) }, async (page) => {
    await until(page, () => document.querySelectorAll("#drawing .arc.pinned").length === 3);
    assert.match((await wordNames(page))[0], /as dep, pinned/);
    await page.click(".word >> nth=2");
    await page.click("#unpin");
    await until(page, () => document.querySelectorAll("#drawing .arc.pinned").length === 2 && location.hash.includes("pin="));
    assert.match((await wordNames(page))[0], /as dep, pinned/, "the label of the file is kept");
    await page.reload();
    await until(page, () => document.querySelectorAll("#drawing .arc.pinned").length === 2);
    assert.match((await wordNames(page))[0], /as dep, pinned/);
    await page.click("#unpin-all");
    await until(page, () => document.querySelectorAll("#drawing .arc.pinned").length === 0 && location.hash.includes("pin=1.0.0"));
    await page.reload();
    await until(page, () => document.querySelectorAll("#drawing .arc").length === 3 && document.querySelectorAll("#drawing .arc.pinned").length === 0);
  });
});
