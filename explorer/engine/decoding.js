// From a sentence to its translation: greedy decoding a step at a time, and with a beam. It is model/decoding.py.
//
// Decoding is cached: each step feeds one piece and reuses the keys and values of those before it.

import { NO_PROBE } from "./probe.js";
import { Tensor, idTensor, softmax } from "./tensor.js";
import { rulesOf } from "./tidying.js";
import { Cache } from "./transformer.js";

/** @typedef {import("./kernel.js").Kernel} Kernel */
/** @typedef {import("./probe.js").Probe} Probe */
/** @typedef {import("./tokenizer.js").AnyTokenizer} AnyTokenizer */
/** @typedef {import("./transformer.js").Encoded} Encoded */
/** @typedef {import("./transformer.js").Transformer} Transformer */
/** @typedef {{ id: number, probability: number }} Choice a piece that could come next */
/** @typedef {{ selfAttention: Tensor, crossAttention: Tensor }} StepWeights of its row: [layer head key] */
/** @typedef {{ maxSteps?: number, beginning?: number[], probe?: Probe }} StepsOptions */

/**
 * @typedef {object} StepNumbers
 * @property {number} id
 * @property {number} probability
 * @property {number} logProbability in nats
 * @property {number} rank how many pieces were more probable
 * @property {Choice[]} candidates
 * @property {number} entropy of the whole distribution, in bits
 * @property {Choice | null} excluded what the model wanted most, if no translation may contain it
 * @typedef {StepNumbers & StepWeights} ComputedStep
 */

/**
 * A hypothesis of beam search: its last piece, its log-probability, and its length with EOS.
 * @typedef {{ last: number, total: number, length: number, finished: boolean }} Hypothesis
 */

/**
 * The numbers of all continuations [beam vocab], and the indices of those that are kept.
 * @typedef {{ logProbability: Float32Array, total: Float32Array, score: Float32Array }} Continuations
 * @typedef {Continuations & { kept: number[], finished: boolean[] }} BeamStep
 */

const N_CANDIDATES = 10;

/**
 * The probability of every piece of the vocabulary to come next: the softmax of the logits.
 * @param {Tensor} logits @param {Probe} probe
 */
export function distribution(logits, probe = NO_PROBE) {
  return probe.at({ stack: "decoder" }).pass("probabilities", softmax(logits));
}

/**
 * The indices of the `count` largest numbers, the largest first; of equal ones the first.
 * @param {ArrayLike<number>} numbers @param {number} count
 */
export function largestIndices(numbers, count) {
  /** @type {number[]} */
  const indices = [];
  for (let i = 0, least = -Infinity; i < numbers.length; i++) {
    if (indices.length === count && numbers[i] <= least) continue; // nearly always
    let index = Math.min(indices.length, count - 1);
    for (; index > 0 && numbers[indices[index - 1]] < numbers[i]; index--) indices[index] = indices[index - 1];
    indices[index] = i;
    least = numbers[indices[indices.length - 1]];
  }
  return indices;
}

/**
 * What logits are larger than log-probabilities: the logarithm of the sum of their exponentials.
 * @param {Float32Array} logits @param {Kernel} kernel
 */
export function logSumExp(logits, kernel) {
  const { sum, largest } = kernel.exponentials(logits);
  return largest + Math.log(sum);
}

/** The natural logarithms of the softmax. @param {Float32Array} logits @param {Kernel} kernel */
export function logSoftmax(logits, kernel) {
  const normalizer = logSumExp(logits, kernel);
  const result = new Float32Array(logits.length);
  for (let i = 0; i < logits.length; i++) result[i] = logits[i] - normalizer;
  return result;
}

/**
 * The excluded piece that the model found more probable than all others, and its probability; null if none was.
 *
 * `logOdds` are those of the excluded pieces against all others together, of which the best has the share `best`.
 * @param {number[]} ids @param {number[]} logOdds @param {number} best
 * @returns {Choice | null}
 */
function excludedCandidate(ids, logOdds, best) {
  const largest = Math.max(...logOdds);
  if (!(largest > Math.log(best))) return null; // nor where there are no numbers
  const total = logOdds.reduce((sum, odds) => sum + Math.exp(odds - largest), Math.exp(-largest));
  return { id: ids[logOdds.indexOf(largest)], probability: 1 / total };
}

/**
 * The step of a row of logits; without `chosen` it chooses the most probable piece.
 *
 * Excluded pieces get the logit minus infinity here, before the softmax, so that all probabilities count the others.
 * @param {Translator} translator
 * @param {Float32Array} raw
 * @param {StepWeights & { chosen?: number }} row
 * @returns {ComputedStep}
 */
