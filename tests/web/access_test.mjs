// For everybody: names, keys, phones, contrast, colours, motion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { news, onPage, SENTENCE, until, untilForms, useBrowser, wordNames } from "./page.mjs";

useBrowser();

const TWO = `${SENTENCE} Birds sing.`;

/** Everything a person can use, as the browser tells it to a screen reader. */
async function controls(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const roles = new Set(["button", "textbox", "combobox", "slider", "checkbox", "option", "listbox", "dialog", "group", "navigation", "region", "link", "MenuListPopup"]);
  return nodes.filter(({ ignored, role }) => !ignored && roles.has(role?.value)).map(({ role, name }) => ({ role: role.value, name: name?.value ?? "" }));
}

test("all controls have names", () =>
  onPage({ text: TWO }, async (page) => {
    await page.click("#least");
    await page.locator("#alternatives button").last().click();
    await page.waitForSelector("#drawing .arc.pinned");
    const found = await controls(page);
    const nameless = found.filter(({ role, name }) => name.trim() === "" && role !== "MenuListPopup");
    assert.deepEqual(nameless, []);
    const has = (role, name) => assert.ok(found.some((control) => control.role === role && name.test(control.name)), `${role} ${name}`);
    has("textbox", /^Type or paste a text/);
    has("slider", /^Leave open below/);
    has("listbox", /^Words of the sentence$/);
    has("option", /^telescope, NOUN, depends on .* pinned/);
    has("button", /^Show the least certain word$/);
    has("button", /^Unpin .*pinned/);
    has("button", /^More probable tree$/);
    has("button", /^Sentence 2: Birds sing\./);
    has("combobox", /^Another head/);
    has("combobox", /^Label/);
    has("button", /^Colours: /);
    await page.click("#help");
    assert.ok((await controls(page)).some(({ role, name }) => role === "dialog" && /How to read/.test(name)));
    const ids = await page.$$eval("[id]", (nodes) => nodes.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, "every id once");
  }));

test("the keyboard alone is enough", () =>
  onPage({}, async (page) => {
    const press = (key) => page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement.dataset.word ?? document.activeElement.id);
    await page.focus("#text");
    await press("Control+A");
    await page.keyboard.type("She saw the man with the telescope.");
    await untilForms(page, "She saw the man with the telescope .");
    await press("Control+Enter");
    const word = await focused();
    assert.equal(word, "7");
    assert.match(await news(page), /^Least certain: “telescope”/);
    const outline = await page.$eval(":focus .box", (box) => getComputedStyle(box).strokeWidth);
    assert.equal(outline, "2px", "the focus can be seen");

    await press("ArrowDown");
    assert.match(await page.textContent("#spoken"), /, \d+(\.\d)?%\. Enter pins it\.$/);
    assert.equal(await page.$$eval(".ghost.candidate", (ghosts) => ghosts.length), 1);
    await press("Enter");
    await page.waitForSelector('#drawing .arc.pinned[data-arc="7"]');
    assert.equal(await focused(), "7", "the focus stays");
    assert.match(await news(page), /changed/);
    await press("Enter");
    await until(page, () => document.querySelector("#drawing .arc.pinned") === null);
    await press("Enter");
    await page.waitForSelector("#drawing .arc.pinned");
    await press("Delete");
    await until(page, () => document.querySelector("#drawing .arc.pinned") === null);
    await press("z");
    await page.waitForSelector("#drawing .arc.pinned");

    await press("ArrowLeft");
    assert.equal(await focused(), "6");
    await press("Home");
    assert.equal(await focused(), "1");
    await press("ArrowLeft");
    assert.equal(await focused(), "1");
    await press("End");
    assert.equal(await focused(), "8");
    await press("Escape");
    assert.ok(await page.isHidden("#panel"));
    await press("]");
    assert.match(await page.textContent("#tree-text"), /^Tree 2 /);
    await press("[");
    assert.match(await page.textContent("#tree-text"), /^Tree 1 /);
    await press("?");
    assert.ok(await page.isVisible("#help-dialog"));
    await press("n");
    await press("Escape");
    assert.ok(await page.isHidden("#help-dialog"));
    await press("/");
    assert.equal(await focused(), "text");
    await press("n");
    assert.match(await page.inputValue("#text"), /n/, "in the text, letters are letters");
  }));

