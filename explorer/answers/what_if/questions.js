// The questions of the tab What if, by name; long answers are generators (work.js).

import { contributionsJson } from "../contributions.js";
import { encodeWeights } from "../payload.js";
import { agreementJson, omissionJson } from "./omission.js";
import { patchingJson } from "./patching.js";
import { rankingJson } from "./ranking.js";
import { runJson } from "./run.js";
import { beamJson, samplesJson } from "./searching.js";
import { targetJson } from "./target.js";

/** `translationJson(trace)` is a translation as the page shows it. */
export function whatIfQuestions(laboratory, translationJson) {
  return {
    "lab.run": (sentence, changes) => runJson(laboratory, sentence, changes, translationJson),
    *"lab.weights"(sentence, changes, kind) {
      return encodeWeights(yield* laboratory.trace(sentence, changes), kind);
    },
    "lab.target": (text) => targetJson(laboratory, text),
    "lab.ranking": (...args) => rankingJson(laboratory, ...args),
    "lab.omission": (...args) => omissionJson(laboratory, ...args),
    "lab.contributions": (sentence) => contributionsJson(laboratory.recordings.forwardPass(sentence)),
    "lab.agreement": (...args) => agreementJson(laboratory, ...args),
    "lab.patching": (...args) => patchingJson(laboratory, ...args),
    "lab.beam": (...args) => beamJson(laboratory, ...args),
    "lab.sample": (...args) => samplesJson(laboratory, ...args),
  };
}
