// The values of numbers with hundreds, thousands, millions and more, in an English and in a German text: in digits, in
// words, or in both, as "2.5 million" and "zweihunderttausend".

export const GERMAN_NUMBERS = new Map(Object.entries({
  zwei: 2, zwo: 2, beid: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, siebt: 7, acht: 8, neun: 9, zehn: 10,
  elf: 11, zwölf: 12, dreizehn: 13, vierzehn: 14, fünfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18, neunzehn: 19,
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
const GERMAN_TOKEN = /[0-9]+(?:[.,:/][0-9]+)*|\p{L}+/gu;
const GERMAN_DECIMAL = /^(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?$/;
const LETTERS = /\p{L}+/gu;
const NAMES = [...GERMAN_NUMBERS.keys()].sort((one, other) => other.length - one.length).join("|"); // "sechzehn" first
const NUMBER_PART = new RegExp(`(ein(?=und|hundert|tausend)|${NAMES})|(hundert)|(tausend)|und(?=${NAMES})`, "y");

/**
 * Words with the numbers that they stand for, from `first` on.
 *
 * @param {string[]} words
 * @returns {[string, number][]}
 */
function numbered(words, first, step = 1) {
  return words.map((word, i) => [word, first + step * i]);
}

/** The value of a number that German writes in digits, as 1234.5 of "1.234,5"; null of what is none. */
export function germanDecimal(text) {
  return GERMAN_DECIMAL.test(text) ? Number(text.replaceAll(".", "").replace(",", ".")) : null;
}

/** Numbers of an English text in a row: "two hundred". `isLeast`: with "thousands" it is no certain number. */
class NumberInWords {
  /** Of the words that it is made of. @type {number[]} */
  indices = [];
  total = 0;
  current = 0;
  hasScale = false;
  isLeast = false;

  get value() {
    return this.total + this.current;
  }

  add(i, parts) {
    this.indices.push(i);
    for (const { value, scale, isLeast } of parts) {
      if (scale) {
        ({ total: this.total, current: this.current } = scaled(this, scale));
        this.hasScale = true;
        this.isLeast ||= isLeast;
      } else this.current += value;
    }
  }
}

/**
 * The numbers of an English text that have a hundred, a thousand or more among their words.
 *
 * @param {import("./splitting.js").Word[]} words
 */
export function largeNumbers(words) {
  const numbers = [];
  let number = null;
  words.forEach(({ bare, clean, isNumber }, i) => {
    if (bare === "and" && number?.hasScale) return; // "two hundred and five"
    const parts = isNumber ? [digitsOf(clean)] : (bare.match(LETTERS) ?? []).map(partOf);
    if (!parts.length || parts.includes(null)) {
      number = null;
      return;
    }
    if (!number) numbers.push(number = new NumberInWords());
    number.add(i, parts);
  });
  return numbers.filter(({ hasScale }) => hasScale);
}

function digitsOf(text) {
  const [number] = text.match(/[0-9][0-9.,]*/) ?? [];
  const value = Number(number?.replace(/[.,]+$/, "").replaceAll(",", ""));
  return Number.isNaN(value) ? null : { value };
}

function partOf(word) {
  const [, plural] = word.match(PLURAL) ?? [];
  const scale = ENGLISH_SCALES.get(plural ?? word);
  if (scale) return { scale, isLeast: Boolean(plural) };
  return ENGLISH_NUMBERS.has(word) ? { value: ENGLISH_NUMBERS.get(word) } : null;
}

/** A number so far, times a scale: 5 and 100 are 500; 2 and a million are two million, to which more is added. */
function scaled({ total, current }, scale) {
  const value = (current || 1) * scale;
  return scale === 100 ? { total, current: value } : { total: total + value, current: 0 };
}

/** The values of all numbers of a German text. @returns {Set<number>} */
export function germanValues(text) {
  const values = new Set();
  let number = null; // the one that stands before, to which a scale or a smaller number may belong
  for (const token of text.toLowerCase().match(GERMAN_TOKEN) ?? []) {
    const [, name] = token.match(GERMAN_SCALE) ?? [];
    if (name && !/^(?:hundert|tausend)./.test(token)) {
      number = { total: (number?.total ?? 0) + (number?.current || 1) * GERMAN_SCALES.get(name), current: 0 };
    } else {
      const value = germanDecimal(token) ?? wordValue(token);
      number = value === null ? null : { total: number?.current === 0 ? number.total : 0, current: value };
    }
    if (number) values.add(number.total + number.current).add(number.current || number.total);
  }
  return values;
}

/** The value of the number with which a German word begins, as 100 of "hundertmal"; null without one. */
function wordValue(word) {
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
