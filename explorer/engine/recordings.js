// Traces and forward passes of one translator, the latest of them kept: explorer/recording/recordings.py and forward_pass.py.

import { distribution } from "./decoding.js";
import { Probe, siteKey } from "./probe.js";
import { idTensor } from "./tensor.js";
import { checkSentence } from "./refusals.js";
import { recordTrace } from "./trace.js";

const MAX_TRACES = 12, MAX_PASSES = 1; // of a sentence of 128 pieces they take 6 and 75 MB

/** A Map of the latest values. */
export class RecentCache {
  constructor(size) {
    this.size = size;
    this.values = new Map();
  }

  /** The value of a key, or what `compute()` returns. */
  get(key, compute) {
    const value = this.values.has(key) ? this.values.get(key) : compute();
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.size) this.values.delete(this.values.keys().next().value);
    return value;
  }
}

export class Recordings {
  /** `data` are limits and texts (settings.py). */
  constructor(translator, data) {
    Object.assign(this, { translator, data, traces: new RecentCache(MAX_TRACES), passes: new RecentCache(MAX_PASSES) });
  }

  /** What a refusal of an index is made of. */
  get refusals() {
    return { words: this.data.questions.refusals, language: this.data.language };
  }

  /** The trace of a sentence. Throws a UserError, with a sentence for the visitor. */
  trace(sentence) {
    const { translator, data } = this, text = checkSentence(sentence, translator, data);
    return this.traces.get(text, () => {
      const limit = translator.limit(translator.sourceIds(text).length);
      return recordTrace(translator, text, { maxSteps: Math.min(limit, data.limits.MAX_PIECES) });
    });
  }

  /** The pass over the translations of sentences, as one batch. Throws a UserError. */
  forwardPass(...sentences) {
    const traces = sentences.map((sentence) => this.trace(sentence));
    const key = JSON.stringify(traces.map(({ sentence }) => sentence));
    return this.passes.get(key, () => new Pass(this.translator, traces));
  }
}

/** Ids of sentences, padded to the longest. */
function padded(rows, padId) {
  const length = Math.max(...rows.map((row) => row.length));
  return idTensor(rows.map((row) => [...row, ...new Array(length - row.length).fill(padId)]));
}

/** Every tensor of a forward pass over finished translations, in the order of computation. */
class Pass {
  constructor(translator, traces) {
    const { model, tokenizer: { padId } } = translator, sites = [], tensors = new Map();
    const ids = (side) => padded(traces.map((trace) => trace[side].map(({ id }) => id)), padId);
    const probe = new Probe((site, tensor) => {
      sites.push(site);
      tensors.set(siteKey(site), tensor);
    });
    Object.assign(this, { translator, model, traces, sites, tensors, src: ids("source"), tgtIn: ids("target") });
    distribution(model.forward(this.src, this.tgtIn, probe).logits, probe);
  }

  /** The tensor of a site. */
  at(site) {
    return this.tensors.get(siteKey(site));
  }
}
