// Warnings about translations that may be wrong: measures of a trace, each with its threshold.
//
// The thresholds were set on captions and everyday sentences outside the training data; tests/verdicts.tsv holds the
// expected warnings, judged by the German. If a tokenizer splits even common words, or attention is never clear, the
// measures that need them give no warning. Without a list of words for a language (explorer/recording/word_lists.py)
// only pieces, repetitions and sentences are counted, with higher thresholds than for English and German.

import { median } from "../ui/numbers.js";
import { isolate, joinPieces } from "../ui/scripts.js";
import { sum } from "../ui/tensor.js";
import { fill } from "../ui/text.js";
import { disagreement } from "./agreement.js";
import { largestAttention } from "./attention_map.js";
import { withoutMarkup } from "./markup.js";
import { wrongMood } from "./mood.js";
import { missingNumbers } from "./number_words.js";
import { isAllCapitals, withCapitals } from "./reading.js";
import { Senses } from "./senses.js";
import { changedSigns } from "./signs.js";
import { keptWords, splitParts, splitSentences, splitWords, stripStart, wordKey } from "./splitting.js";
import { TextLanguage } from "./text_language.js";

const MAX_USUAL_PIECES = 60; // of a sentence; 1 in 50 training sentences is longer
const RARE_WORD_PIECES = 4; // of a rare word; ordinary words often have three ("fire-work-s"), in 1 of 5 captions
const RARE_NAME_PIECES = 3; // of a capitalized word inside a sentence
const MIN_ATTENTION = 1 / 3; // to a translated word at its best step, where it usually gets more than half
const MIN_MEDIAN_ATTENTION = 0.3; // of the content words' best steps; below it attention cannot tell which are missing
const MIN_LENGTH_RATIO = 0.7; // German characters per English one: 1 in 100 ordinary sentences has fewer
const MAX_ABBREVIATION = 3; // letters of "TV" or "USA"; longer words in capitals may be shouted
const MIN_CONTENT_LETTERS = 5; // of a word that good translations seldom repeat
const OPENING_MARKS = "\"'(“‘"; // before a word

const LAST_LETTER = /\p{L}$/u;
const CAPITAL = /^\p{Uppercase}/u;
const NOTHING_TO_SEE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const STUTTER = /([\p{L}\p{N}_]{1,3}?)\1\1/giu; // "Hammmil", "popopol"
const GENITIVE = /['’]?s?$/; // of names: "Oliver's", "Olivers"

/** Kinds that a known likelihood replaces: its measures see them, and it names them as reasons. */
export const REPLACED = ["missing", "rare"];

/** @typedef {Pick<import("./german_words.js").GermanWords, "isEnglish" | "isGerman" | "isCompound">} GermanLookup */

const lengthOf = (/** @type {string} */ text) => [...text].length;

/** The code of a character that cannot be seen, as "U+2060". */
const codeName = (/** @type {string} */ sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** How often each text occurs. @param {string[]} texts */
function countTexts(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** @param {number[]} numbers */
function medianOf(numbers) {
  return median([...numbers].sort((one, other) => one - other));
}

/** @param {Record<string, string[]>} lists */
function setsOf(lists) {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, new Set(list)]));
}

export class Warnings {
  /** @type {Record<Side, string>} the codes of both languages */
  codes;
  /** @type {Record<string, Record<string, string>>} by kind and variant, the most serious kind first */
  texts;
  /** @type {Record<string, string>} by kind */
  reasons;
  /** @type {Record<string, Set<string>>} lists of words of the languages that the model reads and writes */
  words;
  /** @type {TextLanguage} */
  language;
  /** @type {Record<string, string>} by code */
  languageNames;
  /** Whether the likelihood is known. @type {boolean} */
  hasFit;
  /** @type {GermanLookup | null} */
  germanWords;
  /** English words with several meanings; without any for other languages. @type {Senses} */
  senses;

  /**
   * `about` are texts, languages and lists of words (explorer/derived/about.py); `germanWords` check a translation from
   * English into German, and are null for other languages.
   * @param {Pick<About, "codes" | "warnings" | "fit">} about
   * @param {GermanLookup | null} germanWords
   */
  constructor({ codes, warnings: { texts, reasons, words, distinctive, languageNames, senses }, fit }, germanWords) {
    this.codes = codes;
    this.texts = texts;
    this.reasons = reasons;
    this.words = setsOf(words);
    this.language = new TextLanguage(codes.source, this.words, { distinctive: setsOf(distinctive), germanWords });
    this.languageNames = languageNames;
    this.hasFit = Boolean(fit);
    this.germanWords = germanWords;
    this.senses = new Senses(senses);
  }

