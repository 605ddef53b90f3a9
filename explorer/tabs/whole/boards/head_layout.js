// Where the matrices of a head stand: two rows on a wide board, a column of pairs on a narrow one. Pure.

import { sum } from "../../../ui/tensor.js";
import { HEAD_MATRICES } from "./head_matrices.js";
import { namedHeight, nameHeight } from "./matrix.js";

/** @typedef {import("./matrix.js").Box} Box */

/**
 * A sign between matrices: its text's name, and the middle of it in pixels.
 * @typedef {{ sign: string, x: number, y: number }} Sign
 */

/**
 * `arrow` is the path from the scores to the weights: where it starts, its height, where it ends.
 * @typedef {{ boxes: Record<string, Box>, signs: Sign[], height: number, isWide: boolean,
 *   arrow: { from: number, top: number, middle: number, to: number, bottom: number } }} HeadLayout
 */

const TITLE = 24, WORDS = 22, BETWEEN = 30, PAD = 12; // pixels; the last but one from row to row
const SIGNS = { wide: 26, narrow: 22 }, ARROW = 48; // pixels of a sign; of the one on the arrow to the scores
const WIDE_FROM = 760, LEAST_CELLS = 160;
const LONGEST_NAME = 84, LETTER = 7;
const NARROW_ROW = 13, NARROW_HEIGHTS = { least: 96, most: 416, weights: 416 };

/** @typedef {ReturnType<typeof linesOf>[number][number]} Item a matrix in a line */
/** @typedef {Partial<Record<import("./head_matrices.js").Axis, number>>} Rooms pixels of the names of rows */

/**
 * The matrices of each line of a board, from left to right.
 * @param {"wide" | "narrow"} form
 */
function linesOf(form) {
  const items = Object.entries(HEAD_MATRICES).map(([id, { axes: [rows], sign, [form]: spot }]) => (
    { id, rows, sign, ...spot }));
  const count = 1 + Math.max(...items.map(({ line }) => line));
  return Array.from({ length: count }, (_, i) => items.filter(({ line }) => line === i));
}

const LINES = { wide: linesOf("wide"), narrow: linesOf("narrow") };

/**
 * The pixels of the longest name.
 * @param {string[]} names
 */
export function nameWidth(names) {
  return Math.min(LONGEST_NAME, 10 + LETTER * Math.max(...names.map((name) => name.length)));
}

/**
 * @param {{ width: number, height: number, queries: string[], keys: string[] }} options pixels of the board, names
 * @returns {HeadLayout}
 */
export function layoutHead({ width, height, queries, keys }) {
  const rooms = { query: nameWidth(queries), key: nameWidth(keys) };
  const isWide = width >= WIDE_FROM && width > height;
  const counts = { queries: queries.length, keys: keys.length };
  return isWide ? wide(width, height, rooms, counts) : narrow(width, rooms, counts);
}

/**
 * One line of matrices: their boxes and the signs before them.
 * @param {Item[]} items
 * @param {{ left: number, width: number, top: number, height: number, rooms: Rooms, signWidth: number }} options
 */
function line(items, { left, width, top, height, rooms, signWidth }) {
  /** @param {Item["sign"]} sign */
  const signOf = (sign) => (sign === "divided" ? Math.max(signWidth, ARROW) : sign ? signWidth : 0);
  /** @type {(item: Item, side: "left" | "right") => number} */
  const roomOf = ({ names, rows }, side) => (names === side ? rooms[rows] : 0);
  const besides = items.map((item) => signOf(item.sign) + roomOf(item, "left") + roomOf(item, "right"));
  const unit = (width - sum(besides)) / sum(items.map(({ share }) => share));
  /** @type {Record<string, Box>} */
  const boxes = {};
  const signs = [];
  let x = left;
  for (const item of items) {
    const { id, sign, share } = item;
    if (sign) signs.push({ sign, x: x + signOf(sign) / 2, y: top + height / 2 });
    x += signOf(sign) + roomOf(item, "left");
    boxes[id] = { left: x, top, width: share * unit, height };
    x += share * unit + roomOf(item, "right");
  }
  return { boxes, signs };
}

/** @param {Box} box */
function centre({ left, width }) {
  return left + width / 2;
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} top
 */
function arrowBetween(from, to, top) {
  return { from, top, middle: top + 12, to, bottom: top + BETWEEN };
}

/**
 * @param {number} width
 * @param {number} height
 * @param {Rooms} rooms
 * @param {{ queries: number, keys: number }} counts
 * @returns {HeadLayout}
 */
function wide(width, height, rooms, { queries, keys }) {
  const inner = { left: PAD, width: width - 2 * PAD, rooms, signWidth: SIGNS.wide };
  const [upperLine, lowerLine] = LINES.wide;
  const { boxes: { weights } } = line(lowerLine, { ...inner, top: 0, height: 0 });
  const keyNames = nameHeight(weights.width / keys);
  const cells = height - 2 * TITLE - 2 * WORDS - BETWEEN - keyNames - 4;
  const upper = Math.max(0.44 * Math.max(LEAST_CELLS, cells), namedHeight(queries));
  const lower = Math.max(0.56 * Math.max(LEAST_CELLS, cells), namedHeight(Math.max(queries, keys)));
  const first = line(upperLine, { ...inner, top: TITLE, height: upper });
  const start = TITLE + upper + WORDS;
  const top = start + BETWEEN + TITLE;
  const second = line(lowerLine, { ...inner, top, height: lower });
  const boxes = { ...first.boxes, ...second.boxes };
  return {
    boxes,
    signs: [...first.signs, ...second.signs],
    height: top + lower + keyNames + WORDS,
    isWide: true,
    arrow: arrowBetween(centre(boxes.scores), centre(boxes.weights), start),
  };
}

/**
 * @param {number} width
 * @param {Rooms} rooms
 * @param {{ queries: number, keys: number }} counts
 * @returns {HeadLayout}
 */
function narrow(width, rooms, { queries, keys }) {
  const { least, most, weights } = NARROW_HEIGHTS;
  const count = Math.max(queries, keys);
  const usual = Math.max(least, Math.min(most, count * NARROW_ROW));
  /** @type {Record<string, Box>} */
  const boxes = {};
  const signs = [];
  let top = TITLE;
  let arrow = null;
  for (const items of LINES.narrow) {
    const isWeights = items[0].id === "weights";
    const height = isWeights ? Math.max(usual, Math.min(weights, count * 18)) : usual;
    if (isWeights) {
      const start = top - TITLE;
      arrow = arrowBetween(0.85 * width, 0.28 * width, start);
      top += BETWEEN;
    }
    const row = line(items, {
      left: PAD, width: width - 2 * PAD, top, height, rooms, signWidth: SIGNS.narrow,
    });
    Object.assign(boxes, row.boxes);
    signs.push(...row.signs);
    top += height + 2 * WORDS + TITLE + (isWeights ? nameHeight(row.boxes.weights.width / keys) : 0);
  }
  return { boxes, signs, height: top - TITLE, isWide: false, arrow };
}
