// The translation as far as it is written. Pure.

import { joinPieces } from "../ui/scripts.js";

/**
 * The translation up to a step, as plain text; empty before the first, which is step 0.
 * @param {number} step
 * @param {Pick<Trace, "steps">} trace
 */
export function translationUntil(step, { steps }) {
  const written = steps.slice(0, Math.max(0, step + 1));
  const pieces = written.map(({ predicted }) => predicted).filter(({ special }) => !special);
  return joinPieces(pieces.map(({ text, starts_word: starts }) => (starts ? text.replace(/^·/, " ") : text))).trim();
}
