// Splitting a text into sentences, and the pieces of a sentence into words.

import { joinPieces, withoutCircle } from "../ui/scripts.js";
import { startsWord } from "./word_groups.js";

// A mark that ends a sentence, quotes after it, a blank, and what may begin the next one; or an empty line. Marks of
// Chinese and Japanese need no blank; before a closing quote they end only what is quoted.
const END = String.raw`[.!?…؟۔।॥]+(?<closing>["'”’»)\]]*)\s+|[。！？｡]+(?![」』”’）])\s*|\n\s*\n\s*`;
const NEXT = String.raw`["'“‘«„¿¡(\[「『（]*(?<next>[\p{L}\p{N}_])`;
const BOUNDARY = new RegExp(`(?:${END})(?=${NEXT})`, "gu");
// What may surround a word: punctuation of European, Arabic, Chinese and Japanese writing.
const PUNCTUATION = ".,;:!?…\"'“”„‘’()[]«»¿¡-–،؛؟۔。、！？：；，．｡､「」『』（）【】《》〈〉～";
// Abbreviations that end with a full stop, by language; initials and "z.B." are recognized by their form.
/** @type {Record<string, string>} */
const ABBREVIATIONS = {
  en: "mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|approx|dept|gen|col|rev",
  de: "dr|prof|hr|fr|st|nr|str|ca|usw|bzw|vgl|evtl|inkl|ggf|etc|bspw|abs|jh|mio|mrd|tel",
  fr: "m|mm|mme|mlle|dr|pr|st|ste|av|env|etc|cf|art|vol|chap|tél",
  es: "sr|sra|srta|dr|dra|ud|uds|vd|etc|pág|núm|avda|dña|prof|aprox",
  it: "sig|sigg|dott|prof|ing|avv|ecc|pag|num|art|ca|tel",
  nl: "dhr|mevr|mw|dr|prof|ir|ing|drs|mr|st|nr|ca|bijv|bv|enz|evt|incl|resp|tel|blz",
  pt: "sr|sra|srta|dr|dra|prof|profa|etc|pág|núm|av|exmo",
};
const PLAIN_ABBREVIATIONS = "dr|prof|st|etc|nr|no";

