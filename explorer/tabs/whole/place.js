// The places of the picture, from the whole model down to one number, and their texts in the address, such as
// "decoder.4.cross.3.12.12". Texts count from one, as the screen does; places count from zero. Both have the ids of the
// vocabulary as the tokenizer counts them. Pure.

/** A block of a layer. @typedef {"self" | "cross" | "feed"} BlockName */

/**
 * A place: what is null is not chosen. `stack` is one of the two, or "memory" or "output", which belong to neither.
 * `block` is "embedding", which has no layer, or one of a layer's: "self", "cross" or "feed". In an attention block is
 * a `head`, in "feed" a `neuron`. A number is one of a matrix: `part` names the matrix, `row` is a token, `column` a
 * key or a dimension, of a logit the token's id.
 * @typedef {object} Place
 * @property {Stack | "memory" | "output" | null} stack
 * @property {number | null} layer
 * @property {"embedding" | BlockName | null} block
 * @property {number | null} head
 * @property {number | null} neuron
 * @property {string | null} part
 * @property {number | null} row
 * @property {number | null} column
 */

/**
 * The sizes that limit places.
 * @typedef {object} Sizes
 * @property {{ encoder: number, decoder: number }} layers
 * @property {number} heads
 * @property {number} d_model
 * @property {number} d_head of queries and keys
 * @property {number} d_value
 * @property {number} d_ff
 * @property {number} vocabulary of the target language
 * @property {number} src tokens of the source
 * @property {number} tgt tokens fed to the decoder
 */

/** @type {Place} */
export const WHOLE = {
  stack: null, layer: null, block: null, head: null, neuron: null, part: null, row: null, column: null,
};

/** The matrices with numbers: of a head, of an attention or feed-forward block, of the embedding, of the output. */
export const PARTS = {
  head: ["weights", "q", "k", "v", "mix"],
  attention: ["out", "sum", "norm"],
  feed: ["hidden", "out", "sum", "norm"],
  embedding: ["sum"],
  output: ["logit"],
};

/**
 * The blocks of a layer, in the order of computation.
 * @type {Record<Stack, BlockName[]>}
 */
export const BLOCKS = { encoder: ["self", "feed"], decoder: ["self", "cross", "feed"] };

/** The names of a layer's blocks in the model. */
export const SUBLAYERS = { self: "self_attention", cross: "cross_attention", feed: "feed_forward" };

/**
 * The kind of attention of a place; null outside attention.
 * @param {Pick<Place, "stack" | "block">} place
 * @returns {Kind | null}
 */
export function kindOf({ stack, block }) {
  if (block === "cross") return "cross";
  return block === "self" ? /** @type {Stack} */ (stack) : null;
}

/** Whether the row of a place's part is that of a token that is looked at, not of one that looks. */
export function isRowOfKey({ part }) {
  return part === "k" || part === "v";
}

/** The row of a place as a step shows it: numbers of the decoder are those of the step, its keys no later ones. */
export function rowAt(step, { stack, block, part, row }) {
  if (part === null || (stack !== "decoder" && stack !== "output")) return row;
  if (!isRowOfKey({ part })) return step;
  return block === "self" ? Math.min(row, step) : row;
}

/** How deep a place is. @returns {"whole" | "layer" | "block" | "head" | "neuron" | "number"} */
export function levelOf({ stack, layer, block, head, neuron, part }) {
  if (part !== null) return "number";
  if (neuron !== null) return "neuron";
  if (head !== null) return "head";
  if (block !== null || stack === "memory" || stack === "output") return "block";
  return layer === null ? "whole" : "layer";
}

/** Which board shows a place, beside that of a number; null if the canvas does. */
export function boardOf({ stack, block, head, neuron }) {
  if (head !== null) return "head";
  if (neuron !== null) return "neuron";
  if (block === "feed") return "feed";
  return stack === "output" ? "output" : null;
}

/** The place one level further out; that of the whole is the whole. */
export function parentOf(place) {
  switch (levelOf(place)) {
    case "number": return { ...place, part: null, row: null, column: null };
    case "head": return { ...place, head: null };
    case "neuron": return { ...place, neuron: null };
    case "block": return place.layer === null ? WHOLE : { ...place, block: null };
    default: return WHOLE;
  }
}

