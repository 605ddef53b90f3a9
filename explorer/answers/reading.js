// How a visitor's text is read: explorer/recording/reading.py.

import { compilePattern } from "./python_text.js";
import { Splitter } from "./splitting.js";
import { logProbability } from "./trace.js";

/** A word of two lines; "mother-" and "in-law" keep the hyphen between them. */
function joinWord(...found) {
  const { before, after } = found.at(-1);
  return `${before}${`${before}${after}`.includes("-") ? "-" : ""}${after}`;
}

function capitalizeLast(found) {
  const signs = [...found];
  return signs.slice(0, -1).join("") + signs.at(-1).toUpperCase();
}

export class Reader {
  /** `data` are patterns and what is known of the language that the model reads (explorer/answers/data.py). */
  constructor({ splitting, reading: { isMended, isEnglish, patterns } }) {
    Object.assign(this, { isMended, isEnglish, splitter: new Splitter(splitting) });
    this.brokenWord = compilePattern(patterns.BROKEN_WORD, "g");
    this.firstLetter = compilePattern(patterns.FIRST_LETTER);
    this.smallI = compilePattern(patterns.SMALL_ENGLISH_I, "g");
    this.letters = compilePattern(patterns.LETTERS, "g");
  }

  /** The text in small letters if all of it is in capitals, a capital at the start of each sentence, words joined. */
  mend(text) {
    if (!this.isMended) return text;
    const joined = text.replace(this.brokenWord, joinWord), small = joined === joined.toUpperCase() ? joined.toLowerCase() : joined;
    const mended = this.splitter.parts(small).map((part) => part.replace(this.firstLetter, capitalizeLast)).join("");
    return this.isEnglish ? mended.replace(this.smallI, "I") : mended;
  }

  /** Whether a text is English in capitals. */
  isAlwaysMended(text) {
    const isAllCapitals = text === text.toUpperCase() && text !== text.toLowerCase();
    return this.isEnglish && isAllCapitals && (text.match(this.letters) ?? []).length > 1;
  }
}

/** The one of two traces to show. */
export function choose(typed, mended) {
  const isBetter = mended.translation !== typed.translation && logProbability(mended.steps) > logProbability(typed.steps);
  return isBetter ? mended : typed;
}
