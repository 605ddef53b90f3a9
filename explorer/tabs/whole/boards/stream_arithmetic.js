// The boards of the residual stream's numbers: as it enters a stack, after the addition and the norm of a block, in a
// feed-forward network, and as it becomes a logit. Pure.

import { heldValue } from "../../../changes/experiments.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { sum } from "../../../ui/tensor.js";
import {
  besides, board, dimensions, inputOf, largest, productsOf, placesAlong, quantity, shareSteps, softmaxOf, step,
  tokenValue, tokensOf, withBias,
} from "./arithmetic.js";

/** @typedef {import("./arithmetic.js").NumberContext} NumberContext */
/** @typedef {import("./arithmetic.js").Part} Part */
/** @typedef {import("./arithmetic.js").Parameter} Parameter */
/** @typedef {import("./arithmetic.js").Value} Value */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */

const EPSILON = 1e-5; // of LayerNorm (model/layers.py)

/**
 * A number of the sum after a block: what entered it, and its result.
 * @param {NumberContext} context
 * @param {{ input: Tensor, output: Tensor, total: Tensor }} tensors
 */
export function sumBoard({ place, trace, config }, { input, output, total }) {
  const { row, column } = place;
  const [x, added] = [input.row(row), output.row(row)];
  const number = x[column] + added[column];
  const scale = largest(x, added);
  const outPlace = { ...place, part: "out" };
  const xPlace = { ...inputOf(place, config), row, column };
  const values = { token: tokensOf(trace, place.stack)[row], number: { ordinal: column } };
  return board({ place, trace, config }, {
    title: { name: "titles.sum", values },
    steps: [
      step("residual", {
        code: ["add"],
        equation: [
          { number: x[column], name: "entered", place: xPlace }, "+",
          { number: added[column], name: `added.${place.block}`, place: outPlace }, "=",
          { number, name: "sum", isResult: true },
        ],
      }),
      step("besides", {
        table: besides(place, [
          quantity("entered", x, { scale, places: placesAlong(xPlace, x.length) }),
          quantity(`added.${place.block}`, added, { sign: "+", scale, places: placesAlong(outPlace, x.length) }),
          quantity("sum", total.row(row), { sign: "=", scale }),
        ]),
      }),
    ],
    result: { number },
  });
}

/**
 * The layer normalisation of a vector, with what it is made of.
 * @param {Float64Array} x
 * @param {Parameter} parameter
 */
function normOf(x, { weight, bias }) {
  const mean = sum(x) / x.length;
  const centred = x.map((number) => number - mean);
  const variance = sum(centred.map((number) => number * number)) / x.length;
  const root = Math.sqrt(variance + EPSILON);
  const normal = centred.map((number) => number / root);
  return { mean, variance, root, normal, normed: normal.map((one, i) => one * weight.data[i] + bias.data[i]) };
}

/**
 * A number after the layer normalisation of a sum.
 * @param {NumberContext} context
 * @param {{ total: Tensor, parameter: Parameter }} tensors
 */
export function normBoard({ place, trace, config }, { total, parameter }) {
  const { row, column } = place;
  const x = Float64Array.from(total.row(row));
  const { weight, bias } = parameter;
  const { mean, variance, root, normal, normed } = normOf(x, parameter);
  const number = normed[column];
  const sumPlace = { ...place, part: "sum" };
  const values = { token: tokensOf(trace, place.stack)[row], number: { ordinal: column }, size: { count: x.length } };
  return board({ place, trace, config }, {
    title: { name: "titles.norm", values },
    steps: [
      step("statistics", {
        code: ["mean", "variance"], values,
        equation: [{ number: mean, name: "mean" }, "", { number: variance, name: "variance" }],
      }),
      step("normalise", {
        code: ["spread", "normalise"],
        equation: [
          "(", { number: x[column], name: "sum", place: sumPlace }, "−", { number: mean, name: "mean" }, ")", "÷",
          { number: root, name: "root", values: { epsilon: formatDecimal(EPSILON, 5) } }, "=",
          { number: normal[column], name: "normal" },
        ],
      }),
      step("rescale", {
        code: ["rescale"],
        equation: [
          { number: normal[column], name: "normal" }, "×", { number: weight.data[column], name: "learnedWeight" }, "+",
          { number: bias.data[column], name: "learnedBias" }, "=", { number, name: "result", isResult: true },
        ],
      }),
      step("besides", {
        table: besides(place, [
          quantity("sum", x, { places: placesAlong(sumPlace, x.length) }),
          quantity("normal", normal),
          quantity("learnedWeight", weight.data, { sign: "×" }),
          quantity("learnedBias", bias.data, { sign: "+" }),
          quantity("normed", normed, { sign: "=" }),
        ]),
      }),
    ],
    result: { number },
  });
}

