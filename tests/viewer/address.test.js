// What an address contains survives its way there and back; what it cannot mean is named and left out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeView, encodeView } from "../../explorer/attention_view/view_parts.js";
import { fitView } from "../../explorer/attention_view/state.js";
import { hasOnlyPageParts, namedValues, parsePage, writePage } from "../../explorer/page/page_parts.js";
import {
  entriesOf, isHistoryEntry, isLink, parseParts, partsOfTab, queryOf, withoutForeign,
} from "../../explorer/ui/address_parts.js";

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
  level: "picture", kind: "cross", layer: 1_000_000, head: "mean", step: null, pin: null, look: "heatmap",
  whole: false, scale: "fixed", specials: true, transposed: false, words: false, speed: 2, compared: "one",
  cell: null, measure: "weight",
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
    ...heads(), step: pick(6),
    pin: of(null, { axis: of("query", "key"), index: pick(6) }), look: of("heatmap", "ribbon"), whole: of(true, false),
    scale: of("fixed", "row", "auto"), specials: of(true, false), transposed: of(true, false), words: of(true, false),
    speed: of(1, 2, 5, 15, 60), compared: of("one", "beside", "difference"),
    cell: of(null, { query: pick(6), key: pick(6) }),
  }, TRACE);
}

/** As an address carries it: texts only, and nothing of what is null. */
function carried(parts) {
  const texts = Object.entries(parts).filter(([, text]) => text !== null);
  return Object.fromEntries(entriesOf(queryOf(new Map(texts))));
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
    step: "0", layer: "first", head: "rollout", measure: "Length", pin: "row.2", cell: "1.2.3",
    kind: "constructor", whole: "true", speed: "3", scale: "", look: "<b>", words: "-1", specials: "2",
    transposed: "01",
  };
  for (const [name, text] of Object.entries(wrong)) {
    const { view, damaged } = decodeView({ [name]: text }, FIRST);
    assert.deepEqual([damaged, view], [[name], FIRST], name);
  }
});

const CHOICES = {
  tabs: ["explore", "whole", "train"], hidden: ["heading", "footer"], languages: ["en", "de"],
  first: { sentence: "A dog.", view: FIRST },
};
const parsed = (query) => parseParts(entriesOf(query));

test("links of before go where their parts are now", () => {
  const heads = "level=heads&drawer.panel";
  for (const [old, now] of [
    ["tab=lab", `${heads}=fork`],
    ["tab=lab&lab.begin=59.7", `change=begin.59.7&${heads}=fork`],
    ["tab=lab&lab.fork-branches=5.6,7&step=2", `step=2&${heads}=branches&drawer.branches-branches=5.6%2C7`],
    ["tab=lab&lab.station=heads&lab.off=cross.4.1&lab.by=mean", `change=off.cross.4.1_by.mean&${heads}=heads`],
    ["tab=lab&lab.station=heads&lab.heads-rank=average", `${heads}=ranking&drawer.ranking-rank=average`],
    ["tab=lab&lab.station=hide", `${heads}=leave`],
    ["tab=lab&lab.station=hide&lab.hidden=2&lab.hide-heads=4.mean",
      `change=hidden.2&${heads}=hide&drawer.leave-heads=4.mean`],
    ["tab=lab&lab.station=compare&lab.source=A*b_c.", `change=source.A*0b*1c.&${heads}=compare`],
    ["tab=lab&lab.station=compare&lab.order=3", `change=order.3&${heads}=order`],
    ["tab=lab&lab.station=positions&lab.encoder=shuffled&lab.seed=2",
      `change=encoder.shuffled_seed.2&${heads}=positions`],
    ["tab=lab&lab.station=patch&lab.from=A.&lab.cells=encoder.4.1", `change=from.A._cells.encoder.4.1&${heads}=patch`],
    ["tab=lab&lab.station=score&lab.score-marks=c3", `${heads}=score&drawer.score-marks=c3`],
    ["tab=lab&lab.station=search&lab.search-mode=sampling", `${heads}=search&drawer.search-mode=sampling`],
    ["tab=lab&lab.kind=encoder&lab.step=3&lab.compared=difference&kind=cross",
      `kind=encoder&${heads}=fork&step=3&compared=difference`],
    ["tab=catalogue&catalogue.sort=2", `catalogue.sort=2&${heads}=ranking`],
    ["tab=whole&whole.change=off.cross.4.8&whole.at=output", "tab=whole&whole.at=output&change=off.cross.4.8"],
    ["step=3&lab.off=cross.1.1&whole.change=encoder.off", "step=3"], // of a tab that was not open
    ["level=heads&beam=5&second=1.2", "level=heads&drawer.panel=search"],
    ["tab=training&training.moment=2&training.kind=encoder", "tab=train&train.moment=2&train.kind=encoder"],
    ["step=2&training.example=3", "step=2&train.example=3"],
    ["tab=training", "tab=training"],
    ["sentence=A+dog.&step=2", "sentence=A%20dog.&step=2"],
    ["tab=whole&at=decoder.4.cross.3.12.12", "tab=whole&whole.at=decoder.4.cross.3.12.12"],
  ]) assert.equal(queryOf(parsed(old)), `?${now}`);
  assert.equal(queryOf(parsed("")), "");
});

