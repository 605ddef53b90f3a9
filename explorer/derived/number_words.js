// Whether the numbers of an English sentence stand in its German, in digits or in words.
//
// English 1,234.56 is German 1.234,56; "half past eight" is "halb neun", and 8 p.m. 20 Uhr. Where in doubt, a number
// counts as found: "1" where the German has an article, and "one" and years in English words are not looked for.

import {
  composedNumbers, ENGLISH_NUMBERS, fractionValue, GERMAN_NUMBERS, germanDecimal, germanValues, NAMES,
} from "./number_values.js";
import { ADDRESS } from "./splitting.js";

const NUMBER = /[0-9]+(?:[.,:/][0-9]+)*/g;
const ENGLISH_THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/;
const ENGLISH_DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;
const GROUP_BLANK = /([0-9])\s(?=[0-9]{3}(?![0-9]))/g; // of "10 000"
const TIME = /^([0-9]{1,2})(?:[:.]([0-5][0-9]))?$/;
const CODE = /^(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{3,}$/; // "LH2374"
const ONE = /^(?:ein|erst)/; // "eine", "einstündig", "erste"
const LETTERS = /\p{L}+/gu;

const ATOM = new RegExp(NAMES, "g");
const SMALL_NUMBERS = new Map([["one", 1], ["first", 1], ["second", 2], ["third", 3]]);
const NUMBER_WORD = new RegExp(`^(?:ein(?:und|hundert|tausend)|hundert|tausend|${NAMES})`);

/** @typedef {ReturnType<typeof germanNumbers>} GermanNumbers */
/** @typedef {ReturnType<typeof composedNumbers>[number]} NumberInWords */

/**
 * The English words with a number, a code or an address that does not stand in the German translation.
 * @param {Word[]} words @param {string} translation
 */
export function missingNumbers(words, translation) {
  const german = germanNumbers(translation);
  const composed = composedNumbers(words);
  return words.filter((_, i) => {
    const number = composed.find(({ indices }) => indices.includes(i));
    return number ? !hasValue(number, german) : !isRendered(words, i, translation, german);
  });
}

/** All matches of a global expression. @type {(expression: RegExp, text: string) => string[]} */
const matchesOf = (expression, text) => text.match(expression) ?? [];

/**
 * The numbers of a German text: in digits as written, and the parts of those in words ("fünf", "zwanzig").
 * @param {string} text
 */
function germanNumbers(text) {
  const all = matchesOf(LETTERS, text.toLowerCase());
  const words = all.filter((word) => NUMBER_WORD.test(word));
  const digits = [text, text.replace(GROUP_BLANK, "$1")].flatMap((one) => matchesOf(NUMBER, one));
  const atoms = words.flatMap((word) => matchesOf(ATOM, word)).map((atom) => GERMAN_NUMBERS.get(atom));
  return {
    digits: new Set(digits),
    values: germanValues(text.replace(GROUP_BLANK, "$1")),
    atoms: new Set([...atoms, ...(all.some((word) => ONE.test(word)) ? [1] : [])]),
    hasWords: words.length > 0,
    isHalf: all.includes("halb"), // before an hour
  };
}

/** @param {Word[]} words @param {number} i @param {string} translation @param {GermanNumbers} german */
function isRendered(words, i, translation, german) {
  const { clean, isNumber } = words[i];
  if (ADDRESS.test(clean) || CODE.test(clean)) return translation.toLowerCase().includes(clean.toLowerCase());
  if (!isNumber) return hasNumberWords(words, i, german);
  return (clean.match(NUMBER) ?? []).every((number) => hasDigits(number, german));
}

/**
 * Whether the German has this number, or of "thousands" at least as many.
 * @param {NumberInWords} number @param {GermanNumbers} german
 */
function hasValue({ value, isLeast }, { values }) {
  return isLeast ? [...values].some((one) => one >= value) : values.has(value);
}

/**
 * Whether a number in digits stands in the German: as it is, with German marks, as an hour, or in words.
 * @param {string} number @param {GermanNumbers} german
 */
function hasDigits(number, german) {
  const hasThousands = ENGLISH_THOUSANDS.test(number);
  const value = hasThousands || ENGLISH_DECIMAL.test(number) ? Number(number.replaceAll(",", "")) : null;
  if ([...german.digits].some((one) => value !== null && germanDecimal(one) === value)) return true;
  const forms = hasThousands ? [] : [number, number.replaceAll(":", ".")];
  if (forms.some((one) => german.digits.has(one)) || german.values.has(fractionValue(number))) return true;
  return hasTime(number, german) || (value >= 100 ? german.values.has(value) : hasWords(value, german));
}

/**
 * Whether a number from 1 to 12, perhaps with minutes, stands in the German as an hour or in words.
 * @param {string} number @param {GermanNumbers} german
 */
function hasTime(number, german) {
  const [, digits, minutes = "00"] = number.match(TIME) ?? [];
  const hour = Number(digits ?? 0);
  if (hour < 1 || hour > 12) return false;
  const hours = [hour, hour + 12, ...(hour === 12 ? ["0", "00"] : [])]; // 12:30 a.m. is 0:30
  const withMinutes = hours.flatMap((one) => [`${one}:${minutes}`, `${one}.${minutes}`]);
  const shown = minutes === "00" ? [...withMinutes, `${hour}`, `${hour + 12}`] : withMinutes;
  const isInWords = german.atoms.has(hour) || (number !== digits && german.atoms.has(hour + 12))
    || (minutes !== "00" && german.atoms.has((hour % 12) + 1));
  return isInWords || shown.some((one) => german.digits.has(one));
}

/**
 * Whether the German may say in words what stands in digits, below 100: its tens and ones must be there.
 * @param {number | null} value @param {GermanNumbers} german
 */
function hasWords(value, { atoms, digits, values, hasWords: hasNumbers }) {
  if (values.has(value)) return true; // "eineinhalb"
  if (digits.size || !hasNumbers) return false;
  if (!Number.isInteger(value)) return atoms.size > 1; // "zwei Euro fünfzig"
  const parts = value < 20 ? [value] : [value - (value % 10), value % 10];
  return parts.every((part) => part === 0 || atoms.has(part));
}

/**
 * The value of a part of a number; a first, second or third is one behind tens alone: "twenty-first".
 * @param {string} part @param {number} k @param {string[]} parts
 */
function valueOfPart(part, k, parts) {
  return ENGLISH_NUMBERS.get(part) ?? (ENGLISH_NUMBERS.get(parts[k - 1]) >= 20 ? SMALL_NUMBERS.get(part) : undefined);
}

/**
 * Whether the numbers in words of the word at i stand in the German, whose "halb neun" is half past eight.
 * @param {Word[]} words @param {number} i @param {GermanNumbers} german
 */
function hasNumberWords(words, i, german) {
  const parts = words[i].bare.match(LETTERS) ?? [];
  const wanted = parts.map(valueOfPart).filter((value) => value !== undefined);
  if (!wanted.length || german.digits.size) return true;
  const [hour, ...more] = wanted;
  const before = words.slice(Math.max(0, i - 2), i).map(({ bare }) => bare);
  if (before.join(" ") === "half past" || (more.length === 1 && more[0] === 30)) { // "eight-thirty"
    const isHalf = german.isHalf && german.atoms.has((hour % 12) + 1);
    return isHalf || (german.atoms.has(hour) && german.atoms.has(30));
  }
  return wanted.every((number) => german.atoms.has(number));
}
