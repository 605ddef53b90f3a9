// Tidying: source sentences get the quotes, dashes and blanks of the text that the model learned from.
//
// It is model/tidying.py. Classes of characters are Python's: its \s and \w hold other characters than JavaScript's.

export const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";
const SMALL = "\\p{Lowercase}", NOT_CAPITAL = "[^\\p{Uppercase}\\p{Lt}]";

const SINGLE = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u0060]/gu; // quotes, prime, accents used as apostrophes
const DOUBLE = /[\u201c-\u201f\u2033]/gu;
const DASH = /[\u2010\u2011\u2013\u2212]/gu; // hyphens, en dash, minus
// Characters without a width, or with a direction alone. Joiners, fillers and selectors may change how the letters of
// some scripts are read, and a blank of no width parts the words of others.
const FORMATS = "\\u00ad\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}";
const JOINERS = (
  "\\u034f\\u17b4\\u17b5\\ufe00-\\ufe0f\\u180b-\\u180f\\u115f\\u1160\\u200b-\\u200d\\u3164\\uffa0" +
  "\\u{1bca0}-\\u{1bca3}\\u{e0000}-\\u{e0fff}"
);
const FORMAT = new RegExp(`[${FORMATS}]`, "gu");
const FRACTION = /([0-9]?)([\u00bc-\u00be\u2150-\u215e\u2189])/gu;
const INVISIBLE = new RegExp(`[${FORMATS}]|[${JOINERS}]`, "gu");

const BLANK_BEFORE_MARK = new RegExp(`${BLANK}+(?=[.,?!;:\\u2026]+(?:${BLANK}|['"]|$))`, "gu");
// What follows begins with the letters before a mark: Safari before 16.4 reads no file with a lookbehind.
// A full stop only between sentences: "Ph.D." and "p.m." stay as they are.
const MARK_BEFORE_WORD = /[a-z][,?!](?=[A-Za-z])|[a-z]{2}\.(?=[A-Z])/gu;
const COMMA_BEFORE_WORD = new RegExp(`(?=${LETTER})${SMALL}[,?!](?=${LETTER})`, "gu");
const STOP_BEFORE_WORD = new RegExp(
  `(?=${LETTER}{2})(?=${NOT_CAPITAL}{2})(?:${SMALL}.|.${SMALL})\\.(?=${LETTER})(?=\\p{Uppercase})`, "gu",
);
const INSIDE_GUILLEMETS = new RegExp(`([«‹])${BLANK}+|${BLANK}+(?=[»›])`, "gu");
const HIGH_MARK = new RegExp(`(${BLANK.replace("[", "[^")})${BLANK}*([?!;:]+)(?=${BLANK}|['"]|$)`, "gu");

/**
 * Removes all invisible characters and spells fractions: 1½ is "1 1/2", not SentencePiece's "11/2".
 * @param {string} source
 */
function spelled(source) {
  /** @type {(_: string, digit: string, sign: string) => string} */
  const spell = (_, digit, sign) => `${digit && `${digit} `}${sign.normalize("NFKC")}`;
  return source.replace(INVISIBLE, "").replace(FRACTION, spell);
}

/**
 * Plain quotes, dashes and fractions, nothing invisible. An em dash stands between words without blanks.
 * @param {string} source
 */
function typewriter(source) {
  return spelled(source)
    .replace(SINGLE, "'")
    .replace(DOUBLE, '"')
    .replace(DASH, "-")
    .replace(/\u2014/gu, " - ")
    .replace(/[\u2044\u2215]/gu, "/");
}

/** @param {string} source */
function guillemets(source) {
  return typewriter(source).replace(/[«»]/gu, '"').replace(/[‹›]/gu, "'");
}

/**
 * Adds missing blanks after marks, but after a full stop only at the end of a sentence: "z.B." does not change.
 * @param {string} source
 */
function addMissingBlanks(source) {
  return source.replace(COMMA_BEFORE_WORD, "$& ").replace(STOP_BEFORE_WORD, "$& ");
}

/** @type {Record<string, (source: string) => string>} by their names in a checkpoint's record */
export const RULES = {
  en: (source) => typewriter(source).replace(BLANK_BEFORE_MARK, "").replace(MARK_BEFORE_WORD, "$& "),
  de: (source) => addMissingBlanks(guillemets(source).replace(BLANK_BEFORE_MARK, "")),
  fr(source) {
    const plain = guillemets(spelled(source).replace(INSIDE_GUILLEMETS, "$1"));
    return addMissingBlanks(plain.replace(BLANK_BEFORE_MARK, "")).replace(HIGH_MARK, "$1 $2");
  },
  latin: (source) => addMissingBlanks(typewriter(source).replace(BLANK_BEFORE_MARK, "")),
  plain: (source) => source.replace(FORMAT, ""),
  none: (source) => source,
};
const MOSTLY_LATIN = (
  "af br bs ca co cs cy da es et eu fi fo fy ga gd gl hr ht hu id is it lb lt lv mg ms mt nb nl nn no oc pl pt rm ro " +
  "sk sl sq sv sw tl tr vi"
).split(" ");

/** The name of the rules for a language, by its code, which may name its script ("sr-Latn"). @param {string} code */
function rulesFor(code) {
  const [primary, ...others] = code.toLowerCase().split("-");
  const script = others.find((part) => /^\p{L}{4}$/u.test(part));
  if (script && script !== "latn") return "plain";
  if (["en", "de", "fr"].includes(primary)) return primary;
  return script || MOSTLY_LATIN.includes(primary) ? "latin" : "plain";
}

/** @typedef {{ tidying?: string, languages?: { source: { code: string } } }} TrainingRecord training.json */

/**
 * The rules that a checkpoint's record names; without that, its source language decides, which is English by default.
 * @param {TrainingRecord} record
 */
export function rulesOf(record) {
  const name = record.tidying ?? rulesFor(record.languages?.source.code ?? "en");
  if (!Object.hasOwn(RULES, name)) throw new Error(`training.json: the engine does not know the tidying "${name}".`);
  return RULES[name];
}