test("a blank stays a blank where a chat program makes %2B of it, and a plus a plus", () => {
  for (const [query, sentence] of [
    ["?sentence=A+big+man.", "A big man."],
    ["?sentence=A%20big%20man.", "A big man."],
    ["?sentence=A%2Bbig%2Bman.", "A big man."],
    ["?sentence=One%20%2B%20two", "One + two"],
    ["?sentence=One+%2B+two", "One + two"],
    ["?sentence=C%2B%2B", "C++"],
    ["?sentence=2%2B2", "2+2"],
  ]) assert.deepEqual(entriesOf(query), [["sentence", sentence]], query);
  for (const sentence of ["A+B", "A + B", "a+b+c", "C++ is old"]) {
    assert.equal(carried({ sentence }).sentence, sentence);
  }
});

test("a part belongs to the page, a tab or nobody", () => {
  const foreign = "__theme=dark&utm_a=1&class=AB&view=api";
  const parts = parsed(`sentence=A.&drawer.panel=hide&drawer.search-mode=beam&${foreign}&step=2`);
  assert.deepEqual(partsOfTab(parts, ""), { sentence: "A.", step: "2" });
  assert.deepEqual(partsOfTab(parts, "drawer"), { panel: "hide", "search-mode": "beam" });
  const ofPage = { sentence: "A.", "drawer.panel": "hide", "drawer.search-mode": "beam", step: "2" };
  assert.deepEqual(withoutForeign(parts), ofPage);
});

test("Back undoes another sentence or tab and nothing less, and a link has at most two thousand characters", () => {
  const before = parsed("sentence=A.&step=2");
  for (const [after, isEntry] of [
    ["sentence=B.&step=2", true],
    ["sentence=A.&tab=train", true],
    ["sentence=A.&step=3", false],
  ]) assert.equal(isHistoryEntry(before, parsed(after)), isEntry, after);
  assert.deepEqual([isLink("x".repeat(2000)), isLink("x".repeat(2001))], [true, false]);
});

test("a thousand random pages come back as they were", () => {
  const pick = numbers(20261126);
  const of = (...values) => values[pick(values.length)];
  for (let i = 0; i < 1000; i += 1) {
    const state = {
      sentence: of("A dog.", "Zwei & drei = 5?"), typed: of(null, "a dog"),
      ...of({ change: "", isHeldBack: false }, { change: "hidden.2", isHeldBack: of(true, false) }),
      tab: of(...CHOICES.tabs),
      view: randomView(pick),
      hide: of([], ["footer"], ["heading", "footer"]), embed: of(true, false), lang: of(null, "de"),
      lesson: of(null, "clause.2"),
    };
    const { damaged, ...found } = parsePage(carried(writePage(state, TRACE, CHOICES)), CHOICES);
    assert.deepEqual(damaged, []);
    assert.deepEqual({ ...found, view: fitView(found.view, TRACE) }, state);
  }
});

test("what the page does not have is named, and it stays as it begins there", () => {
  const first = {
    sentence: "A dog.", typed: null, change: "", isHeldBack: false, tab: "explore", view: FIRST, hide: [],
    embed: false, lang: null, lesson: null,
  };
  assert.deepEqual(parsePage({}, CHOICES), { ...first, damaged: [] });
  const wrong = { step: "0", run: "both", tab: "constructor", hide: "body,footer", embed: "2", lang: "fr" };
  const damaged = ["step", "run", "tab", "hide", "embed", "lang"];
  assert.deepEqual(parsePage(wrong, CHOICES), { ...first, tab: null, hide: ["footer"], damaged });
});

test("what an address names by number, and the sentence of what was typed, is looked for in what is shown", () => {
  const named = (texts) => namedValues(texts, parsePage(texts, CHOICES));
  assert.deepEqual(named({ step: "9", layer: "rollout", head: "3" }), { step: 8, head: 2 });
  assert.deepEqual(named({ sentence: "A dog.", typed: "a dog" }), { sentence: "A dog." });
  assert.deepEqual([named({ sentence: "A dog." }), named({ typed: "a dog" })], [{}, {}]);
});

test("an address of a lesson alone leaves to the lesson what is shown", () => {
  assert.equal(hasOnlyPageParts({ lesson: "clause.2", lang: "de", hide: "footer", embed: "1" }), true);
  assert.equal(hasOnlyPageParts({ lesson: "clause.2", step: "2" }), false);
});
