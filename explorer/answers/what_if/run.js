// The result of an experiment: explorer/tabs/what_if/tab.py.

import { pairPieces } from "./differences.js";
import { changesProbabilities } from "./experiment.js";

/** The log-probability (nats) and the rank of each step's piece; rank 0 is the most probable. */
function scores({ steps }) {
  return { logs: steps.map(({ logProbability }) => logProbability), ranks: steps.map(({ rank }) => rank) };
}

/** The changed translation, as `translationJson` shows one, and the scores of both; see run_answer in Python. */
export function* runJson(laboratory, sentence, changes, translationJson) {
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
