// Beam search as a tree: every hypothesis that was kept, the best of those that were pruned, and all scores.
//
// It is model/beam.py. Beam search may end with a lower score than greedy decoding, so that a tree contains the greedy
// translation as well, and `answer` is the better of the two.

import { largestIndices } from "./decoding.js";

/** @typedef {import("./decoding.js").Translator} Translator */
/** @typedef {{ ids: number[], logProbabilities: number[], total: number, score: number }} ScoredTranslation */

/**
 * A hypothesis of a level: its index in the level before and its last piece, whose log-probability it has.
 * @typedef {object} TreeHypothesis
 * @property {number} parent
 * @property {number} piece
 * @property {number} logProbability
 * @property {number} total
 * @property {number} length
 * @property {number} score
 * @property {boolean} finished
 * @typedef {{ kept: TreeHypothesis[], pruned: TreeHypothesis[] }} Level
 */

const N_PRUNED = 4;

/**
 * A complete translation [EOS included, unless the limit came first], with the log-probability of each piece.
 * @param {number[]} ids @param {number[]} logProbabilities
 * @returns {ScoredTranslation}
 */
function scoredTranslation(ids, logProbabilities) {
  const total = logProbabilities.reduce((sum, number) => sum + number, 0);
  return { ids, logProbabilities, total, score: total / ids.length };
}

class BeamTree {
  /**
   * `levels` are the steps of the search, each with its `kept` and `pruned` hypotheses, best first.
   * @param {Level[]} levels @param {ScoredTranslation} greedy @param {number} padId
   */
  constructor(levels, greedy, padId) {
    this.levels = levels;
    this.greedy = greedy;
    this.padId = padId;
  }

  /**
   * A hypothesis of a level after all its ancestors, the first piece first.
   * @param {number} level @param {number} index @param {boolean} pruned
   * @returns {TreeHypothesis[]}
   */
  path(level, index, pruned = false) {
    const hypothesis = this.levels[level][pruned ? "pruned" : "kept"][index];
    return [...(level ? this.path(level - 1, hypothesis.parent) : []), hypothesis];
  }

  /** The same as a translation, without padding. @param {number} level @param {number} index @param {boolean} pruned */
  translation(level, index, pruned = false) {
    const path = this.path(level, index, pruned).filter(({ piece }) => piece !== this.padId);
    return scoredTranslation(path.map(({ piece }) => piece), path.map(({ logProbability }) => logProbability));
  }

  /** The translation of beam search. */
  get best() {
    return this.translation(this.levels.length - 1, 0);
  }

  /** The better of beam search's and greedy decoding's translations. */
  get answer() {
    const { best, greedy } = this;
    return greedy.score > best.score ? greedy : best;
  }

  /** At each level the index of the greedy translation among the kept hypotheses, null once it is pruned. */
  get greedyIndices() {
    /** @type {number | null} */
    let index = 0;
    return this.levels.map(({ kept }, number) => {
      const id = this.greedy.ids[number] ?? this.padId;
      const next = kept.findIndex(({ parent, piece }) => parent === index && piece === id);
      return (index = index === null || next < 0 ? null : next);
    });
  }
}

/**
 * A translation with its own probabilities, in one pass.
 * @param {Translator} translator @param {number[]} src @param {number[]} ids
 */
function scoreIds(translator, src, ids) {
  return scoredTranslation(
    ids,
    translator.forcedSteps(translator.encode(src), ids).map(({ logProbability }) => logProbability),
  );
}

/**
 * Runs beam search for one source and records all kept hypotheses, and the best others of each step.
 *
 * A beam of 1 is greedy decoding; its ids may be given if they are known. `maxSteps` stops earlier than the limit of
 * the source.
 * @param {Translator} translator @param {number[]} src @param {number} beam
 * @param {{ maxSteps?: number, greedyIds?: number[] | null }} options
 */
export function beamTree(translator, src, beam, { maxSteps = Infinity, greedyIds = null } = {}) {
  if (!(beam >= 1)) throw new Error(`A beam needs at least 1 hypothesis, not ${beam}.`);
  /** @type {Level[]} */
  const levels = [];
  const limit = Math.min(translator.limit(src.length), maxSteps);
  for (const step of translator.beamSteps(src, beam, maxSteps)) {
    levels.push(makeLevel(step, levels.at(-1)?.kept, translator.tokenizer));
  }
  greedyIds ??= [...translator.steps(translator.encode(src), { maxSteps: limit })].map(({ id }) => id);
  return new BeamTree(levels, scoreIds(translator, src, greedyIds), translator.tokenizer.padId);
}

/**
 * The hypotheses that a step of the search kept and pruned, without impossible ones.
 * @param {import("./decoding.js").BeamStep} step @param {TreeHypothesis[] | undefined} before
 * @param {import("./tokenizer.js").AnyTokenizer} tokenizer
 */
function makeLevel({ logProbability, total, score, kept, finished }, before, { eosId, padId }) {
  const others = score.slice();
  const vocab = score.length / finished.length;
  const atLimit = finished.every(Boolean);
  for (const index of kept) others[index] = -Infinity;
  /** @type {(index: number) => TreeHypothesis} */
  const hypothesis = (index) => {
    const parent = Math.floor(index / vocab);
    const piece = index % vocab;
    return {
      parent,
      piece,
      logProbability: logProbability[index],
      total: total[index],
      length: (before?.[parent].length ?? 0) + Number(piece !== padId),
      score: score[index],
      finished: atLimit || piece === eosId || piece === padId,
    };
  };
  /** @type {(indices: number[], among: Float32Array) => TreeHypothesis[]} */
  const possible = (indices, among) => indices.filter((index) => among[index] > -Infinity).map(hypothesis);
  return { kept: possible(kept, score), pruned: possible(largestIndices(others, N_PRUNED), others) };
}
