// What Positions says of its table and of sentences: numbers and HTML, from the model's calls.

import { formatText } from "../ui/format_text.js";
import { formatPercent } from "../ui/numbers.js";
import { Tensor } from "../ui/tensor.js";
import { UserError } from "../ui/user_error.js";
import { matchPermutation } from "./differences.js";
import { angleOf, roundingBound, sinusoid } from "./position_table.js";
import { isolatedTexts } from "./trace.js";

/**
 * A result of the call `encode`.
 * @typedef {{ source: Piece[], memory: TensorPayload, without_positions: TensorPayload }} Encoded
 */

/** @typedef {import("./position_table.js").PositionTable} PositionTable */

/** @param {Float32Array} numbers */
function norm(numbers) {
  return Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/**
 * The formula of one cell with its numbers, and the value in the table; `texts.formula` is for a sine and for a cosine.
 * @param {PositionTable} table
 * @param {number} position @param {number} dimension @param {{ formula: string[] }} texts
 */
export function formulaText(table, position, dimension, texts) {
  const { width, kind } = table;
  const { pair, isCosine } = table.wave(dimension);
  return formatText(texts.formula[Number(isCosine)], {
    position,
    dimension,
    held: table.vectors.row(position)[dimension],
    i: pair,
    even: 2 * pair,
    d_model: width,
    angle: angleOf(position, pair, width),
    value: sinusoid(position, dimension, width, kind),
  });
}

/**
 * The error of a shift: as a turn, by `turn` radians in one of the pairs, or of a learned table as a linear map.
 * @param {PositionTable} table @param {number} distance @param {number} turn
 * @param {{ undetermined: string, error: string }} texts
 */
export function shiftText(table, distance, turn, texts) {
  const error = table.shiftError(distance);
  if (error === null) return formatText(texts.undetermined, { distance });
  if (table.isLearned) return formatText(texts.error, { distance, error: formatPercent(error) });
  return formatText(texts.error, {
    turn,
    degrees: (turn * 180) / Math.PI,
    distance,
    count: table.vectors.shape[0] - distance,
    rounding: roundingBound(error),
  });
}

/**
 * The vectors of one side's pieces at the input of the first layer: embedding, position and sum, [piece d_model], and
 * the length of each; `isBare` takes the factor `scale` out of the embeddings.
 *
 * @param {Site[]} tensors the result of the call `tensors` with the numbers of both sides' embeddings and positions
 * @param {Stack} side @param {{ scale: number, isBare: boolean }} options
 */
export function layerInput(tensors, side, { scale, isBare }) {
  const [embedding, positions] = ["embedding", "positions"].map((name) => {
    const { shape, data } = tensors.find(({ stack, tensor }) => stack === side && tensor === name);
    return new Tensor({ shape: shape.slice(-2), data });
  });
  if (isBare) embedding.data = embedding.data.map((/** @type {number} */ number) => number / scale);
  /** @type {Float32Array} */
  const sum = embedding.data.map((/** @type {number} */ number, /** @type {number} */ i) => number + positions.data[i]);
  const vectors = { embedding, positions, stream: new Tensor({ shape: embedding.shape, data: sum }) };
  const norms = Object.entries(vectors).map(([name, { rows }]) => [name, rows.map(norm)]);
  return { vectors, norms: Object.fromEntries(norms), factor: isBare ? 1 : scale };
}

/**
 * The mean lengths of an input, also without the factor; `tied` says that the output projection shares the table.
 * @param {ReturnType<typeof layerInput>} input
 * @param {{ tied: boolean, texts: Record<"norms" | "mistake" | "drowned" | "tied", string> }} options
 */
export function inputTexts({ norms, factor }, { tied, texts }) {
  const lengths = Object.fromEntries(Object.entries(norms).map(([name, numbers]) => [name, mean(numbers)]));
  const { embedding, positions } = lengths;
  const bare = embedding / factor;
  const drowned = 2 * bare < positions ? texts.drowned : "";
  return {
    norms: formatText(texts.norms, lengths),
    mistake: formatText(texts.mistake, { bare, positions, drowned, tied: tied ? texts.tied : "" }),
  };
}

/**
 * Euclidean distances from differences, because the shortcut through dot products is inexact near zero.
 * @param {TensorPayload} first @param {TensorPayload} second
 */
function distances(first, second) {
  /** @type {Float32Array[][]} */
  const [rows, columns] = [first, second].map((tensor) => new Tensor(tensor).rows);
  return rows.map((row) => columns.map((other) => norm(row.map((number, i) => number - other[i]))));
}

/**
 * Compares the encoder's outputs of two sentences of the same pieces, with positions and without, by their distances.
 *
 * Without positions self-attention is a function of a set: it treats every order of the pieces alike, so that the
 * outputs of two orders are the same vectors, in another order. `ordered` is the largest distance, with positions,
 * between a piece and itself.
 *
 * @param {Encoded} first
 * @param {Encoded} second
 * @param {Record<"otherPieces" | "result", string>} texts
 * @throws {UserError} if the pieces differ
 */
export function compareOrders(first, second, texts) {
  const sources = [first, second].map(({ source }) => source);
  const ids = sources.map((source) => source.map(({ id }) => id));
  const [sorted, other] = ids.map((list) => `${[...list].sort()}`);
  if (sorted !== other) {
    const [one, two] = sources.map((source) => isolatedTexts(source).join(" "));
    throw new UserError(formatText(texts.otherPieces, { first: one, second: two }));
  }
  const partners = matchPermutation(ids[0], ids[1]);
  const matrices = [
    distances(first.memory, second.memory), distances(first.without_positions, second.without_positions),
  ];
  const [ordered, unordered] = matrices.map((matrix) => Math.max(...partners.map((index, i) => matrix[i][index])));
  return {
    labels: sources.map((source) => source.map(({ text }) => text)),
    matrices,
    partners,
    ordered,
    result: formatText(texts.result, { ordered, rounding: roundingBound(unordered) }),
  };
}
