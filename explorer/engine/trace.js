// Everything about one translation, as numbers and pieces: explorer/recording/trace.py.

import { startsWithMark } from "../ui/scripts.js";
import { NO_PROBE } from "./probe.js";
import { WORD_START } from "./sentencepiece.js";
import { Tensor } from "./tensor.js";

/** @typedef {import("./decoding.js").ComputedStep} ComputedStep */
/** @typedef {import("./decoding.js").StepsOptions} StepsOptions */
/** @typedef {import("./decoding.js").Translator} Translator */
/** @typedef {import("./transformer.js").Encoded} Encoded */
/** @typedef {ReturnType<typeof buildTrace>} ComputedTrace */

const BLANK = "·"; // marks a piece that begins a word
const CIRCLE = "◌"; // the base of a mark without a letter

/** A piece with a dotted circle as the base of a mark at its beginning, if there is one. @param {string} text */
function addMarkBase(text) {
  const start = text.startsWith(BLANK) ? BLANK : "";
  const rest = text.slice(start.length);
  return startsWithMark(rest) && !rest.startsWith(CIRCLE) ? `${start}${CIRCLE}${rest}` : text;
}

/**
 * The pieces of ids: a raised dot marks a word's start.
 * @param {Translator} translator
 * @param {number[]} ids
 * @returns {Piece[]}
 */
export function piecesOf({ tokenizer }, ids) {
  const special = [tokenizer.bosId, tokenizer.eosId, tokenizer.padId];
  const texts = tokenizer.pieces(ids);
  return ids.map((id, i) => ({
    text: addMarkBase(texts[i].replaceAll(WORD_START, BLANK)),
    id,
    unknown: id === tokenizer.unkId,
    special: special.includes(id),
    starts_word: texts[i].startsWith(WORD_START),
  }));
}

/**
 * The pieces of a source; an unknown piece shows its original characters.
 * @param {Translator} translator @param {string} sentence @param {number[]} src
 */
export function sourcePieces(translator, sentence, src) {
  const surfaces = translator.tokenizer.surfaces(translator.tidy(sentence));
  return piecesOf(translator, src).map((piece, i) => {
    const surface = surfaces[i] ?? ""; // the end has none
    if (!piece.unknown) return piece;
    const text = addMarkBase(withoutWordStart(surface)) || piece.text;
    return { ...piece, text, starts_word: surface.startsWith(WORD_START) };
  });
}

/** The characters of a piece without the sign of a word's start. @param {string} surface */
export function withoutWordStart(surface) {
  return surface.replace(new RegExp(`^${WORD_START}+`), "");
}

/**
 * Pieces that could come next, as the page shows them: of pairs of id and probability.
 * @param {Translator} translator
 * @param {{ id: number, probability: number }[]} candidates
 * @returns {Candidate[]}
 */
export function shownCandidates(translator, candidates) {
  const pieces = piecesOf(translator, candidates.map(({ id }) => id));
  return candidates.map(({ id, probability }, i) => ({ text: pieces[i].text, id, probability }));
}

/** The encoder's weights of all layers; those of a pass have a batch of one sentence. @param {Tensor[]} layers */
function stackLayers(layers) {
  const [, ...shape] = layers[0].shape;
  const stacked = new Tensor([layers.length, ...shape]);
  layers.forEach((layer, i) => stacked.at(i).set(layer.data));
  return stacked;
}

/** The rows of all steps as one tensor; keys that a step did not have yet get weight 0. @param {Tensor[]} rows */
function stackRows(rows) {
  const [layers, heads, keys] = rows.at(-1).shape;
  const stacked = new Tensor([layers, heads, rows.length, keys]);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      rows.forEach((row, query) => stacked.at(layer, head, query).set(row.at(layer, head)));
    }
  }
  return stacked;
}

/**
 * Translates greedily and records every step, layer and head. `options` are those of `Translator.steps`.
 * @param {Translator} translator @param {string} sentence @param {StepsOptions} options
 */
export function recordTrace(translator, sentence, options = {}) {
  const src = translator.sourceIds(sentence);
  const encoded = translator.encode(src, options.probe ?? NO_PROBE);
  return buildTrace(translator, sentence, src, encoded, [...translator.steps(encoded, options)]);
}

/**
 * The trace of finished steps, forced ones included; `src` are the sentence's ids.
 * @param {Translator} translator @param {string} sentence @param {number[]} src @param {Encoded} encoded
 * @param {ComputedStep[]} steps
 */
export function buildTrace(translator, sentence, src, encoded, steps) {
  const { tokenizer, model } = translator;
  const tgtOut = steps.map(({ id }) => id);
  const predicted = piecesOf(translator, tgtOut);
  const fed = piecesOf(translator, [tokenizer.bosId, ...tgtOut.slice(0, -1)]);
  return {
    sentence,
    translation: tokenizer.decode(translator.clean(tgtOut)),
    vocabulary: model.config.tgt_vocab_size,
    stoppedAtLimit: tgtOut.at(-1) !== tokenizer.eosId,
    source: sourcePieces(translator, sentence, src),
    steps: steps.map((step, i) => ({
      ...step,
      fed: fed[i],
      predicted: predicted[i],
      candidates: shownCandidates(translator, step.candidates),
      excluded: step.excluded && shownCandidates(translator, [step.excluded])[0],
    })),
    weights: { // [layer head query key]
      encoder: stackLayers(encoded.attention),
      decoder: stackRows(steps.map(({ selfAttention }) => selfAttention)),
      cross: stackRows(steps.map(({ crossAttention }) => crossAttention)),
    },
  };
}
