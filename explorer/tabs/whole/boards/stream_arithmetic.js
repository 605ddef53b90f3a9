// The boards of the residual stream's numbers: as it enters a stack, after the addition and the norm of a block, in a
// feed-forward network, and as it becomes a logit. Pure.

import { formatDecimal } from "../../../ui/numbers.js";
import { sum } from "../../../ui/tensor.js";
import {
  besides, board, dimensions, inputOf, largest, productsOf, placesAlong, quantity, shareSteps, softmaxOf, step,
  tokenValue, tokensOf, withBias,
} from "./arithmetic.js";

/** @typedef {import("./arithmetic.js").Scene} Scene */

const EPSILON = 1e-5; // of LayerNorm (model/layers.py)

/** A number of the sum after a block: what entered it, and its result. */
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
    sentence: { name: "sentences.sum", values },
  });
}

/** A number after the layer normalisation of a sum. */
export function normBoard({ place, trace, config }, { total, parameter: { weight, bias } }) {
  const { row, column } = place;
  const x = Float64Array.from(total.row(row));
  const mean = sum(x) / x.length;
  const centred = x.map((number) => number - mean);
  const variance = sum(centred.map((number) => number * number)) / x.length;
  const root = Math.sqrt(variance + EPSILON);
  const normal = centred.map((number) => number / root);
  const normed = normal.map((number, i) => number * weight.data[i] + bias.data[i]);
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
    sentence: { name: "sentences.norm", values },
  });
}

/** A hidden number of a feed-forward network: the stream times a row of W_1, and the activation. */
export function hiddenBoard({ place, trace, config }, { input, preActivation, hidden, parameter: { weight, bias } }) {
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
  const values = { token, number: { ordinal: column }, size: { count: hidden.row(row).length } };
  const lit = hidden.row(row).filter((value) => value > 0).length;
  return board({ place, trace, config }, {
    title: { name: "titles.hidden", values },
    steps: [
      step("multiply", { code: ["feed_1"], values: { count: { count: stream.length } }, table }),
      step("add", { equation: withBias(parts, own, { number: before, name: "before" }) }),
      step(`activations.${config.activation}`, {
        code: ["activation"],
        equation: [{ number: before, name: "before" }, "→", { number, name: "result", isResult: true }],
      }),
      step("besides", {
        table: besides(place, [
          quantity("before", preActivation.row(row)), quantity("hidden", hidden.row(row), { sign: "→" }),
        ]),
      }),
    ],
    result: { number },
    sentence: {
      name: `sentences.${number > 0 ? "lit" : config.activation === "relu" ? "dark" : "hidden"}`,
      values: { ...values, lit: { count: lit } },
    },
  });
}

/** A number of the result of a feed-forward network: the hidden numbers times a row of W_2. */
export function feedOutputBoard({ place, trace, config }, { hidden, parameter: { weight, bias } }) {
  const { row, column } = place;
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
    sentence: { name: `sentences.${config.activation === "relu" ? "feed" : "smoothFeed"}`, values },
  });
}

/** The angle of a sinusoidal position, and its function. */
function waveOf(positions, { row, column, width }) {
  const half = Math.ceil(width / 2);
  const isHalves = positions === "sinusoidal halves";
  const pair = isHalves ? column % half : Math.floor(column / 2);
  const isSine = isHalves ? column < half : column % 2 === 0;
  return { wave: isSine ? "sin" : "cos", angle: row / 10000 ** ((2 * pair) / width), exponent: `${2 * pair}/${width}` };
}

