// BLEU and chrF of one translation against one reference: the numbers of sacreBLEU's sentence scores (Post 2018).

import { sum } from "../../ui/tensor.js";

// eslint-disable-next-line no-control-regex
const BLANKS = /(?:[^\S\ufeff]|[\x1c-\x1f\x85])+/; // where Python's split() divides
const BLANKS_AT_END = new RegExp(`${BLANKS.source}$`);
const ENTITIES = [["&quot;", '"'], ["&amp;", "&"], ["&lt;", "<"], ["&gt;", ">"]]; // replaced in this order
const WORD_ORDERS = [1, 2, 3, 4];
const CHARACTER_ORDERS = [1, 2, 3, 4, 5, 6];
const BETA = 2; // recall counts twice as much as precision

/** A text divided at its blanks. */
export function split(text) {
  return text.split(BLANKS).filter((part) => part !== "");
}

/** The words and punctuation marks of a text: the tokenisation of mteval-v13a.pl, which BLEU counts. */
export function words(text) {
  const whole = text.replace(BLANKS_AT_END, "").replaceAll("<skipped>", "");
  const joined = whole.replaceAll("-\n", "").replaceAll("\n", " ");
  const plain = ENTITIES.reduce((rest, [entity, sign]) => rest.replaceAll(entity, sign), joined);
  return split(` ${plain} `
    .replace(/([ -&(-+/:-@[-\x60{-~])/gu, " $1 ") // all signs of ASCII but ' , . -
    .replace(/([^0-9])([.,])/gu, "$1 $2 ") // not within a number: 1,5
    .replace(/([.,])([^0-9])/gu, " $1 $2")
    .replace(/([0-9])(-)/gu, "$1 $2 "));
}

/** The characters of a text without its blanks, which chrF counts. */
export function characters(text) {
  return [...split(text).join("")];
}

/** The places where each run of n items begins, by the run. */
function placesOfRuns(items, n) {
  const places = new Map();
  for (let start = 0; start + n <= items.length; start += 1) {
    const run = items.slice(start, start + n).join(" ");
    places.set(run, [...(places.get(run) ?? []), start]);
  }
  return places;
}

/**
 * The runs of n items (n-grams) that two texts have in common, each as often as the text that has fewer of it.
 *
 * `totals` counts the runs of each text, `marked` holds the places of the items that belong to common runs.
 */
export function matchRuns(hypothesis, reference, n) {
  const sides = [hypothesis, reference];
  const [runs, others] = sides.map((items) => placesOfRuns(items, n));
  const marked = [new Set(), new Set()];
  let matched = 0;
  for (const [run, starts] of runs) {
    const common = Math.min(starts.length, others.get(run)?.length ?? 0);
    matched += common;
    [starts, others.get(run) ?? []].forEach((places, side) => {
      for (const start of places.slice(0, common)) for (let i = 0; i < n; i += 1) marked[side].add(start + i);
    });
  }
  return { n, matched, totals: sides.map(({ length }) => Math.max(0, length - n + 1)), marked };
}

/**
 * BLEU (Papineni et al. 2002) of a sentence, in percent: the brevity penalty times the geometric mean of the
 * precisions.
 *
 * An order without a match counts half a match, the next such order a quarter (smoothing "exp"); orders longer than the
 * hypothesis are left out (effective order). `counted` is what an order's match counts as; without a common word all is
 * 0.
 */
export function bleu(hypothesis, reference) {
  const sides = [hypothesis, reference].map(words);
  const lengths = sides.map(({ length }) => length);
  const [own, other] = lengths;
  const penalty = own >= other ? 1 : Math.exp(1 - other / own); // exp(-Infinity) is 0
  const runs = WORD_ORDERS.map((n) => matchRuns(sides[0], sides[1], n));
  const isZero = !runs[0].matched;
  let smoothing = 1;
  const orders = runs.map((order) => {
    const { matched, totals: [total] } = order;
    if (isZero || total === 0) return { ...order, counted: 0, precision: 0 };
    if (matched === 0) smoothing *= 2;
    const counted = matched || 1 / smoothing;
    return { ...order, counted, precision: (100 * counted) / total };
  });
  const precisions = orders.filter(({ precision }) => precision > 0).map(({ precision }) => precision);
  const mean = isZero ? 0 : Math.exp(sum(precisions.map(Math.log)) / precisions.length);
  return { score: penalty * mean, penalty, mean, lengths, orders, precisions };
}

/** chrF2 (Popović 2015, 2016) in percent: the F-score, beta = 2, of mean precision and mean recall over the orders. */
export function chrf(hypothesis, reference) {
  const sides = [hypothesis, reference].map(characters);
  const orders = CHARACTER_ORDERS.map((n) => {
    const order = matchRuns(sides[0], sides[1], n);
    const [precision, recall] = order.totals.map((total) => (total ? order.matched / total : 0));
    return { ...order, precision, recall, isCounted: Math.min(...order.totals) > 0 };
  });
  const counted = orders.filter(({ isCounted }) => isCounted);
  const mean = (name) => sum(counted.map((order) => order[name])) / (counted.length || 1);
  const [precision, recall] = [mean("precision"), mean("recall")];
  const weighted = BETA ** 2 * precision + recall;
  return { score: weighted ? (100 * (1 + BETA ** 2) * precision * recall) / weighted : 0, precision, recall, orders };
}
