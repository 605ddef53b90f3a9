// The page around the tabs: address, lessons, requests, and files that leave it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseLessonPart, isReached } from "../../explorer/ui/lessons.js";
import { wordGroupsOf } from "../../explorer/page/save/entries.js";
import { hex, parseColour } from "../../explorer/page/save/picture/colours.js";
import { encodePng } from "../../explorer/page/save/picture/picture.js";
import { SaveError, slug } from "../../explorer/page/save/snapshot.js";
import { AnswerCache } from "../../explorer/ui/answer_cache.js";
import { csvText, labelCell, numberCell } from "../../explorer/ui/download.js";
import { hasModifier, isEnter } from "../../explorer/ui/keys.js";
import { NoAnswer } from "../../explorer/ui/model.js";
import { breakLine, longestPart } from "../../explorer/ui/text.js";
import { UserError } from "../../explorer/ui/user_error.js";

/** The module anew, at an address. */
async function at(search) {
  const history = { state: null };
  history.pushState = (state, title, address) => Object.assign(history, { state, address });
  history.replaceState = history.pushState;
  Object.assign(globalThis, {
    location: { search, pathname: "/", origin: "http://a" }, history, addEventListener() {},
  });
  return { history, ...await import(`../../explorer/ui/address.js?${Math.random()}`) };
}

test("the language can be switched before anything is shown", async () => {
  const { currentSearch } = await at("?sentence=A+dog.&drawer.panel=2&utm_a=1");
  assert.equal(currentSearch({ lang: "de" }), "?sentence=A%20dog.&drawer.panel=2&utm_a=1&lang=de");
});

const reading = (parts) => (name) => parts[name] ?? null;

test("a goal is reached where all its parts are as it says", () => {
  assert.equal(isReached({ step: "6", kind: "encoder" }, reading({ step: "6", kind: "encoder", head: "2" }), {}), true);
  assert.equal(isReached({ step: "6", kind: "encoder" }, reading({ step: "6" }), {}), false);
  assert.equal(isReached({ step: "6" }, reading({ step: "16" }), {}), false);
});

test("what an address leaves out is as at the beginning, or nothing", () => {
  assert.equal(isReached({ kind: "cross" }, reading({}), { kind: "cross" }), true);
  assert.equal(isReached({ kind: "cross" }, reading({ kind: "encoder" }), { kind: "cross" }), false);
  assert.equal(isReached({ change: "" }, reading({}), {}), true);
  assert.equal(isReached({ change: "encoder.off" }, reading({}), {}), false);
});

test("the Enter that ends a composition sends nothing, also in Safari", () => {
  const enter = { key: "Enter", isComposing: false, keyCode: 13 };
  assert.ok(isEnter(enter));
  for (const event of [{ ...enter, isComposing: true }, { ...enter, keyCode: 229 }]) {
    assert.ok(!isEnter(event));
    assert.ok(hasModifier(event));
  }
});

test("a link names a lesson and a step that there are", () => {
  const lessons = [{ name: "clause", steps: [{}, {}] }];
  assert.deepEqual(parseLessonPart(lessons, "clause.2"), { lesson: lessons[0], at: 1 });
  for (const text of ["clause", "clause.0", "clause.3", "clause.2.1", "clause.x", "other.1", "", "clause.02"]) {
    assert.equal(parseLessonPart(lessons, text), null, text);
  }
});

