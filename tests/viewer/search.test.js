// A beam search as nodes in rows and columns.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutBeam } from "../../explorer/tabs/what_if/search/layout.js";

const hypothesis = (parent, id, changes = {}) => ({ parent, id, text: `p${id}`, log_probability: -1, total: -1, length: 1, score: -1, waits: false, ...changes });
/** A beam of 2 whose best comes from the second beginning, and which loses the greedy path [1, 3, 9] at its second step. */
const ANSWER = {
  levels: [
    { kept: [hypothesis(0, 1), hypothesis(0, 2)], pruned: [hypothesis(0, 7), hypothesis(0, 8)] },
    { kept: [hypothesis(1, 4), hypothesis(1, 5)], pruned: [hypothesis(0, 3), hypothesis(1, 6)] },
    { kept: [hypothesis(0, 9), hypothesis(1, 0, { waits: true })], pruned: [] },
  ],
  greedy: { ids: [1, 3, 9], pieces: ["p1", "p3", "p9"], log_probabilities: [-0.1, -2, -0.3] },
  greedy_places: [0, null, null],
};
const { nodes, lostStep, rows } = layoutBeam(ANSWER, 1);
const at = (step, row) => nodes.find((node) => node.step === step && node.row === row);

test("a hypothesis has the pieces of all that it grew from; one that waits has no piece more", () => {
  assert.deepEqual(at(2, 0).ids, [2, 4, 9]);
  assert.deepEqual(at(2, 1).ids, [2, 5]);
  assert.equal(at(2, 1).text, "p5");
});

test("what the beam ends with is alive, back to its beginnings; the others are dead", () => {
  assert.deepEqual([at(0, 0).state, at(0, 1).state, at(1, 0).state, at(1, 1).state], ["dead", "kept", "kept", "kept"]);
});

test("the best is followed back to the start, and nothing else is", () => {
  assert.deepEqual(nodes.filter(({ best }) => best).map(({ ids }) => ids), [[2], [2, 4], [2, 4, 9]]);
});

test("pruned ones stand below the kept ones, as many as wanted", () => {
  assert.deepEqual(nodes.filter(({ state }) => state === "pruned").map(({ step, row, ids }) => [step, row, ids]), [[0, 2, [7]], [1, 2, [2, 6]]]);
});

test("the greedy path has a row of its own from where the beam loses it, and is not among the pruned there", () => {
  assert.equal(lostStep, 1);
  assert.equal(rows, 4);
  const path = nodes.filter(({ greedy }) => greedy);
  assert.deepEqual(path.map(({ state, row }) => [state, row]), [["dead", 0], ["lost", 3], ["lost", 3]]);
  assert.deepEqual(path.map(({ from }) => from?.ids ?? null), [null, [1], [1, 3]]);
  assert.ok(Math.abs(path[2].total + 2.4) < 1e-12 && Math.abs(path[2].score + 0.8) < 1e-12);
});

test("a greedy path that is never lost needs no row", () => {
  const kept = layoutBeam({ ...ANSWER, greedy_places: [1, 0, 0], greedy: { ...ANSWER.greedy, ids: [2, 4, 9] } }, 1);
  assert.equal(kept.rows, 3);
  assert.deepEqual(kept.nodes.filter(({ greedy }) => greedy).map(({ state }) => state), ["kept", "kept", "kept"]);
});
