// The questions of the tab What if and of the dialog Save, by name; long answers are generators (work.js).

import { encodeWeights } from "../payload.js";
import { everythingJson, everythingNpz } from "../save/everything.js";
import { csvJson } from "../save/matrix.js";
import { Laboratory } from "./laboratory.js";
import { agreementJson, omissionJson } from "./omission.js";
import { patchingJson } from "./patching.js";
import { rankingJson } from "./ranking.js";
import { runJson } from "./run.js";
import { beamJson, samplesJson } from "./searching.js";
import { targetJson } from "./target.js";

/** `translationJson(trace)` is a translation as the page shows it. */
export function whatIfQuestions(recordings, translationJson) {
  const laboratory = new Laboratory(recordings);
  return {
    "lab.run": (sentence, changes) => runJson(laboratory, sentence, changes, translationJson),
    *"lab.weights"(sentence, changes, kind) {
      return encodeWeights(yield* laboratory.trace(sentence, changes), kind);
    },
    "lab.target": (text) => targetJson(laboratory, text),
    "lab.ranking": (...args) => rankingJson(laboratory, ...args),
    "lab.omission": (...args) => omissionJson(laboratory, ...args),
    "lab.agreement": (...args) => agreementJson(laboratory, ...args),
    "lab.patching": (...args) => patchingJson(laboratory, ...args),
    "lab.beam": (...args) => beamJson(laboratory, ...args),
    "lab.sample": (...args) => samplesJson(laboratory, ...args),
    "save.csv": (request) => csvJson(laboratory, request),
    "save.csv_unchanged": (request) => csvJson(laboratory, request),
    "save.json": (sentence, changes) => everythingJson(laboratory, sentence, changes),
    "save.npz": (sentence, changes) => everythingNpz(laboratory, sentence, changes),
  };
}
