// The translation that the picture shows, and its step: Explore's, or that of a changed run.

import { compareRuns } from "./changes/differences.js";
import { fetchRun } from "./changes/run.js";
import { AnswerCache } from "../../ui/answer_cache.js";

const MAX_CACHED_RUNS = 6, KINDS = 3;

export class ShownRun {
  /** The view of Explore. @type {any} */ explore = null;
  /** What is shown, of Explore's sentence. @type {import("./changes/run.js").Run | null} */ run = null;
  /** Of a changed run. @type {import("./changes/differences.js").Comparison | null} */ comparison = null;
  /** The tensors of the streams by name. @type {Map<string, import("../../ui/tensor.js").Tensor>} */
  strips = new Map();
  /** A step of a changed translation that Explore's does not have, and Explore's step then. */ ownStep = null;

  constructor(model) {
    this.runs = new AnswerCache(([sentence, experiment]) => fetchRun(model, sentence, experiment), MAX_CACHED_RUNS);
    this.weights = new AnswerCache(([sentence, kind]) => model.weights(sentence, {}, kind), KINDS);
  }

  get trace() {
    const { run, explore: { trace } } = this;
    return run?.trace && run.sentence === trace.sentence ? run.trace : trace;
  }

  get isChanged() {
    return this.trace !== this.explore.trace;
  }

  /** What is changed in what is shown. */
  get experiment() {
    return this.isChanged ? this.run.experiment : {};
  }

  /** The step of Explore as far as the translation has it, or one beyond Explore's. */
  get step() {
    const { explore: { view }, ownStep, trace: { steps } } = this;
    return Math.min(ownStep?.explore === view.step ? ownStep.step : view.step, steps.length - 1);
  }

  /** Whether all of what is shown is there, and of one sentence: strips and weights. */
  get isComplete() {
    const { run, explore, trace } = this;
    return run?.sentence === explore.trace.sentence && Object.values(trace.kinds).every(({ ready }) => ready);
  }

  /** What is shown now, from a step on that has another one after it, whatever is shown later. */
  still() {
    const { explore, trace, experiment, isChanged, comparison, strips, step } = this;
    const isEnd = step === trace.steps.length - 1;
    return {
      explore: { trace: explore.trace }, trace, experiment, isChanged, comparison, strips: new Map(strips),
      step: isEnd ? trace.defaultStep : step,
    };
  }

  /** Goes to a step; returns whether that is this picture's alone, which Explore does not tell of. */
  goToStep(step) {
    const { explore } = this;
    if (step === this.step) return false;
    this.ownStep = step < explore.trace.steps.length ? null : { step, explore: explore.view.step };
    if (this.ownStep !== null || step === explore.view.step) return true;
    explore.set({ step });
    return false;
  }

  /**
   * Loads the run of an experiment and shows it. `wanted()` is the experiment that is wanted now, `message` and
   * `failed` are those of `AnswerCache.latest`. Resolves to "late" if another one is wanted by then, "failed" if there
   * is none, else to "new" or "same".
   */
  async load(wanted, message, failed) {
    const run = await this.runs.latest(() => [this.explore.trace.sentence, wanted()], message, failed);
    if (run === undefined) return "late";
    if (run === null || run.error) return "failed";
    const unchanged = run.trace ? await this.runs.get([run.sentence, {}]) : run;
    if (run === this.run) return "same";
    this.run = run;
    this.strips = new Map(run.strips);
    const { trace } = this.explore;
    this.comparison = run.trace && compareRuns({ trace, strips: unchanged.strips }, run);
    return "new";
  }

  /**
   * Loads the weights of a translation of Explore that was too large to come with them; resolves to whether there are
   * new ones. `message` and `failed` are those of `AnswerCache.latest`.
   */
  async loadWeights(message, failed) {
    const missing = Object.values(this.trace.kinds).filter(({ ready }) => !ready);
    const loads = missing.map(async (map) => {
      const answer = await this.weights.latest(() => [this.explore.trace.sentence, map.kind], message, failed);
      if (!answer || answer.error) return false;
      map.receive(answer);
      return true;
    });
    return (await Promise.all(loads)).includes(true);
  }
}
