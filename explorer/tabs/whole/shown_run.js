// The translation that the picture shows, which is that of the attention view, its step, and its vectors.

import { compareRuns } from "./differences.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { decodeStrip } from "../../ui/tensor.js";

const MAX_CACHED_RUNS = 6, MAX_CACHED_WEIGHTS = 6;

export class ShownRun {
  /** The attention view. @type {any} */ viewer = null;
  /** Whose vectors are shown. @type {Trace | null} */ drawn = null;
  /** The tensors of the streams by name. @type {Map<string, import("../../ui/tensor.js").Tensor>} */
  strips = new Map();
  /** @type {import("./differences.js").Comparison | null} */ compared = null;

  constructor(model) {
    this.runs = new AnswerCache(([sentence, experiment]) => fetchStrips(model, sentence, experiment), MAX_CACHED_RUNS);
    this.weights = new AnswerCache((request) => model.weights(...request), MAX_CACHED_WEIGHTS);
  }

  get trace() {
    return this.viewer.trace;
  }

  /** The sentence of requests; the changed model may have read another one. */
  get sentence() {
    return this.viewer.source.sentence;
  }

  get isChanged() {
    return this.trace.run !== undefined;
  }

  /** What is changed in what is shown. */
  get experiment() {
    return this.viewer.experiment;
  }

  get step() {
    return this.viewer.view.step;
  }

  /** A changed run beside the unchanged one, as soon as both are there. */
  get comparison() {
    return this.drawn === this.trace ? this.compared : null;
  }

  /** Whether all of what is shown is there, and of one run: strips and weights. */
  get isComplete() {
    return this.drawn === this.trace && Object.values(this.trace.kinds).every(({ ready }) => ready);
  }

  /** What is shown now, from a step on that has another one after it, whatever is shown later. */
  still() {
    const { viewer: { source }, trace, sentence, experiment, isChanged, comparison, strips, step } = this;
    const isEnd = step === trace.steps.length - 1;
    return {
      viewer: { source }, trace, sentence, experiment, isChanged, comparison, strips: new Map(strips),
      step: isEnd ? trace.defaultStep : step,
    };
  }

  goToStep(step) {
    if (step !== this.step) this.viewer.set({ step });
  }

  /** The end of a sentence is no good example: it gives way to the telling step. */
  leaveEnd() {
    const { trace, step } = this;
    if (step === trace.steps.length - 1) this.goToStep(trace.defaultStep);
  }

  /** Switches a part of the model (explorer/changes/experiments.js) off, or on again. */
  switch(withSwitched, part) {
    const { change } = this.viewer;
    change.set(withSwitched(change.experiment, part));
  }

  /**
   * Loads the vectors of what is shown. `message` and `failed` are those of `AnswerCache.latest`. Resolves to "late" if
   * something else is shown by then, "failed" if there are none, else to "new" or "same".
   */
  async load(message, failed) {
    const { trace } = this;
    const strips = await this.runs.latest(() => [this.sentence, this.experiment], message, failed);
    if (strips === undefined || trace !== this.trace) return "late";
    if (strips === null || strips.error) return "failed";
    const unchanged = this.isChanged ? await this.runs.get([this.sentence, {}]) : strips;
    if (trace !== this.trace) return "late";
    if (trace === this.drawn) return "same";
    if (unchanged === null || unchanged.error) return "failed";
    this.drawn = trace;
    this.strips = new Map(strips);
    this.compared = this.isChanged
      ? compareRuns({ trace: this.viewer.source, strips: unchanged }, { trace, strips }) : null;
    return "new";
  }

  /**
   * Loads the weights of a translation that was too large to come with them; resolves to whether there are new ones.
   * `message` and `failed` are those of `AnswerCache.latest`.
   */
  async loadWeights(message, failed) {
    const { trace } = this;
    const loads = Object.values(trace.kinds).filter(({ ready }) => !ready).map(async (map) => {
      const request = () => [this.sentence, this.experiment, map.kind];
      const answer = await this.weights.latest(request, message, failed);
      if (!answer || answer.error || trace !== this.trace) return false;
      map.receive(answer);
      return true;
    });
    return (await Promise.all(loads)).includes(true);
  }
}

/** The strips of every vector of a run by name. */
async function fetchStrips(model, sentence, experiment) {
  const { strips } = await model.overview(sentence, experiment);
  return new Map(strips.map(({ stack, layer, sublayer, tensor, ...strip }) => (
    /** @type {[string, any]} */ ([[stack, layer, sublayer, tensor].join(" "), decodeStrip(strip)]))));
}
