// The sentences, stops and names of the picture of the whole model, on weights made for them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AttentionMap } from "../../explorer/derived/attention_map.js";
import { captionOf, shortCaptionOf } from "../../explorer/tabs/whole/guide/captions.js";
import { headLine, headName } from "../../explorer/attention_view/head_names.js";
import { favouriteKey, headLook } from "../../explorer/derived/head_looks.js";
import { formatPlace, parsePlace } from "../../explorer/tabs/whole/place.js";
import { placeName, trailOf } from "../../explorer/tabs/whole/place_names.js";
import { fillSegments, joinSentences, plainText, tokenSegments } from "../../explorer/ui/segments.js";
import { stopsOf } from "../../explorer/tabs/whole/guide/stops.js";
import { formatPercent } from "../../explorer/ui/numbers.js";

/** A map of one layer whose heads are matrices; the last key of the source is its end. */
function mapOf(kind, heads) {
  const queries = heads[0].length, keys = heads[0][0].length;
  const reach = (query) => (kind === "decoder" ? query + 1 : keys);
  const weights = heads.flatMap((head) => head.flatMap((row, query) => row.slice(0, reach(query))));
  const special = { queries: [], keys: kind === "decoder" ? [0] : [keys - 1] };
  const shape = [1, heads.length, queries, keys];
  const labels = { queries: Array(queries).fill("q"), keys: Array(keys).fill("k") };
  const map = new AttentionMap(kind, { shape, weights: "", special, ...labels });
  map.decoded = Float32Array.from(weights);
  return map;
}

/** Rows that look mostly at one key each. */
const rowsAt = (keys, count) => keys.map((at) => (
  Array.from({ length: count }, (_, key) => (key === at ? 0.8 : 0.2 / (count - 1)))));

test("a head is called by what most of its rows look at", () => {
  const even = Array(6).fill(Array(6).fill(1 / 6));
  const heads = [[0, 0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 5], [5, 5, 5, 5, 0, 1], [3, 0, 0, 0, 1, 1]];
  const map = mapOf("encoder", [...heads.map((keys) => rowsAt(keys, 6)), even]);
  const looks = [0, 1, 2, 3, 4, 5].map((head) => headLook(map, 0, head));
  assert.deepEqual(looks.map(({ look }) => look), ["previous", "same", "next", "rest", "mixed", "spread"]);
  assert.deepEqual(looks.map(({ count }) => count), [5, 6, 5, 4, 0, 6]);
});

test("heads of the decoder rest on the start, those of cross-attention on the end", () => {
  assert.equal(headLook(mapOf("decoder", [rowsAt([0, 0, 0, 0], 4)]), 0, 0).look, "rest");
  assert.equal(headLook(mapOf("cross", [rowsAt([3, 3, 1], 4)]), 0, 0).look, "rest");
  assert.equal(headLook(mapOf("cross", [rowsAt([1, 0, 3], 4)]), 0, 0).look, "single");
});

test("among keys that as many heads look at most, the mean weight decides", () => {
  const map = mapOf("cross", [[[0.6, 0.3, 0.1]], [[0.1, 0.9, 0]]]);
  assert.deepEqual(favouriteKey(map, 0, 0), { key: 1, count: 1 });
});

const piece = (text, special = false) => ({ text, special, id: 1, starts_word: true });

function traceOf(kinds) {
  const fed = [piece("(start)", true), piece("·a"), piece("·b")];
  const steps = fed.map((token, i) => ({ fed: token, predicted: fed[i + 1] ?? piece("(end)", true) }));
  return { source: [piece("·x"), piece("·y"), piece("(end)", true)], steps, kinds, defaultPiece: 0 };
}

