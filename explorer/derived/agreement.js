// Whether the subject and the verb with which a German sentence begins agree in number.
//
// One pattern alone, in which both numbers can be seen without a dictionary of forms: a determiner, adjectives, a noun
// and the finite verb right behind it, of the third person. "Die Frau" may be the object of "die Frau sehen wir", and
// "die Lehrer" many; so the number must show in the determiner, in the adjective's ending or in the noun's, and the
// English must begin with a determiner of the same kind: then its subject stands first, and so does that of the German.
// Where in doubt, they agree. docs/likelihood.md has what was counted.

import { wordSet } from "../ui/text.js";

const CAPITAL = /^\p{Uppercase}/u;
const MAX_ADJECTIVES = 2;

const NO_VERB = /^[("„]|,$/; // what follows a noun in parentheses or quotes, or ends a clause
const POSSESSIVE = "mein|dein|sein|ihr|unser|euer";
const PLURAL = /^(?:viele|mehrere|wenige|beide|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)$/;
// English determiners, and German ones that translate them.
/** @type {[Set<string>, RegExp][]} */
const DETERMINERS = [
  [wordSet("the this that these those"), /^(?:der|das|die|dies|jen)/],
  [wordSet("a an"), /^eine?$/],
  [wordSet("my your his her its our their"), new RegExp(`^(?:${POSSESSIVE}|eure)`)],
  [wordSet("each every"), /^jed/],
  [wordSet("no"), /^kein/],
  [wordSet("many several few both two three four five six seven eight nine ten eleven twelve"), PLURAL],
];
const SINGULAR = /^(?:der|das|eine|dieser|dieses|jener|jenes|jede[rs]?)$/; // before adjectives in "-e"
const SINGULAR_WITHOUT_ENDING = new RegExp(`^(?:ein|kein|${POSSESSIVE})$`); // before "-er" and "-es"
const FEMININE_OR_PLURAL = new RegExp(`^(?:die|diese|jene|keine|(?:mein|dein|sein|ihr|unser|eur)e)$`);
const FEMININE_NOUN = /(?:ung|heit|keit|schaft|ion|tät|in)$/;
const PLURAL_NOUN = /(?:ungen|heiten|keiten|schaften|ionen|täten|innen)$/;
const PERHAPS_PLURAL_NOUN = /(?:n|s|leute)$/; // of "die neue Diplomaten" the adjective is wrong
const PERHAPS_DATIVE_NOUN = /(?:ung|heit|keit|schaft|ion|tät|in|ei)$/; // "der Polizei sind ... entkommen"
const TIME_OR_MEASURE = new RegExp("(?:euro|dollar|prozent|kilo|gramm|meter|liter|mal|male|jahre?s?|tage?|wochen?|"
  + "monate?|stunden?|minuten?|sekunden?|uhr|nächte|nacht|morgen|abend)$"); // "zehn Euro ist viel"

// Forms of the third person that do not follow from the infinitive: singular and plural.
const FORMS_OF_BE = new Map(Object.entries({ ist: "sind", war: "waren", wäre: "wären" }));
const FORMS = new Map([...FORMS_OF_BE, ...Object.entries({
  hat: "haben", hatte: "hatten", hätte: "hätten", wird: "werden", wurde: "wurden", würde: "würden", kann: "können",
  konnte: "konnten", könnte: "könnten", muss: "müssen", musste: "mussten", müsste: "müssten", will: "wollen",
  wollte: "wollten", soll: "sollen", sollte: "sollten", darf: "dürfen", durfte: "durften", dürfte: "dürften",
  mag: "mögen", mochte: "mochten", möchte: "möchten", weiß: "wissen", wusste: "wussten", tut: "tun", tat: "taten",
  ging: "gingen", kam: "kamen", stand: "standen", saß: "saßen", lag: "lagen", gab: "gaben", sah: "sahen",
  nahm: "nahmen", lief: "liefen", hielt: "hielten", ließ: "ließen", fiel: "fielen", schlief: "schliefen",
  rief: "riefen", aß: "aßen", trank: "tranken", sang: "sangen", sprang: "sprangen", sprach: "sprachen",
  brach: "brachen", traf: "trafen", starb: "starben", schrieb: "schrieben", blieb: "blieben", stieg: "stiegen",
  fuhr: "fuhren", trug: "trugen", schlug: "schlugen", wuchs: "wuchsen", flog: "flogen", zog: "zogen",
  verlor: "verloren", fand: "fanden", begann: "begannen", gewann: "gewannen", las: "lasen", half: "halfen",
  warf: "warfen", schwamm: "schwammen", dachte: "dachten", brachte: "brachten", kannte: "kannten", nannte: "nannten",
  rannte: "rannten", brannte: "brannten", bekam: "bekamen", verließ: "verließen", verstand: "verstanden",
  schien: "schienen", schloss: "schlossen", hing: "hingen", hieß: "hießen", biss: "bissen", ritt: "ritten",
  schnitt: "schnitten", schoss: "schossen", log: "logen", bot: "boten", bat: "baten", grub: "gruben", lud: "luden",
  wusch: "wuschen", vergaß: "vergaßen", erhielt: "erhielten", floh: "flohen",
})]);
const SINGULAR_VERBS = new Set(FORMS.keys());
const PLURAL_VERBS = new Set(FORMS.values());
const PLURALS_OF_BE = new Set(FORMS_OF_BE.values());
/** @type {Record<string, string[]>} */
const VOWELS_OF_STRONG_VERBS = { au: ["äu"], a: ["ä"], o: ["ö"], e: ["i", "ie"] }; // "laufen", "läuft"
const ADVERBS = wordSet(
  "dort jetzt nicht oft erst selbst fast laut seit mit statt samt sonst heute oben unten morgen gestern eben neben",
  "gegen wegen zwischen dazwischen hinten zusammen allen beiden anderen überhaupt bereits insgesamt zuletzt",
  "meist meisten weit bekannt genannt entfernt leicht direkt zuerst vielleicht trotz sofort seitens halt nebst wert",
  "weiten außen innen bitte",
);
// Participles that may look like finite forms: "umgeben", "bekleidet", "zusammengenommen".
const SEPARABLE = "ab|an|auf|aus|bei|ein|mit|nach|vor|weg|zu|zurück|zusammen";
const PARTICIPLE = new RegExp(
  `^(?:(?:${SEPARABLE})?ge|be|emp|ent|er|miss|über|um|unter|ver|wider|zer)|iert$`);
const WITH_ENDING = `(?:(?:k?ein|${POSSESSIVE})(?:e[mnrs]?)?)`; // "seinen"
const OBJECT = new RegExp(`^(?:der|die|das|den|dem|${WITH_ENDING}|sich|es|ihn|ihm|ihnen|mich|dich|uns)$`);
// What may be the subject behind the verb, where an object stands before it.
const PLURAL_SUBJECT = new RegExp("^(?:wir|sie|die|diese|jene|viele|einige|mehrere|alle?|beide|manche|keine|solche|"
  + "(?:mein|dein|sein|ihr|unser|eur)e|zwei|drei|vier|fünf|[0-9].*)$");
const SINGULAR_SUBJECT = new RegExp(
  `^(?:ich|er|sie|es|man|jemand|niemand|der|die|das|diese[rs]?|jede[rs]?|${WITH_ENDING})$`);

/**
 * The subject and the verb with which a German sentence begins, if these mix singular and plural; none otherwise.
 *
 * @param {Word[]} english
 * @param {Word[]} german
 * @param {(word: string) => boolean} isWord whether a word in small letters is a German one
 */
export function disagreement(english, german, isWord) {
  const noun = findNoun(german);
  const [verb, next, ...rest] = german.slice(noun + 1);
  if (noun < 0 || !verb || verb.isNumber || CAPITAL.test(verb.clean) || NO_VERB.test(verb.text)) return [];
  const [first] = german;
  const [, translated] = DETERMINERS.find(([words]) => words.has(english[0]?.bare)) ?? [];
  if (!translated?.test(first.bare)) return [];
  const forms = new VerbForms(isWord);
  const number = numberOf(german.slice(0, noun + 1).map(({ bare }) => bare), forms);
  const isPhrase = !next && first.bare !== "der"; // "das Fenster öffnen"
  const isWrong = (number === "singular" && !isPhrase && isPlural(verb.bare, next, rest, forms))
    || (number === "plural" && isSingular(verb.bare, next, forms));
  return isWrong ? german.slice(0, noun + 2) : [];
}

/** The index of the noun behind a determiner and adjectives at the beginning; -1 without one. @param {Word[]} german */
function findNoun(german) {
  const noun = german.findIndex(({ clean }, i) => i > 0 && CAPITAL.test(clean));
  const isPlain = (/** @type {Word} */ { text, clean, isNumber }) => text === clean && !isNumber;
  return noun <= MAX_ADJECTIVES + 1 && german.slice(0, noun + 1).every(isPlain) ? noun : -1;
}

/**
 * "singular" or "plural"; null where the words of a subject do not show it.
 * @param {string[]} subject @param {VerbForms} forms
 */
function numberOf(subject, forms) {
  const [first, ...words] = subject;
  const noun = words.at(-1);
  const adjectives = words.slice(0, -1);
  const isAdjective = (/** @type {string} */ word) => !OBJECT.test(word) && !FORMS.has(word) && !forms.isPast(word);
  if (TIME_OR_MEASURE.test(noun) || !adjectives.every(isAdjective)) return null;
  const end = (/** @type {RegExp} */ ending) => adjectives.every((word) => ending.test(word));
  if (PLURAL.test(first)) return end(/en?$/) ? "plural" : null;
  if (SINGULAR_WITHOUT_ENDING.test(first)) return end(/e[rs]$/) ? "singular" : null;
  if (first === "der" && PERHAPS_DATIVE_NOUN.test(noun)) return null;
  if (SINGULAR.test(first)) return end(/e$/) ? "singular" : null;
  if (!FEMININE_OR_PLURAL.test(first)) return null;
  if (PLURAL_NOUN.test(noun) || (adjectives.length && end(/en$/))) return "plural";
  if (!end(/e$/)) return null;
  return FEMININE_NOUN.test(noun) || (adjectives.length && !PERHAPS_PLURAL_NOUN.test(noun)) ? "singular" : null;
}

/**
 * Whether a verb behind a singular is plural, and no other subject follows.
 * @param {string} verb @param {Word | undefined} next @param {Word[]} rest @param {VerbForms} forms
 */
function isPlural(verb, next, rest, forms) {
  if (CAPITAL.test(next?.clean ?? "") || PLURAL_SUBJECT.test(next?.bare)) return false;
  const isNoun = (/** @type {Word} */ { bare, clean }) => CAPITAL.test(clean) || bare === "es";
  if (PLURALS_OF_BE.has(verb)) return !rest.some(isNoun); // "Das Ergebnis sind zwei Zahlen"
  if (PLURAL_VERBS.has(verb)) return true;
  return forms.isPluralPast(verb) || (forms.isInfinitive(verb) && !mayBeParticiple(verb, next));
}

/**
 * Whether a verb behind a plural is singular, and no other subject follows.
 * @param {string} verb @param {Word | undefined} next @param {VerbForms} forms
 */
function isSingular(verb, next, forms) {
  if (CAPITAL.test(next?.clean ?? "") || SINGULAR_SUBJECT.test(next?.bare)) return false;
  if (SINGULAR_VERBS.has(verb)) return true;
  return forms.isPast(verb) || (forms.isPresent(verb) && !mayBeParticiple(verb, next));
}

/** @param {string} verb @param {Word | undefined} next */
function mayBeParticiple(verb, next) {
  return PARTICIPLE.test(verb) && !OBJECT.test(next?.bare);
}

/** Regular forms of the third person, known by others of the same verb that are among the German words. */
class VerbForms {
  /** @param {(word: string) => boolean} isWord */
  constructor(isWord) {
    this.isWord = isWord;
  }

  /** "spielte" @param {string} word */
  isPast(word) {
    const stem = word.replace(/e?te$/, "");
    if (stem === word || stem.length < 2 || ADVERBS.has(word)) return false;
    return this.isWord(`${stem}en`) && this.isWord(`${stem}t`);
  }

  /** @param {string} word */
  isPluralPast(word) {
    return word.endsWith("ten") && this.isWord(word.slice(0, -1)) && this.isPast(word.slice(0, -1));
  }

  /** @param {string} word */
  isInfinitive(word) {
    if (ADVERBS.has(word) || !/e[lr]?n$/.test(word)) return false;
    const stem = word.replace(/e?n$/, "");
    const [, start, vowel, end] = stem.match(/^(.*?)(au|a|e|o)([^aeiouäöü]*)$/) ?? [];
    const strong = (VOWELS_OF_STRONG_VERBS[vowel] ?? []).map((one) => `${start}${one}${end}t`);
    return stem.length > 1 && [`${stem}t`, `${stem}et`, ...strong].some(this.isWord);
  }

  /** @param {string} word */
  isPresent(word) {
    const stem = word.replace(/e?t$/, "");
    if (stem === word || stem.length < 2 || ADVERBS.has(word)) return false;
    return this.isWord(`${stem}en`) || (/e[lr]$/.test(stem) && this.isWord(`${stem}n`));
  }
}
