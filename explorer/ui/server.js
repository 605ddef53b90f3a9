// The server, as the tabs ask it: `server.NAME([...])` promises the text of an answer (explorer/server/http.py says how).
// It rejects where no answer comes, and where the visitor, or whoever asked, does not wait any longer.

const [BASE] = import.meta.url.split("gradio_api/");
const LONGEST = 20000; // milliseconds that a wish of a training waits: nothing is computed for it
const ADDRESS = new URL("ask", BASE), TOYS = new URL("toys", BASE);
const VISITOR = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-");

const waiting = new Set(); // what was asked and has no answer yet: { question, ahead, controller }
const watchers = [];
let answering = ask;

/** The server for a page in a language. */
export function serverIn(language) {
  return new Proxy({}, { get: (_, question) => (given) => answering(question, given, language) });
}

/** From now on `answer(question, given)` promises all answers: of a page that has no server. */
export function answerWith(answer) {
  answering = answer;
}

/** What the server says to a wish of a training on this page (explorer/server/toys.py); rejects where no answer comes. */
export async function askToy(wish, language) {
  const answer = await post(TOYS, { ...wish, language, visitor: VISITOR }, AbortSignal.timeout(LONGEST));
  return answer.json();
}

async function post(address, given, signal) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(given),
    signal,
  });
  if (!answer.headers.get("content-type")?.includes("json")) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

async function ask(question, given, language) {
  const asked = { question, ahead: null, controller: new AbortController() };
  waiting.add(asked);
  try {
    const answer = await post(ADDRESS, { question, given, language, visitor: VISITOR }, asked.controller.signal);
    return await readLastLine(answer.body, (line) => {
      asked.ahead = JSON.parse(line).ahead;
      tell();
    });
  } finally {
    waiting.delete(asked);
    tell();
  }
}

/** The last line of a stream; of every line before it, it tells as it comes. */
async function readLastLine(stream, tellOf) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "", last = null;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      if (last !== null) tellOf(last);
      last = line;
    }
    if (last?.startsWith('{"ahead"')) {
      tellOf(last);
      last = null;
    }
  }
  last = text || last; // a refusal has no end of line
  if (last === null) throw new Error(`${ADDRESS}: no answer`);
  return last;
}

/** Calls `watch(ahead)` with how many are ahead of what this page waits for longest; null while it waits for nothing. */
export function onQueuePosition(watch) {
  watchers.push(watch);
}

function tell() {
  const ahead = [...waiting].map((asked) => asked.ahead).filter((number) => number !== null);
  for (const watch of watchers) watch(ahead.length ? Math.max(...ahead) : null);
}

/** Nobody waits any longer for answers to a question, or to any. */
export function cancel(question = null) {
  for (const asked of waiting) {
    if (question === null || asked.question === question) asked.controller.abort();
  }
}
