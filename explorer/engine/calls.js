// The model's calls, as the engine in the browser answers them: the names, arguments and results of calls.py.

import { contributionsOf, valueNorms } from "./contributions.js";
import { directionsJson } from "./directions.js";
import { requireHead, validateNeurons } from "./experiments/experiment.js";
import { changesWithoutHeads, changesWithoutPieces } from "./experiments/forced.js";
import { Laboratory } from "./experiments/laboratory.js";
import { changesWithHeldNeurons, neuronReach } from "./experiments/neurons.js";
import { patchingResult } from "./experiments/patching.js";
import { beamJson, samplesJson } from "./experiments/searching.js";
import { headTensors } from "./head.js";
import { lensJson } from "./lens.js";
import { strips } from "./overview.js";
import { parameterJson } from "./parameter.js";
import { encodeWeights, tensorJson, traceJson } from "./payload.js";
import { ATTENTION, NO_PROBE, Probe, siteKey } from "./probe.js";
import { checkSentence, requireIndex } from "./refusals.js";
import { sourcePieces } from "./trace.js";

/** The names of the calls. */
export const CALLS = [
  "translate", "run", "weights", "encode", "tensors", "head", "lens", "norms", "contributions", "scores", "patching",
  "beam", "sample", "tokenize", "overview", "parameter", "neurons", "directions",
];

/** The calls about one checkpoint. A long one is a generator: it yields { done, total } between pieces of work. */
export class EngineCalls {
  /** @param {import("./recordings.js").Recordings} recordings */
  constructor(recordings) {
    this.recordings = recordings;
    this.translator = recordings.translator;
    this.settings = recordings.settings;
    this.laboratory = new Laboratory(recordings);
  }

  /** The trace of a greedy translation. @param {string} sentence */
  translate(sentence) {
    return traceJson(this.recordings.trace(sentence));
  }

  /**
   * The trace under an experiment, and the log-probabilities of the unchanged translation, null if it keeps them.
   * @param {string} sentence
   * @param {Experiment} experiment
   */
  *run(sentence, experiment) {
    const trace = yield* this.laboratory.trace(sentence, experiment);
    const rescored = yield* this.laboratory.rescored(sentence, experiment);
    return { ...traceJson(trace), rescored: rescored && rescored.steps.map(({ logProbability }) => logProbability) };
  }

  /**
   * All attention weights of a kind, for a trace that is too large for one result.
   * @param {string} sentence
   * @param {Experiment} experiment
   * @param {Kind} kind
   */
  *weights(sentence, experiment, kind) {
    return { weights: encodeWeights(yield* this.laboratory.trace(sentence, experiment), kind) };
  }

  /**
   * The source's pieces, and the encoder's output [src d_model] with positions and with zeros in their place.
   * @param {string} sentence
   */
  encode(sentence) {
    const { translator } = this;
    const text = checkSentence(sentence, translator, this.settings);
    const src = translator.sourceIds(text);
    const [memory, without] = [NO_PROBE, new Probe(withoutPositions)].map((probe) => {
      const { shape, data } = translator.encode(src, probe).memory;
      return tensorJson({ shape: shape.slice(1), data });
    });
    return { source: sourcePieces(translator, text, src), memory, without_positions: without };
  }

  /**
   * Every token's vector wherever it is changed, as a few numbers.
   * @param {string} sentence
   * @param {Experiment} experiment
   */
  *overview(sentence, experiment) {
    return { strips: strips(yield* this.laboratory.forwardPass(sentence, experiment)) };
  }

  /**
   * The weight and bias of one output of a linear layer, or of a normalisation.
   * @param {string} module @param {number | null} row
   */
  parameter(module, row) {
    return parameterJson(this.translator.model, module, row, this.settings);
  }

  /**
   * The tokens along a neuron's row of W_1 and column of W_2, and its neighbours.
   * @param {Stack} stack @param {number} layer @param {number} neuron
   */
  directions(stack, layer, neuron) {
    const { translator: { model }, settings } = this;
    requireIndex("layer", layer, model[stack].layers.length, settings);
    requireIndex("neuron", neuron, model.config.d_ff, settings);
    return directionsJson(this.translator, stack, layer, neuron);
  }

  /**
   * Every tensor of the forward pass in the order of computation: site, shape, root mean square; numbers of `sites`.
   * @param {string} sentence
   * @param {[Stack, number | null, string | null, string][]} sites stack, layer, sublayer and tensor
   * @param {Experiment} experiment
   */
  *tensors(sentence, sites, experiment = {}) {
    const pass = yield* this.laboratory.forwardPass(sentence, experiment);
    const keys = sites.map(([stack, layer, sublayer, tensor]) => siteKey({ stack, layer, sublayer, tensor }));
    const wanted = new Set(keys);
    const tensors = pass.sites.map((site) => {
      const { shape, data } = pass.at(site);
      const row = { ...site, shape, rms: rootMeanSquare(data) };
      return wanted.has(siteKey(site)) ? { ...row, data: tensorJson({ shape, data }).data } : row;
    });
    return { tensors };
  }