  /**
   * The warnings about a translation, the most serious first; none for an ordinary sentence.
   *
   * A text in another language gets that warning only, because it explains rare words and a strange translation. Where
   * the translation is the model's own choice and a likelihood is known, it stands for the warnings in REPLACED.
   *
   * @param {Trace} trace
   * @returns {TranslationWarning[]}
   */
  of(trace) {
    const language = this.foreignLanguage(trace);
    /** @type {(TranslationWarning | null)[]} */
    const candidates = [this.unknownCharacters(trace), this.changedSigns(trace), this.markup(trace)];
    if (language !== null) {
      candidates.push(this.foreign(language));
    } else {
      candidates.push(...this.writing(trace), this.severalSentences(trace.sentence));
      candidates.push(...this.wordWarnings(trace), ...this.unexpectedSenses(trace));
    }
    const order = Object.keys(this.texts);
    /** @type {(warning: TranslationWarning) => boolean} */
    const isReplaced = ({ kind }) => this.hasFit && trace.isModelsChoice && REPLACED.includes(kind);
    const present = candidates.filter((warning) => warning && !isReplaced(warning));
    return present.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  }

  /**
   * The warning with a name: its kind or, if the kind has several texts, kind.variant.
   *
   * @param {string} name
   * @param {{ words?: Word[], values?: object, pieces?: number[], sentences?: string[] }} [about] `words` are of the
   *   source, `values` fill the text
   * @returns {TranslationWarning}
   */
  make(name, { words = [], values = {}, ...more } = {}) {
    const [kind, variant = "text"] = name.split(".");
    const listed = [...new Set(words.map(({ clean }) => isolate(clean)))].join(", ");
    const text = fill(this.texts[kind][variant], { words: listed, ...values });
    const pieces = words.flatMap((word) => word.pieces);
    return { kind, text, pieces, steps: [], sentences: [], reason: this.reasons[kind] ?? null, ...more };
  }

  /**
   * The warning with a name about words of the translation.
   * @param {string} name @param {Word[]} words
   * @returns {TranslationWarning}
   */
  makeOfTarget(name, words) {
    const warning = this.make(name, { words });
    return { ...warning, pieces: [], steps: warning.pieces };
  }

  /**
   * The code of another language that a text seems to be in (text_language.js); null without a list of words for the
   * language that the model reads.
   * @param {Pick<Trace, "source">} trace
   */
  foreignLanguage({ source }) {
    return this.language.other(splitParts(source));
  }

  /** @param {string} code */
  foreign(code) {
    if (!code) return this.make("language.none");
    return this.make("language.named", { values: { language: this.languageNames[code] } });
  }

  /** Warnings about missing, repeated and rare words. @param {Trace} trace */
  wordWarnings(trace) {
    const words = splitWords(trace.source);
    const target = splitWords(trace.steps.map(({ predicted }) => predicted));
    const kept = keptWords(words, target);
    return [
      this.codes.source === "en" ? this.missingWords(trace, words, kept) : null,
      ...this.germanWords ? this.ofGerman(trace, words) : [],
      this.repetition(trace, words, target),
      isAllCapitals(trace.sentence) ? null : this.rareWords(words, kept),
    ];
  }

  /**
   * Warnings about German with English words, without the numbers of its English, and of wrong words and forms.
   * @param {Trace} trace @param {Word[]} words
   */
  ofGerman({ sentence, translation, source, steps }, words) {
    const { germanWords } = this;
    const parts = splitParts(source);
    const target = splitParts(steps.map(({ predicted }) => predicted));
    const names = this.namesIn(parts, sentence);
    const known = new Set(parts.map(wordKey));
    const stem = (/** @type {string} */ text) => text.replace(GENITIVE, "");
    const stems = new Set([...known].map(stem));
    // The A of "from A to B" is a name.
    /** @type {(word: Word) => boolean} */
    const isEnglish = ({ bare, isNumber }) => lengthOf(bare) > 1 && !isNumber && germanWords.isEnglish(bare);
    const copied = target.filter((word) => known.has(word.bare) && !names.has(word.bare) && isEnglish(word));
    const isNew = (/** @type {Word} */ { bare, isNumber }) => !isNumber && !stems.has(stem(bare));
    const coined = target.filter((word) => isNew(word) && !germanWords.isGerman(word.bare));
    const lost = missingNumbers(words, translation);
    const mixed = disagreement(parts, target, (word) => germanWords.isCompound(word));
    const conditional = wrongMood(parts, target);
    return [
      copied.length ? this.makeOfTarget("copied", copied) : null,
      coined.length ? this.makeOfTarget("coined", coined) : null,
      lost.length ? this.make("numbers", { words: lost }) : null,
      mixed.length ? this.makeOfTarget("agreement", mixed) : null,
      conditional.length ? this.makeOfTarget("mood", conditional) : null,
      this.isCut(sentence, words) ? this.make("cut", { words: words.slice(-1) }) : null,
    ];
  }