/** A place and all that contain it, the whole first. */
export function pathOf(place) {
  return levelOf(place) === "whole" ? [WHOLE] : [...pathOf(parentOf(place)), place];
}

export function isSamePlace(one, other) {
  return formatPlace(one) === formatPlace(other);
}

/** Whether a place is another one or inside it. */
export function isWithin(place, outer) {
  return pathOf(place).some((one) => isSamePlace(one, outer));
}

/** The matrices of a place with numbers in it. */
function partsOf({ stack, block, head, neuron }) {
  if (head !== null) return PARTS.head;
  if (neuron !== null) return [];
  if (stack === "output") return PARTS.output;
  return PARTS[block === "self" || block === "cross" ? "attention" : block] ?? [];
}

/** The number of the first column in texts: ids are those of the vocabulary. */
function firstColumn(part) {
  return part === "logit" ? 0 : 1;
}

/** The text of a place in the address; the usual part of a head, its weights, has no name there. */
export function formatPlace({ stack, layer, block, head, neuron, part, row, column }) {
  return [
    ...(stack === null ? [] : [stack]),
    ...(layer === null ? [] : [layer + 1]),
    ...(block === null ? [] : [block]),
    ...(head === null ? [] : [head + 1]),
    ...(neuron === null ? [] : [neuron + 1]),
    ...(part === null || part === "weights" || part === "logit" ? [] : [part]),
    ...(part === null ? [] : [row + 1, column + firstColumn(part)]),
  ].join(".");
}

/**
 * The place of a text; null if there is none in a model of these sizes.
 * @param {string} text
 * @param {Sizes} sizes
 * @returns {Place | null}
 */
export function parsePlace(text, sizes) {
  const words = text === "" ? [] : text.split(".");
  /** @type {any} */
  const place = { ...WHOLE };
  const takeNumber = (first = 1) => (
    /^(0|[1-9]\d{0,6})$/.test(words[0] ?? "") && Number(words[0]) >= first ? Number(words.shift()) - first : null);
  const takeWord = (known) => (known.includes(words[0]) ? words.shift() : null);
  place.stack = takeWord(["encoder", "decoder", "memory", "output"]);
  if (place.stack === "encoder" || place.stack === "decoder") {
    place.layer = takeNumber();
    place.block = takeWord(place.layer === null ? ["embedding"] : BLOCKS[place.stack]);
    if (place.block === "self" || place.block === "cross") place.head = takeNumber();
    if (place.block === "feed") place.neuron = takeNumber();
  }
  const usual = { head: "weights", output: "logit" }[place.head === null ? place.stack : "head"] ?? null;
  place.part = takeWord(partsOf(place)) ?? (words.length === 2 ? usual : null);
  if (place.part !== null) [place.row, place.column] = [takeNumber(), takeNumber(firstColumn(place.part))];
  return words.length === 0 && formatPlace(place) === text && isInside(place, sizes) ? place : null;
}

/** The rows and columns of the matrix of a place with a part. */
export function shapeOf({ stack, block, head, part }, { src, tgt, d_model, d_head, d_value, d_ff, vocabulary }) {
  const own = stack === "encoder" ? src : tgt;
  const keys = block === "cross" ? src : own;
  if (head !== null) {
    return { weights: [own, keys], q: [own, d_head], k: [keys, d_head], v: [keys, d_value], mix: [own, d_value] }[part];
  }
  return [own, { hidden: d_ff, logit: vocabulary }[part] ?? d_model];
}

/** Whether a place exists in a model of these sizes. */
function isInside(place, sizes) {
  const { stack, layer, block, head, neuron, part, row, column } = place;
  if (layer !== null && layer >= sizes.layers[stack]) return false;
  if ((stack === "encoder" || stack === "decoder") && layer === null && block === null) return false;
  if (head !== null && head >= sizes.heads) return false;
  if (neuron !== null && neuron >= sizes.d_ff) return false;
  if (part === null) return true;
  const [rows, columns] = shapeOf(place, sizes);
  return row !== null && column !== null && row < rows && column < columns;
}
