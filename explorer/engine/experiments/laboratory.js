// Runs experiments and keeps the latest results: explorer/experiments/laboratory.py and running.py.

import { NO_PROBE } from "../probe.js";
import { lengthOf, strip } from "../python_text.js";
import { ForwardPass, RecentCache } from "../recordings.js";
import { checkSentence, refuse, requirePlainCharacters } from "../refusals.js";
import { buildTrace, recordTrace, withoutWordStart } from "../trace.js";
import { changesProbabilities, replacesTensors, sourceText, validateExperiment } from "./experiment.js";
import { ForcedTranslation } from "./forced.js";
import { experimentChanges, headMeans, interventionProbe } from "./interventions.js";

/** @typedef {import("../trace.js").ComputedTrace} ComputedTrace */
/** @typedef {import("./interventions.js").Means} Means */

const MAX_TRACES = 12; // a trace of a sentence of 128 pieces takes 6 MB

export class Laboratory {
  /** @type {Means | null} */ means = null;
  /** @type {RecentCache<ComputedTrace>} */ traces = new RecentCache(MAX_TRACES);
  /** @type {RecentCache<ForcedTranslation>} */ forcedTranslations = new RecentCache(1);

  /** @param {import("../recordings.js").Recordings} recordings */
  constructor(recordings) {
    this.recordings = recordings;
    this.translator = recordings.translator;
    this.settings = recordings.settings;
  }

  /** @param {string} text */
  checkSentence(text) {
    return checkSentence(text, this.translator, this.settings);
  }

  /**
   * The experiment with all its fields, and stripped texts. Throws a UserError for one of the texts.
   * @param {Experiment} changes
   * @returns {Experiment}
   */
  complete(changes) {
    const experiment = { ...this.settings.unchanged, ...changes };
    const { source, patch } = experiment;
    return {
      ...experiment,
      source: source === null ? null : this.checkSentence(source),
      patch: patch && { heads: [], cells: [], ...patch, sentence: this.checkSentence(patch.sentence) },
    };
  }

  /** Every head's mean output over the examples and their greedy translations; computed once. */
  *headMeans() {
    const { translator, settings: { examples } } = this;
    if (!examples.length) refuse(this.settings, "no_examples");
    if (this.means) return this.means;
    /** @type {[src: number[], tgtIn: number[]][]} */
    const pairs = [];
    for (const [done, sentence] of examples.entries()) {
      yield { done, total: examples.length };
      const src = translator.sourceIds(sentence);
      const steps = [...translator.steps(translator.encode(src))];
      pairs.push([src, [translator.tokenizer.bosId, ...steps.slice(0, -1).map(({ id }) => id)]]);
    }
    this.means = headMeans(translator, pairs);
    return this.means;
  }

  /**
   * The unchanged translation as one that is forced.
   * @param {ComputedTrace} trace
   */
  forced({ sentence, source, steps }) {
    const [src, tgtOut] = [source, steps].map((list) => list.map(({ id }) => id));
    return this.forcedTranslations.get(sentence, () => new ForcedTranslation(this.translator, src, tgtOut));
  }

  /**
   * Whether an experiment changes anything; one without fields does not.
   * @param {Experiment} changes
   */
  isChange(changes) {
    const { unchanged } = this.settings;
    return JSON.stringify({ ...unchanged, ...changes }) !== JSON.stringify(unchanged);
  }

  /**
   * The trace of a sentence under an experiment; one without fields changes nothing. Throws a UserError.
   * @param {string} sentence
   * @param {Experiment} changes
   */
  *trace(sentence, changes) {
    const { translator, settings: { limits: { MAX_PIECES } } } = this;
    if (!this.isChange(changes)) return this.recordings.trace(sentence);
    const experiment = this.complete(changes);
    const { length } = experiment.beginning;
    const text = this.checkSentence(experiment.source ?? sentence);
    const limit = Math.min(translator.limit(translator.sourceIds(text).length), MAX_PIECES);
    if (length > MAX_PIECES) refuse(this.settings, "long_target", { pieces: length, limit: MAX_PIECES });
    return yield* this.run(sentence, experiment, Math.max(limit, length));
  }

