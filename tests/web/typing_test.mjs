// Text in, trees out: typing, sentences, long ones, other scripts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forms, fragmentOf, onPage, until, untilForms, useBrowser, wordNames } from "./page.mjs";

useBrowser();

const row = (id, form, ...more) => [id, form, ...more, ...Array(8 - more.length).fill("_")].join("\t");
const conllu = (words) => `${words.map((form, i) => row(i + 1, form)).join("\n")}\n\n`;

test("arcs are drawn while one types", () =>
  onPage({}, async (page) => {
    await page.fill("#text", "");
    await until(page, () => document.getElementById("stage").hidden);
    await page.type("#text", "Birds sing.", { delay: 15 });
    await untilForms(page, "Birds sing .");
    assert.match((await wordNames(page))[0], /^Birds, NOUN, depends on sing as nsubj, /);
    assert.equal(await page.$$eval("#drawing .arc", (arcs) => arcs.length), 3, "one arc for every word");
    assert.equal(await page.$$eval("#drawing .arc.root", (arcs) => arcs.length), 1);
  }));

test("an answer that comes too late is discarded, and nothing flickers", () =>
  onPage({}, async (page) => {
    let release = null;
    const held = new Promise((resolve) => (release = resolve));
    await page.route("**/v1/parse", async (route) => {
      if (route.request().postData().includes("Dogs bark")) await held;
      await route.continue().catch(() => {}); // the page has given it up
    });
    await page.evaluate(() => {
      window.seen = [];
      new MutationObserver(() => window.seen.push([...document.querySelectorAll(".word .form")].map((form) => form.textContent).join(" ")))
        .observe(document.getElementById("drawing"), { childList: true, subtree: true });
    });
    const asked = page.waitForRequest((request) => request.postData()?.includes("Dogs bark") ?? false);
    await page.fill("#text", "Dogs bark.");
    await asked;
    await page.fill("#text", "Cats sleep.");
    await untilForms(page, "Cats sleep .");
    release();
    await page.waitForTimeout(300);
    assert.deepEqual(await forms(page), ["Cats", "sleep", "."]);
    const seen = await page.evaluate(() => window.seen);
    assert.ok(!seen.includes(""), "the drawing was empty in between");
    assert.ok(!seen.includes("Dogs bark ."));
  }));

test("a text of several sentences has a list; the one with the caret is drawn", () =>
  onPage({ text: "Birds sing. Dogs bark at night. Cats sleep." }, async (page) => {
    assert.equal(await page.$$eval("#sentence-list button", (buttons) => buttons.length), 3);
    await page.click("#sentence-list button >> nth=1");
    await untilForms(page, "Dogs bark at night .");
    assert.equal(await page.getAttribute("#sentence-list button >> nth=1", "aria-current"), "true");
    await page.focus("#text");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Fish swim fast.");
    await untilForms(page, "Fish swim fast .");
    assert.match(await page.textContent("#sentence-count"), /^4 sentences, 15 words/);
    await page.keyboard.press("Escape");
    await page.focus("#least");
    await page.keyboard.press("PageUp");
    await untilForms(page, "Cats sleep .");
  }));

test("every line can be a sentence", () =>
  onPage({ text: "one heading\nand another line" }, async (page) => {
    await page.check("#lines");
    await until(page, () => document.querySelectorAll("#sentence-list button").length === 2);
    assert.deepEqual(await forms(page), ["one", "heading"]);
  }));

test("CoNLL-U is recognised; its heads are kept on request", () =>
  onPage({}, async (page) => {
    const text = [row(1, "Birds", "_", "_", "_", "_", "2", "dep"), row(2, "sing", "_", "_", "_", "_", "_", "_"), row(3, "loudly"), "", ""].join("\n");
    await page.fill("#text", text);
    await untilForms(page, "Birds sing loudly");
    assert.ok(await page.isVisible("#input-kind"));
    assert.equal(await page.$$eval("#drawing .arc.pinned", (arcs) => arcs.length), 0);
    await page.check("#keep");
    await page.waitForSelector("#drawing .arc.pinned");
    assert.match((await wordNames(page))[0], /depends on sing as dep, pinned/);
    assert.ok(await page.isHidden("#lines-choice"));
  }));