  /**
   * The words of the English whose German has one of several meanings (senses.js).
   * @param {Pick<Trace, "source" | "steps">} trace
   */
  senseChoices({ source, steps }) {
    return this.senses.choices(splitParts(source), splitParts(steps.map(({ predicted }) => predicted)));
  }

  /**
   * Warnings about words whose German has another meaning than the one that the words beside them tell.
   * @param {Trace} trace
   */
  unexpectedSenses(trace) {
    return this.senseChoices(trace).filter(({ expected }) => expected).map(({ word, chosen, expected }) => {
      const clues = [...new Set(expected.clues.map(({ clean }) => isolate(clean)))].join(", ");
      const warning = this.make("sense", { words: [word], values: { sense: isolate(expected.name), clues } });
      return { ...warning, steps: chosen.pieces };
    });
  }

  /**
   * The words, as `bare`, that may be names: with a capital inside a sentence; and abbreviations.
   * @param {Word[]} words @param {string} sentence
   * @returns {Set<string>}
   */
  namesIn(words, sentence) {
    if (isAllCapitals(sentence)) return new Set();
    const isInCapitals = (/** @type {string} */ text) => text === text.toUpperCase() && text !== text.toLowerCase();
    const isShort = (/** @type {string} */ text) => lengthOf(text) <= MAX_ABBREVIATION;
    const names = words.filter(({ clean }, i) => (
      isInCapitals(clean) ? isShort(clean) : i > 0 && CAPITAL.test(clean)));
    return new Set(names.map(({ bare }) => bare));
  }

  /**
   * Whether an English text stops in the middle of a sentence: with a word that wants another one behind it.
   * @param {string} sentence @param {Word[]} words
   */
  isCut(sentence, words) {
    return words.length > 1 && this.words.open.has(words.at(-1).bare) && LAST_LETTER.test(sentence);
  }

  /** @param {Trace} trace */
  unknownCharacters({ source }) {
    const pieces = [...source.keys()].filter((i) => source[i].unknown);
    const characters = pieces.map((i) => isolate(source[i].text.replace(NOTHING_TO_SEE, codeName))).join(", ");
    return pieces.length ? this.make("unknown", { values: { characters }, pieces }) : null;
  }

  /** Signs that the tokenizer replaces by others. @param {Trace} trace */
  changedSigns({ sentence, source }) {
    const signs = changedSigns(sentence, joinPieces(source.map(({ text }) => text)));
    const listed = signs.map((sign) => isolate(`${sign} → ${sign.normalize("NFKC").trim()}`)).join(", ");
    return signs.length ? this.make("signs", { values: { signs: listed } }) : null;
  }

  /** HTML in a text, and the text without it. @param {Trace} trace */
  markup({ sentence }) {
    const plain = withoutMarkup(sentence);
    return plain === sentence ? null : this.make("markup", { sentences: plain ? [plain] : [] });
  }

  /** Warnings about a text that is written differently from the training data, or longer. @param {Trace} trace */
  writing({ sentence, source, steps, stopped_at_limit: hasNoEnd }) {
    const isLower = sentence === sentence.toLowerCase() && withCapitals(sentence, this.codes.source) !== sentence;
    return [
      isAllCapitals(sentence) ? this.make("capitals") : null,
      isLower ? this.make("lower") : null,
      source.length > MAX_USUAL_PIECES ? this.make("long", { values: { pieces: source.length } }) : null,
      hasNoEnd ? this.make("limit", { values: { steps: steps.length } }) : null,
    ];
  }

