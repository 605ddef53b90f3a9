// Whether a task of a lesson is done, where a lesson is opened, and how often a guess was right.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseLessonPlace, isReached } from "../../explorer/page/lesson/goal.js";
import { scoreOf } from "../../explorer/ui/lessons.js";

const at = (parts) => (name) => parts[name] ?? null;

test("a goal is reached where all its parts are as it says", () => {
  assert.equal(isReached({ step: "6", kind: "encoder" }, at({ step: "6", kind: "encoder", head: "2" }), {}), true);
  assert.equal(isReached({ step: "6", kind: "encoder" }, at({ step: "6" }), {}), false);
  assert.equal(isReached({ step: "6" }, at({ step: "16" }), {}), false);
});

test("what an address leaves out is as at the beginning, or nothing", () => {
  assert.equal(isReached({ kind: "cross" }, at({}), { kind: "cross" }), true);
  assert.equal(isReached({ kind: "cross" }, at({ kind: "encoder" }), { kind: "cross" }), false);
  assert.equal(isReached({ "lab.encoder": "" }, at({}), {}), true);
  assert.equal(isReached({ "lab.encoder": "off" }, at({}), {}), false);
});

test("a link names a lesson and a step that there are", () => {
  const lessons = [{ name: "clause", steps: [{}, {}] }];
  assert.deepEqual(parseLessonPlace(lessons, "clause.2"), { lesson: lessons[0], at: 1 });
  for (const text of ["clause", "clause.0", "clause.3", "clause.2.1", "clause.x", "other.1", "", "clause.02"]) {
    assert.equal(parseLessonPlace(lessons, text), null, text);
  }
});

test("guesses at steps without a question do not count", () => {
  const steps = [{ question: { right: 1 } }, { question: null }, { question: { right: 0 } }];
  assert.deepEqual(scoreOf({ steps }, { guesses: { 0: 1, 1: 0, 2: 1, 9: 1 } }), { same: 1, made: 2 });
});
