// Requests to the server, and its errors in words.

/** A message for a person; `needsToken` when the server wants one, `retryAfter` (seconds) when it is worth a try. */
export class ServerError extends Error {
  constructor(message, { status = 0, needsToken = false, retryAfter = null } = {}) {
    super(message);
    this.name = "ServerError";
    this.status = status;
    this.needsToken = needsToken;
    this.retryAfter = retryAfter;
  }
}

const TOKEN = "copse-token";
let token = null;
try {
  token = sessionStorage.getItem(TOKEN);
} catch {
  // Storage may be forbidden; the token then lasts as long as the page.
}

export function setToken(value) {
  token = value;
  try {
    sessionStorage.setItem(TOKEN, value);
  } catch {
    // As above.
  }
}

function headers(more) {
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function fetchOrExplain(path, options) {
  try {
    return await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server does not answer. It may have been stopped, or the network is down.", { retryAfter: 3 });
  }
}

async function explain(response) {
  const { status } = response;
  let message = "";
  try {
    const body = await response.text();
    try {
      message = JSON.parse(body).error?.message ?? "";
    } catch {
      message = body.length < 300 && !body.trimStart().startsWith("<") ? body.trim() : "";
    }
  } catch {
    // Without a body, the status has to do.
  }
  const retry = Number(response.headers.get("Retry-After"));
  if (status === 401) return new ServerError("This server wants a token.", { status, needsToken: true });
  if (status === 413) return new ServerError(`The text is too long for this server. ${message}`.trim(), { status });
  if (status === 503) {
    return new ServerError("The server is busy. Trying again in a moment.", { status, retryAfter: retry > 0 ? retry : 2 });
  }
  if (status === 504) return new ServerError("The server gave up: this text takes longer than it allows.", { status });
  return new ServerError(message || `The server answered with status ${status}.`, { status });
}

export async function fetchModels(signal) {
  const response = await fetchOrExplain("v1/models", { headers: headers({}), signal });
  if (!response.ok) throw await explain(response);
  return response.json();
}

/** The lines of a streamed answer; `onSentences(all so far)` is called now and then. */
async function readLines(response, onSentences) {
  const answer = { sentences: [], warnings: [] };
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = "";
  let finished = false;
  let reported = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines) {
      if (line.trim() === "") continue;
      const object = JSON.parse(line);
      if (object.error) throw new ServerError(object.error.message);
      if (object.done) {
        finished = true;
        answer.warnings = object.warnings ?? [];
      }
      else if (object.words) answer.sentences.push(object);
    }
    if (done) break;
    if (performance.now() - reported > 400) {
      onSentences?.(answer.sentences.slice());
      reported = performance.now();
    }
  }
  if (!finished) throw new ServerError("The answer of the server broke off.", { retryAfter: 3 });
  return answer;
}

/** Asks /v1/parse. With `stream`, long answers are reported while they come. */
export async function parse(request, { signal, onSentences } = {}) {
  const response = await fetchOrExplain("v1/parse", {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok) throw await explain(response);
  try {
    const type = response.headers.get("Content-Type") ?? "";
    return type.includes("ndjson") ? await readLines(response, onSentences) : await response.json();
  } catch (error) {
    if (error.name === "AbortError" || error instanceof ServerError) throw error;
    throw new ServerError("The answer of the server broke off.", { retryAfter: 3 });
  }
}