  /**
   * The forward pass over that trace, with the experiment's interventions. It takes the place of the one that is kept.
   * @param {string} sentence
   * @param {Experiment} changes
   */
  *forwardPass(sentence, changes) {
    const { recordings, translator } = this;
    if (!this.isChange(changes)) return recordings.forwardPass(sentence);
    const trace = yield* this.trace(sentence, changes);
    const experiment = this.complete(changes);
    const means = yield* this.meansFor(experiment);
    return recordings.passes.get(JSON.stringify([trace.sentence, experiment]), () => {
      return new ForwardPass(translator, trace, this.probe(trace.sentence, experiment, trace.source.length, means));
    });
  }

  /**
   * The unchanged translation, forced under an experiment; null if that cannot change its probability.
   * @param {string} sentence
   * @param {Experiment} changes
   */
  *rescored(sentence, changes) {
    const experiment = this.complete(changes);
    if (!changesProbabilities(experiment)) return null;
    const beginning = this.recordings.trace(sentence).steps.map(({ id }) => id);
    return yield* this.run(sentence, { ...experiment, beginning }, beginning.length);
  }

  /**
   * The heads' means, if an experiment needs them.
   * @param {Experiment} experiment
   */
  *meansFor({ off, off_by: by }) {
    return off.length && by === "mean" ? yield* this.headMeans() : null;
  }

  /** @param {string} sentence @param {Experiment} experiment @param {number} maxSteps */
  *run(sentence, experiment, maxSteps) {
    const means = yield* this.meansFor(experiment);
    const checked = this.checkSentence(sentence);
    const key = JSON.stringify([checked, experiment, maxSteps]);
    return this.traces.get(key, () => this.record(sourceText(checked, experiment), experiment, { maxSteps, means }));
  }

  /** @param {string} text @param {Experiment} experiment @param {{ maxSteps: number, means: Means | null }} options */
  record(text, experiment, { maxSteps, means }) {
    const { translator } = this;
    const src = translator.sourceIds(text);
    validateExperiment(experiment, translator, src.length, this.settings);
    const probe = this.probe(text, experiment, src.length, means);
    const encoded = translator.encode(src, probe);
    const beginning = experiment.beginning.slice(0, maxSteps);
    const isEnded = beginning.at(-1) === translator.tokenizer.eosId || beginning.length === maxSteps;
    const steps = beginning.length > 0 && isEnded
      ? translator.forcedSteps(encoded, beginning, probe)
      : [...translator.steps(encoded, { beginning, maxSteps, probe })];
    return buildTrace(translator, text, src, encoded, steps);
  }

  /**
   * The probe that intervenes in the run that reads a text.
   * @param {string} text @param {Experiment} experiment @param {number} nSrc @param {Means | null} means
   */
  probe(text, experiment, nSrc, means) {
    if (!replacesTensors(experiment)) return NO_PROBE;
    const { recordings, translator } = this;
    const { decoder_positions, patch } = experiment;
    const decoder = decoder_positions === "shuffled" ? recordTrace(translator, text).steps.length : 0;
    const donor = patch && recordings.forwardPass(patch.sentence).tensors;
    const lengths = { encoder: nSrc, decoder };
    return interventionProbe(experimentChanges(experiment, translator, { lengths, means, donor }));
  }

  /**
   * The ids of a text in the target language, without its end. Throws a UserError if the vocabulary lacks a part.
   * @param {string} text
   */
  targetIds(text) {
    const { settings, translator: { tokenizer } } = this;
    const { MAX_CHARACTERS, MAX_PIECES } = settings.limits;
    if (typeof text !== "string") refuse(settings, "no_text");
    if (lengthOf(text) > MAX_CHARACTERS) refuse(settings, "long", { length: lengthOf(text), limit: MAX_CHARACTERS });
    requirePlainCharacters(text, settings);
    const ids = tokenizer.encode(strip(text), "target");
    const surfaces = tokenizer.surfaces(strip(text), "target");
    const unknown = surfaces.filter((_, i) => ids[i] === tokenizer.unkId).map(withoutWordStart);
    if (unknown.length) refuse(settings, "unknown_target", { characters: unknown.join(" ") });
    if (!ids.length) refuse(settings, "empty_target");
    if (ids.length >= MAX_PIECES) refuse(settings, "long_target", { pieces: ids.length, limit: MAX_PIECES - 1 });
    return ids;
  }
}
