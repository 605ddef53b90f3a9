// How texts take their room on a sheet or in a film. Pure.

import { breakLine } from "./text.js";

/** @typedef {(text: string) => number} Measure The width of a text in letters of size 1. */

const LESS = 0.75; // of the largest letters that fit, how small they may be for the sake of fewer lines

/**
 * Texts in the largest of some sizes in which their lines have room, or a little smaller where they then need fewer
 * lines; in the last size if they have room in none.
 * @param {string[]} texts below one another
 * @param {{ width: number, height: number, leading: number }} room `leading`: the height of a line, of its letters
 * @param {number[]} sizes from the largest on
 * @param {Measure} widthOf
 */
export function fitTexts(texts, { width, height, leading }, sizes, widthOf) {
  const linesAt = (size) => texts.map((text) => breakLine(text, width, (part) => size * widthOf(part)));
  const all = sizes.map((size) => ({ size, lines: linesAt(size) }));
  const countOf = ({ lines }) => lines.flat().length;
  const first = all.find((one) => countOf(one) * one.size * leading <= height) ?? all.at(-1);
  const others = all.filter(({ size }) => size <= first.size && size >= LESS * first.size);
  return others.reduce((best, one) => (countOf(one) < countOf(best) ? one : best), first);
}

/**
 * The lines of a text in parts: what comes before its letter `from`, from there to its letter `to`, and after that.
 * @param {string} text
 * @param {string[]} lines of it, without the blanks between them
 * @param {{ from: number, to: number }} now
 * @returns {{ text: string, part: "before" | "now" | "after" }[][]}
 */
export function partLines(text, lines, { from, to }) {
  let at = 0;
  return lines.map((line) => {
    const start = text.indexOf(line, at);
    at = start + line.length;
    const ends = /** @type {const} */ ([["before", 0, from], ["now", from, to], ["after", to, text.length]]);
    const parts = ends.map(([part, begin, end]) => (
      { part, text: text.slice(Math.max(start, begin), Math.max(start, Math.min(at, end))) }));
    return parts.filter((one) => one.text);
  });
}

/**
 * Where things of some widths stand in rows: { row, left } of each.
 * @param {number[]} widths
 * @param {number} room
 * @param {number} gap
 */
export function flow(widths, room, gap) {
  let row = 0, right = -gap;
  return widths.map((width) => {
    if (right >= 0 && right + gap + width > room) {
      row += 1;
      right = -gap;
    }
    const left = right + gap;
    right = left + width;
    return { row, left };
  });
}
