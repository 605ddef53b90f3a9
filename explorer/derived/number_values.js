// The values of numbers with hundreds, thousands, millions and more, and of those with a fraction, in an English and in
// a German text: in digits, in words, or in both, as "2.5 million", "zweihunderttausend", "1 1/2" and "eineinhalb".

/**
 * What a word says of a number: a value to add, or a scale to multiply with; `isLeast` of a plural, as "thousands".
 * @typedef {{ value?: number, scale?: number, isLeast?: boolean, isHalf?: boolean, isFraction?: boolean }} NumberPart
 * @typedef {{ total: number, current: number }} Sum a number so far: what has its scale, and what may still get one
 */

export const GERMAN_NUMBERS = new Map(Object.entries({
  zwei: 2, zwo: 2, beid: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, siebt: 7, acht: 8, neun: 9, zehn: 10,
  elf: 11, zwölf: 12, dreizehn: 13, vierzehn: 14, fünfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18, neunzehn: 19,
  dritt: 3, null: 0,
  zwanzig: 20, dreißig: 30, vierzig: 40, fünfzig: 50, sechzig: 60, siebzig: 70, achtzig: 80, neunzig: 90,
}));
const CARDINALS = [
  "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
  "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const ORDINALS = ["fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
export const ENGLISH_NUMBERS = new Map([
  ...numbered(CARDINALS, 2),
  ...numbered(ORDINALS, 4),
  ...numbered(CARDINALS.map((word) => `${word}th`), 2).filter(([, number]) => number > 12),
  ...numbered(TENS, 20, 10),
  ...numbered(TENS.map((word) => `${word.slice(0, -1)}ieth`), 20, 10),
]);
const ENGLISH_SCALES = new Map([
  ["hundred", 1e2], ["thousand", 1e3], ["million", 1e6], ["billion", 1e9], ["trillion", 1e12],
]);
const PLURAL = /^(hundred|thousand|million|billion|trillion)s$/; // "millions of years"
const GERMAN_SCALE = /^(million|milliarde|billion|mio$|mrd$|hundert|tausend)/;
const GERMAN_SCALES = new Map([
  ["hundert", 1e2], ["tausend", 1e3], ["million", 1e6], ["mio", 1e6], ["milliarde", 1e9], ["mrd", 1e9],
  ["billion", 1e12],
]);
/** @type {NumberPart} */
const HALF = { value: 1 / 2, isFraction: true };
const STOP = /[.:;]$/; // after it another number begins, and after a comma: "five hundred, six hundred"
const MIN_BEFORE_COMMA = 1000; // scale of a number that goes on behind it: "two thousand, five hundred"
const AND_HALF = ["and", "a", "half"];
const FRACTION = /^([0-9]+)\/([1-9][0-9]*)(?![0-9/])/;
const FRACTION_SIGN = /[\u00bc-\u00be\u2150-\u215e]/g;
const AND_A_HALF = /(?:(^|[^\p{L}])ein\p{L}*)?\s+und\s+ein\p{L}*\s+halb\p{L}*/giu; // of "zwei und eine halbe"
const GERMAN_TOKEN = /[0-9]+(?:[.,:/][0-9]+)*|\p{L}+/gu;
const GERMAN_DECIMAL = /^(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?$/;
const LETTERS = /\p{L}+/gu;
/** Of regular expressions, "sechzehn" before "sechs". */
export const NAMES = [...GERMAN_NUMBERS.keys()].sort((one, other) => other.length - one.length).join("|");
/** @type {Record<string, number>} */
const GERMAN_FRACTIONS = {
  einhalb: 1 / 2, eindrittel: 1 / 3, zweidrittel: 2 / 3, einviertel: 1 / 4, dreiviertel: 3 / 4,
};
const MIXED = new RegExp(`^(ein|${NAMES})(?:und)?(${Object.keys(GERMAN_FRACTIONS).join("|")})`);
const FRACTION_WORD = /^(?:halb(?:e[mnrs]?)?$|hälfte|drittel|viertel|fünftel|achtel|zehntel|dreiviertel|anderthalb)/;
/** @type {Record<string, number>} */
const FRACTION_WORDS = {
  hälfte: 1 / 2, drittel: 1 / 3, viertel: 1 / 4, fünftel: 1 / 5, achtel: 1 / 8, zehntel: 1 / 10, dreiviertel: 3 / 4,
  anderthalb: 3 / 2,
};
const NUMBER_PART = new RegExp(`(ein(?=und|hundert|tausend)|${NAMES})|(hundert)|(tausend)|und(?=${NAMES})`, "y");

/**
 * Words with the numbers that they stand for, from `first` on.
 *
 * @param {string[]} words
 * @param {number} first
 * @returns {[string, number][]}
 */
function numbered(words, first, step = 1) {
  return words.map((word, i) => [word, first + step * i]);
}

/**
 * The value of a number that German writes in digits, as 1234.5 of "1.234,5"; null of what is none.
 * @param {string} text
 */
export function germanDecimal(text) {
  return GERMAN_DECIMAL.test(text) ? Number(text.replaceAll(".", "").replace(",", ".")) : null;
}

/**
 * The value of a fraction with which a text begins, as 0.5 of "1/2" and "1/2-inch"; null without one.
 * @param {string} text
 */
export function fractionValue(text) {
  const [, one, other] = text.match(FRACTION) ?? [];
  return one ? Number(one) / Number(other) : null;
}

/** Numbers of an English text in a row: "two hundred". `isLeast`: with "thousands" it is no certain number. */
class NumberInWords {
  /** Of the words that it is made of. @type {number[]} */
  indices = [];
  total = 0;
  current = 0;
  scale = 1; // the last one
  /** @type {boolean} */
  isMixed = false; // has a fraction behind a whole number
  isLeast = false;

  get value() {
    return this.total + this.current;
  }

  get hasScale() {
    return this.scale > 1;
  }

  /** @param {number} i @param {NumberPart[]} parts */
  add(i, parts) {
    this.indices.push(i);
    for (const { value, scale, isLeast, isHalf, isFraction } of parts) {
      if (scale) {
        ({ total: this.total, current: this.current } = scaled(this, scale));
        this.scale = scale;
        this.isLeast ||= isLeast;
      } else if (isHalf && this.hasScale) this.total += this.scale / 2; // "a million and a half"
      else this.current += value;
      this.isMixed ||= isFraction && this.value > value;
    }
  }
}

/**
 * The numbers of an English text that have a hundred, a thousand or more among their words, or a fraction behind them.
 *
 * @param {Word[]} words
 */
export function composedNumbers(words) {
  /** @type {NumberInWords[]} */
  const numbers = [];
  /** @type {NumberInWords | null} */
  let number = null;
  for (let i = 0; i < words.length; i++) {
    const isHalf = isPhrase(words, i, AND_HALF);
    if (words[i].bare === "and" && number?.hasScale && !isHalf) { // "two hundred and five"
      if (nextScale(words, i + 1) === number.scale) number = null; // "one hundred and two hundred"
      continue;
    }
    const { parts, index = i, last = i } = partsAt(words, i);
    if (number && isNextNumber(words, i, parts, number)) number = null;
    if (!parts.length || parts.includes(null)) number = null;
    else {
      if (!number) numbers.push(number = new NumberInWords());
      number.add(index, parts);
    }
    i = last;
  }
  return numbers.filter(({ hasScale, isMixed }) => hasScale || isMixed);
}

/**
 * The first scale of the number that begins at i, 0 without one.
 * @param {Word[]} words @param {number} i
 * @returns {number}
 */
function nextScale(words, i) {
  if (!words[i]) return 0;
  const { parts, last = i } = partsAt(words, i);
  if (!parts.length || parts.includes(null)) return 0;
  return parts.find(({ scale }) => scale)?.scale ?? nextScale(words, last + 1);
}

/**
 * Whether the number at i is another one than that before it: after a mark, or after digits: "in 2020 two million".
 * @param {Word[]} words @param {number} i @param {NumberPart[]} parts @param {NumberInWords} number
 */
function isNextNumber(words, i, [first], { scale }) {
  const before = words[i - 1];
  if (STOP.test(before.text) || (before.text.endsWith(",") && scale < MIN_BEFORE_COMMA)) return true;
  return (before.isNumber || words[i].isNumber) && !first?.scale && !first?.isFraction;
}

/**
 * What the word at i says of a number, a null for each part that is none; with the words behind it up to `last`.
 * @param {Word[]} words @param {number} i
 * @returns {{ parts: (NumberPart | null)[], index?: number, last?: number }}
 */
function partsAt(words, i) {
  const { bare, clean, isNumber } = words[i];
  if (isPhrase(words, i, AND_HALF)) return { parts: [{ ...HALF, isHalf: true }], index: i + 2, last: i + 2 };
  if (bare === "one" && isPhrase(words, i + 1, AND_HALF)) return { parts: [{ value: 1 }] };
  const last = words[i + 1]?.bare === "a" ? i + 1 : i;
  if (bare === "half" && ENGLISH_SCALES.has(words[last + 1]?.bare)) return { parts: [HALF], last };
  return { parts: isNumber ? [digitsOf(clean)] : (bare.match(LETTERS) ?? []).map(partOf) };
}

/** @param {Word[]} words @param {number} i @param {string[]} phrase */
function isPhrase(words, i, phrase) {
  return phrase.every((word, k) => words[i + k]?.bare === word);
}

/** @param {string} text @returns {NumberPart | null} */
function digitsOf(text) {
  const fraction = fractionValue(text);
  if (fraction !== null) return { value: fraction, isFraction: true };
  const [number] = text.match(/[0-9][0-9.,]*/) ?? [];
  const value = Number(number?.replace(/[.,]+$/, "").replaceAll(",", ""));
  return Number.isNaN(value) ? null : { value };
}

/** @param {string} word @returns {NumberPart | null} */
function partOf(word) {
  const [, plural] = word.match(PLURAL) ?? [];
  const scale = ENGLISH_SCALES.get(plural ?? word);
  if (scale) return { scale, isLeast: Boolean(plural) };
  return ENGLISH_NUMBERS.has(word) ? { value: ENGLISH_NUMBERS.get(word) } : null;
}

/**
 * A number so far, times a scale: 5 and 100 are 500; 2 and a million are two million, to which more is added.
 * @param {Sum} sum @param {number} scale
 * @returns {Sum}
 */
function scaled({ total, current }, scale) {
  const value = (current || 1) * scale;
  return scale === 100 ? { total, current: value } : { total: total + value, current: 0 };
}

/** The values of all numbers of a German text. @param {string} text @returns {Set<number>} */
export function germanValues(text) {
  /** @type {Set<number>} */
  const values = new Set();
  /** @type {Sum | null} */
  let number = null; // the one that stands before, to which a scale, a smaller number or a fraction may belong
  for (const token of withFractions(text).toLowerCase().match(GERMAN_TOKEN) ?? []) {
    number = germanNumber(token, number);
    if (number) values.add(number.total + number.current).add(number.current || number.total);
  }
  return values;
}

/**
 * The number, { total, current }, that a German token says together with the one before it; null if it says none.
 * @param {string} token @param {Sum | null} before
 * @returns {Sum | null}
 */
function germanNumber(token, before) {
  const [, name] = token.match(GERMAN_SCALE) ?? [];
  if (name && !/^(?:hundert|tausend)./.test(token)) {
    return { total: (before?.total ?? 0) + (before?.current || 1) * GERMAN_SCALES.get(name), current: 0 };
  }
  const fraction = fractionValue(token);
  if (before && fraction !== null) return { ...before, current: before.current + fraction }; // "1 1/2"
  const [part] = token.match(FRACTION_WORD) ?? [];
  if (before?.current && part?.endsWith("tel") && part !== "dreiviertel") { // "drei Viertel"
    return { ...before, current: before.current * FRACTION_WORDS[part] };
  }
  const value = germanDecimal(token) ?? fraction ?? wordValue(token);
  return value === null ? null : { total: before?.current === 0 ? before.total : 0, current: value };
}

/** A German text with 1 1/2 for "1½" and "eine und eine halbe". @param {string} text */
function withFractions(text) {
  const spelled = text.replace(FRACTION_SIGN, (sign) => ` ${sign.normalize("NFKC").replace("\u2044", "/")}`);
  return spelled.replace(AND_A_HALF, (_, before) => (before === undefined ? " 1/2" : `${before}1 1/2`));
}

/**
 * The value of the number with which a German word begins, as 100 of "hundertmal"; null without one.
 * @param {string} word
 */
function wordValue(word) {
  const [part] = word.match(FRACTION_WORD) ?? [];
  if (part) return FRACTION_WORDS[part] ?? 1 / 2;
  const [, whole, fraction] = word.match(MIXED) ?? [];
  if (fraction) return (GERMAN_NUMBERS.get(whole) ?? 1) + GERMAN_FRACTIONS[fraction];
  let [total, current, isNumber] = [0, 0, false];
  NUMBER_PART.lastIndex = 0;
  for (let found = NUMBER_PART.exec(word); found; found = NUMBER_PART.exec(word)) {
    const [, unit, hundred, thousand] = found;
    if (!unit && !hundred && !thousand && !isNumber) break;
    isNumber = true;
    if (unit) current += unit === "ein" ? 1 : GERMAN_NUMBERS.get(unit);
    if (hundred || thousand) ({ total, current } = scaled({ total, current }, hundred ? 100 : 1000));
  }
  return isNumber ? total + current : null;
}
