// The texts of the page as the browser has laid them out: a line of SVG for every line on the screen.

import { svg } from "../../../ui/element.js";
import { isolate, isRightToLeft } from "../../../ui/scripts.js";
import { inked, short } from "./colours.js";
import { familyOf, metrics } from "./fonts.js";

const LARGE = /[∑∏∫()[\]{}|←→]/, ARROW = /[←→]/;
const WORDS = /\s+|\S+/gu;

/** The lines of a text node: { text, left, right, top, bottom } in pixels of the window. */
function linesOf(node) {
  const range = document.createRange(), lines = [];
  const take = (text, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length > 1 && to - from > 1) { // a word that is broken
      for (let i = from; i < to; i++) take(node.data[i], i, i + 1);
    } else if (rects.length) put(lines, text, rects[0]);
  };
  for (const { 0: text, index } of node.data.matchAll(WORDS)) take(text, index, index + text.length);
  return lines.filter(({ text }) => text.trim());
}

/** Words go on in a line; those from right to left stand alone, each where the browser has put it. */
function put(lines, text, { left, right, top, bottom }) {
  const last = lines.at(-1);
  if (last && Math.abs(last.top - top) < 2 && left >= last.left && !isRightToLeft(last.text + text)) Object.assign(last, { text: last.text + text, right });
  else lines.push({ text, left, right, top, bottom });
}

/** Text of which blanks count as on the page; one at an end would be counted into its length. */
function trimmed(line, font) {
  const blank = (text) => (text ? metrics(font, text).width : 0);
  const before = line.text.match(/^\s*/)[0], after = line.text.slice(before.length).match(/\s*$/)[0];
  return { ...line, text: line.text.trim().replace(/\s+/g, (found) => (/\n/.test(found) ? " " : found)), left: line.left + blank(before), right: line.right - blank(after) };
}

/** SVG of a text node; `place` says where a point of the window is in the picture, `decorated` what its ancestors underline. */
export function textOf(node, style, { place, times, decorated }) {
  const size = parseFloat(style.fontSize), upright = !style.writingMode.startsWith("vertical");
  const slanted = style.fontStyle === "italic" || (node.parentNode.localName === "mi" && [...node.data.trim()].length === 1);
  const font = `${slanted ? "italic " : ""}${style.fontWeight} ${size}px ${style.fontFamily}`, { above, below } = metrics(font);
  const look = {
    "font-family": familyOf(style.fontFamily), "font-size": short(size), ...inked("fill", style.color),
    ...(Number(style.fontWeight) !== 400 && { "font-weight": style.fontWeight }), ...(slanted && { "font-style": "italic" }),
  };
  if (node.parentNode.localName === "mo" && LARGE.test(node.data)) return [operator(node, font, look, { place, times })];
  return linesOf(node).flatMap((found) => {
    const line = trimmed(found, font), [left, top] = place(line.left, line.top), [right, bottom] = place(line.right, line.bottom);
    if (!line.text) return [];
    const length = upright ? right - left : bottom - top, shift = ((upright ? bottom - top : right - left) - above - below) / 2;
    const at = upright ? { x: short(left), y: short(top + shift + above) } : { transform: `translate(${short(left + shift + below)} ${short(top)}) rotate(90)` };
    const fits = line.text.length > 1 && { textLength: short(length), lengthAdjust: "spacingAndGlyphs" };
    const lang = node.parentNode.closest("[lang]").lang;
    const text = svg("text", { ...look, ...at, ...fits, ...(/\s{2}/.test(line.text) && { style: "white-space: pre" }), ...(lang !== document.documentElement.lang && { lang }) }, isolate(line.text));
    return [text, ...(upright ? decorated.map((one) => decoration(one, left, right, top + shift + above, size)) : [])];
  });
}

/** A sign of a formula that is as large as its box, such as a sum or a bracket. */
function operator({ parentNode, data }, font, look, { place, times }) {
  const rect = parentNode.getBoundingClientRect(), [x, y] = place(rect.left + rect.width / 2, rect.top), height = rect.height / times;
  const { inkAbove, inkBelow } = metrics(font, data.trim()), scale = ARROW.test(data) ? 1 : Math.min(3, height / (inkAbove + inkBelow));
  const base = y + (height - scale * (inkAbove + inkBelow)) / 2 + scale * inkAbove;
  return svg("text", { ...look, "font-size": short(look["font-size"] * scale), x: short(x), y: short(base), "text-anchor": "middle" }, data.trim());
}

/** A line under or through a text. */
function decoration({ line, wavy, colour }, left, right, base, size) {
  const y = line === "line-through" ? base - size * 0.3 : base + size * 0.16, step = 2.2;
  const waves = Array.from({ length: Math.ceil((right - left) / step) }, (_, i) => `q${step / 2},${i % 2 ? 2.2 : -2.2} ${step},0`).join("");
  const d = `M${short(left)},${short(y)}${wavy ? waves : `H${short(right)}`}`;
  return svg("path", { d, fill: "none", "stroke-width": 1, ...inked("stroke", colour) });
}

/** What a style adds to the lines under or through the texts within. */
export function decorations({ textDecorationLine: lines, textDecorationStyle: style, textDecorationColor: colour }) {
  return lines.split(" ").filter((line) => line === "underline" || line === "line-through")
    .map((line) => ({ line, wavy: style === "wavy", colour }));
}
