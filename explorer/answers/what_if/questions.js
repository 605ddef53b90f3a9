// The questions of the tab What if, by name; long answers are generators (answers.js).

import { allHeads, headDrops } from "../../engine/forced.js";
import { contributionsOf } from "../contributions.js";
import { encodeWeights, tensorJson } from "../payload.js";
import { UserError } from "../../ui/user_error.js";
import { pairPieces } from "./differences.js";
import { changesProbabilities } from "./experiment.js";
import { agreementJson, omissionJson } from "./omission.js";
import { patchingJson } from "./patching.js";
import { targetIds } from "./target.js";
import { beamJson, samplesJson } from "./searching.js";

/** The drops, in nats, of heads `start` to `stop` of `allHeads`, each ablated alone. Throws a UserError for another range. */
function* rankingJson(laboratory, sentence, by, start, stop) {
  const { translator, recordings, data: { ranking: { noPart, MAX_HEADS_PER_PART } } } = laboratory, heads = allHeads(translator.model);
  if (!(start >= 0 && start < stop && stop <= Math.min(heads.length, start + MAX_HEADS_PER_PART))) throw new UserError(noPart);
  const forced = laboratory.forced(recordings.trace(sentence)), part = heads.slice(start, stop);
  const means = by === "mean" ? yield* laboratory.headMeans() : null;
  yield { done: start, total: heads.length };
  const drops = headDrops(forced, { heads: part, by, means });
  return { heads: part, drops: drops.map((row) => row.reduce((sum, drop) => sum + drop, 0)) };
}

/** The log-probability (nats) and the rank of each step's piece; rank 0 is the most probable. */
function scores({ steps }) {
  return { logs: steps.map(({ logProbability }) => logProbability), ranks: steps.map(({ rank }) => rank) };
}

/** The changed translation, as `translationJson` shows one, and the scores of both; see run_answer in Python. */
function* runJson(laboratory, sentence, changes, translationJson) {
  const original = laboratory.recordings.trace(sentence), experiment = laboratory.complete(changes);
  const changed = yield* laboratory.trace(sentence, experiment);
  const rescored = changesProbabilities(experiment) ? yield* laboratory.rescored(sentence, experiment) : null;
  return {
    trace: translationJson(changed),
    pairs: pairPieces(original, changed),
    original: scores(original),
    changed: scores(changed),
    rescored: rescored && scores(rescored),
  };
}

/** `translationJson(trace)` is a translation as the page shows it. */
export function whatIfQuestions(laboratory, translationJson) {
  return {
    "lab.run": (sentence, changes) => runJson(laboratory, sentence, changes, translationJson),
    *"lab.weights"(sentence, changes, kind) {
      return encodeWeights(yield* laboratory.trace(sentence, changes), kind);
    },
    "lab.target": (text) => targetIds(laboratory, text),
    "lab.ranking": (...args) => rankingJson(laboratory, ...args),
    "lab.omission": (...args) => omissionJson(laboratory, ...args),
    "lab.contributions": (sentence) => ({ source: tensorJson(contributionsOf(laboratory.recordings.forwardPass(sentence))) }),
    "lab.agreement": (...args) => agreementJson(laboratory, ...args),
    "lab.patching": (...args) => patchingJson(laboratory, ...args),
    "lab.beam": (...args) => beamJson(laboratory, ...args),
    "lab.sample": (...args) => samplesJson(laboratory, ...args),
  };
}