const SIZES = {
  layers: { encoder: 1, decoder: 1 }, heads: 2, d_model: 4, d_head: 2, d_value: 2, d_ff: 8, vocabulary: 9,
  src: 3, tgt: 3,
};
const SMALL = {
  encoder: mapOf("encoder", [rowsAt([0, 1, 2], 3), rowsAt([1, 2, 2], 3)]),
  decoder: mapOf("decoder", [[[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]]),
  cross: mapOf("cross", [rowsAt([0, 1, 2], 3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]),
};

test("the flight stops at places that exist, at the clearest weight, and ends one step on", () => {
  const stops = stopsOf({ trace: traceOf(SMALL), step: 1, config: SIZES });
  const places = stops.map(({ place }) => formatPlace(place));
  for (const [i, { place }] of stops.entries()) assert.deepEqual(parsePlace(places[i], SIZES), place);
  assert.deepEqual(places.slice(7, 11), [
    "decoder.1.cross", "decoder.1.cross.1", "decoder.1.cross.1.q.2.1", "decoder.1.cross.1.2.2", // 80 %, not 100 %
  ]);
  assert.deepEqual(stops.at(-1), { key: "again", place: stops[0].place, step: 2 });
  const last = stopsOf({ trace: traceOf(SMALL), step: 2, config: SIZES });
  assert.deepEqual([last.length, last.at(-1).key], [12, "output"]);
});

test("without weights the flight has as many stops", () => {
  const kinds = Object.fromEntries(Object.keys(SMALL).map((kind) => [kind, { ready: false, heads: 2, layers: 1 }]));
  assert.equal(stopsOf({ trace: traceOf(kinds), step: 0, config: SIZES }).length, 13);
});

test("tokens stand apart in a sentence; one that is no word has no quotation marks", () => {
  const [word, end] = [piece("·cat"), piece("(end)", true)].map((one) => tokenSegments(one, "source", "“{word}”"));
  const sentence = fillSegments("{end}: {count} × {word}.", { word, end, count: 3 });
  assert.deepEqual(sentence, [
    { token: "(end)", side: "source" }, { text: ": 3 × “" }, { token: "cat", side: "source" }, { text: "”." },
  ]);
  assert.equal(plainText(joinSentences([sentence, [{ text: "And." }]], " ")), "(end): 3 × “cat”. And.");
  assert.throws(() => fillSegments("{other}", {}), /no other/);
});

test("a score's caption names its token, also one that may not be written, or else its id", () => {
  const trace = traceOf(SMALL);
  const candidates = [{ ...piece("·b"), id: 7, probability: 0.2 }];
  trace.steps[1] = { ...trace.steps[1], probability: 0.7, candidates, excluded: { ...piece("<unk>", true), id: 0 } };
  const words = {
    word: "{word}",
    number: { logit: { known: "{token} {percent}", excluded: "never {token}", unknown: "#{id}" } },
  };
  const captions = ["output.2.1", "output.2.7", "output.2.0", "output.2.8"].map((text) => (
    plainText(captionOf(parsePlace(text, SIZES), { trace, step: 1, config: SIZES }, words))));
  assert.deepEqual(captions, ["b 70", "b 20", "never <unk>", "#8"]);
});

test("a number's caption counts from 1 and has the sizes of its own matrix", () => {
  const words = {
    word: "{word}", lane: "{fed}", number: { q: "{column} of {size}, head {head}", v: "{column} of {size}: {key}" },
  };
  const config = { ...SIZES, d_head: 3, d_value: 5, activation: "relu" };
  const captions = ["decoder.1.cross.2.q.2.1", "decoder.1.self.1.v.2.4"].map((text) => (
    plainText(captionOf(parsePlace(text, config), { trace: traceOf(SMALL), step: 1, config }, words))));
  assert.deepEqual(captions, ["1 of 3, head 2", "4 of 5: a"]);
});

const HEAD_WORDS = {
  word: "{word}", space: " ",
  aim: { word: "{predicted} after {fed}" },
  where: { previous: "back", same: "at itself", next: "ahead", rest: "at {token}", single: "at one" },
  self: {
    one: "One mix.", several: "{heads} mixes.", looks: "{groups}.", between: "; ",
    first: { one: "{numbers} {where}", several: "{numbers} all {where}" },
    other: { one: "then {numbers} {where}", several: "then {numbers} all {where}" },
  },
  cross: {
    rule: "Q, K, V.", both: "Both at {key}.", each: "Each elsewhere.", own: "{size} each.", waiting: "Waiting.",
  },
  memory: { one: "{layers} layer", apart: "apart" },
  head: {
    mistaken: "A mistake.", measured: "Usually {name}.",
    look: "{head} {where} {count}/{rows}.", always: "{head} {where}.",
    row: { encoder: "{percent}", decoder: "{aim}: {percent}" },
    list: { look: "{where} {count}/{rows}.", always: "{where}.", mixed: "{where}." },
    short: { encoder: "{key} {percent}", decoder: "{key} {percent}" },
  },
  number: { weights: { encoder: "{percent}.", fit: "Fit.", headOff: "{percent}, but off" } },
  changes: { headOff: "{head} is off" },
};
const captionAt = (text, more = {}, caption = captionOf) => {
  const context = { trace: traceOf(SMALL), step: 1, config: SIZES, ...more };
  return plainText(caption(parsePlace(text, SIZES), context, HEAD_WORDS));
};

test("a head's caption says that the board shows a mistake, and the measured name only where it is another one", () => {
  assert.equal(captionAt("decoder.1.self.2"), "2 at (start). b after a: 100");
  assert.equal(captionAt("decoder.1.self.2", { isMistaken: true }), "A mistake. 2 at (start). b after a: 100");
  const measured = (full, here) => ({ nameOf: () => ({ short: "", share: "", full, hint: "", here }) });
  assert.equal(captionAt("decoder.1.self.2", measured("start", "")), "2 at (start). b after a: 100");
  assert.equal(captionAt("decoder.1.self.2", measured("", "here: (start)")), "2 at (start). b after a: 100");
  const other = measured("previous", "here: (start)");
  assert.equal(captionAt("decoder.1.self.2", other), "2 at (start). Usually previous. b after a: 100");
  const changed = { ...other, effect: [{ text: "Less." }] }; // which nobody measured
  assert.equal(captionAt("decoder.1.self.2", changed), "Less. 2 at (start). b after a: 100");
});

test("a list says of how many rows it is true where a head looks, as the row beside it may be another one", () => {
  assert.equal(captionAt("encoder.1.self.1", {}, shortCaptionOf), "at itself. y 80");
  assert.equal(captionAt("encoder.1.self.2", {}, shortCaptionOf), "ahead 2/3. (end) 80");
});

test("a change takes the place of the reason", () => {
  assert.equal(captionAt("encoder.1.self"), "2 mixes. 1 at itself; then 2 ahead.");
  assert.equal(captionAt("encoder.1.self", { effect: [{ text: "Less." }] }), "Less. 1 at itself; then 2 ahead.");
});

test("captions say what is off", () => {
  const off = (heads) => {
    const encoder = mapOf("encoder", [rowsAt([0, 1, 2], 3), rowsAt([1, 2, 2], 3)]);
    encoder.off = heads;
    return { trace: traceOf({ ...SMALL, encoder }) };
  };
  assert.equal(captionAt("encoder.1.self.2.1.2", off([[0, 1]])), "80, but off");
  assert.equal(captionAt("encoder.1.self.2.1.2"), "80. Fit.");
  assert.equal(captionAt("encoder.1.self.2.mix.1.1", off([[0, 1]])), "2 is off");
  assert.equal(captionAt("encoder.1.self", off([[0, 1]])), "One mix. 1 at itself.");
  assert.equal(captionAt("memory", off([[0, 1]])), "1 layer");
  assert.equal(captionAt("memory", off([[0, 0], [0, 1]])), "apart");
});

test("the caption of cross-attention says who asks and who offers, unless it tells of a change", () => {
  assert.equal(captionAt("decoder.1.cross"), "Q, K, V. Both at y. 2 each.");
  assert.equal(captionAt("decoder.1.cross", { effect: [{ text: "Less." }] }), "Less. Both at y.");
  const waiting = { ...SMALL, cross: { ready: false, heads: 2, layers: 1, headsOn: () => [0, 1] } };
  assert.equal(captionAt("decoder.1.cross", { trace: traceOf(waiting) }), "Q, K, V. Waiting.");
});

const MEASURED = {
  named: {
    names: {
      previous: { short: "before", full: "previous token" }, same: { short: "itself", full: "same token" },
      nearby: { short: "nearby", full: "nearby" }, end: { short: "end", full: "end of sentence" },
    },
    heads: {
      encoder: { "0.0": ["previous", 45], "0.1": ["nearby", null] }, decoder: {}, cross: { "0.0": ["end", 34] },
    },
  },
  text: {
    named: "{name} {percent}%", averaged: "averages", here: "here: {look}",
    looks: { same: "itself", single: "one token" },
  },
};
const named = (map, head, words = MEASURED) => {
  const { full, here } = headName(words, map, { layer: 0, head });
  return headLine(full, here);
};

test("a head has its measured name, and beside it what it looks at here where that is something else", () => {
  const { encoder, decoder, cross } = SMALL;
  assert.equal(named(encoder, 0), "previous token 45% · here: itself");
  assert.equal(named(encoder, 1), "nearby"); // which the token after is
  assert.equal(named(cross, 0), "end of sentence 34% · here: one token");
  assert.equal(named(mapOf("cross", [rowsAt([2, 2, 2], 3)]), 0), "end of sentence 34%");
  assert.deepEqual(headName(MEASURED, encoder, { layer: 0, head: 0 }), {
    short: "before", share: "45%", full: "previous token 45%", hint: "averages", here: "here: itself",
  });
  decoder.keys[0] = "(start)";
  assert.equal(named(decoder, 1), "here: (start)"); // it was measured and has no name
});

test("a head without measurements is called by what it looks at here", () => {
  assert.equal(named(SMALL.cross, 0, { ...MEASURED, named: null }), "here: one token");
});

test("nothing is said of a head's sentence that is not true of it", () => {
  const mixed = mapOf("encoder", [rowsAt([1, 0, 0], 3), rowsAt([2, 2, 2], 3)]);
  assert.equal(named(mixed, 0), "previous token 45%");
  assert.equal(named(mixed, 1), "nearby · here: k");
  mixed.off = [[0, 1]];
  assert.equal(named(mixed, 1), "nearby");
  const waiting = mapOf("cross", [rowsAt([0], 3)]);
  waiting.encoded = null;
  assert.equal(named(waiting, 0), "end of sentence 34%");
  assert.equal(named(SMALL.encoder, "mean"), "");
});

test("a share has the digits of its cell, and what is not quite nothing is not 0", () => {
  assert.deepEqual([0.8846, 0.996, 1, 0.004, 0].map((share) => formatPercent(share)), ["88", "100", "100", "≈0", "0"]);
});

const NAMES = {
  whole: "All", encoder: "E", decoder: "D", layer: "Layer {number}", self: "Self", masked: "Masked", cross: "Cross",
  feed: "Feed", embedding: "Embedding", head: "Head {number}", memory: "Memory", output: "Output",
  parts: { weights: "Weight", logit: "Score" },
};

test("the way to a place names every level; a stack is none of its places", () => {
  const names = (text) => trailOf(parsePlace(text, SIZES), NAMES).map(({ name }) => name);
  assert.deepEqual(names("decoder.1.self.2.3.1"), ["All", "D", "Layer 1", "Masked", "Head 2", "Weight"]);
  assert.deepEqual(names("encoder.embedding"), ["All", "E", "Embedding"]);
  assert.deepEqual(names("output"), ["All", "Output"]);
  assert.equal(trailOf(parsePlace("encoder.1", SIZES), NAMES)[1].place, null);
  assert.equal(placeName(parsePlace("encoder.1.self", SIZES), NAMES), "Self");
});
