// Runs experiments and keeps the latest results: explorer/experiments/laboratory.py and running.py.

import { ForcedTranslation } from "./forced.js";
import { experimentChanges, headMeans, interventionProbe } from "./interventions.js";
import { NO_PROBE } from "../probe.js";
import { formatText } from "../../ui/format_text.js";
import { RecentCache } from "../recordings.js";
import { UserError } from "../../ui/user_error.js";
import { checkSentence } from "../refusals.js";
import { buildTrace, recordTrace } from "../trace.js";
import { changedFields, changesProbabilities, replacesTensors, sourceText, validateExperiment } from "./experiment.js";

const MAX_TRACES = 12; // a trace of a sentence of 128 pieces takes 6 MB

export class Laboratory {
  constructor(recordings) {
    Object.assign(this, { recordings, translator: recordings.translator, data: recordings.data.whatIf, means: null });
    Object.assign(this, { traces: new RecentCache(MAX_TRACES), passes: new RecentCache(1) });
  }

  /** Throws the UserError of a name in a catalogue. */
  refuse(reason, values = {}, refusals = this.data.refusals) {
    throw new UserError(formatText(refusals[reason], values, this.recordings.data.language));
  }

  checkSentence(text) {
    return checkSentence(text, this.translator, this.recordings.data);
  }

  /** Whether the fields of an experiment, or null, change anything. */
  isChange(changes) {
    return Object.keys(changedFields(changes ?? {}, this.data.unchanged)).length > 0;
  }

  /** Whether an experiment may change the probability of the unchanged translation. */
  rescores(changes) {
    return changesProbabilities(this.complete(changes));
  }

  /** The experiment with all its fields, and stripped texts. Throws a UserError for one of the texts. */
  complete(changes) {
    const experiment = { ...this.data.unchanged, ...changes }, { source, patch } = experiment;
    return {
      ...experiment,
      source: source === null ? null : this.checkSentence(source),
      patch: patch && { heads: [], cells: [], ...patch, sentence: this.checkSentence(patch.sentence) },
    };
  }

  /** Every head's mean output over the examples and their greedy translations; computed once. */
  *headMeans() {
    if (!this.data.examples.length) this.refuse("no_examples");
    if (this.means) return this.means;
    const { translator, data: { examples } } = this, pairs = [];
    for (const [done, sentence] of examples.entries()) {
      yield { done, total: examples.length };
      const src = translator.sourceIds(sentence), steps = [...translator.steps(translator.encode(src))];
      pairs.push([src, [translator.tokenizer.bosId, ...steps.slice(0, -1).map(({ id }) => id)]]);
    }
    return (this.means = headMeans(translator, pairs));
  }

  /** The unchanged translation as one that is forced. */
  forced({ sentence, source, steps }) {
    const [src, tgtOut] = [source, steps].map((list) => list.map(({ id }) => id));
    return this.passes.get(sentence, () => new ForcedTranslation(this.translator, src, tgtOut));
  }

  /** The changed translation of a sentence. Throws a UserError. */
  *trace(sentence, changes) {
    const { translator } = this, experiment = this.complete(changes), { beginning } = experiment;
    const text = this.checkSentence(experiment.source ?? sentence), { MAX_PIECES } = this.recordings.data.limits;
    const limit = Math.min(translator.limit(translator.sourceIds(text).length), MAX_PIECES);
    if (beginning.length > MAX_PIECES) this.refuse("long_target", { pieces: beginning.length, limit: MAX_PIECES });
    return yield* this.run(sentence, experiment, Math.max(limit, beginning.length));
  }

  /** The unchanged translation, forced under an experiment. */
  *rescored(sentence, changes) {
    const beginning = this.recordings.trace(sentence).steps.map(({ id }) => id);
    return yield* this.run(sentence, { ...this.complete(changes), beginning }, beginning.length);
  }

  *run(sentence, experiment, maxSteps) {
    const means = experiment.off.length && experiment.off_by === "mean" ? yield* this.headMeans() : null;
    const key = JSON.stringify([this.checkSentence(sentence), experiment, maxSteps]);
    return this.traces.get(key, () => this.record(sourceText(this.checkSentence(sentence), experiment), experiment, { maxSteps, means }));
  }

  /** Throws a UserError if the model, or a source of `nSrc` pieces, lacks what an experiment names. */
  validate(experiment, nSrc = Infinity) {
    validateExperiment(experiment, this.translator, nSrc, (reason, values) => this.refuse(reason, values));
  }

  record(text, experiment, { maxSteps, means }) {
    const { translator, translator: { tokenizer: { eosId } } } = this, src = translator.sourceIds(text);
    this.validate(experiment, src.length);
    const probe = replacesTensors(experiment) ? this.probe(text, experiment, src.length, means) : NO_PROBE;
    const encoded = translator.encode(src, probe), beginning = experiment.beginning.slice(0, maxSteps);
    const isForced = beginning.length > 0 && (beginning.at(-1) === eosId || beginning.length === maxSteps);
    const steps = isForced
      ? translator.forcedSteps(encoded, beginning, probe)
      : [...translator.steps(encoded, { beginning, maxSteps, probe })];
    return buildTrace(translator, text, src, encoded, steps);
  }

  /** The probe that intervenes in the run that reads a text. */
  probe(text, experiment, nSrc, means) {
    const { recordings, translator } = this, { decoder_positions: how, patch } = experiment, lengths = { encoder: nSrc, decoder: 0 };
    if (how === "shuffled") lengths.decoder = recordTrace(translator, text).target.length;
    const donor = patch && recordings.forwardPass(patch.sentence).tensors;
    return interventionProbe(experimentChanges(experiment, translator, { lengths, means, donor }));
  }
}
