// Where the matrices of a head stand: two rows on a wide board, a column of pairs on a narrow one. Pure.

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

import { namedHeight, nameHeight } from "./matrix.js";

const TITLE = 24, WORDS = 22, SIGN = 26, ARROW = 48, BETWEEN = 30, PAD = 12; // pixels; the last but one from row to row
const WIDE_FROM = 760, LEAST_CELLS = 160;
const LONGEST_NAME = 84, LETTER = 7;
// What the matrices take of the width, and what stands before each of them.
const FIRST_ROW = [
  ["x", 0.46, null], ["w_q", 0.44, "times"], ["q", 1, "equals", "names"], ["k", 1, "times"],
  ["products", 0.95, "equals"], ["scores", 0.95, "divided", "names"],
];
const SECOND_ROW = [
  ["weights", 1.75, null, "names"], ["v", 1, "times"], ["mix", 1, "equals", "names", "keys"], ["w_o", 0.5, "times"],
  ["added", 0.66, "equals"],
];
// On a narrow board: what stands beside one another, and the height of each line.
const LINES = [
  [["x", 1, null], ["w_q", 0.6, "times"]],
  [["q", 1, "equals", "names"], ["k", 1, "times"]],
  [["products", 1, "equals"], ["scores", 1, "divided"]],
  [["weights", 1, null, "names"]],
  [["v", 1, "times", "names"], ["mix", 1, "equals"]],
  [["w_o", 0.6, "times"], ["added", 1, "equals"]],
];
const NARROW_ROW = 13, NARROW_HEIGHTS = { least: 96, most: 416, weights: 416 };

/** The pixels of the longest name. */
export function nameWidth(names) {
  return Math.min(LONGEST_NAME, 10 + LETTER * Math.max(...names.map((name) => name.length)));
}

/**
 * @param {{ width: number, height: number, queries: string[], keys: string[] }} options pixels of the board, names
 * @returns {HeadLayout}
 */
export function layoutHead({ width, height, queries, keys }) {
  const rooms = { names: nameWidth(queries), keys: nameWidth(keys) };
  const isWide = width >= WIDE_FROM && width > height;
  const counts = { queries: queries.length, keys: keys.length };
  return isWide ? wide(width, height, rooms, counts) : narrow(width, rooms, counts);
}

/** One line of matrices: their boxes and the signs before them. */
function line(items, { left, width, top, height, rooms, sign = SIGN, last = 0 }) {
  const signWidth = (name) => ({ null: 0, divided: Math.max(sign, ARROW) })[name] ?? sign;
  const roomsOf = (extra) => extra.reduce((sum, name) => sum + rooms[name], 0);
  const fixed = items.reduce((sum, [, , name, ...extra]) => sum + signWidth(name) + roomsOf(extra), last);
  const unit = (width - fixed) / items.reduce((sum, [, share]) => sum + share, 0);
  /** @type {Record<string, Box>} */
  const boxes = {};
  const signs = [];
  let x = left;
  for (const [id, share, name, ...extra] of items) {
    const before = signWidth(name);
    const after = extra.includes("keys") ? rooms.keys : 0; // the names of the matrix before
    if (name) signs.push({ sign: name, x: x + after + before / 2, y: top + height / 2 });
    x += before + roomsOf(extra);
    boxes[id] = { left: x, top, width: share * unit, height };
    x += share * unit;
  }
  return { boxes, signs };
}

function centre({ left, width }) {
  return left + width / 2;
}

function arrowBetween(from, to, top) {
  return { from, top, middle: top + 12, to, bottom: top + BETWEEN };
}

function wide(width, height, rooms, { queries, keys }) {
  const inner = { left: PAD, width: width - 2 * PAD, rooms };
  const { boxes: { weights } } = line(SECOND_ROW, { ...inner, top: 0, height: 0 });
  const keyNames = nameHeight(weights.width / keys);
  const cells = height - 2 * TITLE - 2 * WORDS - BETWEEN - keyNames - 4;
  const upper = Math.max(0.44 * Math.max(LEAST_CELLS, cells), namedHeight(queries));
  const lower = Math.max(0.56 * Math.max(LEAST_CELLS, cells), namedHeight(Math.max(queries, keys)));
  const first = line(FIRST_ROW, { ...inner, top: TITLE, height: upper });
  const start = TITLE + upper + WORDS;
  const top = start + BETWEEN + TITLE;
  const second = line(SECOND_ROW, { ...inner, top, height: lower });
  const boxes = { ...first.boxes, ...second.boxes };
  return {
    boxes,
    signs: [...first.signs, ...second.signs],
    height: top + lower + keyNames + WORDS,
    isWide: true,
    arrow: arrowBetween(centre(boxes.scores), centre(boxes.weights), start),
  };
}

function narrow(width, rooms, { queries, keys }) {
  const { least, most, weights } = NARROW_HEIGHTS;
  const count = Math.max(queries, keys);
  const usual = Math.max(least, Math.min(most, count * NARROW_ROW));
  /** @type {Record<string, Box>} */
  const boxes = {};
  const signs = [];
  let top = TITLE;
  let arrow = null;
  for (const items of LINES) {
    const isWeights = items.length === 1;
    const height = isWeights ? Math.max(usual, Math.min(weights, count * 18)) : usual;
    const fitting = { names: items[0][0] === "v" ? rooms.keys : rooms.names };
    if (isWeights) {
      const start = top - TITLE;
      arrow = arrowBetween(0.85 * width, 0.28 * width, start);
      top += BETWEEN;
    }
    const placed = line(items, { left: PAD, width: width - 2 * PAD, top, height, rooms: fitting, sign: 22 });
    Object.assign(boxes, placed.boxes);
    signs.push(...placed.signs);
    top += height + 2 * WORDS + TITLE + (isWeights ? nameHeight(placed.boxes.weights.width / keys) : 0);
  }
  return { boxes, signs, height: top - TITLE, isWide: false, arrow };
}