  /**
   * The mask and all tensors of one head, and the parameters of its projections.
   * @param {string} sentence
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {Experiment} experiment
   */
  *head(sentence, kind, layer, head, experiment = {}) {
    const pass = yield* this.laboratory.forwardPass(sentence, experiment);
    const { translator: { model }, settings } = this;
    requireIndex("layer", layer, model[ATTENTION[kind].stack].layers.length, settings);
    requireIndex("head", head, model.config.n_heads, settings);
    const tensors = Object.entries(headTensors(pass, kind, layer, head));
    return Object.fromEntries(tensors.map(([name, tensor]) => [name, tensorJson(tensor)]));
  }

  /**
   * A step's state and logits, what each layer would predict, and the lengths in both residual streams.
   * @param {string} sentence
   * @param {number} step
   * @param {Experiment} experiment
   */
  *lens(sentence, step, experiment = {}) {
    const pass = yield* this.laboratory.forwardPass(sentence, experiment);
    requireIndex("step", step, pass.trace.steps.length, this.settings);
    return lensJson(pass, step);
  }

  /** ||v W_O|| of every layer, head and key. @param {string} sentence @param {Kind} kind */
  norms(sentence, kind) {
    return { norms: tensorJson(valueNorms(this.recordings.forwardPass(sentence), kind)) };
  }

  /** The share [step, src] of each source piece in every prediction. @param {string} sentence */
  contributions(sentence) {
    return { source: tensorJson(contributionsOf(this.recordings.forwardPass(sentence))) };
  }

  /**
   * The changes [row, step] of the translation's log-probabilities: each head off alone, then each piece hidden, then
   * each neuron held.
   * @param {string} sentence
   * @param {HeadAt[]} heads
   * @param {Experiment["off_by"]} by
   * @param {number[]} hidden
   * @param {NeuronAt[]} neurons
   */
  *scores(sentence, heads, by, hidden, neurons = []) {
    const { laboratory, settings } = this;
    const trace = this.recordings.trace(sentence);
    for (const head of heads) requireHead(head, this.translator.model, settings);
    for (const piece of hidden) requireIndex("piece", piece, trace.source.length, settings);
    validateNeurons(neurons, this.translator.model, trace.source.length, settings);
    const means = heads.length && by === "mean" ? yield* laboratory.headMeans() : null;
    yield { done: 0, total: 1 };
    const forced = laboratory.forced(trace);
    const rows = [
      ...changesWithoutHeads(forced, heads, { by, means }),
      ...changesWithoutPieces(forced, hidden),
      ...changesWithHeldNeurons(forced, neurons),
    ];
    return { changes: tensorJson({ shape: [rows.length, trace.steps.length], data: rows.flat() }) };
  }

  /** By how much each neuron moves the stream after its layer at most: [layer d_ff]. @param {string} sentence */
  neurons(sentence) {
    const forced = this.laboratory.forced(this.recordings.trace(sentence));
    return { encoder: tensorJson(neuronReach(forced, "encoder")), decoder: tensorJson(neuronReach(forced, "decoder")) };
  }

  /**
   * Activation patching at some sites of a grid, from the one numbered `start` on.
   * @param {string} sentence
   * @param {string} donor
   * @param {"heads" | Stack} grid
   * @param {number} start
   */
  *patching(sentence, donor, grid, start) {
    const [first, second] = [donor, sentence].map((text) => this.recordings.trace(text));
    yield { done: start, total: start + 1 };
    return patchingResult(this.recordings, { donor: first, recipient: second, grid, start });
  }

  /** A beam search as a tree. @param {string} sentence @param {number} width */
  beam(sentence, width) {
    return beamJson(this.recordings, sentence, width);
  }

  /**
   * Sampled translations with consecutive seeds.
   * @param {string} sentence
   * @param {{ temperature: number, top_k: number | null, top_p: number }} sampling
   * @param {number} seed
   */
  sample(sentence, sampling, seed) {
    return samplesJson(this.recordings, sentence, sampling, seed);
  }

  /** The ids of a text in the target language, without its end, and the id of the end. @param {string} text */
  tokenize(text) {
    return { ids: this.laboratory.targetIds(text), end: this.translator.tokenizer.eosId };
  }
}

/** Replaces the encoder's positions by zeros. @type {import("./probe.js").Visit} */
function withoutPositions({ stack, tensor: name }, tensor) {
  return stack === "encoder" && name === "positions" ? tensor.map(() => 0) : undefined;
}

/**
 * The root mean square of the finite numbers; null for ids and masks.
 * @param {import("./tensor.js").TypedArray} data
 */
function rootMeanSquare(data) {
  if (!(data instanceof Float32Array)) return null;
  const finite = data.filter(Number.isFinite);
  return Math.sqrt(finite.reduce((sum, number) => sum + number * number, 0) / finite.length);
}
