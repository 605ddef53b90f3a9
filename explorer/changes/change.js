// What is changed in the translation of a sentence, and which of the two runs is shown: the unchanged one or that under
// the change.

import { isUnchanged, forOtherSentence, tidy } from "./experiments.js";
import { formatExperiment, parseExperiment } from "./experiment_text.js";
import { Pairing, invertPairs } from "./pairing.js";
import { pairPieces } from "../derived/differences.js";
import { createTrace } from "../derived/trace.js";
import { withRemarks } from "../derived/translation.js";
import { AnswerCache } from "../ui/answer_cache.js";

const MAX_CACHED_RUNS = 60;

export class Change {
  /** The unchanged translation. @type {Trace | null} */ source = null;
  /** What is to be changed. @type {Experiment} */ experiment = {};
  /** The changed translation, while an answer is awaited that of before. @type {Trace | null} */ changed = null;
  /** Whether the unchanged run is shown in spite of a change. */ isHeldBack = false;
  /** Whether an answer is awaited. */ isPending = false;
  /** What was last asked for, if the model refused it. @type {Experiment | null} */ refused = null;
  /**
   * The step of a run to which the view came, and the one of the unchanged run where it came from: if nobody has moved
   * since, it goes back there. @type {{ run: any, step: number, origin: number } | null}
   */
  landing = null;
  /** Where the next run is shown. @type {Partial<View> | null} */ nextView = null;
  /** Fulfilled when the last answer is there. @type {Promise<void>} */ settled = Promise.resolve();

  /**
   * `show(view)` draws what is shown now, in the present view changed by `view`; `notify()` is called after every other
   * change; `message` is the node for refusals, `failed` the sentence where no answer comes.
   * @param {import("../ui/model.js").Model} model
   * @param {{ show: (view: Partial<View> | null) => void, notify: () => void, message: HTMLElement,
   *   failed: string }} host
   */
  constructor(model, { show, notify, message, failed }) {
    this.model = model;
    this.show = show;
    this.notify = notify;
    this.message = message;
    this.failed = failed;
    this.count = 0;
    this.runs = new AnswerCache(([sentence, experiment]) => this.compute(sentence, experiment), MAX_CACHED_RUNS);
  }

  /** Whether the changed run is shown. */
  get isShown() {
    return this.changed !== null && !this.isHeldBack;
  }

  /** The translation that is shown, and the one that is not. */
  get trace() {
    return this.isShown ? this.changed : this.source;
  }

  get other() {
    return this.isShown ? this.source : this.changed;
  }

  /** What is shown beside the other run: that, the partners in it of what is shown, and the names of both. */
  comparison({ changed, unchanged }) {
    const { other, source, isShown } = this;
    return isShown
      ? { trace: other, pairs: this.changed.run.pairs, names: { shown: changed, other: unchanged } }
      : { trace: other, pairs: invertPairs(other.run.pairs, source), names: { shown: unchanged, other: changed } };
  }

  /**
   * A view of some run of the sentence as it is in the run that is shown.
   * @param {Trace} run
   * @param {any} view
   */
  viewFrom({ run }, view) {
    const { source, trace, landing } = this;
    const partner = run ? new Pairing(run.pairs, source).viewOf(view) : view;
    const hasStayed = landing?.run === run && landing?.step === view.step;
    const origin = hasStayed ? { ...partner, step: landing.origin } : partner;
    const found = trace.run ? new Pairing(invertPairs(trace.run.pairs, source), trace).viewOf(origin) : origin;
    this.landing = { run: trace.run, step: found.step, origin: origin.step };
    return { ...found, parted: undefined };
  }

  /** What is changed in the translation that is shown. */
  get shownExperiment() {
    return this.isShown ? this.changed.run.experiment : {};
  }

  /** The sizes that a change has to keep to. */
  get sizes() {
    const { source, kinds: { encoder, decoder } } = this.source;
    return { layers: { encoder: encoder.layers, decoder: decoder.layers }, heads: encoder.heads, src: source.length };
  }

