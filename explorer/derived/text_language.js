// Which language a text is in: that which the model reads, another one, or none that is known. Common words decide.

import { sum } from "../ui/tensor.js";

const MIN_LETTERS_PER_PIECE = 1.8; // of English; letters typed at random have fewer
const MIN_RANDOM_LETTERS = 4; // of a text before it is taken for letters typed at random; "LOL" has three
const MIN_FOREIGN_WORDS = 2; // to identify another language if the model does not read English: other lists are short
const MAX_NAME_WORDS = 2; // of a text that may be a name alone: "el paso"
const FIRST_FOREIGN_LETTER = "\u0250"; // the letters before it are Latin

const LETTER = /\p{L}/gu;
const CAPITAL = /^\p{Uppercase}/u;
const ABBREVIATION = /^\p{Uppercase}{2,3}$/u;
const SYMBOL = /^[a-z]$/; // a name of a thing, not a word: "x", "plan z"
const I_AM = "im"; // as people type it; it is German, too

export class TextLanguage {
  /**
   * @param {string} code of the language that the model reads
   * @param {Record<string, Set<string>>} words its lists of words, of which `common` may be missing
   * @param {{ distinctive: Record<string, Set<string>>, germanWords: { isEnglish: (word: string) => boolean } | null }}
   *   others words by which a language is known, by its code; and what knows English words beside German ones
   */
  constructor(code, words, { distinctive, germanWords }) {
    this.isEnglish = code === "en";
    this.words = words;
    this.distinctive = distinctive;
    this.germanWords = germanWords;
  }

  /**
   * The code of the language that a text seems to be in; "" if unknown, null if it is the language the model reads, or
   * there is no list of its words.
   * @param {Word[]} words
   */
  other(words) {
    const { common } = this.words;
    if (!common) return null;
    const ordinary = words.filter(({ isNumber }) => !isNumber);
    const named = this.distinctiveLanguage(ordinary);
    if (named) return named;
    const bare = ordinary.map((word) => word.bare).filter(Boolean);
    const letters = bare.join("").match(LETTER) ?? [];
    if (isMostlyForeign(letters)) return "";
    const mayBeRandom = this.isEnglish && letters.length > 0 && !bare.some((word) => common.has(word));
    return mayBeRandom && isRandom(letters, ordinary) ? "" : null;
  }

  /**
   * The code of the language that has more of the words than that which the model reads; null if none has.
   * @param {Word[]} words
   */
  distinctiveLanguage(words) {
    const { distinctive, isEnglish, words: { common, ambiguous } } = this;
    const telling = isEnglish ? words.filter((_, i) => this.isTelling(words, i)) : words;
    const counts = Object.entries(distinctive).map(([code, list]) => ({ code, count: countIn(list, telling) }));
    const { code, count } = counts.reduce((one, other) => (other.count > one.count ? other : one));
    const expected = words.filter(({ bare }) => common.has(bare) && !ambiguous.has(bare)).length;
    return count > expected && (isEnglish || count >= MIN_FOREIGN_WORDS) ? code : null;
  }

  /**
   * Whether the word at i may tell a language from English: an abbreviation, a symbol, the first word of "Los Angeles"
   * and that of "im hungry" do not.
   * @param {Word[]} words @param {number} i
   */
  isTelling(words, i) {
    const { bare, clean } = words[i];
    const next = words[i + 1];
    if (SYMBOL.test(bare) || (bare === I_AM && next && this.isSmallEnglish(next))) return false;
    if (ABBREVIATION.test(clean) && words.some((word) => word.clean !== word.clean.toUpperCase())) return false;
    if (!this.words.inNames.has(bare)) return true;
    return words.length > MAX_NAME_WORDS && Boolean(next) && next.bare !== bare && !CAPITAL.test(next.clean);
  }

  /** @param {Word} word */
  isSmallEnglish({ bare, clean }) {
    return !CAPITAL.test(clean) && (this.words.common.has(bare) || Boolean(this.germanWords?.isEnglish(bare)));
  }
}

/** @param {Set<string>} list @param {Word[]} words */
function countIn(list, words) {
  return words.filter(({ bare }) => list.has(bare)).length;
}

/** Whether most letters are not Latin. @param {string[]} letters */
function isMostlyForeign(letters) {
  const foreign = letters.filter((letter) => letter >= FIRST_FOREIGN_LETTER);
  return 2 * foreign.length > letters.length;
}

/**
 * Whether the pieces are as short as those of letters typed at random.
 * @param {string[]} letters @param {Word[]} words
 */
function isRandom(letters, words) {
  const pieces = sum(words.map((word) => word.pieces.length));
  return letters.length >= MIN_RANDOM_LETTERS && letters.length < MIN_LETTERS_PER_PIECE * pieces;
}
