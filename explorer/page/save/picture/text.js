// Text of the page as SVG, one SVG text for every line that the browser laid out.

import { isolate, isRightToLeft } from "../../../ui/scripts.js";
import { paintAttributes, familyOf, fontMetrics } from "./colours.js";
import { formatCoordinate, shape } from "./shapes.js";

/** @typedef {import("./shapes.js").Frame} Frame */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Rect In pixels of the window. */
/** @typedef {Rect & { text: string }} Line */
/** @typedef {{ line: string, isWavy: boolean, colour: string }} Decoration `line` is "underline" or "line-through". */

const STRETCHED = /[∑∏∫()[\]{}|←→]/; // operators of a formula that the browser stretches
const ARROW = /[←→]/;
const WORDS = /\s+|\S+/gu;
const MAX_STRETCH = 3;
const WAVE = 2.2; // pixels, the length and the height of half a wave

/**
 * The SVG of a text node.
 *
 * @param {Text} node
 * @param {CSSStyleDeclaration} style of its parent
 * @param {Frame} frame
 * @param {Decoration[]} decorations of its ancestors
 */
export function renderText(node, style, frame, decorations) {
  const { parentElement, data } = node;
  const isItalic = style.fontStyle === "italic" || (parentElement.localName === "mi" && [...data.trim()].length === 1);
  const font = `${isItalic ? "italic " : ""}${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  /** @type {HTMLElement} */
  const { lang: language } = parentElement.closest("[lang]");
  /** @type {Record<string, string | number | undefined>} */
  const attributes = {
    "font-family": familyOf(style.fontFamily),
    "font-size": parseFloat(style.fontSize),
    "font-weight": Number(style.fontWeight) === 400 ? undefined : style.fontWeight,
    "font-style": isItalic ? "italic" : undefined,
    ...paintAttributes("fill", style.color),
  };
  if (parentElement.localName === "mo" && STRETCHED.test(data)) return [renderOperator(node, font, attributes, frame)];
  if (language !== document.documentElement.lang) attributes.lang = language;
  const isVertical = style.writingMode.startsWith("vertical");
  const lines = linesOf(node).map((line) => trimLine(line, font, frame.zoomFactor)).filter(({ text }) => text);
  return lines.flatMap((line) => {
    const box = frame.boxOf(line);
    const metrics = fontMetrics(font);
    if (isVertical) return [renderLine(line.text, verticalPosition(box, metrics), box.height, attributes)];
    const baseline = box.y + (box.height - metrics.above - metrics.below) / 2 + metrics.above;
    const underlines = decorations.map((decoration) => renderDecoration(decoration, box, baseline, attributes));
    return [renderLine(line.text, { x: box.x, y: baseline }, box.width, attributes), ...underlines];
  });
}

/**
 * The lines of a text node.
 *
 * @param {Text} node
 * @returns {Line[]}
 */
function linesOf(node) {
  const range = document.createRange();
  const lines = [];
  const addWord = (from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const isBroken = rects.length > 1 && to - from > 1; // by the end of a line
    if (isBroken) for (let i = from; i < to; i++) addWord(i, i + 1);
    else if (rects.length) addToLines(lines, node.data.slice(from, to), rects[0]);
  };
  for (const { 0: word, index } of node.data.matchAll(WORDS)) addWord(index, index + word.length);
  return lines.filter(({ text }) => text.trim());
}

/** Adds a word to the last line or to a new one; right-to-left words stay separate, at the browser's positions. */
function addToLines(lines, text, { left, right, top, bottom }) {
  const last = lines.at(-1);
  if (last && Math.abs(last.top - top) < 2 && left >= last.left && !isRightToLeft(last.text + text)) {
    last.text += text;
    last.right = right;
  } else {
    lines.push({ text, left, right, top, bottom });
  }
}

/** A line without spaces at its ends, which would count into its length, and with collapsed line breaks. */
function trimLine(line, font, zoomFactor) {
  const [, before, text, after] = line.text.match(/^(\s*)(.*?)(\s*)$/s);
  const widthOf = (space) => (space ? zoomFactor * fontMetrics(font, space).width : 0);
  return {
    ...line,
    text: text.replace(/\s+/g, (space) => (space.includes("\n") ? " " : space)),
    left: line.left + widthOf(before),
    right: line.right - widthOf(after),
  };
}

/** Turns a line by a quarter, to be read downward. */
function verticalPosition({ x, y, width }, { above, below }) {
  const baseline = x + (width - above - below) / 2 + below;
  return { transform: `translate(${formatCoordinate(baseline)} ${formatCoordinate(y)}) rotate(90)` };
}

/** A line at its position, with the browser's length in whatever font another program has. */
function renderLine(text, position, length, attributes) {
  const fitted = text.length > 1 ? { textLength: length, lengthAdjust: "spacingAndGlyphs" } : {};
  const style = /\s{2}/.test(text) ? "white-space: pre" : undefined;
  return shape("text", { ...attributes, ...position, ...fitted, style }, isolate(text));
}

/** A mathematical operator that is stretched to its box, such as a sum or a bracket. */
function renderOperator({ parentNode, data }, font, attributes, frame) {
  const operator = data.trim();
  const { x, y, width, height } = frame.boxOf(parentNode.getBoundingClientRect());
  const { inkAbove, inkBelow } = fontMetrics(font, operator);
  const inkHeight = inkAbove + inkBelow;
  const stretch = ARROW.test(data) ? 1 : Math.min(MAX_STRETCH, height / inkHeight);
  const position = {
    x: x + width / 2,
    y: y + (height - stretch * inkHeight) / 2 + stretch * inkAbove,
    "font-size": attributes["font-size"] * stretch,
    "text-anchor": "middle",
  };
  return shape("text", { ...attributes, ...position }, operator);
}

/** A line under or through a text. */
function renderDecoration({ line, isWavy, colour }, { x, width }, baseline, attributes) {
  const size = attributes["font-size"];
  const y = line === "line-through" ? baseline - size * 0.3 : baseline + size * 0.16;
  const wave = (_, i) => `q${WAVE / 2},${i % 2 ? WAVE : -WAVE} ${WAVE},0`;
  const waves = Array.from({ length: Math.ceil(width / WAVE) }, wave).join("");
  const stroke = isWavy ? waves : `H${formatCoordinate(x + width)}`;
  const d = `M${formatCoordinate(x)},${formatCoordinate(y)}${stroke}`;
  return shape("path", { d, fill: "none", "stroke-width": 1, ...paintAttributes("stroke", colour) });
}

/**
 * The underlines and strikethroughs of a style.
 *
 * @param {CSSStyleDeclaration} style
 * @returns {Decoration[]}
 */
export function decorationsOf({ textDecorationLine, textDecorationStyle, textDecorationColor }) {
  const lines = textDecorationLine.split(" ").filter((line) => line === "underline" || line === "line-through");
  return lines.map((line) => ({ line, isWavy: textDecorationStyle === "wavy", colour: textDecorationColor }));
}