test("the order of Tab reaches everything once", () =>
  onPage({ text: TWO }, async (page) => {
    const seen = [];
    await page.evaluate(() => document.body.focus());
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const { activeElement: node } = document;
        return node === document.body ? null : node.dataset.word ? "word" : node.id || node.textContent;
      });
      if (at === null || seen.includes(at)) break;
      seen.push(at);
    }
    for (const id of ["text", "least", "word", "tree-on", "threshold", "export-conllu", "export-svg", "export-json", "copy-link", "theme", "help"]) {
      assert.ok(seen.includes(id), `${id} in ${seen}`);
    }
    assert.ok(seen.indexOf("text") < seen.indexOf("least") && seen.indexOf("least") < seen.indexOf("word"));
  }));

test("a phone shows everything, and fingers can pin", () =>
  onPage({ text: TWO, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }, async (page) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok((await overflow()) <= 0);
    await page.tap("#least");
    await page.waitForSelector(".ghost .label");
    const scrolled = await page.$eval("#scroll", (node) => node.scrollWidth > node.clientWidth);
    assert.ok(scrolled, "the drawing scrolls by itself");
    await page.locator(".ghost .label").first().tap();
    await page.waitForSelector("#drawing .arc.pinned");
    assert.ok((await overflow()) <= 0);
    const small = await page.$$eval("button, select, input[type=range]", (nodes) =>
      nodes.filter((node) => node.offsetParent !== null && node.getBoundingClientRect().height < 24).map((node) => node.id || node.textContent),
    );
    assert.deepEqual(small, []);
    const cut = await page.$$eval("main button", (nodes) =>
      nodes.filter((node) => node.offsetParent !== null && node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.id),
    );
    assert.deepEqual(cut, []);
  }));

/** Texts whose colour is too near to that of what is behind them, by the formula of WCAG. */
function lowContrast() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (colour) => {
    const [r, g, b] = [...rgba(colour)].slice(0, 3).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opaque = (colour) => rgba(colour)[3] > 250;
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at.classList.contains("word") && opaque(getComputedStyle(at.querySelector(".box")).fill)) return getComputedStyle(at.querySelector(".box")).fill;
      const back = at.previousElementSibling;
      if (back?.classList.contains("label-back")) return getComputedStyle(back).fill;
      if (!(at instanceof SVGElement) && opaque(style.backgroundColor)) return style.backgroundColor;
    }
    return "white";
  };
  const low = [];
  let checked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || ["TITLE", "title", "OPTION", "SCRIPT"].includes(node.tagName)) continue;
    if (node.closest(":disabled") || !node.checkVisibility() || node.closest(".visually-hidden, .skip")) continue;
    const style = getComputedStyle(node);
    const front = luminance(node instanceof SVGElement ? style.fill : style.color);
    const back = luminance(behind(node));
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    checked++;
    if (ratio < 4.5) low.push(`${walker.currentNode.data.trim()} ${ratio.toFixed(2)}`);
  }
  return { low, checked };
}

for (const colorScheme of ["light", "dark"]) {
  test(`texts can be read in ${colorScheme} colours`, () =>
    onPage({ text: TWO, colorScheme, allowed: /Failed to load/ }, async (page) => {
      const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(Number(/\d+/.exec(dark)[0]) < 60, colorScheme === "dark");
      await page.click("#least");
      await page.locator(".ghost .label").first().click();
      await page.waitForSelector("#drawing .arc.pinned");
      await page.route("**/v1/parse", (route) => route.fulfill({ status: 500, body: "" }));
      await page.fill("#text", `${TWO} x`);
      await page.waitForSelector("#error:not([hidden])");
      const first = await page.evaluate(lowContrast);
      assert.ok(first.checked > 60, String(first.checked));
      assert.deepEqual(first.low, []);
      await page.click("#help");
      assert.deepEqual((await page.evaluate(lowContrast)).low, []);
    }));
}

test("the button changes the colours, and the choice lasts", () =>
  onPage({ colorScheme: "light" }, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.click("#theme");
    assert.equal(await background(), light);
    await page.click("#theme");
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    await page.waitForSelector(".word");
    assert.equal(await background(), dark);
    assert.equal(await page.getAttribute("#theme", "aria-label"), "Colours: dark");
  }));

test("motion only for those who want it", async () => {
  for (const [reducedMotion, moves] of [["reduce", false], ["no-preference", true]]) {
    await onPage({ reducedMotion }, async (page) => {
      await page.click("#least");
      await page.locator("#alternatives button:not(.drawn)").first().click();
      await page.waitForSelector("#drawing .arc.changed .halo");
      const animation = await page.$eval("#drawing .halo", (halo) => getComputedStyle(halo).animationName);
      assert.equal(animation !== "none", moves);
      assert.ok((await wordNames(page)).some((name) => name.endsWith("changed")));
    });
  }
});
