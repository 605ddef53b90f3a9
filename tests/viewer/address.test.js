// A view survives its way into an address and back; what an address cannot mean is named and left out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeView, encodeView } from "../../explorer/attention_view/address.js";
import { fitView } from "../../explorer/attention_view/state.js";

const labels = (count) => Array.from({ length: count }, (_, i) => `${i}`);
function map(queries, keys) {
  return {
    layers: 4, heads: 8, queries: labels(queries), keys: labels(keys), special: { keys: new Set([keys - 1]) },
    reach: () => keys,
  };
}

/** Seven English pieces, six steps. */
const TRACE = { steps: labels(6), kinds: { encoder: map(7, 7), decoder: map(6, 6), cross: map(6, 7) } };
const FIRST = {
  level: "picture", kind: "cross", layer: 1_000_000, head: "mean", second: null, step: null, pin: null, look: "heatmap",
  whole: false, scale: "fixed", specials: true, transposed: false, words: false, speed: 2, compared: "beside",
  cell: null, measure: "weight", beam: false,
};

/** The same numbers every time (Park and Miller's generator). */
function numbers(seed) {
  let state = seed;
  return (count) => {
    state = (state * 48271) % 2147483647;
    return state % count;
  };
}

function randomView(pick) {
  const of = (...values) => values[pick(values.length)];
  const heads = () => ({ layer: of("mean", "max", "rollout", pick(4)), head: of("mean", "max", pick(8)) });
  return fitView({
    measure: of("weight", "length"), level: of("picture", "heads"), kind: of("encoder", "decoder", "cross"),
    ...heads(), second: of(null, heads()), step: pick(6),
    pin: of(null, { axis: of("query", "key"), index: pick(6) }), look: of("heatmap", "ribbon"), whole: of(true, false),
    scale: of("fixed", "row", "auto"), specials: of(true, false), transposed: of(true, false), words: of(true, false),
    speed: of(1, 2, 5, 15, 60), compared: of("beside", "difference"), beam: of(true, false),
    cell: of(null, { query: pick(6), key: pick(6) }),
  }, TRACE);
}

/** As an address carries it: texts only, and nothing of what is null. */
function carried(parts) {
  const query = new URLSearchParams(Object.entries(parts).filter(([, text]) => text !== null));
  return Object.fromEntries(new URLSearchParams(query.toString()));
}

test("a thousand random views come back as they were", () => {
  const pick = numbers(20261122);
  for (let i = 0; i < 1000; i += 1) {
    const view = randomView(pick);
    const { view: found, damaged } = decodeView(carried(encodeView(view, FIRST, TRACE, ["step"])), FIRST);
    assert.deepEqual(damaged, []);
    assert.deepEqual(fitView(found, TRACE), view);
  }
});

test("what says nothing understandable is named, and the view stays as it begins there", () => {
  const wrong = {
    step: "0", layer: "first", head: "rollout", measure: "Length", second: "1", pin: "row.2", cell: "1.2.3",
    kind: "constructor", whole: "true", speed: "3", scale: "", look: "<b>", words: "-1", specials: "2",
    transposed: "01",
  };
  for (const [name, text] of Object.entries(wrong)) {
    const { view, damaged } = decodeView({ [name]: text }, FIRST);
    assert.deepEqual([damaged, view], [[name], FIRST], name);
  }
});
