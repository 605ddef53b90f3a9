// The client of the server (explorer/server/ask.py): sends requests, and says what they wait for.

import { registerWork, trackWork } from "./rest.js";

const TIMEOUT_MS = 60000; // for what is answered at once; a busy machine may take long
const VISITOR_ID = randomId();

/** Whose requests come after those of all others (explorer/ui/fair_queue.py). */
export const BACKGROUND_VISITOR = "background";

const pending = new Set(); // requests without a response: { question, status, controller }
const listeners = [];
let handleRequest = askServer;
registerWork("request", () => pending.size > 0);

/** A random name of 96 bits. */
export function randomId() {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (chunk) => chunk.toString(36)).join("-");
}

/**
 * Replaces the server, for a page without one: `handler(name, args, { language, signal, report })` promises the text of
 * a response, tells by `report(status)` what it is waiting for, and ends with the signal.
 */
export function setRequestHandler(handler) {
  handleRequest = handler;
}

/** A signal that aborts after a time. */
function signalAfter(milliseconds) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** The response to a request about a toy training (explorer/server/toys.py); rejects if none comes. */
export async function requestToy(request, language) {
  const { answer } = await trackWork("toy", postAction("toys", { ...request, language, visitor: VISITOR_ID }));
  return answer;
}

/**
 * The response to an action on a class, or without a code to begin one (explorer/server/class_routes.py), with its HTTP
 * status; rejects if none comes. A request with a signal waits until that ends it: the page is at rest meanwhile.
 */
export async function requestClass(code, request, language, signal = null) {
  const name = code ? `class/${code}` : "class";
  const posting = postAction(name, { ...request, language }, signal ?? signalAfter(TIMEOUT_MS));
  const { answer, status } = await (signal ? posting : trackWork("class", posting));
  return { ...answer, status };
}

/** Posts what is answered at once, or when something changes. */
async function postAction(name, args, signal = signalAfter(TIMEOUT_MS)) {
  const response = await post(name, args, signal);
  return { answer: await response.json(), status: response.status };
}

/**
 * Posts to a URL beside the page: the page of a toy has its own `ask`. Throws a TypeError, as fetch does, if no server
 * answers.
 */
async function post(name, args, signal) {
  const url = new URL(name, document.baseURI);
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(args),
    signal,
  });
  const isAnswer = response.headers.get("content-type")?.includes("json"); // unlike a proxy's own page
  if (!isAnswer) throw new TypeError(`${url}: ${response.status}`);
  return response;
}

/**
 * Promises the text of a response; rejects if none comes. `options` are { language, visitor }.
 */
export async function sendRequest(name, args, { language, visitor = VISITOR_ID }) {
  const request = { question: name, status: null, controller: new AbortController() };
  const report = (status) => {
    request.status = status;
    notifyListeners();
  };
  pending.add(request);
  try {
    return await handleRequest(name, args, { language, visitor, signal: request.controller.signal, report });
  } finally {
    pending.delete(request);
    notifyListeners();
  }
}

/** Asks the server, which reports the position in its queue. */
async function askServer(name, args, { language, visitor, signal, report }) {
  const response = await post("ask", { question: name, arguments: args, language, visitor }, signal);
  return readLastLine(response.body, (line) => report(JSON.parse(line)));
}

/** The last line of a stream; calls `onLine` for every line before it. */
async function readLastLine(stream, onLine) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let last = null;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (text + chunk.value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      if (last !== null) onLine(last);
      last = line;
    }
    if (last?.startsWith('{"queue_position"')) {
      onLine(last);
      last = null;
    }
  }
  last = text || last; // an error response has no line break
  if (last === null) throw new Error("ask: no answer");
  return last;
}

/**
 * Calls `listener(status)` with what this page's requests are waiting for: its { queue_position } on the server, or
 * { loaded, total, seconds } while the model is downloaded, { done, total } of a long answer; null if nothing holds
 * them up.
 */
export function onRequestStatus(listener) {
  listeners.push(listener);
}

function notifyListeners() {
  const statuses = [...pending].map(({ status }) => status).filter(Boolean);
  statuses.sort((a, b) => (b.queue_position ?? 0) - (a.queue_position ?? 0));
  for (const listener of listeners) listener(statuses[0] ?? null);
}

/** Aborts the requests of a name, or all requests. */
export function cancel(name = null) {
  for (const request of pending) {
    if (name === null || request.question === name) request.controller.abort();
  }
}
