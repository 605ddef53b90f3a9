// What the server was asked: once, again after a failure, and again when it was forgotten.

import assert from "node:assert/strict";
import test from "node:test";
import { RequestCache } from "../../explorer/ui/request_cache.js";

function counting(answers) {
  const requests = [];
  const serve = async (request) => {
    requests.push(request);
    const answer = answers[requests.length - 1] ?? `"${request}"`;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { requests, asked: new RequestCache(serve, 2, JSON.parse) };
}

test("the same request is sent once, also while its answer is on its way", async () => {
  const { requests, asked } = counting([]);
  assert.deepEqual(await Promise.all([asked.get(["a"]), asked.get(["a"])]), ["a", "a"]);
  assert.equal(await asked.get(["a"]), "a");
  assert.deepEqual(requests, [["a"]]);
});

test("after a failure it is sent again", async () => {
  const { requests, asked } = counting([new Error("gone"), { error: "failed" }]);
  assert.equal(await asked.get("a"), null);
  assert.equal(await asked.get("a"), null);
  assert.equal(await asked.get("a"), "a");
  assert.equal(requests.length, 3);
});

test("after a refusal it is sent again: the line may have been full", async () => {
  const { requests, asked } = counting(['{"error": "full"}']);
  assert.deepEqual(await asked.get("a"), { error: "full" });
  assert.equal(await asked.get("a"), "a");
  assert.equal(requests.length, 2);
});

test("only the last answers are kept", async () => {
  const { requests, asked } = counting([]);
  for (const request of ["a", "b", "c", "c", "a"]) await asked.get(request);
  assert.deepEqual(requests, ["a", "b", "c", "a"]);
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
  const { asked } = counting([new Error("gone"), '{"error": "too long"}']);
  const message = { textContent: "" };
  assert.equal(await asked.latest(() => "a", message, "failed"), null);
  assert.equal(message.textContent, "failed");
  assert.deepEqual(await asked.latest(() => "b", message, "failed"), { error: "too long" });
  assert.equal(message.textContent, "too long");
});
