// The model's calls, as the engine in the browser answers them: the names, arguments and results of calls.py.

import { contributionsOf } from "./contributions.js";
import { headTensors } from "./head.js";
import { valueNorms } from "./lengths.js";
import { encodeWeights, tensorJson } from "./payload.js";
import { sourcePieces } from "./pieces.js";
import { lensJson } from "./lens.js";
import { requireIndex } from "./refusal.js";
import { checkSentence } from "./refusals.js";
import { rawTraceJson } from "./trace.js";
import { Laboratory } from "./experiments/laboratory.js";
import { omissionEffects } from "./experiments/omission.js";
import { patchingResult } from "./experiments/patching.js";
import { beamJson, samplesJson } from "./experiments/searching.js";
import { targetIds } from "./experiments/target.js";
import { allHeads, headDrops } from "./experiments/forced.js";
import { NO_PROBE, Probe, siteKey } from "./probe.js";

/** The names of the calls. */
export const CALLS = [
  "translate", "run", "weights", "encode", "tensors", "head", "lens", "norms", "contributions", "scores", "patching", "beam",
  "sample", "tokenize",
];

/** The calls about one checkpoint. A long one is a generator: it yields { done, total } between pieces of work. */
export class EngineCalls {
  /** @param {import("./recordings.js").Recordings} recordings */
  constructor(recordings) {
    this.recordings = recordings;
    this.translator = recordings.translator;
    this.laboratory = new Laboratory(recordings);
  }

  /** The trace of a greedy translation. */
  translate(sentence) {
    return rawTraceJson(this.recordings.trace(sentence));
  }

  /** The trace under an experiment, and the log-probabilities of the unchanged translation, null if it keeps them. */
  *run(sentence, experiment) {
    const { laboratory } = this;
    const trace = yield* traceOf(laboratory, sentence, experiment);
    const forced = laboratory.rescores(experiment) ? yield* laboratory.rescored(sentence, experiment) : null;
    return { ...rawTraceJson(trace), rescored: forced && forced.steps.map(({ logProbability }) => logProbability) };
  }

  /** All attention weights of a kind, for a trace that is too large for one result. */
  *weights(sentence, experiment, kind) {
    return { weights: encodeWeights(yield* traceOf(this.laboratory, sentence, experiment), kind) };
  }

  /** The source's pieces, and the encoder's output [src d_model] with positions and with zeros in their place. */
  encode(sentence) {
    const { translator, recordings: { data } } = this;
    const text = checkSentence(sentence, translator, data);
    const src = translator.sourceIds(text);
    const [memory, without] = [NO_PROBE, new Probe(withoutPositions)].map((probe) => {
      const { shape, data: numbers } = translator.encode(src, probe).memory;
      return tensorJson({ shape: shape.slice(1), data: numbers });
    });
    return { source: sourcePieces(translator, text, src), memory, without_positions: without };
  }

  /** Every tensor of the forward pass in the order of computation: site, shape, root mean square; numbers of `sites`. */
  tensors(sentence, sites) {
    const pass = this.recordings.forwardPass(sentence);
    const wanted = new Set(sites.map(([stack, layer, sublayer, tensor]) => siteKey({ stack, layer, sublayer, tensor })));
    const tensors = pass.sites.map((site) => {
      const { shape, data } = pass.at(site);
      const row = { ...site, shape, rms: rootMeanSquare(data) };
      return wanted.has(siteKey(site)) ? { ...row, data: tensorJson({ shape, data }).data } : row;
    });
    return { tensors };
  }

  /** One head for each sentence of a padded batch: ids, mask, all tensors, and the parameters of its projections. */
  head(sentences, kind, layer, head) {
    const pass = this.recordings.forwardPass(...sentences);
    const heads = sentences.map((_, place) => {
      const tensors = headTensors(pass, kind, layer, head, { sentence: place, refusals: this.recordings.refusals });
      const encoded = Object.entries(tensors).map(([name, tensor]) => [name, tensorJson(tensor)]);
      return { src: [...pass.src.at(place)], tgt_in: [...pass.tgtIn.at(place)], ...Object.fromEntries(encoded) };
    });
    return { heads };
  }

  /** A step's state and logits, what each layer would predict, and the lengths in both residual streams. */
  lens(sentence, step) {
    return lensJson(this.recordings.forwardPass(sentence), step, this.recordings.refusals);
  }

  /** ||v W_O|| of every layer, head and key. */
  norms(sentence, kind) {
    return { norms: tensorJson(valueNorms(this.recordings.forwardPass(sentence), kind)) };
  }

  /** The share [step, src] of each source piece in every prediction. */
  contributions(sentence) {
    return { source: tensorJson(contributionsOf(this.recordings.forwardPass(sentence))) };
  }

  /** The changes [row, step] of the translation's log-probabilities: each head off alone, then each piece hidden. */
  *scores(sentence, heads, by, hidden) {
    const { laboratory, recordings } = this;
    const trace = recordings.trace(sentence);
    laboratory.validate({ ...laboratory.data.unchanged, off: heads });
    for (const piece of hidden) requireIndex("piece", piece, trace.source.length, recordings.refusals);
    const means = heads.length && by === "mean" ? yield* laboratory.headMeans() : null;
    yield { done: 0, total: 1 };
    const ordered = allHeads(this.translator.model).filter((head) => heads.some((one) => `${one}` === `${head}`));
    const drops = headDrops(laboratory.forced(trace), { heads: ordered, by, means });
    const dropsOf = new Map(ordered.map((head, row) => [`${head}`, drops[row].map((drop) => -drop)]));
    const rows = [...heads.map((head) => dropsOf.get(`${head}`)), ...omissionEffects(laboratory, trace, hidden)];
    return { changes: tensorJson({ shape: [rows.length, trace.steps.length], data: rows.flat() }) };
  }

  /** Activation patching at some sites of a grid, from the one numbered `start` on. */
  *patching(sentence, donor, grid, start) {
    const [first, second] = [donor, sentence].map((text) => this.recordings.trace(text));
    yield { done: start, total: start + 1 };
    return patchingResult(this.laboratory, { donor: first, recipient: second, grid, start });
  }

  /** A beam search as a tree. */
  beam(sentence, width) {
    return beamJson(this.laboratory, sentence, width);
  }

  /** Sampled translations with consecutive seeds. */
  sample(sentence, sampling, seed) {
    return samplesJson(this.laboratory, sentence, sampling, seed);
  }

  /** The ids of a text in the target language, without its end, and the id of the end. */
  tokenize(text) {
    return targetIds(this.laboratory, text);
  }
}

/** The trace of a translation under an experiment. */
function* traceOf(laboratory, sentence, experiment) {
  if (!laboratory.isChange(experiment)) return laboratory.recordings.trace(sentence);
  return yield* laboratory.trace(sentence, experiment);
}

/** A probe's visit that replaces the encoder's positions by zeros. */
function withoutPositions({ stack, tensor: name }, tensor) {
  return stack === "encoder" && name === "positions" ? tensor.map(() => 0) : undefined;
}

/** The root mean square of the finite numbers; null for ids and masks. */
function rootMeanSquare(data) {
  if (!(data instanceof Float32Array)) return null;
  const finite = data.filter(Number.isFinite);
  return Math.sqrt(finite.reduce((sum, number) => sum + number * number, 0) / finite.length);
}
