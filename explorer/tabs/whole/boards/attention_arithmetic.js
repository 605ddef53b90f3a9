// The boards of an attention block's numbers: a weight, a number of a query, key or value, of a head's output, and of
// the block's result. Pure.

import { sum } from "../../../ui/tensor.js";
import {
  board, dimensions, inputOf, keysOf, largest, productsOf, placesAlong, quantity, shareSteps, softmaxOf, step, tokensOf,
  withBias, writtenBy,
} from "./arithmetic.js";

import { kindOf } from "../place.js";

/** @typedef {import("./arithmetic.js").NumberContext} NumberContext */
/** @typedef {import("./arithmetic.js").Parameter} Parameter */
/** @typedef {import("./arithmetic.js").Table} Table */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */
/** @typedef {Record<string, Tensor>} Tensors those of a head, by the names of explorer/recording/head.py */

/**
 * The weight of a key: products, score, softmax. `head` are the tensors of the call `head`.
 * @param {NumberContext} context
 * @param {Tensors} head
 */
export function weightsBoard({ place, trace, config }, head) {
  const { row, column } = place;
  const keys = keysOf(trace, place);
  const [query, key] = [tokensOf(trace, place.stack)[row], keys[column]];
  const [q, k] = [head.q.row(row), head.k.row(column)];
  const isAllowed = Array.from(head.mask.row(row), Boolean);
  const { table, parts } = productsOf("dimensions", dimensions(q.length), [
    quantity("q", q, {
      values: { token: query }, scale: largest(q, k), places: placesAlong({ ...place, part: "q" }, q.length),
    }),
    quantity("k", k, {
      values: { token: key }, scale: largest(q, k), places: placesAlong({ ...place, part: "k", row: column }, k.length),
    }),
  ]);
  const root = Math.sqrt(q.length);
  const scores = head.k.rows.map((other) => sum(Float64Array.from(q, (number, i) => number * other[i])) / root);
  const softmax = softmaxOf(scores.map((score, i) => (isAllowed[i] ? score : -Infinity)));
  const isMasked = !isAllowed[column];
  const items = keys.map((label, i) => (
    { label, place: { ...place, column: i }, isCurrent: i === column, isMasked: !isAllowed[i] }));
  const added = parts.length > 1 ? ["(", ...parts, ")"] : parts;
  const score = { number: scores[column], name: isMasked ? "unmasked" : "score", isResult: !isMasked };
  const heading = step(isAllowed.every(Boolean) ? "softmax" : "maskedSoftmax", {
    code: ["mask", "softmax"], values: { keys: { count: keys.length } },
  });
  const names = { score: "scores", share: "weights", result: "weight" };
  const number = softmax.shares[column];
  return board({ place, trace, config }, {
    title: { name: isMasked ? "titles.masked" : "titles.weights", values: { query, key } },
    steps: [
      step("multiply", { code: ["multiply"], values: { count: { count: q.length } }, table }),
      step("scale", { code: ["scale"], equation: [...added, "÷", `√${q.length}`, "=", score] }),
      ...shareSteps(heading, {
        about: "keys", items, indices: [...keys.keys()], index: column, before: scores, names,
      }, softmax),
    ],
    result: { number, form: "share" },
  });
}

/**
 * A number of a query, key or value: the stream times a row of the head's matrix.
 * @param {NumberContext} context
 * @param {Tensors} head
 */
export function projectionBoard({ place, trace, config }, head) {
  const { part, row, column } = place;
  const side = part === "q" ? "query" : "key";
  const stream = head[part === "q" ? "queries_from" : "keys_from"].row(row);
  const weights = head[`w_${part}`].row(column);
  const bias = config.bias ? head[`w_${part}_bias`].data[column] : null;
  const token = (part === "q" ? tokensOf(trace, place.stack) : keysOf(trace, place))[row];
  const from = { ...inputOf(place, config, side), row };
  const { dot, table, parts } = productsOf("dimensions", dimensions(stream.length), [
    quantity("x", stream, { values: { token }, places: placesAlong(from, stream.length) }),
    quantity("matrix", weights, { values: { matrix: `W_${part.toUpperCase()}`, number: { ordinal: column } } }),
  ]);
  const number = dot + (bias ?? 0);
  const values = { token, number: { ordinal: column } };
  const size = { count: { count: stream.length } };
  return board({ place, trace, config }, {
    writing: part === "q" ? writtenBy(trace, place) : null,
    title: { name: `titles.${part}`, values },
    steps: [
      step("multiply", { code: [part], values: size, table }),
      step("add", { equation: withBias(parts, bias, { number, name: "result" }) }),
    ],
    result: { number },
  });
}