const PART_END = /[<>&;/*#]/u; // marks of HTML and Markdown, and of "red/blue"
export const ADDRESS = /@|:\/\/|^www\./;

const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;
const DIGIT = /\p{Nd}/u; // of a decimal number, unlike "❶"
const DIGITS = /\p{Nd}/gu;
const SMALL = /^\p{Lowercase}/u;

/**
 * A word: its text with punctuation around it, without (`clean`), and that in small letters (`bare`); the indices of
 * its pieces that are not punctuation alone.
 *
 * @typedef {{ text: string, clean: string, bare: string, pieces: number[], isNumber: boolean }} Word
 */

/**
 * The words of a sentence; special pieces belong to none, and punctuation alone is none.
 * @param {Piece[]} pieces
 * @returns {Word[]}
 */
export function splitWords(pieces) {
  return groupWords(pieces).map((group) => wordOf(pieces, group)).filter((word) => word.pieces.length);
}

/**
 * The same, but words end at marks inside them, too: "b", "red" and "b" of "<b>red</b>".
 * @param {Piece[]} pieces
 * @returns {Word[]}
 */
export function splitParts(pieces) {
  return groupWords(pieces).flatMap((group) => {
    const word = wordOf(pieces, group);
    return ADDRESS.test(word.text) ? [word] : partsOf(pieces, group);
  }).filter((word) => word.pieces.length);
}

/** Lists of the indices of pieces. @param {Piece[]} pieces */
function groupWords(pieces) {
  /** @type {number[][]} */
  const groups = [];
  pieces.forEach(({ special }, i) => {
    if (special) return;
    if (!groups.length || startsWord(pieces, i)) groups.push([]);
    groups.at(-1).push(i);
  });
  return groups;
}

/** @param {Piece[]} pieces @param {number[]} group */
function wordOf(pieces, group) {
  const text = joinPieces(group.map((i) => pieces[i].text)).replace(/^·/, "");
  return createWord(text, group.filter((i) => LETTER_OR_NUMBER.test(pieces[i].text)));
}

/** @param {Piece[]} pieces @param {number[]} group */
function partsOf(pieces, group) {
  /** @type {Map<number, string>[]} */
  const parts = [new Map()]; // texts by their pieces
  group.forEach((i, number) => {
    /** @type {string} */
    const text = number ? withoutCircle(pieces[i].text) : pieces[i].text.replace(/^·/, "");
    text.split(PART_END).forEach((part, count) => {
      if (count) parts.push(new Map());
      parts.at(-1).set(i, part);
    });
  });
  return parts.map((part) => {
    const letters = [...part.keys()].filter((i) => LETTER_OR_NUMBER.test(part.get(i)));
    return createWord([...part.values()].join(""), letters, `${PUNCTUATION}_`);
  });
}

/** @param {string} text @param {number[]} pieces @param {string} punctuation @returns {Word} */
function createWord(text, pieces, punctuation = PUNCTUATION) {
  const clean = stripCharacters(text, punctuation);
  return { text, clean, bare: clean.toLowerCase(), pieces, isNumber: DIGIT.test(text) };
}

/** A text without some characters at its start. @param {string} text @param {string} characters */
export function stripStart(text, characters) {
  const signs = [...text];
  const first = signs.findIndex((sign) => !characters.includes(sign));
  return first < 0 ? "" : signs.slice(first).join("");
}

/** @param {string} text @param {string} characters */
function stripCharacters(text, characters) {
  const reverse = (/** @type {string} */ one) => [...one].reverse().join("");
  return reverse(stripStart(reverse(stripStart(text, characters)), characters));
}

/**
 * The words of a source, as `bare`, that stand unchanged in its translation: names, numbers, "pizza".
 * @param {Word[]} source @param {Word[]} target
 */
export function keptWords(source, target) {
  const keys = new Set(target.map(wordKey));
  const common = new Set(source.map(wordKey).filter((key) => keys.has(key)));
  return new Set([...source, ...target].filter((word) => common.has(wordKey(word))).map(({ bare }) => bare));
}

/**
 * By what two words are the same. Of a number only the digits count: "3,482" is "3.482" in German.
 * @param {Pick<Word, "text" | "bare">} word
 */
export function wordKey({ text, bare }) {
  return (text.match(DIGITS) ?? []).join("") || bare;
}

/**
 * The sentences of a text; a full stop after an abbreviation or an initial does not end one, nor does a line break.
 * @param {string} text @param {string} code
 */
export function splitSentences(text, code) {
  return sentenceParts(text, code).map((part) => part.trim());
}

/** The same with the blanks after them: joined, they are the text. @param {string} text @param {string} code */
export function sentenceParts(text, code) {
  const known = ABBREVIATIONS[code] ?? PLAIN_ABBREVIATIONS;
  const abbreviation = new RegExp(String.raw`(?:^|[\s("'“„«])(?:${known}|\p{L}(?:\.\p{L})*)$`, "iu");
  /** @type {string[]} */
  const parts = [];
  let start = 0;
  for (const boundary of text.matchAll(BOUNDARY)) {
    if (!isBoundary(boundary, abbreviation.test(text.slice(start, boundary.index)))) continue;
    const end = boundary.index + boundary[0].length;
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}

/** @param {RegExpMatchArray} boundary @param {boolean} isAbbreviated */
function isBoundary({ 0: mark, groups: { closing, next } }, isAbbreviated) {
  if (mark.split("\n").length > 2) return true; // an empty line
  return !(mark.startsWith(".") && isAbbreviated) && !(closing && SMALL.test(next)); // "Stop!" he said
}