/** A number of the stream that enters a stack: a row of the table, and the position. */
export function embeddingBoard({ place, trace, config }, { tokens, positions }) {
  const { row, column } = place;
  const table = tokens.row(row);
  const wave = positions.row(row);
  const scale = Math.sqrt(table.length);
  const scaled = Float64Array.from(table, (number) => number * scale);
  const numbers = scaled.map((number, i) => number + wave[i]);
  const number = numbers[column];
  const kind = config.positions.startsWith("sinusoidal") ? "sinusoidal" : config.positions;
  const { wave: name, angle, exponent } = waveOf(config.positions, { row, column, width: table.length });
  const values = {
    token: tokensOf(trace, place.stack)[row], number: { ordinal: column }, position: { count: row },
  };
  const position = { number: wave[column], name: "position" };
  const formula = [
    `${name}(`, `${row}`, "÷", `10000^(${exponent})`, ")", "=", `${name}(`, { number: angle, name: "angle" }, ")", "=",
  ];
  return board({ place, trace, config }, {
    title: { name: "titles.embedding", values },
    steps: [
      step("lookUp", {
        code: ["embedding"], values,
        equation: [
          { number: table[column], name: "table" }, "×", `√${table.length}`, "=",
          { number: scaled[column], name: "scaled" },
        ],
      }),
      step(`positions.${kind}`, {
        code: ["positions"], values,
        equation: [
          ...(kind === "sinusoidal" ? formula : []), position,
        ],
      }),
      step("addPosition", {
        code: ["add_position"],
        equation: [
          { number: scaled[column], name: "scaled" }, "+", position, "=", { number, name: "result", isResult: true },
        ],
      }),
      step("besides", {
        table: besides(place, [
          quantity("scaled", scaled), quantity("position", wave, { sign: "+" }), quantity("x", numbers, {
            sign: "=", values,
          }),
        ]),
      }),
    ],
    result: { number },
    sentence: { name: `sentences.${kind === "none" ? "embeddingAlone" : "embedding"}`, values },
  });
}

/**
 * The logit of a token of the vocabulary, and its probability. Tokens without a place among the best are known by
 * their id; those that no translation may contain have no probability.
 */
export function logitBoard({ place, trace, config }, { state, logits, best, parameter: { weight, bias } }) {
  const { row, column } = place;
  const query = tokensOf(trace, "decoder")[row];
  const { predicted, excluded } = trace.steps[row];
  const shown = [...best, predicted, ...(excluded?.id === column ? [excluded] : [])];
  const known = new Map(shown.map((token) => [token.id, tokenValue(token, "target")]));
  const isKnown = known.has(column);
  const token = known.get(column) ?? { id: column };
  const ids = isKnown ? [...known.keys()] : [...known.keys(), column];
  const { dot, table, parts } = productsOf("dimensions", dimensions(state.data.length), [
    quantity("x", state.data, {
      values: { token: query }, places: placesAlong({ ...inputOf(place, config), row }, state.data.length),
    }),
    quantity(isKnown ? "outputs" : "unknownOutputs", weight.data, { values: { token } }),
  ]);
  const own = bias && bias.data[0];
  const logit = dot + (own ?? 0);
  const softmax = softmaxOf(logits.data);
  const number = softmax.shares[column];
  const size = { count: logits.data.length };
  const goTo = (id) => ({ ...place, column: id });
  const items = ids.map((id) => ({
    label: known.get(id) ?? `#${id}`, place: goTo(id), isCurrent: id === column,
    isMasked: logits.data[id] === -Infinity,
  }));
  const names = { score: "logits", share: "probabilities", result: "probability" };
  const heading = step("vocabulary", { code: ["probabilities"], values: { size } });
  const logitSentence = () => {
    if (logits.data[column] === -Infinity) return "excluded";
    if (column !== predicted.id) return isKnown ? "logit" : "unknown";
    return logits.data[column] === softmax.maximum ? "chosen" : "chosenAnyway";
  };
  const values = { query, token, share: { share: number } };
  const index = ids.indexOf(column);
  return board({ place, trace, config }, {
    title: { name: isKnown ? "titles.logit" : "titles.unknown", values },
    steps: [
      step("multiply", { code: ["logits"], values: { count: { count: state.data.length } }, table }),
      step("add", { equation: withBias(parts, own, { number: logit, name: "logit" }) }),
      ...shareSteps(heading, { about: "candidates", items, indices: ids, index: column, names }, softmax),
    ],
    result: { number, form: "share" },
    sentence: { name: `sentences.${logitSentence()}`, values },
    ahead: {
      ArrowLeft: index > 0 ? goTo(ids[index - 1]) : null,
      ArrowRight: index < ids.length - 1 ? goTo(ids[index + 1]) : null,
    },
  });
}
