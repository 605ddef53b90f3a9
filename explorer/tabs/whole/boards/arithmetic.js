// What a blackboard says about one number: the factors, products and sums that it is made of, in 64-bit floats from the
// model's own tensors. Here are its records and parts; attention_arithmetic.js and stream_arithmetic.js make the boards
// of all numbers, number_data.js fetches the tensors, number_board.js draws. Pure.

import { plainPiece } from "../../../ui/text.js";
import { sum } from "../../../ui/tensor.js";
import { WHOLE, shapeOf } from "../place.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */

/**
 * A value in a sentence: a decimal number, or what says how it is written. `lang` is the side of a token's language,
 * null for one with a name in the page's language.
 * @typedef {number | string | { token: string, lang: "source" | "target" | null } | { id: number } | { count: number }
 *   | { share: number } | { ordinal: number } | { head: number, ordinal?: number }} Value
 */

/**
 * A sentence of the words with its values; its name is a path, such as "titles.q".
 * @typedef {{ name: string, values: Record<string, Value> }} Sentence
 */

/**
 * What a table is about, one to a column on the board: a dimension, a token, a head, a neuron or a candidate. `place`
 * is where its label leads.
 * @typedef {{ label: Value, place?: Place | null, isCurrent?: boolean, isMasked?: boolean }} Item
 */

/**
 * One number of every item. `sign` says how it follows from the lines before; `scale` is the number with the full
 * colour; `places` are where its numbers come from; `form` says how they are written.
 * @typedef {object} Quantity
 * @property {string} name in the words
 * @property {Record<string, Value>} values
 * @property {string} sign
 * @property {ArrayLike<number>} numbers
 * @property {number} scale
 * @property {Place[] | null} places
 * @property {"decimal" | "share"} form
 */

/**
 * `all` makes the table with every item, where this one has only the largest.
 * @typedef {{ about: string, items: Item[], quantities: Quantity[], all: (() => Table) | null }} Table
 */

/**
 * A part of an equation: a sign, or a number with what it is.
 * @typedef {string | { number: number, name: string, values?: Record<string, Value>, form?: "decimal" | "share",
 *   place?: Place | null, isResult?: boolean }} Part
 */

/**
 * `code` names the lines of the model's source that compute a step (source_lines.py).
 * @typedef {{ name: string, values: Record<string, Value>, code: string[], table: Table | null, equation: Part[] }}
 *   Step
 */

/**
 * `fed` and `writing` say whose number it is: of a row of the decoder, which is fed one token to write another.
 * `ahead` are the places that the arrow keys lead to.
 * @typedef {object} Board
 * @property {Place} place
 * @property {Value | null} writing the token that the row writes
 * @property {Sentence} title
 * @property {Step[]} steps
 * @property {{ number: number, form: "decimal" | "share" }} result
 * @property {Record<string, Place | null>} ahead by key
 */

/** A row of a module's weights, and its bias. @typedef {{ weight: Tensor, bias: Tensor | null }} Parameter */

/**
 * What all boards read; the trace is that of the experiment.
 * @typedef {{ place: Place, trace: Trace, config: Record<string, any>, experiment: Experiment }} NumberContext
 */

const MAX_PRODUCTS = 64; // that are all shown
const LARGEST = 8; // of more
const MAX_SHARES = 20; // that are all shown
const LARGEST_SHARES = 16; // of more
const WINDOW = 16; // dimensions beside that of the number

/**
 * A token as a value of a sentence.
 * @param {{ text: string, special?: boolean }} token
 * @param {"source" | "target"} lang
 * @returns {Value}
 */
export function tokenValue({ text, special }, lang) {
  return { token: plainPiece(text), lang: special ? null : lang };
}

/**
 * The tokens of a stack: of the encoder those it reads, of the decoder those it is fed.
 * @param {Trace} trace
 * @param {Place["stack"]} stack
 */
export function tokensOf(trace, stack) {
  return stack === "encoder" ? trace.source.map((piece) => tokenValue(piece, "source"))
    : trace.steps.map(({ fed }) => tokenValue(fed, "target"));
}

/**
 * The tokens that a block's keys and values belong to.
 * @param {Trace} trace
 * @param {Place} place
 */
export function keysOf(trace, { stack, block }) {
  return tokensOf(trace, block === "cross" ? "encoder" : stack);
}

/**
 * The token that a row of the decoder writes; null in the encoder.
 * @param {Trace} trace
 * @param {Place} place
 */
export function writtenBy(trace, { stack, row }) {
  return stack === "encoder" ? null : tokenValue(trace.steps[row].predicted, "target");
}

/**
 * The sizes of a trace in a model.
 * @param {Trace} trace
 * @param {Record<string, any>} config
 * @returns {import("../place.js").Sizes}
 */
export function sizesOf(trace, config) {
  const counts = { src: trace.source.length, tgt: trace.steps.length };
  return /** @type {import("../place.js").Sizes} */ ({ ...config, ...counts });
}

