// The client of the server: `server.NAME([...])` resolves to the text of a response (explorer/server/http.py). It rejects if
// no response comes, or if `cancel` aborts the request.

const TOY_TIMEOUT_MS = 20000; // requests about a toy training are cheap, so a slow response is a failure
const VISITOR_ID = Array.from(crypto.getRandomValues(new Uint32Array(3)), (chunk) => chunk.toString(36)).join("-");

const pending = new Set(); // requests without a response: { question, ahead, controller }
const listeners = [];
let handleRequest = sendRequest;

/** The client for a page in a language. */
export function serverIn(language) {
  return new Proxy({}, { get: (_, name) => (args) => handleRequest(name, args, language) });
}

/** Replaces the server by `handler(name, args)`, which promises the text of a response, for a page without a server. */
export function setRequestHandler(handler) {
  handleRequest = handler;
}

/** The response to a request about a toy training (explorer/server/toys.py); rejects if none comes. */
export async function requestToy(request, language) {
  const response = await post("toys", { ...request, language, visitor: VISITOR_ID }, AbortSignal.timeout(TOY_TIMEOUT_MS));
  return response.json();
}

/** Posts to a URL beside the page: the page of a toy has its own `ask`. */
async function post(name, args, signal) {
  const url = new URL(name, document.baseURI);
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(args),
    signal,
  });
  if (!response.headers.get("content-type")?.includes("json")) throw new Error(`${url}: ${response.status}`);
  return response;
}

async function sendRequest(name, args, language) {
  const request = { question: name, ahead: null, controller: new AbortController() };
  pending.add(request);
  try {
    const response = await post("ask", { question: name, given: args, language, visitor: VISITOR_ID }, request.controller.signal);
    return await readLastLine(response.body, (line) => {
      request.ahead = JSON.parse(line).ahead;
      notifyListeners();
    });
  } finally {
    pending.delete(request);
    notifyListeners();
  }
}

/** The last line of a stream; calls `onLine` for every line before it. */
async function readLastLine(stream, onLine) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "", last = null;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (text + chunk.value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      if (last !== null) onLine(last);
      last = line;
    }
    if (last?.startsWith('{"ahead"')) {
      onLine(last);
      last = null;
    }
  }
  last = text || last; // an error response has no line break
  if (last === null) throw new Error("ask: no answer");
  return last;
}

/** Calls `listener(ahead)` with the largest queue position of this page's requests; null if none is in the queue. */
export function onQueuePosition(listener) {
  listeners.push(listener);
}

function notifyListeners() {
  const ahead = [...pending].map((request) => request.ahead).filter((number) => number !== null);
  for (const listener of listeners) listener(ahead.length ? Math.max(...ahead) : null);
}

/** Aborts the requests of a name, or all requests. */
export function cancel(name = null) {
  for (const request of pending) {
    if (name === null || request.question === name) request.controller.abort();
  }
}