function counting(answers) {
  const requests = [];
  const serve = async (request) => {
    requests.push(request);
    const answer = answers[requests.length - 1] ?? `${request}`;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { requests, asked: new AnswerCache(serve, 2) };
}

test("the same request is sent once, also while its answer is on its way", async () => {
  const { requests, asked } = counting([]);
  assert.deepEqual(await Promise.all([asked.get(["a"]), asked.get(["a"])]), ["a", "a"]);
  assert.equal(await asked.get(["a"]), "a");
  assert.deepEqual(requests, [["a"]]);
});

test("after a failure it is sent again", async () => {
  const { requests, asked } = counting([new NoAnswer(new Error("gone")), { error: "failed" }]);
  assert.equal(await asked.get("a"), null);
  assert.deepEqual(await asked.get("a"), { error: "failed" });
  assert.equal(await asked.get("a"), "a");
  assert.equal(requests.length, 3);
});

test("what was overtaken by another request is dropped and says nothing", async () => {
  const { asked } = counting([]);
  const message = { textContent: "before" };
  let wanted = "a";
  const first = asked.latest(() => wanted, message, "failed");
  wanted = "b";
  assert.equal(await first, undefined);
  assert.equal(message.textContent, "before");
  assert.equal(await asked.latest(() => wanted, message, "failed"), "b");
  assert.equal(message.textContent, "");
});

test("why nothing can be shown is said: there is no answer, or it is a refusal", async () => {
  const { asked } = counting([new NoAnswer(new Error("gone")), new UserError("too long")]);
  const message = { textContent: "" };
  assert.equal(await asked.latest(() => "a", message, "failed"), null);
  assert.equal(message.textContent, "failed");
  assert.deepEqual(await asked.latest(() => "b", message, "failed"), { error: "too long" });
  assert.equal(message.textContent, "too long");
});

test("a name holds letters, digits and hyphens only", () => {
  assert.equal(slug("  Größe: <i>&\"%{x} – Ärger?/.."), "grosse-i-x-arger");
  assert.equal(slug("?!"), "");
  assert.equal(slug("I know that he bought a new car yesterday evening"), "i-know-that-he-bought-a-new-car");
  assert.equal(slug("x".repeat(50)), "x".repeat(40));
});

test("every way in which CSS says a colour is understood", () => {
  const green = [0, 120, 90, 1];
  for (const css of ["#00785a", "rgb(0, 120, 90)", "rgb(0 120 90)"]) assert.deepEqual(parseColour(css), green);
  assert.deepEqual(parseColour("rgba(0, 120, 90, 0.5)"), [0, 120, 90, 0.5]);
  assert.deepEqual(parseColour("#00785a80").slice(0, 3), [0, 120, 90]);
  assert.deepEqual(parseColour("color(srgb 0 1 0.5 / 0.25)"), [0, 255, 127.5, 0.25]);
  assert.deepEqual([parseColour("transparent")[3], parseColour("none"), parseColour("url(#a)")], [0, null, null]);
  assert.equal(hex([0, 119.6, 90]), "#00785a");
});

test("a caption is broken where it may be, and an address anywhere", () => {
  const width = (text) => text.length;
  assert.deepEqual(breakLine("one two three", 8, width), ["one two", "three"]);
  assert.deepEqual(breakLine("http://a/?b=1&c=2", 14, width), ["http://a/?b=1&", "c=2"]);
  assert.deepEqual(breakLine("abcdefghij", 4, width), ["abcd", "efgh", "ij"]);
  assert.deepEqual(breakLine("short", 8, width), ["short"]);
  assert.deepEqual(breakLine("第 4 层，各头的平均。", 5, width), ["第 4", "层，各头的", "平均。"]); // no sign begins a line
  assert.equal(longestPart("one three two", width), 5);
});

test("a picture of which a browser makes no PNG is refused in words", async () => {
  const text = { noMemory: "no memory", tooLarge: "too large" };
  const canvas = (blob, context = {}) => ({ getContext: () => context, toBlob: (done) => done(blob) });
  const blob = new Blob(["a"]);
  assert.equal(await encodePng(canvas(blob), text), blob);
  await assert.rejects(encodePng(canvas(null), text), new SaveError("too large"));
  await assert.rejects(encodePng(canvas(null, null), text), new SaveError("no memory"));
});

test("a table is in the form that spreadsheets of the page's language read", () => {
  const rows = () => csvText([[labelCell("a, b"), labelCell("c; d")], [labelCell("=1"), numberCell("0.25")]]);
  assert.equal(rows(), '"a, b",c; d\r\n\'=1,0.25\r\n');
  globalThis.document = { documentElement: { lang: "de" } };
  assert.equal(rows(), 'a, b;"c; d"\r\n\'=1;0,25\r\n');
  delete globalThis.document;
});

test("words go into a file without the signs that isolate them", () => {
  const content = {
    members: { query: [[0]], key: [[0, 1]] },
    full: { queries: ["\u2068<s> → \u2068·في\u2069\u2069"], labels: ["\u2068كتاب\u2069"] },
  };
  const labels = { queryLabels: ["<s> → ·في"], keyLabels: ["كتاب"] };
  assert.deepEqual(wordGroupsOf({ content }), { queries: [[0]], keys: [[0, 1]], ...labels });
});
