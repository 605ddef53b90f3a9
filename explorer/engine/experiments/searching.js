// Beam search and sampling of a sentence, on the unchanged model: explorer/experiments/searching.py.

import { UserError } from "../../ui/user_error.js";
import { beamTree } from "../beam.js";
import { refuse } from "../refusals.js";
import { draw, validateSampling } from "../sampling.js";
import { piecesOf } from "../trace.js";

/** @typedef {import("../beam.js").TreeHypothesis} TreeHypothesis */
/** @typedef {import("../decoding.js").Translator} Translator */
/** @typedef {import("../recordings.js").Recordings} Recordings */

/** @param {Translator} translator @param {TreeHypothesis} hypothesis */
function hypothesisJson(translator, { parent, piece, logProbability, total, length, score, finished }) {
  const [{ id, text }] = piecesOf(translator, [piece]);
  const waits = piece === translator.tokenizer.padId;
  return { parent, id, text, log_probability: logProbability, total, length, score, finished, waits };
}

/** @param {Translator} translator @param {import("../beam.js").Level} level */
function levelJson(translator, level) {
  const [kept, pruned] = [level.kept, level.pruned].map((list) => list.map((one) => hypothesisJson(translator, one)));
  return { kept, pruned };
}

/** @param {Translator} translator @param {import("../beam.js").ScoredTranslation} translation */
function translationJson(translator, { ids, logProbabilities, total, score }) {
  return {
    ids,
    pieces: piecesOf(translator, ids).map(({ text }) => text),
    log_probabilities: logProbabilities,
    translation: translator.tokenizer.decode(translator.clean(ids)),
    total,
    score,
  };
}

/**
 * The tree of a beam search; see beam_json in Python. Throws a UserError for a sentence or a width.
 * @param {Recordings} recordings
 * @param {string} sentence
 * @param {number} width
 */
export function beamJson(recordings, sentence, width) {
  const { translator, settings } = recordings;
  const { MAX_PIECES, MAX_WIDTH } = settings.limits;
  const { source, steps } = recordings.trace(sentence);
  if (!(width >= 1 && width <= MAX_WIDTH)) refuse(settings, "width", { width, widest: MAX_WIDTH });
  const [src, greedyIds] = [source, steps].map((list) => list.map(({ id }) => id));
  const tree = beamTree(translator, src, width, { maxSteps: MAX_PIECES, greedyIds });
  const last = tree.levels.length - 1;
  const finals = tree.levels[last].kept.map((_, index) => tree.translation(last, index));
  return {
    width,
    levels: tree.levels.map((level) => levelJson(translator, level)),
    finals: finals.map((final) => translationJson(translator, final)),
    best: translationJson(translator, tree.best),
    greedy: translationJson(translator, tree.greedy),
    greedy_places: tree.greedyIndices,
    answer: translationJson(translator, tree.answer),
  };
}

/**
 * Throws a UserError for numbers to draw with, or a seed, that there are not.
 * @param {import("../sampling.js").Sampling} sampling @param {number[]} seeds
 */
function requireSampling(sampling, seeds) {
  try {
    validateSampling(sampling, seeds);
  } catch (error) {
    throw new UserError(error.message);
  }
}

/** @param {Translator} translator @param {import("../sampling.js").Sample} sample */
function sampleJson(translator, { seed, ids, logProbabilities, candidateCounts }) {
  const pieces = piecesOf(translator, ids);
  return {
    seed,
    translation: translator.tokenizer.decode(translator.clean(ids)),
    total: logProbabilities.reduce((sum, number) => sum + number, 0),
    ids,
    pieces: pieces.map(({ text, special, starts_word }, i) => ({
      text,
      special,
      starts_word,
      log_probability: logProbabilities[i],
      in_the_running: candidateCounts[i],
    })),
    ended: ids.at(-1) === translator.tokenizer.eosId,
  };
}

/**
 * Samples with consecutive seeds. Throws a UserError.
 * @param {Recordings} recordings
 * @param {string} sentence
 * @param {{ temperature: number, top_k: number | null, top_p: number }} options
 * @param {number} seed
 */
export function samplesJson(recordings, sentence, { temperature, top_k: topK, top_p: topP }, seed) {
  const { translator, settings: { limits: { MAX_PIECES, SAMPLES } } } = recordings;
  const seeds = Array.from({ length: SAMPLES }, (_, i) => seed + i);
  const sampling = { temperature, topK, topP };
  requireSampling(sampling, seeds);
  const src = recordings.trace(sentence).source.map(({ id }) => id);
  const samples = draw(translator, src, sampling, seeds, MAX_PIECES);
  return { samples: samples.map((sample) => sampleJson(translator, sample)) };
}
