// The questions of the tab What if, by name; long answers are generators (answers.js).

import { allHeads, headDrops } from "../../engine/forced.js";
import { WORD_START } from "../../engine/sentencepiece.js";
import { contributionsJson } from "../contributions.js";
import { encodeWeights } from "../payload.js";
import { lengthOf, strip } from "../python_text.js";
import { Refusal } from "../refusal.js";
import { requirePlainCharacters, refuseSentence } from "../sentence.js";
import { pairPieces } from "./differences.js";
import { changesProbabilities } from "./experiment.js";
import { agreementJson, omissionJson } from "./omission.js";
import { patchingJson } from "./patching.js";
import { beamJson, samplesJson } from "./searching.js";

/** The drops, in nats, of heads `start` to `stop` of `allHeads`, each ablated alone. Throws a Refusal for another range. */
function* rankingJson(laboratory, sentence, by, start, stop) {
  const { translator, recordings, data: { ranking: { noPart, MAX_HEADS_PER_PART } } } = laboratory, heads = allHeads(translator.model);
  if (!(start >= 0 && start < stop && stop <= Math.min(heads.length, start + MAX_HEADS_PER_PART))) throw new Refusal(noPart);
  const forced = laboratory.forced(recordings.trace(sentence)), part = heads.slice(start, stop);
  const means = by === "mean" ? yield* laboratory.headMeans() : null;
  yield { done: start, total: heads.length };
  const drops = headDrops(forced, { heads: part, by, means });
  return { heads: part, drops: drops.map((row) => row.reduce((sum, drop) => sum + drop, 0)) };
}

/** The ids of a text in the target language, and the end id. Throws a Refusal if the vocabulary lacks some of it. */
function targetJson(laboratory, text) {
  const { translator: { tokenizer }, recordings: { data } } = laboratory, { MAX_CHARACTERS, MAX_PIECES } = data.limits;
  if (typeof text !== "string") laboratory.refuse("no_text");
  if (lengthOf(text) > MAX_CHARACTERS) refuseSentence(data, "long", { length: lengthOf(text), limit: MAX_CHARACTERS });
  requirePlainCharacters(text, data);
  const ids = tokenizer.encode(strip(text), "target"), surfaces = tokenizer.surfaces(strip(text), "target");
  const unknown = surfaces.filter((_, i) => ids[i] === tokenizer.unkId).map((surface) => surface.replace(new RegExp(`^${WORD_START}+`), ""));
  if (unknown.length) laboratory.refuse("unknown_target", { characters: unknown.join(" ") });
  if (!ids.length) laboratory.refuse("empty_target");
  if (ids.length >= MAX_PIECES) laboratory.refuse("long_target", { pieces: ids.length, limit: MAX_PIECES - 1 });
  return { ids, end: tokenizer.eosId };
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