  /** The text in the address. */
  get text() {
    return formatExperiment(this.experiment);
  }

  /** Takes another translation, with an experiment or with what remains of the change for another sentence. */
  begin(source, experiment = null) {
    const isOther = this.source !== null && this.source.sentence !== source.sentence;
    this.source = source;
    this.landing = null;
    this.experiment = tidy(experiment ?? (isOther ? forOtherSentence(this.experiment) : this.experiment));
    this.changed = null;
  }

  /** Takes over the text of the address about the present sentence; returns whether it is one. */
  read(text, view = null) {
    const experiment = parseExperiment(text);
    if (experiment === null || !isInside(experiment, this.sizes)) return false;
    this.nextView = view;
    this.take(experiment);
    return true;
  }

  /** What a visitor chooses; `view` is what the view changes to when the answer is there. */
  set(experiment, view = null) {
    this.nextView = view;
    this.take(experiment);
    this.notify();
  }

  /** What a visitor changes beside what is changed already. @param {Experiment} part */
  merge(part, view = null) {
    this.set({ ...this.experiment, ...part }, view);
  }

  /** Shows the unchanged run, or that under the change. */
  holdBack(isHeldBack) {
    if (this.changed === null || isHeldBack === this.isHeldBack) return;
    this.isHeldBack = isHeldBack;
    this.show(null);
  }

  /** @param {Experiment} experiment */
  take(experiment) {
    this.experiment = tidy(experiment);
    this.isHeldBack = false;
    this.refused = null;
    this.settled = this.run();
  }

  /** Runs the experiment and shows what comes of it, unless another one is wanted by then. */
  async run() {
    if (isUnchanged(this.experiment)) return this.receive(null);
    this.isPending = true;
    this.notify();
    const trace = await this.runs.latest(() => [this.source.sentence, this.experiment], this.message, this.failed);
    if (trace === undefined) return;
    if (trace && !trace.error) return this.receive(trace);
    // What was shown stays; a refused change is none, one without an answer may be tried again.
    if (trace) {
      this.refused = this.experiment;
      this.experiment = this.changed?.run.experiment ?? {};
    }
    this.isPending = false;
    this.nextView = null;
    this.notify();
  }

  /** @param {Trace | null} changed */
  receive(changed) {
    this.isPending = false;
    if (changed === null) this.message.textContent = "";
    this.changed = changed;
    const view = this.nextView;
    this.nextView = null;
    this.show(view);
  }

  /**
   * The translation under an experiment; `run` says of what it is, and how it and the unchanged one correspond.
   * @param {string} sentence
   * @param {Experiment} experiment
   * @returns {Promise<Trace>} rejects with a UserError or NoAnswer
   */
  async compute(sentence, experiment) {
    const { model, source } = this;
    const trace = createTrace(await model.run(sentence, experiment), { names: model.about.tokenNames });
    for (const map of Object.values(trace.kinds)) {
      map.off = (experiment.off ?? []).filter(([kind]) => kind === map.kind).map(([, layer, head]) => [layer, head]);
    }
    const run = { sentence, experiment, pairs: pairPieces(source, trace) };
    return withRemarks(Object.assign(trace, { submission: `run ${this.count += 1}`, run }), model.about);
  }
}

/**
 * Whether the heads, layers and tokens of an experiment exist.
 * @param {Experiment} experiment
 */
function isInside({ off = [], hidden = [], neurons = [], source }, { layers, heads, src }) {
  const stackOf = (kind) => (kind === "encoder" ? "encoder" : "decoder");
  const isInSource = (token) => source !== undefined || token < src;
  return off.every(([kind, layer, head]) => layer < layers[stackOf(kind)] && head < heads)
    && neurons.every(([stack, layer, , , position]) => (
      layer < layers[stack] && (stack === "decoder" || position === null || isInSource(position))))
    && hidden.every(isInSource);
}
