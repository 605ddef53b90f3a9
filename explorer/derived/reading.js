// How a visitor's text is read: with the capitals of a sentence, and without the hyphens of broken lines.
//
// The model learned from well written sentences. What people type or paste is often all in small letters or in
// capitals, or has hyphens where a printed line ended. Such a text is mended, and the model chooses: the mended form is
// read where its translation is another one with a higher log-probability. Both have the same words, so that the two
// compare. English in capitals is always mended, because the model copies it, and is sure of copies.
//
// Only what a visitor types is read in this way. Links, examples, lessons and programs name the text that they mean.
// docs/classroom.md has what was measured; a full stop that is missing changed nothing there, and is not added.

import { sentenceParts } from "./splitting.js";
import { logProbability } from "./trace.js";

const LETTERS = /\p{L}{2,}/gu;
const WORD = String.raw`\p{L}+(?:-\p{L}+)*`;
const LINKING = "and|or|to|nor|und|oder|bis|sowie|et|ou|y|o|e|en|of"; // "pre- and post-war"
const NO_WORD_CHARACTER = String.raw`(?![\p{L}\p{N}_])`;
const BROKEN_WORD = new RegExp(
  String.raw`(?<before>${WORD})[-\u00ad\u2010]\s+(?!(?:${LINKING})${NO_WORD_CHARACTER})(?<after>${WORD})`, "gu",
);
const FIRST_LETTER = /^["'(\u2018\u201c\u201e]*\p{L}/u;
const SMALL_I = new RegExp(
  String.raw`(^|[^\p{L}\p{N}_'.\-\u2019])i`
  + String.raw`(?=$|[\s,!?;:]|\.${NO_WORD_CHARACTER}|['\u2019](?:m|ve|ll|d)${NO_WORD_CHARACTER})`, "gu",
);

/** Whether a text has several words and no lower-case letter. @param {string} text */
export function isAllCapitals(text) {
  return text === text.toUpperCase() && text !== text.toLowerCase() && (text.match(LETTERS) ?? []).length > 1;
}

/**
 * What a visitor's text may be read as: as it was typed, mended, or either. `code` is that of the language that the
 * model reads, `isMended` whether texts in it are mended: only if it is written in Latin letters, unlike that of toys.
 * @param {string} text @param {{ code: string, isMended: boolean }} language
 */
export function formsOf(text, { code, isMended }) {
  const typed = text.trim();
  const mended = isMended ? mend(typed, code) : typed;
  if (mended === typed) return [typed];
  return code === "en" && isAllCapitals(typed) ? [mended] : [typed, mended];
}

/**
 * The text in small letters if all of it is in capitals, a capital at the start of each sentence, words joined.
 * @param {string} text @param {string} code
 */
function mend(text, code) {
  const joined = text.replace(BROKEN_WORD, joinWord);
  const small = joined === joined.toUpperCase() ? joined.toLowerCase() : joined;
  return withCapitals(small, code);
}

/**
 * The text with a capital at the start of each sentence that begins with a letter, and a capital I.
 * @param {string} text @param {string} code
 */
export function withCapitals(text, code) {
  const capitalized = sentenceParts(text, code).map((part) => part.replace(FIRST_LETTER, capitalizeLast)).join("");
  return code === "en" ? capitalized.replace(SMALL_I, "$1I") : capitalized;
}

/**
 * A word of two lines; "mother-" and "in-law" keep the hyphen between them.
 * @param {(string | number | Record<string, string>)[]} found
 */
function joinWord(...found) {
  const { before, after } = /** @type {Record<string, string>} */ (found.at(-1));
  return `${before}${`${before}${after}`.includes("-") ? "-" : ""}${after}`;
}

/** @param {string} found */
function capitalizeLast(found) {
  const signs = [...found];
  return signs.slice(0, -1).join("") + signs.at(-1).toUpperCase();
}

/**
 * The trace of two to show: of the text as it was typed, and mended.
 * @param {TracePayload} typed @param {TracePayload} mended
 */
export function chooseReading(typed, mended) {
  const isOther = mended.translation !== typed.translation;
  return isOther && logProbability(mended.steps) > logProbability(typed.steps) ? mended : typed;
}
