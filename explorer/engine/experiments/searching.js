// Beam search and sampling of a sentence, on the unchanged model: explorer/experiments/searching.py.

import { beamTree } from "../beam.js";
import { draw, validateSampling } from "../sampling.js";
import { piecesOf } from "../pieces.js";
import { UserError } from "../../ui/user_error.js";

function hypothesisJson(translator, { parent, piece, logProbability, total, length, score, finished }) {
  const [{ id, text }] = piecesOf(translator, [piece]), waits = piece === translator.tokenizer.padId;
  return { parent, id, text, log_probability: logProbability, total, length, score, finished, waits };
}

function levelJson(translator, { kept, pruned }) {
  const [one, other] = [kept, pruned].map((list) => list.map((hypothesis) => hypothesisJson(translator, hypothesis)));
  return { kept: one, pruned: other };
}

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

/** The tree of a beam search; see beam_json in Python. Throws a UserError for a sentence or a width. */
export function beamJson(laboratory, text, width) {
  const { translator, recordings, data: { searching: { MAX_WIDTH } } } = laboratory, trace = recordings.trace(text);
  if (!(width >= 1 && width <= MAX_WIDTH)) laboratory.refuse("width", { width, widest: MAX_WIDTH });
  const options = { maxSteps: recordings.data.limits.MAX_PIECES, greedyIds: trace.steps.map(({ id }) => id) };
  const tree = beamTree(translator, trace.source.map(({ id }) => id), width, options);
  const last = tree.levels.length - 1, finals = tree.levels[last].kept.map((_, place) => tree.translation(last, place));
  return {
    width,
    levels: tree.levels.map((level) => levelJson(translator, level)),
    finals: finals.map((final) => translationJson(translator, final)),
    best: translationJson(translator, tree.best),
    greedy: translationJson(translator, tree.greedy),
    greedy_places: tree.greedyPlaces,
    answer: translationJson(translator, tree.answer),
  };
}

/** Throws a UserError for numbers to draw with, or a seed, that there are not. */
function requireSampling(sampling, seeds) {
  try {
    validateSampling(sampling, seeds);
  } catch (error) {
    throw new UserError(error.message);
  }
}

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

/** Samples with consecutive seeds. Throws a UserError. */
export function samplesJson(laboratory, sentence, { temperature, top_k: topK, top_p: topP }, seed) {
  const { translator, recordings, data: { searching: { SAMPLES } } } = laboratory;
  const seeds = Array.from({ length: SAMPLES }, (_, i) => seed + i), sampling = { temperature, topK, topP };
  requireSampling(sampling, seeds);
  const src = recordings.trace(sentence).source.map(({ id }) => id);
  const samples = draw(translator, src, sampling, seeds, recordings.data.limits.MAX_PIECES);
  return { samples: samples.map((sample) => sampleJson(translator, sample)) };
}