/**
 * A number of a head's output: the weights times one dimension of all values, of a head that is off 0.
 * @param {NumberContext} context
 * @param {Tensors} head
 */
export function mixBoard({ place, trace, config, experiment }, head) {
  const { row, column } = place;
  const keys = keysOf(trace, place);
  const token = tokensOf(trace, place.stack)[row];
  const isAllowed = head.mask.row(row);
  const weights = head.weights.row(row);
  const items = keys.map((label, i) => (
    { label, place: { ...place, part: "weights", column: i }, isMasked: !isAllowed[i] }));
  const products = Float64Array.from(weights, (weight, i) => weight * head.v.row(i)[column]);
  const mixed = sum(products);
  const isOff = (experiment.off ?? []).some((one) => `${one}` === `${[kindOf(place), place.layer, place.head]}`);
  const number = isOff ? 0 : mixed;
  const result = { number, name: isOff ? "result" : "sum", isResult: true };
  /** @type {Table} */
  const table = {
    about: "keys", items, all: null,
    quantities: [
      quantity("weight", weights, {
        scale: 1, form: "share", places: items.map(({ place }) => place),
      }),
      quantity("v", head.v.rows.map((value) => value[column]), {
        sign: "×", values: { number: { ordinal: column } },
        places: keys.map((_, i) => ({ ...place, part: "v", row: i })),
      }),
      quantity("products", products, { sign: "=" }),
    ],
  };
  const values = { token, number: { ordinal: column } };
  return board({ place, trace, config }, {
    title: { name: "titles.mix", values },
    steps: [step("mix", {
      code: ["values"], values: { keys: { count: keys.length } }, table,
      equation: isOff ? [{ number: mixed, name: "sum" }, "×", { number: 0, name: "off" }, "=", result] : [result],
    })],
    result: { number },
  });
}

/**
 * The products of all heads' numbers, side by side, with a row of W_O.
 * @param {Place} place
 * @param {number} width of a head
 * @param {{ numbers: ArrayLike<number>, weights: ArrayLike<number>, products: ArrayLike<number> }} vectors
 * @returns {Table}
 */
function headProducts(place, width, { numbers, weights, products }) {
  return {
    about: "dimensions", all: null,
    items: Array.from(numbers, (_, i) => {
      const [head, column] = [Math.floor(i / width), i % width];
      return { label: { head, ordinal: column }, place: { ...place, head, part: "mix", column } };
    }),
    quantities: [
      quantity("concatenated", numbers),
      quantity("matrix", weights, { sign: "×", values: { matrix: "W_O", number: { ordinal: place.column } } }),
      quantity("products", products, { sign: "=" }),
    ],
  };
}

/**
 * A number of the attention's result: all heads side by side times a row of W_O.
 * @param {NumberContext} context
 * @param {{ concatenated: Tensor, parameter: Parameter }} tensors
 */
export function attentionOutputBoard({ place, trace, config }, { concatenated, parameter: { weight, bias } }) {
  const { row, column } = place;
  const { heads, d_value: width } = config;
  const numbers = concatenated.row(row);
  const products = Float64Array.from(numbers, (number, i) => number * weight.data[i]);
  const partial = Array.from({ length: heads }, (_, head) => sum(products.subarray(head * width, (head + 1) * width)));
  const own = bias && bias.data[0];
  const number = sum(partial) + (own ?? 0);
  const token = tokensOf(trace, place.stack)[row];
  /** @type {(head: number) => Place} */
  const headPlace = (head) => ({ ...place, head, part: null, row: null, column: null });
  /** @type {Table} */
  const table = {
    about: "heads",
    all: () => headProducts(place, width, { numbers, weights: weight.data, products }),
    items: partial.map((_, head) => ({ label: { head }, place: headPlace(head) })),
    quantities: [quantity("partial", partial, { values: { size: { count: width } } })],
  };
  const values = { token, number: { ordinal: column } };
  return board({ place, trace, config }, {
    title: { name: "titles.attention", values },
    steps: [
      step("heads", { code: ["output"], values: { ...values, count: { count: numbers.length } }, table }),
      step("add", { equation: withBias([{ number: sum(partial), name: "sum" }], own, { number, name: "result" }) }),
    ],
    result: { number },
  });
}