test("200 words are drawn in time, and scroll, with a label on every arc", () =>
  onPage({}, async (page) => {
    const words = "the quick committee in Paris that we met on Monday criticised a proposal for new laws and".split(" ");
    const long = Array.from({ length: 199 }, (_, i) => words[i % words.length]).concat(".");
    const start = Date.now();
    await page.fill("#text", conllu(long));
    await until(page, () => document.querySelectorAll(".word").length === 200);
    const took = Date.now() - start;
    assert.ok(took < 10000, `${took} ms`);
    const render = await page.evaluate(() => {
      const slider = document.getElementById("threshold");
      const before = performance.now();
      slider.value = 0.01;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      return performance.now() - before;
    });
    assert.ok(render < 1500, `drawing takes ${render} ms`);
    const size = await page.$eval("#scroll", (node) => [node.scrollWidth, node.clientWidth, document.documentElement.scrollWidth]);
    assert.ok(size[0] > 4 * size[1], "the sentence is wider than the page");
    assert.ok(size[2] <= 1280, "the page itself does not scroll sideways");
    const labels = await page.$$eval("#drawing .arc .label", (nodes) => nodes.map((node) => [node.textContent, node.getBBox().height]));
    assert.ok(labels.length >= 200);
    for (const [label, height] of labels) assert.ok(label !== "" && height > 10, `${label} is ${height} high`);
    await page.focus(".word[tabindex='0']");
    await page.keyboard.press("End");
    await until(page, () => document.getElementById("scroll").scrollLeft > 1000);
    await until(page, () => document.querySelector(".word:last-child").getBoundingClientRect().right < innerWidth);
  }));

test("text from right to left runs from right to left, and so do the keys", () =>
  onPage({ text: "ذهب الولد إلى المدرسة." }, async (page) => {
    const places = await page.$$eval(".word", (words) => words.map((word) => word.getBoundingClientRect().x));
    for (let i = 1; i < places.length; i++) assert.ok(places[i] < places[i - 1], "the second word is left of the first");
    await page.focus(".word[tabindex='0']");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.$eval(":focus", (word) => word.dataset.word), "2");
    await page.fill("#text", "A cat.");
    await untilForms(page, "A cat .");
    const [first, second] = await page.$$eval(".word", (words) => words.map((word) => word.getBoundingClientRect().x));
    assert.ok(first < second);
  }));

test("characters beyond the basic plane are whole", () =>
  onPage({ text: "I like 𝒞𝒪 and 👩‍🚀 here. They land." }, async (page) => {
    const all = (await forms(page)).join(" ");
    assert.ok(all.includes("𝒞𝒪") && !all.includes("\uFFFD"), all);
    await page.focus("#text");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Now");
    await until(page, () => document.querySelector("#sentence-list button:last-of-type") && document.querySelector("[aria-current]").dataset.index > 0);
  }));

test("markup in words is text", () => {
  const evil = '"><img src=x onerror=alert(1)>';
  const words = ["See", evil, "<script>alert(2)</script>", "&amp;", "now"];
  return onPage({ text: conllu(words) }, async (page) => {
    assert.deepEqual(await forms(page), words);
    await page.click(".word >> nth=1");
    assert.equal(await page.textContent("#panel-title"), evil);
    assert.equal(await page.$$eval("img", (images) => images.length), 1, "the icon alone");
    assert.equal(await page.$$eval("script", (scripts) => scripts.length), 1);
  });
});

test("markup in labels, tags and messages is text", () => {
  const evil = "<img src=x onerror=alert(1)>";
  return onPage(
    {
      prepare: (page) =>
        page.route("**/v1/parse", async (route) => {
          const response = await route.fetch();
          const answer = await response.json();
          for (const sentence of answer.sentences) {
            for (const word of sentence.words) {
              Object.assign(word, { deprel: evil, upos: evil, lemma: evil, feats: evil, p: 0.5 });
              for (const other of word.alternatives) other.deprel = evil;
            }
          }
          await route.fulfill({ response, json: { ...answer, warnings: [evil] } });
        }),
    },
    async (page) => {
      await page.click(".word >> nth=1");
      assert.ok((await page.textContent("#drawing .arc .label")).includes(evil));
      assert.ok((await page.textContent("#panel-word")).includes(evil));
      assert.equal(await page.$$eval("img", (images) => images.length), 1);
    },
  );
});

test("a link to nonsense does no harm", () =>
  onPage({ fragment: fragmentOf("Birds sing.", { pin: "9.9.9", model: "none", min: "x", sentence: "77" }) }, async (page) => {
    assert.deepEqual(await forms(page), ["Birds", "sing", "."]);
    assert.equal(await page.$$eval("#drawing .arc.pinned", (arcs) => arcs.length), 0);
  }));
