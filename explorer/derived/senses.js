// English words with several common meanings, and which of them a German translation has. assets/senses.tsv lists the
// meanings, each with its German and with English words that tell it from the others where they stand beside it.

const ENDINGS = "(?:e|en|er|es|em|n|s|se|ns|nen|ern|ere|eren|eres|erem|erer)?"; // of German nouns and adjectives
const LETTER = /\p{L}/u;
const CAPITAL = /^\p{Lu}/u;
// Articles and words that are declined as they are, by what all forms begin with.
const DEFINITE = ["der", "die", "das", "den", "dem", "des"];
const INDEFINITE = /^(ein|kein|mein|dein|sein|ihr|unser)(?:e|en|em|er|es)?$/;
const INDEFINITE_ENDINGS = ["", "e", "en", "em", "er", "es"];
const DEMONSTRATIVE = /^(dies|jen|jed|welch)(?:er|e|es|en|em)$/;
const DEMONSTRATIVE_ENDINGS = ["er", "e", "es", "en", "em"];

/**
 * @typedef {{ name: string, clues: Word[] }} ExpectedSense
 * @typedef {{ word: Word, chosen: Word, others: string[], expected: ExpectedSense | null }} SenseChoice
 *   `chosen` is the German word, `others` are the meanings that the German lacks; `expected` is the first of them,
 *   if it is the only meaning that words beside it, its `clues`, tell
 */

/** A regular expression source for a word in which an asterisk stands for any letters. @param {string} text */
function wildcard(text) {
  return text.toLowerCase().replaceAll("*", ".*");
}

/** @param {string[]} sources of regular expressions for whole words; an empty one is for none */
function anyOf(sources) {
  return new RegExp(`^(?:${sources.filter(Boolean).join("|") || "(?!)"})$`);
}

/** One meaning: its German for each form of the English word, and English words that tell it. */
class Sense {
  /** @param {string} text "Kran/Kräne, *kräne*: harbour lift*", or "geduldig/: nurse" where a form lacks it */
  constructor(text) {
    const [german, clues = ""] = text.split(": ");
    const [listed, others = ""] = german.split(", ");
    this.names = listed.split("/");
    const names = this.names.filter(Boolean);
    this.isNoun = CAPITAL.test(names[0]);
    this.declined = anyOf(names.map((name) => wildcard(name) + ENDINGS));
    this.others = anyOf(others.split(" ").map(wildcard));
    this.clues = anyOf(clues.split(" ").map(wildcard));
  }

  /** Whether a German word is one of the names. @param {Word} word */
  isName({ bare }) {
    return this.declined.test(bare);
  }

  /**
   * Whether a German word has this meaning; only nouns have a capital, and the first word of a sentence.
   * @param {Word} word
   */
  isMeant(word) {
    return this.isName(word) || (CAPITAL.test(word.clean) === this.isNoun && this.others.test(word.bare));
  }

  /** The German for the form of the English word with this index. @param {number} form */
  name(form) {
    return this.names[form] ?? this.names[0];
  }

  /** Of these English words those that tell this meaning. @param {Word[]} words */
  cluesIn(words) {
    return words.filter(({ bare }) => this.clues.test(bare));
  }
}

export class Senses {
  /** @type {Map<string, { line: string, form: number }>} The line of a word, and which of its forms it is. */ lines;

  /** @param {string[]} lines of the list */
  constructor(lines) {
    const formsOf = (/** @type {string} */ line) => line.slice(0, line.indexOf("\t")).split(" ");
    this.lines = new Map(lines.flatMap((line) => formsOf(line).map((word, form) => [word, { line, form }])));
  }

  /**
   * The words of a text with several meanings, each once, of which its translation has one that the list knows.
   *
   * @param {Word[]} words of the English
   * @param {Word[]} target words of the German
   * @returns {SenseChoice[]}
   */
  choices(words, target) {
    const distinct = words.filter(({ bare }, i) => words.findIndex((one) => one.bare === bare) === i);
    return distinct.map((word) => this.choice(word, words, target)).filter(Boolean);
  }

  /** @type {(word: Word, words: Word[], target: Word[]) => SenseChoice | null} */
  choice(word, words, target) {
    if (!this.lines.has(word.bare)) return null;
    const { line, form } = this.lines.get(word.bare);
    const senses = line.split("\t").slice(1).map((text) => new Sense(text)).filter((sense) => sense.name(form));
    const known = target.filter((one) => senses.some((sense) => sense.isMeant(one)));
    const lacking = senses.filter((sense) => !known.some((one) => sense.isMeant(one)));
    if (!known.length || !lacking.length) return null;
    const told = senses.map((sense) => ({ sense, clues: sense.cluesIn(words.filter((one) => one !== word)) }));
    const [only, ...more] = told.filter(({ clues }) => clues.length);
    const expected = only && !more.length && lacking.includes(only.sense) ? only : null;
    const others = expected ? [expected.sense, ...lacking.filter((sense) => sense !== expected.sense)] : lacking;
    return {
      word,
      chosen: known.find((one) => senses.some((sense) => sense.isName(one))) ?? known[0],
      others: others.map((sense) => sense.name(form)),
      expected: expected && { name: expected.sense.name(form), clues: expected.clues },
    };
  }
}

/** The forms of a German article, as it is written; of another word only itself. @param {string} word */
export function articleForms(word) {
  const bare = word.toLowerCase();
  const [, stem] = bare.match(INDEFINITE) ?? bare.match(DEMONSTRATIVE) ?? [];
  const endings = INDEFINITE.test(bare) ? INDEFINITE_ENDINGS : DEMONSTRATIVE_ENDINGS;
  const forms = stem ? endings.map((ending) => stem + ending) : DEFINITE;
  if (!forms.includes(bare)) return [word];
  return bare === word ? forms : forms.map((form) => form.replace(LETTER, (letter) => letter.toUpperCase()));
}
