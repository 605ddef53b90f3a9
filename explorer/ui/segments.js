// Sentences in which tokens of both languages are set apart, as lists of segments.

import { element } from "./element.js";
import { formulaNodes } from "./formula.js";
import { fillParts, plainPiece } from "./text.js";

/**
 * @typedef {{ text: string }} TextSegment
 * @typedef {{ token: string, side: "source" | "target" }} TokenSegment
 * @typedef {(TextSegment | TokenSegment)[]} Segments
 */

/**
 * A token in quotation marks; one that is no word has none.
 * @param {{ text: string, special?: boolean, raw?: string }} piece
 * @param {"source" | "target"} side
 * @param {string} quotation with {word} between the marks
 * @returns {Segments}
 */
export function tokenSegments({ text, special, raw }, side, quotation) {
  const token = { token: plainPiece(text), side };
  if (special || raw !== undefined) return [token];
  const [before, after] = quotation.split("{word}");
  return [{ text: before }, token, { text: after }];
}

/**
 * A sentence of the words with its values, texts, numbers or segments.
 * @param {string} template
 * @param {Record<string, string | number | Segments>} values
 * @returns {Segments}
 */
export function fillSegments(template, values) {
  const parts = fillParts(template, values);
  return joinTexts(parts.flatMap((part) => (Array.isArray(part) ? part : [{ text: `${part}` }])));
}

/** Segments without empty texts, and with one text instead of two in a row. */
function joinTexts(segments) {
  /** @type {Segments} */
  const joined = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (segment.text !== undefined && last && "text" in last) last.text += segment.text;
    else if (segment.text !== "") joined.push({ ...segment });
  }
  return joined;
}

/** Sentences one after the other; Chinese has no space between them. */
export function joinSentences(sentences, space) {
  return joinTexts(sentences.flatMap((segments, i) => (i ? [{ text: space }, ...segments] : segments)));
}

/** @param {Segments} segments */
export function plainText(segments) {
  return segments.map((segment) => ("text" in segment ? segment.text : segment.token)).join("");
}

/**
 * The nodes of segments; tokens are bold, in their language and direction, and W_Q is written as in a formula.
 * @param {Segments} segments
 * @param {Record<"source" | "target", string>} codes of both languages
 */
export function segmentNodes(segments, codes) {
  return segments.flatMap((segment) => (
    "text" in segment ? formulaNodes(segment.text)
      : [element("b", { lang: codes[segment.side], dir: "auto" }, segment.token)]
  ));
}
