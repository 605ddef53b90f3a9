// What a head looks at in this sentence, by its own weights. Pure.
//
// Every row votes for what its strongest key is: the token before, the token itself, the token after, or where heads
// rest, which is the end of the source, and in the decoder the start. At the border it is two of these at once. A row
// that hardly prefers any key votes for "spread". What more than half of the rows vote for names the head.

const CLEAR = 0.25, TIMES_EVEN = 1.5; // the least weight, and the least multiple of an even share, of a clear key

/**
 * @typedef {"previous" | "same" | "next" | "rest" | "single" | "spread" | "mixed"} Look
 * @typedef {{ look: Look, count: number, rows: number }} HeadLook `count` of the rows voted for it
 */

/**
 * The key with the largest number of a row, of those that are allowed; null if none is.
 * @param {Numbers | number[]} row @param {boolean[] | null} allowed
 */
export function strongestKey(row, allowed = null) {
  /** @type {number | null} */
  const none = null;
  return Array.from(row).reduce((best, weight, key) => {
    if (allowed && !allowed[key]) return best;
    return best === null || weight > row[best] ? key : best;
  }, none);
}

/** @type {Record<number, Look>} by the distance of the key from the query */
const NEAR = { "-1": "previous", 0: "same", 1: "next" };

/**
 * What the strongest key of a row is; one at the border is several things at once.
 * @param {AttentionMap} map @param {Numbers} row @param {number} query
 * @returns {Look[]}
 */
function looksOfRow(map, row, query) {
  const reach = map.reach(query);
  const key = strongestKey(row);
  if (reach > 2 && row[key] < Math.max(CLEAR, TIMES_EVEN / reach)) return ["spread"];
  const isRest = map.kind === "decoder" ? key === 0 : map.special.keys.has(key);
  if (map.kind === "cross") return [isRest ? "rest" : "single"];
  const near = NEAR[key - query];
  /** @type {Look[]} */
  const rest = isRest ? ["rest"] : [];
  return near ? [near, ...rest] : rest;
}

/**
 * @param {AttentionMap} map whose weights are loaded
 * @param {number} layer @param {number} head
 * @returns {HeadLook}
 */
export function headLook(map, layer, head) {
  return map.once(`look ${layer} ${head}`, () => lookOf(map, layer, head));
}

/** @param {AttentionMap} map @param {number} layer @param {number} head @returns {HeadLook} */
function lookOf(map, layer, head) {
  const rows = map.matrix(layer, head);
  const votes = rows.flatMap((row, query) => looksOfRow(map, row, query));
  const count = (/** @type {Look} */ look) => votes.filter((vote) => vote === look).length;
  const named = /** @type {Look[]} */ (["previous", "same", "next", "rest", "single", "spread"]);
  const look = named.reduce((best, one) => (count(one) > count(best) ? one : best));
  if (2 * count(look) <= rows.length) return { look: "mixed", count: 0, rows: rows.length };
  return { look, count: count(look), rows: rows.length };
}

/** The looks of all heads of a layer. @param {AttentionMap} map @param {number} layer */
export function layerLooks(map, layer) {
  return Array.from({ length: map.heads }, (_, head) => headLook(map, layer, head));
}

const MOST_ALIKE = 4, TELLING = 3; // heads that all tell something, and how many of more are chosen

/**
 * The heads of a layer that tell most together, in their order: the one that is surest, then always the one that is
 * least like those before. They are those of the whole sentence, whatever the step.
 * @param {AttentionMap} map @param {number} layer
 */
export function tellingHeads(map, layer) {
  const all = [...Array(map.heads).keys()];
  if (map.heads <= MOST_ALIKE) return all;
  const rows = all.map((head) => map.one(layer, head));
  const sureness = all.map((head) => rows[head].reduce((sum, row) => sum + Math.max(...row), 0));
  const chosen = [largest(all, (head) => sureness[head])];
  while (chosen.length < TELLING) {
    const others = all.filter((head) => !chosen.includes(head));
    chosen.push(largest(others, (head) => Math.min(...chosen.map((one) => distance(rows[head], rows[one])))));
  }
  return chosen.sort((one, other) => one - other);
}

/** @param {number[]} list @param {(one: number) => number} measure */
function largest(list, measure) {
  return list.reduce((best, one) => (measure(one) > measure(best) ? one : best));
}

/**
 * How much of their weights two heads put on different keys.
 * @param {Float32Array[]} rows @param {Float32Array[]} others
 */
function distance(rows, others) {
  return rows.reduce((sum, row, i) => sum + row.reduce((part, weight, key) => (
    part + Math.abs(weight - others[i][key])), 0), 0);
}

/**
 * The key on which heads of a kind rest: the end of the source, or the start of the target.
 * @param {AttentionMap} map
 */
export function restingKey({ kind, special }) {
  return kind === "decoder" ? 0 : Math.max(...special.keys);
}

/**
 * Which key most heads of a layer that are on look at most in a row: of several with as many heads the one with the
 * largest mean weight. `count` is the number of these heads.
 * @param {AttentionMap} map @param {number} layer @param {number} query
 */
export function favouriteKey(map, layer, query) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const head of map.headsOn(layer)) {
    const key = strongestOf(map, layer, head, query);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const mean = (/** @type {number} */ key) => map.weight(layer, "mean", query, key);
  const [[key, count]] = [...counts].sort(([one, a], [other, b]) => b - a || mean(other) - mean(one));
  return { key, count };
}

/**
 * The key with the largest weight in one row; `head` may be "mean".
 * @param {AttentionMap} map @param {number} layer @param {HeadChoice} head @param {number} query
 */
export function strongestOf(map, layer, head, query) {
  return strongestKey(Array.from({ length: map.reach(query) }, (_, key) => map.weight(layer, head, query, key)));
}
