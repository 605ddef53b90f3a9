// Warnings about translations that may be wrong: explorer/recording/warnings.py, with its thresholds and word lists.

import { median } from "../ui/numbers.js";
import { isolate } from "../ui/scripts.js";
import { sum } from "../ui/tensor.js";
import { Numbers } from "./numbers.js";
import { compilePattern, formatText, joinDifferent, lengthOf, stripStart } from "./python_text.js";
import { Splitter } from "./splitting.js";
import { Vocabulary } from "./vocabulary.js";

const LETTER = /\p{L}/gu, LAST_LETTER = /\p{L}$/u, CAPITAL = /^\p{Uppercase}/u;

/** How often each text occurs. */
function countTexts(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function medianOf(numbers) {
  return median([...numbers].sort((one, other) => one - other));
}

export class Warnings {
  /** `data` are thresholds, lists of words, patterns and texts (explorer/answers/data.py); `hasFit`: likelihood.js says some. */
  constructor({ language, splitting, warnings: { patterns, words, ...data } }, hasFit) {
    const sets = (lists) => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, new Set(list)]));
    Object.assign(this, { language, hasFit, ...data, words: sets(words), distinctive: sets(data.distinctive), splitter: new Splitter(splitting) });
    this.letters = compilePattern(patterns.LETTERS, "g");
    this.number = compilePattern(patterns.NUMBER, "g");
    this.stutter = compilePattern(patterns.STUTTER_PATTERN, "gi");
    this.genitive = compilePattern(patterns.GENITIVE);
    if (data.german) Object.assign(this, { numbers: new Numbers(data.german.numbers), vocabulary: new Vocabulary(data.german.vocabulary) });
  }

  /** The warnings about a translation, the most serious first; a text in another language gets that one only. */
  of(trace) {
    const words = this.splitter.words(trace.source), { source } = this.codes, language = this.foreignLanguage(words);
    const candidates = [this.unknownCharacters(trace)];
    if (language !== null) candidates.push(this.foreign(language));
    else candidates.push(...this.writing(trace), this.severalSentences(trace.sentence), ...this.wordWarnings(trace, words, source));
    const order = Object.keys(this.texts), isReplaced = ({ kind }) => this.hasFit && trace.isOwn && this.replaced.includes(kind);
    return candidates.filter((warning) => warning && !isReplaced(warning)).sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  }

  /** The warning with a name: its kind or, if the kind has several texts, kind.variant. */
  make(name, { words = [], values = {}, ...more } = {}) {
    const [kind, variant = "text"] = name.split(".");
    const listed = joinDifferent(words.map(({ clean }) => isolate(clean)));
    const text = formatText(this.texts[kind][variant], { words: listed, ...values }, this.language);
    const pieces = words.flatMap(({ places }) => places);
    return { kind, text, pieces, steps: [], sentences: [], reason: this.reasons[kind] ?? null, ...more };
  }

  /** The warning with a name about words of the translation. */
  makeOfTarget(name, words) {
    const warning = this.make(name, { words });
    return { ...warning, pieces: [], steps: warning.pieces };
  }

  /** What `otherLanguage` says; null without a list of words for the language that the model reads. */
  foreignLanguage(words) {
    return this.words.common ? this.otherLanguage(words) : null;
  }

  foreign(code) {
    return code ? this.make("language.named", { values: { language: this.languageNames[code] } }) : this.make("language.none");
  }

  /** Warnings about missing, repeated and rare words. */
  wordWarnings(trace, words, source) {
    const kept = this.splitter.keptWords(words, this.splitter.words(trace.steps.map(({ predicted }) => predicted)));
    return [
      source === "en" ? this.missingWords(trace, words, kept) : null,
      ...this.vocabulary ? this.ofGerman(trace, words) : [],
      this.repetition(trace, words),
      this.isAllCapitals(trace.sentence) ? null : this.rareWords(words, kept),
    ];
  }

  /** Warnings about German with English words, words that do not exist, or without the numbers of its English. */
  ofGerman({ sentence, steps, translation }, words) {
    const { splitter, vocabulary } = this, target = splitter.words(steps.map(({ predicted }) => predicted));
    const names = this.namesIn(words, sentence), known = new Set(words.map((word) => splitter.key(word)));
    const stem = (text) => text.replace(this.genitive, ""), stems = new Set([...known].map(stem));
    const isEnglish = ({ bare, isNumber }) => lengthOf(bare) > 1 && !isNumber && vocabulary.isEnglish(bare);
    const copied = target.filter((word) => known.has(word.bare) && !names.has(word.bare) && isEnglish(word));
    const coined = target.filter(({ bare, isNumber }) => !isNumber && !stems.has(stem(bare)) && !vocabulary.isGerman(bare));
    const lost = this.numbers.missing(words, translation);
    return [
      copied.length ? this.makeOfTarget("copied", copied) : null,
      coined.length ? this.makeOfTarget("coined", coined) : null,
      lost.length ? this.make("numbers", { words: lost }) : null,
      this.isCut(sentence, words) ? this.make("cut", { words: words.slice(-1) }) : null,
    ];
  }

  /** The words, as `bare`, that may be names: with a capital inside a sentence; and abbreviations. */
  namesIn(words, sentence) {
    if (this.isAllCapitals(sentence)) return new Set();
    const isUpper = (text) => text === text.toUpperCase() && text !== text.toLowerCase(), { MAX_ABBREVIATION } = this.thresholds;
    const names = words.slice(1).filter(({ clean }) => CAPITAL.test(clean) && (lengthOf(clean) <= MAX_ABBREVIATION || !isUpper(clean)));
    return new Set(names.map(({ bare }) => bare));
  }

  /** Whether an English text stops in the middle of a sentence: with a word that wants another one behind it. */
  isCut(sentence, words) {
    return words.length > 1 && this.words.open.has(words.at(-1).bare) && LAST_LETTER.test(sentence);
  }

  /** The code of the language that a text seems to be in; "" if unknown, null if it is the language the model reads. */
  otherLanguage(words) {
    const { common, ambiguous } = this.words, { FIRST_FOREIGN_LETTER, MIN_FOREIGN_WORDS, MIN_LETTERS_PER_PIECE, MIN_RANDOM_LETTERS } = this.thresholds;
    const ordinary = words.filter(({ isNumber }) => !isNumber), bare = ordinary.map((word) => word.bare).filter(Boolean);
    const isEnglish = this.codes.source === "en", own = bare.filter((word) => common.has(word) && !ambiguous.has(word)).length;
    const counts = Object.entries(this.distinctive).map(([code, list]) => [code, bare.filter((word) => list.has(word)).length]);
    const [best, count] = counts.reduce((one, other) => (other[1] > one[1] ? other : one));
    if (count > own && (isEnglish || count >= MIN_FOREIGN_WORDS)) return best;
    const letters = bare.join("").match(LETTER) ?? [], foreign = letters.filter((letter) => letter >= FIRST_FOREIGN_LETTER);
    if (letters.length && 2 * foreign.length > letters.length) return "";
    if (!isEnglish || !letters.length || bare.some((word) => common.has(word))) return null;
    const pieces = sum(ordinary.map(({ places }) => places.length));
    return letters.length >= MIN_RANDOM_LETTERS && letters.length < MIN_LETTERS_PER_PIECE * pieces ? "" : null;
  }

  /** Whether a text has several words and no lower-case letter. */
  isAllCapitals(text) {
    return text === text.toUpperCase() && text !== text.toLowerCase() && (text.match(this.letters) ?? []).length > 1;
  }

  unknownCharacters({ source }) {
    const pieces = [...source.keys()].filter((i) => source[i].unknown);
    const characters = pieces.map((i) => isolate(source[i].text)).join(", ");
    return pieces.length ? this.make("unknown", { values: { characters }, pieces }) : null;
  }

  /** Warnings about a text that is written differently from the training data, or longer. */
  writing({ sentence, source, steps, stoppedAtLimit }) {
    const isLower = sentence === sentence.toLowerCase() && sentence !== sentence.toUpperCase();
    return [
      this.isAllCapitals(sentence) ? this.make("capitals") : null,
      isLower ? this.make("lower") : null,
      source.length > this.thresholds.MAX_USUAL_PIECES ? this.make("long", { values: { pieces: source.length } }) : null,
      stoppedAtLimit ? this.make("limit", { values: { steps: steps.length } }) : null,
    ];
  }

  /** Uncommon words of many pieces: the model saw them seldom in training and garbles them, unless it `kept` them. */
  rareWords(words, kept) {
    const isEnglish = this.codes.source === "en", isKnown = ({ bare }) => this.words.common?.has(bare) ?? false;
    const counted = words.filter((word) => !isEnglish || isKnown(word)).map(({ places }) => places.length);
    const typical = (numbers) => (isEnglish ? sum(numbers) / numbers.length : medianOf(numbers));
    if (counted.length && typical(counted) > 2) return null; // this tokenizer splits everything
    const { RARE_WORD_PIECES } = this.thresholds;
    const hasEnough = (word, isFirst) => (isEnglish
      ? this.hasManyPieces(word, isFirst)
      : word.places.length > RARE_WORD_PIECES && this.hasManyPieces(word, true)); // capitals may not mean names
    const rare = words.filter((word, i) => !isKnown(word) && !kept.has(word.bare) && hasEnough(word, i === 0));
    return rare.length ? this.make("rare", { words: rare }) : null;
  }

  /** Whether a word has as many pieces as rare words have; a number also needs as many digits in its longest part. */
  hasManyPieces({ text, places, isNumber }, isFirst) {
    const { OPENING_MARKS, RARE_NAME_PIECES, RARE_WORD_PIECES } = this.thresholds;
    if (isNumber) return Math.max(...text.match(this.number).map(lengthOf)) >= RARE_WORD_PIECES && places.length >= RARE_WORD_PIECES;
    const isName = !isFirst && CAPITAL.test(stripStart(text, OPENING_MARKS));
    return places.length >= (isName ? RARE_NAME_PIECES : RARE_WORD_PIECES);
  }

  /** English content words that no step attended to, or German much shorter than its English. */
  missingWords({ sentence, translation, cross: { weights } }, words, kept) {
    const { MIN_ATTENTION, MIN_MEDIAN_ATTENTION, MIN_LENGTH_RATIO } = this.thresholds, counts = countTexts(words.map(({ bare }) => bare));
    const content = words.filter(({ bare, isNumber }) => !this.words.light.has(bare) && lengthOf(bare) > 2 && !isNumber);
    if (weights.shape[2] > 1 && content.length) {
      const peaks = content.map(({ places }) => largestAttention(weights, places));
      const ignored = content.filter(({ bare }, i) => peaks[i] < MIN_ATTENTION && counts.get(bare) === 1 && !kept.has(bare));
      if (ignored.length && medianOf(peaks) >= MIN_MEDIAN_ATTENTION) return this.make("missing.words", { words: ignored });
    }
    const isShort = this.codes.target === "de" && lengthOf(translation) < MIN_LENGTH_RATIO * lengthOf(sentence);
    return isShort ? this.make("missing.short") : null;
  }

  /** A word that stutters, or a content word that occurs more often than any content word of the source. */
  repetition({ sentence, steps }, words) {
    const target = this.splitter.words(steps.map(({ predicted }) => predicted)), counts = countTexts(target.map(({ bare }) => bare));
    const content = words.map(({ bare }) => bare).filter((bare) => this.codes.source !== "en" || !this.words.light.has(bare));
    const most = Math.max(...countTexts(content).values()), allowed = (content.length ? most : 1) + (this.codes.target === "de" ? 0 : 1);
    const stutters = target.filter((word) => this.hasNewStutter(word, sentence));
    const again = target.filter((word) => counts.get(word.bare) > allowed && this.isLongContentWord(word));
    const repeated = stutters.length ? stutters : again;
    return repeated.length ? this.makeOfTarget("repetition", repeated) : null;
  }

  /** Whether a word repeats letters that the source text does not repeat, unlike "2,000" and "www". */
  hasNewStutter({ text }, sentence) {
    return (text.match(this.stutter) ?? []).some((part) => !sentence.toLowerCase().includes(part.toLowerCase()));
  }

  isLongContentWord({ bare, isNumber }) {
    return lengthOf(bare) >= this.thresholds.MIN_CONTENT_LETTERS && !this.words.targetFunction.has(bare) && !isNumber;
  }

  /** A text of several sentences: most of the training data have one. */
  severalSentences(text) {
    const sentences = this.splitter.sentences(text);
    return sentences.length > 1 ? this.make("several", { values: { count: sentences.length }, sentences }) : null;
  }
}

/**
 * A word's attention at the layer, from `first` on, and step where it is largest, as the mean of the heads; the last step does
 * not count.
 */
export function largestAttention(weights, places, first = 0) {
  const [layers, heads, steps] = weights.shape;
  let largest = 0;
  for (let layer = first; layer < layers; layer++) {
    for (let step = 0; step < steps - 1; step++) {
      let total = 0;
      for (let head = 0; head < heads; head++) for (const place of places) total += weights.at(layer, head, step)[place];
      largest = Math.max(largest, total / heads);
    }
  }
  return largest;
}
