// A server of its own for every file of tests, and pages on it that fail their test if anything is wrong in the browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const BINARY = process.env.COPSE_BINARY ?? fileURLToPath(new URL("../../build/release/copse", import.meta.url));
// Debian builds both of the same source; without windows it takes less than half the time.
const BROWSERS = [process.env.COPSE_CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const BROWSER = BROWSERS.find((path) => path && existsSync(path));

/** { url, stop() } of `copse serve` on a free port. COPSE_PAGE_URL names a server that runs already. */
export async function startServer(...options) {
  if (process.env.COPSE_PAGE_URL && options.length === 0) return { url: process.env.COPSE_PAGE_URL, stop: async () => {} };
  assert.ok(existsSync(BINARY), `${BINARY} is missing: build it first`);
  const child = spawn(BINARY, ["serve", ...(options.includes("--port") ? [] : ["--port", "0"]), ...options], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const listen = (data) => {
      said += data;
      const found = /http:\/\/[^\s"]+/.exec(said);
      if (found) resolve(found[0].replace(/\/*$/, "/"));
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => reject(new Error(`copse serve ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`copse serve does not say where it listens: ${said}`)), 20000).unref();
  });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.on("exit", resolve);
      child.kill("SIGTERM");
    });
  return { url, stop };
}

let browser = null;
let server = null;
let used = false;

/** Called by every file of tests: one browser and one server for all that run together. */
export function useBrowser() {
  if (used) return;
  used = true;
  before(async () => {
    // As root, as in containers, Chromium has no sandbox.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    server = await startServer();
    browser = await chromium.launch({ executablePath: BROWSER, args: sandbox });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
}

export const SENTENCE = "I saw the man on the hill with the telescope.";

/** The fragment of the address that opens the page with a text. */
export const fragmentOf = (text, more = {}) => `#${new URLSearchParams({ ...more, text })}`;

/**
 * Runs `body(page)` on a page of its own with the text. Errors on the console, exceptions and violations of the security
 * policy make the test fail, and so do requests to any other place. `prepare(page)` is called before the page is loaded,
 * `allowed` is what the console may say.
 */
export async function onPage({ text = SENTENCE, fragment, url = server.url, prepare, allowed, ...context }, body) {
  const own = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", reducedMotion: "reduce", ...context });
  const complaints = [];
  try {
    const page = await own.newPage();
    page.setDefaultTimeout(20000);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !allowed?.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`dialogue: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url)) complaints.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    await prepare?.(page);
    await page.goto(url + (fragment ?? fragmentOf(text)));
    if (text !== null) await page.waitForSelector(".word");
    await body(page);
  } finally {
    await own.close();
  }
  assert.deepEqual(complaints, []);
}

// What is on the page

/** Waits until the expression holds on the page. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument);

export const forms = (page) => page.$$eval(".word .form", (nodes) => nodes.map((node) => node.textContent));

/** Waits until the drawing has these words. */
export const untilForms = (page, wanted) =>
  until(page, (text) => [...document.querySelectorAll(".word .form")].map((node) => node.textContent).join(" ") === text, wanted);

/** What a screen reader hears of the words: forms, heads, probabilities. */
export const wordNames = (page) => page.$$eval(".word", (nodes) => nodes.map((node) => node.getAttribute("aria-label")));

export const news = (page) => page.textContent("#news");

/** Waits for the line that says what happened. */
export const untilNews = (page, pattern) => until(page, (source) => new RegExp(source).test(document.getElementById("news").textContent), pattern.source);

export async function setThreshold(page, value) {
  await page.$eval("#threshold", (slider, wanted) => {
    slider.value = wanted;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);
}

/** The content of the file that a click on the button downloads. */
export async function downloadBy(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), content: Buffer.concat(chunks).toString("utf8") };
}
