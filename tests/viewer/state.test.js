// The view stays inside its trace, whatever is asked for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { viewAtLevel, carryView, changeView, fitView } from "../../explorer/attention_view/state.js";

const labels = (count) => Array.from({ length: count }, (_, i) => `${i}`);
/** A map whose last key is special; in the decoder a query reaches itself. */
function map(queries, keys, causal = false) {
  const special = { queries: new Set(), keys: new Set([keys - 1]) };
  const reach = (query) => (causal ? query + 1 : keys);
  const headsOn = () => [0, 1, 2];
  return { layers: 2, heads: 3, headsOn, queries: labels(queries), keys: labels(keys), special, reach };
}

/** Five English pieces, four steps. */
const TRACE = { steps: labels(4), kinds: { encoder: map(5, 5), decoder: map(4, 4, true), cross: map(4, 5) } };
const VIEW = {
  kind: "cross", layer: 0, head: 0, step: 1, pin: null, whole: false, specials: true, cell: null,
};

const pinned = (axis, index, kind = "cross") => ({ ...VIEW, kind, pin: { axis, index } });

test("a rollout is that of the mean of heads, and not of lengths", () => {
  const view = { ...VIEW, layer: "rollout", head: 1, measure: "weight" };
  assert.deepEqual(fitView(view, TRACE), { ...view, head: "mean" });
  const { layer, head } = fitView({ ...view, measure: "length" }, TRACE);
  assert.deepEqual({ layer, head }, { layer: 1, head: 1 });
});

test("no step means the default one, or the last where none is named, and the first is a step of its own", () => {
  assert.equal(fitView({ ...VIEW, step: null }, TRACE).step, 3);
  assert.equal(fitView({ ...VIEW, step: null }, { ...TRACE, defaultStep: 2 }).step, 2);
  assert.equal(fitView({ ...VIEW, step: null }, { ...TRACE, defaultStep: 0 }).step, 0);
  assert.equal(fitView({ ...VIEW, step: 0 }, TRACE).step, 0);
});

test("a pin beyond the end of its axis is let go", () => {
  assert.deepEqual(fitView(pinned("key", 4), TRACE).pin, { axis: "key", index: 4 });
  assert.equal(fitView(pinned("key", 5), TRACE).pin, null);
  assert.deepEqual(fitView(pinned("query", 3), TRACE).pin, { axis: "query", index: 3 });
  assert.equal(fitView(pinned("query", 4), TRACE).pin, null);
});

test("a cell outside the map is let go, but not one on a key that is only hidden", () => {
  const framed = (query, key, specials = true) => fitView({ ...VIEW, specials, cell: { query, key } }, TRACE).cell;
  assert.deepEqual(framed(3, 4), { query: 3, key: 4 });
  assert.equal(framed(4, 0), null);
  assert.equal(framed(0, 5), null);
  assert.deepEqual(framed(0, 4, false), { query: 0, key: 4 });
});

const changed = (axis, index, from, to) => changeView(pinned(axis, index, from), { kind: to }, TRACE).pin;

test("a pin survives a change of kind where the same sentence is, and an English word reads in the encoder", () => {
  assert.deepEqual(changed("query", 2, "decoder", "cross"), { axis: "query", index: 2 });
  assert.deepEqual(changed("query", 2, "cross", "decoder"), { axis: "query", index: 2 });
  assert.deepEqual(changed("key", 4, "encoder", "cross"), { axis: "key", index: 4 });
  assert.deepEqual(changed("key", 4, "cross", "encoder"), { axis: "query", index: 4 });
  assert.deepEqual(changed("query", 2, "encoder", "cross"), { axis: "key", index: 2 });
  assert.deepEqual(changeView(pinned("key", 4, "encoder"), { layer: 1 }, TRACE).pin, { axis: "key", index: 4 });
});

test("what ended a film is let go with another level, kind, layer, head or step", () => {
  const ended = { ...VIEW, pin: { axis: "query", index: 2, ends: true } };
  for (const change of [{ level: "heads" }, { kind: "decoder" }, { layer: 1 }, { head: "mean" }, { step: 2 }]) {
    assert.equal(changeView(ended, change, TRACE).pin, null);
  }
  assert.equal(changeView(ended, { scale: "row" }, TRACE).pin, ended.pin);
  assert.deepEqual(changeView(pinned("query", 2), { head: 1 }, TRACE).pin, { axis: "query", index: 2 });
});

/** The trace, but with other rows in the decoder. */
const OTHER = { ...TRACE, kinds: { ...TRACE.kinds, cross: map(3, 5), decoder: map(3, 3, true) } };

test("another trace keeps every choice, and a pin where its rows or columns are the same", () => {
  for (const after of [TRACE, OTHER]) assert.deepEqual(carryView(VIEW, TRACE, after), VIEW);
  assert.deepEqual(carryView(pinned("query", 2), TRACE, TRACE).pin, { axis: "query", index: 2 });
  assert.deepEqual(carryView(pinned("key", 2), TRACE, OTHER).pin, { axis: "key", index: 2 });
  assert.equal(carryView(pinned("query", 2), TRACE, OTHER).pin, null);
});

test("the level picture draws the last layer's mean in words, and forgets nothing", () => {
  const chosen = {
    layer: 0, head: 2, look: "ribbon", whole: true, scale: "row", transposed: true,
  };
  const view = { ...pinned("query", 1, "decoder"), ...chosen, step: 2, words: false, level: "picture" };
  const drawn = viewAtLevel(view, { ...TRACE, defaultPiece: 1 });
  assert.deepEqual(drawn, {
    ...view, layer: 1, head: "mean", measure: "weight", look: "heatmap", whole: false, scale: "fixed",
    specials: true, transposed: false, words: true, piece: 1,
  });
  assert.equal(viewAtLevel({ ...view, level: "heads" }, TRACE).head, 2);
});

test("the level picture draws the last layer that has a head that is on", () => {
  const drawn = (headsOn) => {
    const kinds = { ...TRACE.kinds, cross: { ...TRACE.kinds.cross, headsOn } };
    return viewAtLevel({ ...VIEW, level: "picture" }, { ...TRACE, kinds }).layer;
  };
  assert.deepEqual([drawn((layer) => (layer === 1 ? [] : [2])), drawn(() => [])], [0, 1]);
});

test("a pin is dropped where its axis becomes another sentence", () => {
  assert.equal(changed("query", 2, "encoder", "decoder"), null);
  assert.equal(changed("query", 2, "cross", "encoder"), null);
  assert.equal(changed("key", 2, "cross", "decoder"), null);
  assert.equal(changed("key", 2, "decoder", "encoder"), null);
});