/**
 * A hidden number of a feed-forward network: the stream times a row of W_1, and the activation, or the value at which
 * the number is held.
 * @param {NumberContext} context
 * @param {{ input: Tensor, preActivation: Tensor, hidden: Tensor, parameter: Parameter }} tensors
 */
export function hiddenBoard(context, { input, preActivation, hidden, parameter: { weight, bias } }) {
  const { place, trace, config, experiment } = context;
  const { row, column } = place;
  const stream = input.row(row);
  const token = tokensOf(trace, place.stack)[row];
  const { dot, table, parts } = productsOf("dimensions", dimensions(stream.length), [
    quantity("x", stream, {
      values: { token }, places: placesAlong({ ...inputOf(place, config), row }, stream.length),
    }),
    quantity("matrix", weight.data, { values: { matrix: "W_1", number: { ordinal: column } } }),
  ]);
  const own = bias && bias.data[0];
  const before = dot + (own ?? 0);
  const number = hidden.row(row)[column];
  const isHeld = heldValue(experiment, place) !== null;
  const values = { token, number: { ordinal: column } };
  return board({ place, trace, config }, {
    title: { name: "titles.hidden", values },
    steps: [
      step("multiply", { code: ["feed_1"], values: { count: { count: stream.length } }, table }),
      step("add", { equation: withBias(parts, own, { number: before, name: "before" }) }),
      step(isHeld ? "held" : `activations.${config.activation}`, {
        code: isHeld ? [] : ["activation"],
        values: { number },
        equation: [{ number: before, name: "before" }, "→", { number, name: "result", isResult: true }],
      }),
      step("besides", {
        table: besides(place, [
          quantity("before", preActivation.row(row)), quantity("hidden", hidden.row(row), { sign: "→" }),
        ]),
      }),
    ],
    result: { number },
  });
}

/**
 * A number of the result of a feed-forward network: the hidden numbers times a row of W_2.
 * @param {NumberContext} context
 * @param {{ hidden: Tensor, parameter: Parameter }} tensors
 */
export function feedOutputBoard({ place, trace, config }, { hidden, parameter: { weight, bias } }) {
  const { row, column } = place;
  /** @type {Float32Array} */
  const numbers = hidden.row(row);
  const token = tokensOf(trace, place.stack)[row];
  const from = { ...place, part: "hidden" };
  const neurons = Array.from(numbers, (_, i) => ({ label: { ordinal: i }, place: { ...from, column: i } }));
  const { dot, table, parts } = productsOf("neurons", neurons, [
    quantity("neurons", numbers, { places: placesAlong(from, numbers.length) }),
    quantity("matrix", weight.data, { values: { matrix: "W_2", number: { ordinal: column } } }),
  ]);
  const own = bias && bias.data[0];
  const number = dot + (own ?? 0);
  const values = {
    token, number: { ordinal: column }, size: { count: numbers.length },
    lit: { count: numbers.filter((value) => value !== 0).length },
  };
  return board({ place, trace, config }, {
    title: { name: "titles.feed", values },
    steps: [
      step("multiplyHidden", { code: ["feed_2"], values, table }),
      step("add", { equation: withBias(parts, own, { number, name: "result" }) }),
    ],
    result: { number },
  });
}

/**
 * How a number of a sinusoidal position comes about, "sin(5 ÷ 10000^(4/256)) = sin(0.05) ="; of others nothing.
 * @param {string} positions
 * @param {Place} place
 * @param {number} width
 * @returns {Part[]}
 */
function waveParts(positions, { row, column }, width) {
  if (!positions.startsWith("sinusoidal")) return [];
  const half = Math.ceil(width / 2);
  const isHalves = positions === "sinusoidal halves";
  const pair = isHalves ? column % half : Math.floor(column / 2);
  const isSine = isHalves ? column < half : column % 2 === 0;
  const wave = isSine ? "sin" : "cos";
  const angle = { number: row / 10000 ** ((2 * pair) / width), name: "angle" };
  return [
    `${wave}(`, `${row}`, "÷", `10000^(${2 * pair}/${width})`, ")", "=", `${wave}(`, angle, ")", "=",
  ];
}

/**
 * A number of the stream that enters a stack: a row of the table, and the position.
 * @param {NumberContext} context
 * @param {{ tokens: Tensor, positions: Tensor }} tensors
 */
