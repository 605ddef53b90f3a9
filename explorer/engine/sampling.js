// Sampling: each next piece is drawn at random, from all pieces or from the most probable ones. It is
// model/sampling.py.
//
// Numbers are rounded to 32 bits where they are there, so that a seed draws the same translation.

import { logSoftmax } from "./decoding.js";
import { MersenneTwister } from "./random.js";
import { Tensor, idTensor, softmax } from "./tensor.js";

/** @typedef {{ temperature: number, topK: number | null, topP: number }} Sampling */
/** @typedef {{ seed: number, ids: number[], logProbabilities: number[], candidateCounts: number[] }} Sample */

// Beyond these, numbers of 32 bits become 0 or infinite, and the distribution is none.
const MIN_TEMPERATURE = 1e-6, MAX_TEMPERATURE = 1e6, MIN_TOP_P = 1e-6;

/**
 * How pieces are drawn; by default from the unchanged distribution. `topK` may be null, for all.
 * @param {Sampling} sampling @param {number[]} seeds
 */
export function validateSampling({ temperature, topK, topP }, seeds) {
  if (!(temperature >= MIN_TEMPERATURE && temperature <= MAX_TEMPERATURE)) {
    throw new Error(`The temperature must be a number from 0.000001 to 1000000, not ${temperature}.`);
  }
  if (topK !== null && !(topK >= 1)) throw new Error(`Top-k must be at least 1, not ${topK}.`);
  if (!(topP >= MIN_TOP_P && topP <= 1)) throw new Error(`Top-p must be a number from 0.000001 to 1, not ${topP}.`);
  const invalid = seeds.find((seed) => !(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32));
  if (invalid !== undefined) throw new Error(`A seed is a whole number from 0 to ${2 ** 32 - 1}, not ${invalid}.`);
}

/** Divides numbers by their sum. @param {Float32Array} numbers */
function normalize(numbers) {
  const sum = Math.fround(numbers.reduce((total, number) => total + number, 0));
  return numbers.map((number) => number / sum);
}

/**
 * The probabilities to draw with, in descending order and without excluded pieces.
 * @param {Float32Array} descending @param {Sampling} sampling
 */
function candidateDistribution(descending, { temperature, topK, topP }) {
  // The best piece's logit becomes 0, so that a low temperature makes no logit infinite but those of other pieces.
  const logits = descending.map((logProbability) => Math.fround(logProbability - descending[0]) / temperature);
  let probability = softmax(new Tensor([logits.length], logits)).data;
  if (topK !== null) probability = normalize(probability.subarray(0, topK));
  if (topP < 1) {
    let sum = 0;
    const end = probability.findIndex(
      (number) => Math.fround(Math.fround((sum += number)) - number) >= Math.fround(topP),
    );
    if (end >= 0) probability = probability.subarray(0, end);
  }
  return normalize(probability.filter((number) => number > 0));
}

/**
 * The first index at which the cumulative probability exceeds a chance, a number in [0, 1).
 * @param {Float32Array} probability @param {number} chance
 */
function pickIndex(probability, chance) {
  let sum = 0;
  const index = probability.findIndex((number) => Math.fround(sum += number) > chance);
  return index < 0 ? probability.length - 1 : index; // rounding may leave the sum below the chance
}

/**
 * The id at a place of the descending order; equal ones are in the order of their ids.
 * @param {Float32Array} logProbability @param {Float32Array} descending @param {number} index
 */
function idAt(logProbability, descending, index) {
  let equalBefore = index - descending.indexOf(descending[index]);
  return logProbability.findIndex((number) => number === descending[index] && equalBefore-- === 0);
}

/**
 * Draws the next piece: its id, its log-probability at temperature 1, and how many pieces it was drawn from.
 * @param {Float32Array} logProbability @param {Sampling} sampling @param {number} chance
 */
function drawPiece(logProbability, sampling, chance) {
  const descending = logProbability.slice().sort().reverse();
  const probability = candidateDistribution(descending, sampling);
  const id = idAt(logProbability, descending, pickIndex(probability, chance));
  return { id, logProbability: logProbability[id], candidates: probability.length };
}

/**
 * Draws a sample for each seed, a whole number below 2^32, in one batch; a sample depends on its own seed alone.
 *
 * `ids` have EOS, unless the limit came first.
 * @param {import("./decoding.js").Translator} translator @param {number[]} src @param {Partial<Sampling>} sampling
 * @param {number[]} seeds @param {number} maxSteps
 */
export function draw(translator, src, { temperature = 1, topK = null, topP = 1 }, seeds, maxSteps = Infinity) {
  validateSampling({ temperature, topK, topP }, seeds);
  const { bosId, eosId } = translator.tokenizer;
  const cache = translator.newCache();
  const encoded = translator.encode(src).select(seeds.map(() => 0));
  const limit = Math.min(translator.limit(src.length), maxSteps);
  const chances = seeds.map((seed) => new MersenneTwister(seed));
  const samples = seeds.map((seed) => (
    /** @type {Sample} */ ({ seed, ids: [], logProbabilities: [], candidateCounts: [] })));
  const isFinished = (/** @type {Sample} */ { ids }) => ids.at(-1) === eosId;
  for (let number = 0; number < limit && !samples.every(isFinished); number++) {
    const fed = samples.map(({ ids }) => [ids.at(-1) ?? bosId]);
    const { logits } = translator.model.decode(idTensor(fed), encoded, cache);
    samples.forEach((sample, row) => {
      if (isFinished(sample)) return;
      const logProbability = logSoftmax(translator.allowed(logits.at(row, 0)), translator.kernel);
      const piece = drawPiece(logProbability, { temperature, topK, topP }, chances[row].uniform());
      sample.ids.push(piece.id);
      sample.logProbabilities.push(piece.logProbability);
      sample.candidateCounts.push(piece.candidates);
    });
  }
  return samples;
}
