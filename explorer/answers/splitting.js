// Splitting a text into sentences, and the pieces of a sentence into words: explorer/recording/splitting.py.

import { startsWord } from "../attention_view/word_groups.js";
import { joinPieces } from "../ui/scripts.js";
import { compilePattern, stripCharacters, strip } from "./python_text.js";

const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u, DIGIT = /\p{Nd}/u, DIGITS = /\p{Nd}/gu, SMALL = /^\p{Lowercase}/u;

/** Splits texts in the language that the model reads; `data` are patterns and signs (explorer/answers/data.py). */
export class Splitter {
  constructor({ boundary, abbreviation, punctuation }) {
    this.boundary = compilePattern(boundary, "g");
    this.abbreviation = compilePattern(abbreviation, "i");
    this.punctuation = punctuation;
  }

  /** The words of a sentence, with the places of their pieces; special pieces belong to none, punctuation alone is none. */
  words(pieces) {
    const groups = [];
    pieces.forEach(({ special }, i) => {
      if (special) return;
      if (!groups.length || startsWord(pieces, i)) groups.push([]);
      groups.at(-1).push(i);
    });
    return groups.map((group) => this.word(pieces, group)).filter(({ places }) => places.length);
  }

  /** A word: its text with punctuation around it, without (`clean`), and that in small letters (`bare`). */
  word(pieces, group) {
    const text = joinPieces(group.map((i) => pieces[i].text)).replace(/^·/, ""), clean = stripCharacters(text, this.punctuation);
    const places = group.filter((i) => LETTER_OR_NUMBER.test(pieces[i].text));
    return { text, clean, bare: clean.toLowerCase(), places, isNumber: DIGIT.test(text) };
  }

  /** The words of a source, as `bare`, that stand unchanged in its translation. */
  keptWords(source, target) {
    const keys = new Set(target.map(this.key)), common = source.map(this.key).filter((key) => keys.has(key));
    return new Set([...source, ...target].filter((word) => common.includes(this.key(word))).map(({ bare }) => bare));
  }

  /** By what two words are the same: of a number only the digits count. */
  key({ text, bare }) {
    return (text.match(DIGITS) ?? []).join("") || bare;
  }

  /** The sentences of a text; a full stop after an abbreviation or an initial does not end one, nor does a line break. */
  sentences(text) {
    return this.parts(text).map(strip);
  }

  /** The same with the blanks after them: joined, they are the text. */
  parts(text) {
    const parts = [];
    let start = 0;
    for (const boundary of text.matchAll(this.boundary)) {
      if (!this.isBoundary(boundary, text.slice(start, boundary.index))) continue;
      const end = boundary.index + boundary[0].length;
      parts.push(text.slice(start, end));
      start = end;
    }
    return [...parts, text.slice(start)];
  }

  isBoundary({ 0: mark, groups: { closing, next } }, before) {
    if (mark.split("\n").length > 2) return true; // an empty line
    const isAbbreviated = mark.startsWith(".") && this.abbreviation.test(before);
    return !isAbbreviated && !(closing && SMALL.test(next)); // "Stop!" he said
  }
}