function makeStep(translator, raw, { selfAttention, crossAttention, chosen }) {
  const { kernel, tokenizer: { excludedIds } } = translator;
  const logits = translator.allowed(raw);
  const { parts, sum, largest } = kernel.exponentials(logits);
  const normalizer = largest + Math.log(sum);
  const best = largestIndices(logits, N_CANDIDATES);
  const id = chosen ?? best[0];
  const logit = logits[id];
  let expected = 0, rank = 0; // the expected log-probability is minus the entropy
  for (let i = 0; i < logits.length; i++) {
    if (parts[i] > 0) expected += parts[i] * (logits[i] - normalizer);
    if (logits[i] > logit) rank += 1;
  }
  return {
    id,
    probability: parts[id] / sum,
    logProbability: logit - normalizer,
    rank,
    candidates: best.map((piece) => ({ id: piece, probability: parts[piece] / sum })),
    entropy: -expected / sum / Math.LN2,
    excluded: excludedCandidate(
      excludedIds,
      excludedIds.map((excluded) => raw[excluded] - normalizer),
      parts[best[0]] / sum,
    ),
    selfAttention,
    crossAttention,
  };
}

/**
 * The weights of one query in all layers, of the first `n` keys: [layer head key].
 * @param {Tensor[]} attention @param {number} query @param {number} n
 */
function rowOfWeights(attention, query, n) {
  const [, heads] = attention[0].shape, row = new Tensor([attention.length, heads, n]);
  for (const [layer, weights] of attention.entries()) {
    for (let head = 0; head < heads; head++) row.at(layer, head).set(weights.at(0, head, query).subarray(0, n));
  }
  return row;
}

/** A model and its tokenizer, ready to use; `record` describes its training. */
export class Translator {
  /**
   * @param {Transformer} model @param {AnyTokenizer} tokenizer @param {import("./tidying.js").TrainingRecord} record
   */
  constructor(model, tokenizer, record) {
    this.model = model;
    this.tokenizer = tokenizer;
    this.record = record;
    this.rules = rulesOf(record);
  }

  /**
   * A source text, tidied by the rules that the record names, like those that the model learned from.
   * @param {string} text
   */
  tidy(text) {
    return this.rules(text);
  }

  /** The length of the longest sentence that the model takes, in pieces without EOS. */
  get maxPieces() {
    return this.model.config.max_len - 1;
  }

  /** The ids of a source sentence, with EOS. @param {string} text */
  sourceIds(text) {
    const ids = this.tokenizer.encode(this.tidy(text));
    if (!ids.length) throw new Error("There is nothing to translate.");
    if (ids.length > this.maxPieces) {
      throw new Error(`The text has ${ids.length} pieces; the model takes at most ${this.maxPieces}.`);
    }
    return [...ids, this.tokenizer.eosId];
  }

  /** The largest number of decoding steps for a source of `nSrc` ids. @param {number} nSrc */
  limit(nSrc) {
    return Math.min(this.model.config.max_len - 1, 2 * nSrc + 16);
  }

  get kernel() {
    return this.model.projection.weight.kernel;
  }

  newCache() {
    return new Cache(this.model.config.n_decoder_layers);
  }

  /** The encoder's pass over one sentence. @param {number[]} src @param {Probe} probe */
  encode(src, probe = NO_PROBE) {
    return this.model.encode(idTensor([src]), probe);
  }

  /**
   * The decoder's pass over one whole target, BOS first.
   * @param {number[]} tgtIn @param {Encoded} encoded @param {Probe} probe
   */
  decode(tgtIn, encoded, probe = NO_PROBE) {
    return this.model.decode(idTensor([tgtIn]), encoded, this.newCache(), probe);
  }

  /** A row of logits without the pieces that no translation may contain. @param {Float32Array} logits */
  allowed(logits) {
    const allowed = logits.slice();
    for (const id of this.tokenizer.excludedIds) allowed[id] = -Infinity;
    return allowed;
  }