  /**
   * Uncommon words of many pieces: the model saw them seldom in training and garbles them, unless it `kept` them.
   * @param {Word[]} words @param {Set<string>} kept
   */
  rareWords(words, kept) {
    const isEnglish = this.codes.source === "en";
    const isKnown = (/** @type {Word} */ { bare }) => this.words.common?.has(bare) ?? false;
    const counted = words.filter((word) => !isEnglish || isKnown(word)).map(({ pieces }) => pieces.length);
    const typical = isEnglish ? sum(counted) / counted.length : medianOf(counted);
    if (counted.length && typical > 2) return null; // this tokenizer splits everything
    const hasEnough = (/** @type {Word} */ word, /** @type {boolean} */ isFirst) => (isEnglish
      ? hasManyPieces(word, isFirst)
      : word.pieces.length > RARE_WORD_PIECES && hasManyPieces(word, true)); // capitals may not mean names
    const rare = words.filter((word, i) => !isKnown(word) && !kept.has(word.bare) && hasEnough(word, i === 0));
    return rare.length ? this.make("rare", { words: rare }) : null;
  }

  /**
   * English content words that no step attended to, or German much shorter than its English. Words that occur twice are
   * ignored, because attention to one may serve both, those that the German `kept`, and those that a visitor hid.
   * @param {Trace} trace @param {Word[]} words @param {Set<string>} kept
   */
  missingWords({ sentence, translation, kinds: { cross }, run }, words, kept) {
    const hidden = run?.experiment.hidden ?? [];
    const counts = countTexts(words.map(({ bare }) => bare));
    /** @type {(word: Word) => boolean} */
    const isContent = ({ bare, isNumber }) => !this.words.light.has(bare) && lengthOf(bare) > 2 && !isNumber;
    const content = words.filter((word) => isContent(word) && !word.pieces.some((piece) => hidden.includes(piece)));
    if (cross.queries.length > 1 && content.length) {
      const peaks = content.map(({ pieces }) => largestAttention(cross, pieces));
      const isAlone = (/** @type {Word} */ { bare }) => counts.get(bare) === 1 && !kept.has(bare);
      const ignored = content.filter((word, i) => peaks[i] < MIN_ATTENTION && isAlone(word));
      if (ignored.length && medianOf(peaks) >= MIN_MEDIAN_ATTENTION) {
        return this.make("missing.words", { words: ignored });
      }
    }
    const isShort = this.codes.target === "de" && lengthOf(translation) < MIN_LENGTH_RATIO * lengthOf(sentence);
    return isShort ? this.make("missing.short") : null;
  }

  /**
   * A word that stutters, or a content word that occurs more often than any content word of the source. Translations
   * into other languages than German may have one more.
   * @param {Trace} trace @param {Word[]} words @param {Word[]} target
   */
  repetition({ sentence }, words, target) {
    const counts = countTexts(target.map(({ bare }) => bare));
    const isLight = (/** @type {string} */ bare) => this.codes.source === "en" && this.words.light.has(bare);
    const content = words.map(({ bare }) => bare).filter((bare) => !isLight(bare));
    const most = content.length ? Math.max(...countTexts(content).values()) : 1;
    const allowed = most + (this.codes.target === "de" ? 0 : 1);
    const stutters = target.filter((word) => hasNewStutter(word, sentence));
    const again = target.filter((word) => counts.get(word.bare) > allowed && this.isLongContentWord(word));
    const repeated = stutters.length ? stutters : again;
    return repeated.length ? this.makeOfTarget("repetition", repeated) : null;
  }

  /** @param {Word} word */
  isLongContentWord({ bare, isNumber }) {
    return lengthOf(bare) >= MIN_CONTENT_LETTERS && !this.words.targetFunction.has(bare) && !isNumber;
  }

  /** A text of several sentences: most of the training data have one. @param {string} text */
  severalSentences(text) {
    const sentences = splitSentences(text, this.codes.source);
    return sentences.length > 1 ? this.make("several", { values: { count: sentences.length }, sentences }) : null;
  }
}

/**
 * Whether a word has as many pieces as rare words have; a number also needs as many digits in its longest part.
 * @param {Word} word @param {boolean} isFirst
 */
function hasManyPieces({ text, pieces, isNumber }, isFirst) {
  if (isNumber) { // 10:45 does not count
    return Math.max(...text.match(NUMBER).map(lengthOf)) >= RARE_WORD_PIECES && pieces.length >= RARE_WORD_PIECES;
  }
  const isName = !isFirst && CAPITAL.test(stripStart(text, OPENING_MARKS));
  return pieces.length >= (isName ? RARE_NAME_PIECES : RARE_WORD_PIECES);
}

/**
 * Whether a word repeats letters that the source text does not repeat, unlike "2,000" and "www".
 * @param {Word} word @param {string} sentence
 */
function hasNewStutter({ text }, sentence) {
  return (text.match(STUTTER) ?? []).some((part) => !sentence.toLowerCase().includes(part.toLowerCase()));
}
