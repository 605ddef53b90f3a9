// Where the parts of a feed-forward network stand: narrow, wide, narrow. Pure.

import { namedHeight } from "./matrix.js";

/** @typedef {import("./matrix.js").Box} Box */

/**
 * `funnels` are the areas between a vector and the next, as the points of a polygon; `signs` their words; `chips` is
 * the top of the line with the strongest neurons.
 * @typedef {{ boxes: Record<string, Box>, spikes: Box, funnels: number[][][], signs: { sign: string, x: number,
 *   y: number }[], chips: number, height: number, isWide: boolean }} FeedLayout
 */

const TITLE = 22, WORDS = 18, STRIP = 24, FUNNEL = 32, FOLD = 40, CHIPS = 46, PAD = 12; // pixels
const WIDE_FROM = 760, CHIPS_NARROW = 156;
const VECTOR = 0.34, VECTOR_NARROW = 0.85; // of the width
const LEAST_TEXTURE = 56, LANE = 20, LANE_NARROW = 13, MOST_NARROW = 416;
const SPIKES = { least: 50, most: 150 };
const SUM = ["input", "output", "sum", "stream"];
const SUM_SIGNS = ["", "plus", "equals", "norm"];
const SIGN = 30, NORM = 92;

/**
 * The points of the area between two boxes, one above the other.
 * @param {Box} upper
 * @param {Box} lower
 * @returns {number[][]}
 */
function funnelBetween(upper, lower) {
  const [from, to] = [upper.top + upper.height + 1, lower.top - 1];
  return [[upper.left, from], [upper.left + upper.width, from], [lower.left + lower.width, to], [lower.left, to]];
}

/**
 * @param {{ width: number, height: number, tokens: number, names: number }} options pixels; `names` beside rows
 * @returns {FeedLayout}
 */
export function layoutFeed({ width, height, tokens, names }) {
  const isWide = width >= WIDE_FROM;
  const left = PAD + names;
  const full = width - left - PAD;
  const narrow = (isWide ? VECTOR : VECTOR_NARROW) * full;
  const chipsHeight = isWide ? CHIPS : CHIPS_NARROW;
  const words = isWide ? WORDS : 2 * WORDS; // with a token's name
  const end = words + 6 + chipsHeight + FOLD - TITLE + sumHeight(isWide);
  let top = TITLE;
  const x = { left: left + (full - narrow) / 2, top, width: narrow, height: STRIP };
  top += STRIP + words + FUNNEL + 4;
  const pre = { left, top, width: full, height: STRIP };
  top += STRIP + WORDS + TITLE;
  const room = height - top - end;
  const most = isWide ? Math.min(tokens * LANE, room - SPIKES.least) : Math.min(tokens * LANE_NARROW, MOST_NARROW);
  const texture = Math.max(LEAST_TEXTURE, namedHeight(tokens), most);
  const spikes = { left, top, width: full, height: Math.max(SPIKES.least, Math.min(SPIKES.most, room - texture)) };
  top += spikes.height;
  const hidden = { left, top, width: full, height: texture };
  top += hidden.height + words + 6;
  const chips = top;
  top += chipsHeight + FOLD;
  const { boxes, signs } = sumLine({ isWide, left: PAD, width: width - 2 * PAD, top });
  return {
    boxes: { x, pre, hidden, ...boxes },
    spikes,
    funnels: [funnelBetween(x, pre), funnelBetween(hidden, boxes.output)],
    signs: [
      { sign: "first", x: left + full / 2, y: pre.top - FUNNEL / 2 - 4 },
      { sign: "second", x: boxes.output.left + boxes.output.width / 2, y: boxes.output.top - TITLE - 7 },
      ...signs,
    ],
    chips,
    isWide,
    height: top - TITLE + sumHeight(isWide),
  };
}

/** @param {boolean} isWide */
function sumHeight(isWide) {
  return (isWide ? 1 : 2) * (TITLE + STRIP + WORDS + 4);
}

/**
 * What came in + the result = the sum, and its norm: in one line, or in two.
 * @param {{ isWide: boolean, left: number, width: number, top: number }} options
 */
function sumLine({ isWide, left, width, top }) {
  /** @type {Record<string, Box>} */
  const boxes = {};
  const signs = [];
  const perLine = isWide ? 4 : 2;
  const before = SUM_SIGNS.map((sign) => (sign === "norm" ? NORM : SIGN));
  for (let first = 0; first < 4; first += perLine) {
    const indices = SUM.map((_, i) => i).slice(first, first + perLine);
    const unit = (width - indices.reduce((sum, i) => sum + before[i], 0)) / perLine;
    let x = left;
    for (const i of indices) {
      if (SUM_SIGNS[i]) signs.push({ sign: SUM_SIGNS[i], x: x + before[i] / 2, y: top + STRIP / 2 });
      x += before[i];
      boxes[SUM[i]] = { left: x, top, width: unit, height: STRIP };
      x += unit;
    }
    top += TITLE + STRIP + WORDS + 4;
  }
  return { boxes, signs };
}