  /**
   * Greedy decoding, step by step, up to EOS or `maxSteps`.
   *
   * The pieces of a `beginning` are chosen however improbable they are; decoding goes on greedily from there.
   * @param {Encoded} encoded @param {StepsOptions} options
   * @returns {Generator<ComputedStep, void, void>}
   */
  *steps(encoded, { maxSteps = this.limit(encoded.memory.shape[1]), beginning = [], probe = NO_PROBE } = {}) {
    const { bosId, eosId } = this.tokenizer;
    const cache = this.newCache();
    for (let number = 0, fed = bosId; number < maxSteps && (number === 0 || fed !== eosId); number++) {
      const { logits, selfAttention, crossAttention } = this.model.decode(idTensor([[fed]]), encoded, cache, probe);
      const step = makeStep(this, logits.at(0, 0), {
        selfAttention: rowOfWeights(selfAttention, 0, number + 1),
        crossAttention: rowOfWeights(crossAttention, 0, encoded.memory.shape[1]),
        chosen: beginning[number],
      });
      yield step;
      fed = step.id;
    }
  }

  /**
   * The steps that choose the pieces of `tgtOut`, however improbable (teacher forcing), in one pass.
   * @param {Encoded} encoded @param {number[]} tgtOut @param {Probe} probe
   */
  forcedSteps(encoded, tgtOut, probe = NO_PROBE) {
    const decoded = this.decode([this.tokenizer.bosId, ...tgtOut.slice(0, -1)], encoded, probe);
    return tgtOut.map((id, t) => makeStep(this, decoded.logits.at(0, t), {
      selfAttention: rowOfWeights(decoded.selfAttention, t, t + 1),
      crossAttention: rowOfWeights(decoded.crossAttention, t, encoded.memory.shape[1]),
      chosen: id,
    }));
  }

  /**
   * Beam search for one source, step by step, until all hypotheses are finished.
   *
   * A hypothesis is ranked by its log-probability divided by its length, EOS included. A finished one stays in the
   * beam and is continued with padding. A step has the log-probability of every piece after every kept hypothesis, in
   * nats, the `total` and the `score` of each resulting one [beam vocab], the indices of the `kept` ones in these, and
   * whether each is `finished`.
   * @param {number[]} src @param {number} beam @param {number} maxSteps
   * @returns {Generator<BeamStep, void, void>}
   */
  *beamSteps(src, beam, maxSteps = Infinity) {
    const { bosId, eosId, padId } = this.tokenizer;
    const limit = Math.min(this.limit(src.length), maxSteps);
    const encoded = this.encode(src).select(new Array(beam).fill(0));
    const cache = this.newCache();
    let hypotheses = Array.from({ length: beam }, (_, i) => ({
      last: bosId, total: i ? -Infinity : 0, length: 0, finished: false, // all are equal: only the first is continued
    }));
    for (let number = 1; number <= limit && !hypotheses.every(({ finished }) => finished); number++) {
      const { logits } = this.model.decode(idTensor(hypotheses.map(({ last }) => [last])), encoded, cache);
      const vocab = logits.width;
      const step = this.continuations(hypotheses, logits);
      const kept = largestIndices(step.score, beam);
      const parents = kept.map((index) => Math.floor(index / vocab));
      hypotheses = kept.map((index, row) => {
        const parent = hypotheses[parents[row]], piece = index % vocab;
        return {
          last: piece,
          total: step.total[index],
          length: parent.length + Number(piece !== padId),
          finished: parent.finished || piece === eosId || number >= limit,
        };
      });
      cache.select(parents);
      yield { ...step, kept, finished: hypotheses.map(({ finished }) => finished) };
    }
  }

  /**
   * The log-probability of every piece after every hypothesis, and the total and score of the result, as 32-bit floats.
   * @param {Hypothesis[]} hypotheses @param {Tensor} logits
   * @returns {Continuations}
   */
  continuations(hypotheses, logits) {
    const vocab = logits.width, { padId } = this.tokenizer;
    const [logProbability, total, score] = [1, 2, 3].map(() => new Float32Array(hypotheses.length * vocab));
    for (const [row, hypothesis] of hypotheses.entries()) {
      const piece = hypothesis.finished
        ? new Float32Array(vocab).fill(-Infinity)
        : logSoftmax(this.allowed(logits.at(row, 0)), this.kernel);
      if (hypothesis.finished) piece[padId] = 0;
      const start = row * vocab, length = hypothesis.length + Number(!hypothesis.finished);
      logProbability.set(piece, start);
      for (let i = 0; i < vocab; i++) {
        total[start + i] = hypothesis.total + piece[i];
        score[start + i] = total[start + i] / length;
      }
    }
    return { logProbability, total, score };
  }

  /** The ids before EOS or padding. @param {number[]} ids */
  clean(ids) {
    const end = ids.findIndex((id) => id === this.tokenizer.eosId || id === this.tokenizer.padId);
    return end < 0 ? ids : ids.slice(0, end);
  }
}