export function embeddingBoard({ place, trace, config }, { tokens, positions }) {
  const { row, column } = place;
  const table = tokens.row(row);
  const wave = positions.row(row);
  const factor = Math.sqrt(table.length);
  const scaled = Float64Array.from(table, (number) => number * factor);
  const numbers = scaled.map((number, i) => number + wave[i]);
  const kind = config.positions.startsWith("sinusoidal") ? "sinusoidal" : config.positions;
  const values = {
    token: tokensOf(trace, place.stack)[row], number: { ordinal: column }, position: { count: row },
  };
  const parts = {
    table: { number: table[column], name: "table" },
    scaled: { number: scaled[column], name: "scaled" },
    position: { number: wave[column], name: "position" },
    result: { number: numbers[column], name: "result", isResult: true },
  };
  return board({ place, trace, config }, {
    title: { name: "titles.embedding", values },
    steps: [
      step("lookUp", {
        code: ["embedding"], values, equation: [parts.table, "×", `√${table.length}`, "=", parts.scaled],
      }),
      step(`positions.${kind}`, {
        code: ["positions"], values, equation: [...waveParts(config.positions, place, table.length), parts.position],
      }),
      step("addPosition", {
        code: ["add_position"], equation: [parts.scaled, "+", parts.position, "=", parts.result],
      }),
      step("besides", {
        table: besides(place, [
          quantity("scaled", scaled), quantity("position", wave, { sign: "+" }),
          quantity("x", numbers, { sign: "=", values }),
        ]),
      }),
    ],
    result: { number: numbers[column] },
  });
}

/**
 * The tokens of the vocabulary whose text is known at a step, as values by id: the most probable ones, the one that is
 * written, and, where the board is about it, the one that no translation may contain.
 * @param {Step} step
 * @param {Candidate[]} best
 * @param {number} column
 */
function namedTokens({ predicted, excluded }, best, column) {
  const tokens = [...best, predicted, ...(excluded?.id === column ? [excluded] : [])];
  return new Map(tokens.map((token) => [token.id, tokenValue(token, "target")]));
}

/**
 * The places to the left and right of a logit on its board, which has `ids` in this order.
 * @param {Place} place
 * @param {number[]} ids
 */
function logitsBeside(place, ids) {
  const index = ids.indexOf(place.column);
  /** @param {number} i */
  const at = (i) => (i in ids ? { ...place, column: ids[i] } : null);
  return { ArrowLeft: at(index - 1), ArrowRight: at(index + 1) };
}

/**
 * The steps from the state to the logit of a token: the products with its row of the matrix, and the bias.
 * @param {Pick<NumberContext, "place" | "config">} context
 * @param {{ state: Tensor, parameter: Parameter, query: Value, token: Value, isNamed: boolean }} token
 */
function logitSteps({ place, config }, { state, parameter: { weight, bias }, query, token, isNamed }) {
  const size = state.data.length;
  const { dot, table, parts } = productsOf("dimensions", dimensions(size), [
    quantity("x", state.data, {
      values: { token: query }, places: placesAlong({ ...inputOf(place, config), row: place.row }, size),
    }),
    quantity(isNamed ? "outputs" : "unknownOutputs", weight.data, { values: { token } }),
  ]);
  const own = bias && bias.data[0];
  const logit = { number: dot + (own ?? 0), name: "logit" };
  return [
    step("multiply", { code: ["logits"], values: { count: { count: size } }, table }),
    step("add", { equation: withBias(parts, own, logit) }),
  ];
}

/**
 * The steps from all logits to the probability of a token, beside the named ones.
 * @param {Place} place
 * @param {{ logits: ArrayLike<number>, names: Map<number, Value>, ids: number[],
 *   softmax: ReturnType<typeof softmaxOf> }} candidates
 */
function probabilitySteps(place, { logits, names, ids, softmax }) {
  const items = ids.map((id) => ({
    label: names.get(id) ?? `#${id}`, place: { ...place, column: id }, isCurrent: id === place.column,
    isMasked: logits[id] === -Infinity,
  }));
  const heading = step("vocabulary", { code: ["probabilities"], values: { size: { count: logits.length } } });
  return shareSteps(heading, {
    about: "candidates", items, indices: ids, index: place.column,
    names: { score: "logits", share: "probabilities", result: "probability" },
  }, softmax);
}

/**
 * The logit of a token of the vocabulary, and its probability. Tokens that are not among the best are known by
 * their id; those that no translation may contain have no probability.
 * @param {NumberContext} context
 * @param {{ state: Tensor, logits: Tensor, best: Candidate[], parameter: Parameter }} lens
 */
export function logitBoard({ place, trace, config }, { state, logits: { data: logits }, best, parameter }) {
  const { row, column } = place;
  const query = tokensOf(trace, "decoder")[row];
  const names = namedTokens(trace.steps[row], best, column);
  const isNamed = names.has(column);
  const token = names.get(column) ?? { id: column };
  const ids = [...names.keys(), ...(isNamed ? [] : [column])];
  const softmax = softmaxOf(logits);
  const values = { query, token };
  return board({ place, trace, config }, {
    title: { name: isNamed ? "titles.logit" : "titles.unknown", values },
    steps: [
      ...logitSteps({ place, config }, { state, parameter, query, token, isNamed }),
      ...probabilitySteps(place, { logits, names, ids, softmax }),
    ],
    result: { number: softmax.shares[column], form: "share" },
    ahead: logitsBeside(place, ids),
  });
}
