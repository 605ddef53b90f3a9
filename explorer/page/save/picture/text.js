// Text of the page as SVG, one SVG text for every line that the browser laid out.

import { svg } from "../../../ui/element.js";
import { isolate, isRightToLeft } from "../../../ui/scripts.js";
import { paintAttributes, formatCoordinate, familyOf, fontMetrics } from "./colours.js";

const STRETCHED = /[∑∏∫()[\]{}|←→]/, ARROW = /[←→]/;
const WORDS = /\s+|\S+/gu;

/** The lines of a text node: { text, left, right, top, bottom } in pixels of the window. */
function linesOf(node) {
  const range = document.createRange(), lines = [];
  const take = (text, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length > 1 && to - from > 1) { // a word with a line break inside
      for (let i = from; i < to; i++) take(node.data[i], i, i + 1);
    } else if (rects.length) addToLine(lines, text, rects[0]);
  };
  for (const { 0: text, index } of node.data.matchAll(WORDS)) take(text, index, index + text.length);
  return lines.filter(({ text }) => text.trim());
}

/** Adds a word to the last line or to a new one; right-to-left words stay separate, at the browser's positions. */
function addToLine(lines, text, { left, right, top, bottom }) {
  const last = lines.at(-1);
  if (last && Math.abs(last.top - top) < 2 && left >= last.left && !isRightToLeft(last.text + text)) Object.assign(last, { text: last.text + text, right });
  else lines.push({ text, left, right, top, bottom });
}

/** A line without spaces at its ends, which would count into its length, and with collapsed spaces. */
function trimLine(line, font) {
  const widthOf = (text) => (text ? fontMetrics(font, text).width : 0);
  const before = line.text.match(/^\s*/)[0], after = line.text.slice(before.length).match(/\s*$/)[0];
  return { ...line, text: line.text.trim().replace(/\s+/g, (rawLine) => (/\n/.test(rawLine) ? " " : rawLine)), left: line.left + widthOf(before), right: line.right - widthOf(after) };
}

/** SVG of a text node; `place` converts a point of the window to one of the picture, `decorated` are the decorations of ancestors. */
export function renderText(node, style, { place, times, decorated }) {
  const size = parseFloat(style.fontSize), isHorizontal = !style.writingMode.startsWith("vertical");
  const isItalic = style.fontStyle === "italic" || (node.parentNode.localName === "mi" && [...node.data.trim()].length === 1);
  const font = `${isItalic ? "italic " : ""}${style.fontWeight} ${size}px ${style.fontFamily}`, { above, below } = fontMetrics(font);
  const look = {
    "font-family": familyOf(style.fontFamily), "font-size": formatCoordinate(size), ...paintAttributes("fill", style.color),
    ...(Number(style.fontWeight) !== 400 && { "font-weight": style.fontWeight }), ...(isItalic && { "font-style": "italic" }),
  };
  if (node.parentNode.localName === "mo" && STRETCHED.test(node.data)) return [renderOperator(node, font, look, { place, times })];
  return linesOf(node).flatMap((rawLine) => {
    const line = trimLine(rawLine, font), [left, top] = place(line.left, line.top), [right, bottom] = place(line.right, line.bottom);
    if (!line.text) return [];
    const length = isHorizontal ? right - left : bottom - top, shift = ((isHorizontal ? bottom - top : right - left) - above - below) / 2;
    const at = isHorizontal ? { x: formatCoordinate(left), y: formatCoordinate(top + shift + above) } : { transform: `translate(${formatCoordinate(left + shift + below)} ${formatCoordinate(top)}) rotate(90)` };
    const lengthAttributes = line.text.length > 1 && { textLength: formatCoordinate(length), lengthAdjust: "spacingAndGlyphs" };
    const lang = node.parentNode.closest("[lang]").lang;
    const text = svg("text", { ...look, ...at, ...lengthAttributes, ...(/\s{2}/.test(line.text) && { style: "white-space: pre" }), ...(lang !== document.documentElement.lang && { lang }) }, isolate(line.text));
    return [text, ...(isHorizontal ? decorated.map((decorationStyle) => renderDecoration(decorationStyle, left, right, top + shift + above, size)) : [])];
  });
}

/** A mathematical operator that is stretched to its box, such as a sum or a bracket. */
function renderOperator({ parentNode, data }, font, look, { place, times }) {
  const rect = parentNode.getBoundingClientRect(), [x, y] = place(rect.left + rect.width / 2, rect.top), height = rect.height / times;
  const { inkAbove, inkBelow } = fontMetrics(font, data.trim()), scale = ARROW.test(data) ? 1 : Math.min(3, height / (inkAbove + inkBelow));
  const base = y + (height - scale * (inkAbove + inkBelow)) / 2 + scale * inkAbove;
  return svg("text", { ...look, "font-size": formatCoordinate(look["font-size"] * scale), x: formatCoordinate(x), y: formatCoordinate(base), "text-anchor": "middle" }, data.trim());
}

/** A path under or through a text. */
function renderDecoration({ line, wavy, colour }, left, right, base, size) {
  const y = line === "line-through" ? base - size * 0.3 : base + size * 0.16, step = 2.2;
  const waves = Array.from({ length: Math.ceil((right - left) / step) }, (_, i) => `q${step / 2},${i % 2 ? 2.2 : -2.2} ${step},0`).join("");
  const d = `M${formatCoordinate(left)},${formatCoordinate(y)}${wavy ? waves : `H${formatCoordinate(right)}`}`;
  return svg("path", { d, fill: "none", "stroke-width": 1, ...paintAttributes("stroke", colour) });
}

/** The underlines and strikethroughs of a style. */
export function decorationsOf({ textDecorationLine: lines, textDecorationStyle: style, textDecorationColor: colour }) {
  return lines.split(" ").filter((line) => line === "underline" || line === "line-through")
    .map((line) => ({ line, wavy: style === "wavy", colour }));
}