/**
 * The stream that enters a block: its stack, and the place of its numbers without row and column. `side` is "key" for
 * what keys and values are made of.
 * @param {Place} place
 * @param {Record<string, any>} config
 * @param {"query" | "key"} side
 * @returns {Place}
 */
export function inputOf({ stack, layer, block }, config, side = "query") {
  /** @type {(stack: Place["stack"], layer: number, block: import("../place.js").BlockName) => Place} */
  const norm = (stack, layer, block) => ({ ...WHOLE, stack, layer, block, part: "norm" });
  if (stack === "output") return norm("decoder", config.layers.decoder - 1, "feed");
  if (block === "cross") {
    return side === "key" ? norm("encoder", config.layers.encoder - 1, "feed") : norm("decoder", layer, "self");
  }
  if (block === "feed") return norm(stack, layer, stack === "encoder" ? "self" : "cross");
  return layer > 0 ? norm(stack, layer - 1, "feed") : { ...WHOLE, stack, block: "embedding", part: "sum" };
}

/**
 * The largest size of a number in several rows; masked ones are infinite.
 * @param {ArrayLike<number>[]} rows
 */
export function largest(...rows) {
  return rows.flatMap((row) => Array.from(row, Math.abs)).filter(Number.isFinite).reduce((a, b) => Math.max(a, b), 0);
}

/**
 * @param {string} name
 * @param {ArrayLike<number>} numbers
 * @param {Partial<Pick<Quantity, "sign" | "values" | "scale" | "places" | "form">>} [options]
 * @returns {Quantity}
 */
export function quantity(name, numbers, { sign = "", values = {}, scale = largest(numbers), places = null,
  form = /** @type {"decimal" | "share"} */ ("decimal") } = {}) {
  return { name, values, sign, numbers, scale, places, form };
}

/**
 * @param {string} name
 * @param {Partial<Omit<Step, "name">>} options
 * @returns {Step}
 */
export function step(name, { values = {}, code = [], table = null, equation = [] }) {
  return { name, values, code, table, equation };
}

/**
 * The same places in a row, one to a column.
 * @param {Place} place
 * @param {number} count
 */
export function placesAlong(place, count) {
  return Array.from({ length: count }, (_, column) => ({ ...place, column }));
}

/**
 * Some items of a table.
 * @param {Table} table
 * @param {number[]} indices
 * @returns {Table}
 */
function pick({ about, items, quantities }, indices) {
  return {
    about,
    all: null,
    items: indices.map((i) => items[i]),
    quantities: quantities.map(({ numbers, places, ...rest }) => (
      { ...rest, numbers: indices.map((i) => numbers[i]), places: places && indices.map((i) => places[i]) }
    )),
  };
}

/**
 * The products of two rows of numbers, the largest ones where they are many, and the parts of the equation that adds
 * all of them up.
 *
 * `items` are what the products are about; `first` and `second` quantities.
 * @param {string} about
 * @param {Item[]} items
 * @param {[Quantity, Quantity]} factors
 */
export function productsOf(about, items, [first, second]) {
  const products = Float64Array.from(first.numbers, (number, i) => number * second.numbers[i]);
  const quantities = [first, { ...second, sign: "×" }, quantity("products", products, { sign: "=" })];
  /** @type {Table} */
  const table = { about, items, quantities, all: null };
  const dot = sum(products);
  /** @type {Part[]} */
  const whole = [{ number: dot, name: "sum" }];
  if (items.length <= MAX_PRODUCTS) return { dot, table, parts: whole };
  const indices = [...products.keys()].sort((a, b) => Math.abs(products[b]) - Math.abs(products[a]));
  const shown = indices.slice(0, LARGEST);
  const shownSum = sum(shown.map((i) => products[i]));
  /** @param {number} i */
  const isZero = (i) => first.numbers[i] === 0;
  const others = indices.slice(LARGEST).filter((i) => !isZero(i)).length;
  /** @type {Part[]} */
  const parts = [{ number: shownSum, name: "largest", values: { count: { count: LARGEST } } }];
  if (others > 0) parts.push("+", { number: dot - shownSum, name: "others", values: { count: { count: others } } });
  return { dot, table: { ...pick(table, shown), all: () => table }, parts };
}

/**
 * Items with the numbers of dimensions as labels.
 * @param {number} count
 * @param {number | null} current
 * @returns {Item[]}
 */
export function dimensions(count, current = null) {
  return Array.from({ length: count }, (_, i) => ({ label: { ordinal: i }, isCurrent: i === current }));
}

/**
 * The dimensions around one of them that the board shows beside it.
 * @param {number} column
 * @param {number} count
 */
function windowAround(column, count) {
  const first = Math.max(0, Math.min(column - WINDOW / 2, count - WINDOW));
  return Array.from({ length: Math.min(WINDOW, count) }, (_, i) => first + i);
}

/**
 * A table of the dimensions around that of a place; the labels lead to the same number of another dimension.
 * @param {Place} place
 * @param {Quantity[]} quantities
 */
