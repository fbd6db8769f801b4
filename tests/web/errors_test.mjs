// What goes wrong is said in words, and is over when it is over.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { forms, onPage, startServer, until, untilForms, useBrowser } from "./page.mjs";

useBrowser();

const REFUSED = /Failed to load resource/;

const errorText = async (page) => {
  await page.waitForSelector("#error:not([hidden])");
  return page.textContent("#error-text");
};
const untilNoError = (page) => until(page, () => document.getElementById("error").hidden);

test("what the server refuses is said in its words, and the drawing stays", () =>
  onPage({ allowed: REFUSED }, async (page) => {
    const before = await forms(page);
    await page.fill("#text", `1\tBirds${"\t_".repeat(8)}\n3\tsing${"\t_".repeat(8)}\n\n`);
    assert.match(await errorText(page), /2.*\b(ID|3)\b/);
    assert.equal(await page.getAttribute("#error", "role"), "alert");
    assert.ok(await page.isHidden("#retry"), "the same again would be refused again");
    assert.deepEqual(await forms(page), before);
    await page.fill("#text", "Birds sing.");
    await untilForms(page, "Birds sing .");
    await untilNoError(page);
  }));

test("a server that is gone is said to be gone, and is found again when it is back", async () => {
  const first = await startServer("--threads", "1");
  const port = new URL(first.url).port;
  let second = null;
  try {
    await onPage({ url: first.url, allowed: REFUSED }, async (page) => {
      await first.stop();
      await page.fill("#text", "Birds sing.");
      assert.match(await errorText(page), /does not answer/);
      assert.ok(await page.isVisible("#retry"));
      second = await startServer("--threads", "1", "--port", port);
      await page.click("#retry");
      await untilForms(page, "Birds sing .");
      await untilNoError(page);
    });
  } finally {
    await first.stop();
    await second?.stop();
  }
});

test("a busy server is asked again", () =>
  onPage({ allowed: REFUSED }, async (page) => {
    let refusals = 0;
    await page.route("**/v1/parse", (route) =>
      ++refusals === 1 ? route.fulfill({ status: 503, headers: { "Retry-After": "1" }, body: "" }) : route.continue(),
    );
    await page.fill("#text", "Birds sing.");
    assert.match(await errorText(page), /busy/);
    await untilForms(page, "Birds sing .");
    await untilNoError(page);
    assert.equal(refusals, 2);
  }));

test("answers that break off, or are no answers, are errors", () =>
  onPage({ allowed: REFUSED }, async (page) => {
    const said = async (reply) => {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.route("**/v1/parse", (route) => route.fulfill(reply));
      await page.fill("#text", `Birds sing ${Math.random()}.`);
      return errorText(page);
    };
    const json = { "Content-Type": "application/json" };
    assert.match(await said({ status: 200, headers: json, body: '{"sentences": [' }), /broke off/);
    await page.click("#dismiss");
    assert.match(await said({ status: 200, headers: { "Content-Type": "application/x-ndjson" }, body: "" }), /broke off/);
    await page.click("#dismiss");
    assert.match(await said({ status: 500, body: "<html>oops</html>" }), /status 500/);
    await page.click("#dismiss");
    assert.match(await said({ status: 413, headers: json, body: '{"error": {"message": "at most 4 MiB"}}' }), /too long.*4 MiB/);
    await page.click("#dismiss");
    assert.match(await said({ status: 504, body: "" }), /longer than it allows/);
  }));

test("a pin that cannot be had because the server is gone comes back by itself", () =>
  onPage({ allowed: REFUSED }, async (page) => {
    let broken = true;
    await page.route("**/v1/parse", (route) => (broken ? route.abort() : route.continue()));
    await page.click("#least");
    await page.locator("#alternatives button").last().click();
    assert.match(await errorText(page), /does not answer/);
    assert.equal(await page.$$eval("#drawing .pinned", (pinned) => pinned.length), 0);
    broken = false;
    await page.waitForSelector("#drawing .arc.pinned");
    await untilNoError(page);
  }));

test("a server with a token asks for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "copse-page-"));
  const file = join(folder, "token");
  writeFileSync(file, "open-sesame-0123456789\n", { mode: 0o600 });
  const server = await startServer("--threads", "1", "--token-file", file);
  try {
    await onPage({ text: null, url: server.url, allowed: REFUSED, fragment: "" }, async (page) => {
      assert.match(await errorText(page), /token/);
      await page.fill("#token", "wrong");
      await page.click("#token-form button");
      assert.match(await errorText(page), /token/);
      await page.fill("#token", "open-sesame-0123456789");
      await page.click("#token-form button");
      await page.waitForSelector(".word");
      await untilNoError(page);
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

test("of several models one is chosen", async () => {
  const server = await startServer("--threads", "1", "--model", "first=english", "--model", "second=english");
  try {
    await onPage({ url: server.url }, async (page) => {
      assert.deepEqual(await page.$$eval("#model option", (options) => options.map((option) => option.value)), ["first", "second"]);
      const asked = page.waitForRequest("**/v1/parse");
      await page.selectOption("#model", "second");
      assert.equal((await asked).postDataJSON().model, "second");
      await until(page, () => location.hash.includes("model=second"));
    });
  } finally {
    await server.stop();
  }
});

test("long texts come sentence by sentence, as one answer", () => {
  const text = Array.from({ length: 400 }, (_, i) => `Bird number ${i} sings.`).join(" ");
  return onPage({}, async (page) => {
    const asked = page.waitForRequest("**/v1/parse");
    await page.fill("#text", text);
    assert.equal((await asked).postDataJSON().stream, true);
    await until(page, () => document.querySelectorAll("#sentence-list li").length >= 395);
    await until(page, () => /^Tree 1 of \d+/.test(document.getElementById("tree-text").textContent));
  });
});