export function besides(place, quantities) {
  const count = quantities[0].numbers.length;
  const items = dimensions(count, place.column).map((item, column) => ({ ...item, place: { ...place, column } }));
  return pick({ about: "dimensions", items, quantities, all: null }, windowAround(place.column, count));
}

/**
 * Ends an equation with a bias, if the model has one, and the result.
 * @param {Part[]} parts
 * @param {number | null} bias
 * @param {Exclude<Part, string>} result
 * @returns {Part[]}
 */
export function withBias(parts, bias, result) {
  const end = { ...result, isResult: true };
  if (bias !== null) return [...parts, "+", { number: bias, name: "bias" }, "=", end];
  return parts.length === 1 ? [end] : [...parts, "=", end];
}

/** softmax(scores), with what it is made of. @param {ArrayLike<number>} scores */
export function softmaxOf(scores) {
  const maximum = Array.from(scores).reduce((a, b) => Math.max(a, b));
  const powers = Float64Array.from(scores, (score) => Math.exp(score - maximum));
  const total = sum(powers);
  return { scores, maximum, powers, total, shares: powers.map((power) => power / total) };
}

/**
 * The sum of those powers that a table shows, and of the others, as an equation.
 * @param {ReturnType<typeof softmaxOf>} softmax
 * @param {number[]} shown indices
 * @returns {Part[]}
 */
function totalParts({ powers, total }, shown) {
  const shownSum = sum(shown.map((i) => powers[i]));
  const others = powers.length - shown.length;
  return [
    { number: shownSum, name: "shown", values: { count: { count: shown.length } } }, "+",
    { number: total - shownSum, name: "otherTokens", values: { count: { count: others } } }, "=",
    { number: total, name: "total" },
  ];
}

/**
 * The steps from scores to the share of one of them: the table of all items, or of those with the largest shares where
 * they are many, and the division. `indices` are those of the items in the scores, `index` is that of the share;
 * `before` are the scores without the mask; `names` are those of the quantities and of the result.
 *
 * @param {Step} heading
 * @param {{ about: string, items: Item[], indices: number[], index: number, before?: ArrayLike<number>,
 *   names: { score: string, share: string, result: string } }} row
 * @param {ReturnType<typeof softmaxOf>} softmax
 */
export function shareSteps(heading, { about, items, indices, index, before, names }, softmax) {
  const { scores, maximum, powers, total, shares } = softmax;
  /** @param {ArrayLike<number>} numbers */
  const at = (numbers) => indices.map((i) => numbers[i]);
  /** @type {Table} */
  const table = {
    about, items, all: null,
    quantities: [
      quantity(names.score, at(before ?? scores)),
      quantity("shifted", at(scores).map((score) => score - maximum), {
        scale: Infinity, sign: "−", values: { number: maximum },
      }),
      quantity("powers", at(powers), { scale: 1 }),
      quantity(names.share, at(shares), { sign: "÷", scale: 1, form: "share", values: { number: total } }),
    ],
  };
  const order = [...indices.keys()].sort((a, b) => shares[indices[b]] - shares[indices[a]]);
  const isMany = items.length > MAX_SHARES;
  /** @type {(i: number, rank: number) => boolean} */
  const isShown = (i, rank) => !isMany || rank < LARGEST_SHARES || indices[i] === index;
  const shown = order.filter(isShown).sort((a, b) => a - b);
  return [
    {
      ...heading,
      table: isMany ? { ...pick(table, shown), all: () => table } : table,
      equation: shown.length < scores.length ? totalParts(softmax, shown.map((i) => indices[i])) : [],
    },
    step("divide", {
      equation: [
        { number: powers[index], name: "power", values: { number: scores[index] - maximum } }, "÷",
        { number: total, name: "total" }, "=",
        { number: shares[index], name: names.result, form: "share", isResult: true },
      ],
    }),
  ];
}

/**
 * Adds what all boards have.
 * @param {Pick<NumberContext, "place" | "trace" | "config">} context
 * @param {Pick<Board, "title" | "steps"> & { result: { number: number, form?: "share" }, writing?: Value | null,
 *   ahead?: Board["ahead"] }} parts
 * @returns {Board}
 */
export function board({ place, trace, config }, { title, steps, result, ...parts }) {
  const { writing = writtenBy(trace, place), ahead = {} } = parts;
  const [rows, columns] = shapeOf(place, sizesOf(trace, config));
  /** @type {(row: number, column: number) => Place | null} */
  const at = (row, column) => (
    row >= 0 && column >= 0 && row < rows && column < columns ? { ...place, row, column } : null);
  const { row, column } = place;
  return {
    place, writing, title, steps,
    result: { form: "decimal", ...result },
    ahead: {
      ArrowUp: at(row - 1, column), ArrowDown: at(row + 1, column), ArrowLeft: at(row, column - 1),
      ArrowRight: at(row, column + 1), ...ahead,
    },
  };
}
