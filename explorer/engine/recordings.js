// Traces and forward passes of one translator, the latest of them kept: explorer/recording/recordings.py and
// forward_pass.py.

import { distribution } from "./decoding.js";
import { NO_PROBE, Probe, siteKey } from "./probe.js";
import { checkSentence } from "./refusals.js";
import { idTensor } from "./tensor.js";
import { recordTrace } from "./trace.js";

/** @typedef {import("./decoding.js").Translator} Translator */
/** @typedef {import("./probe.js").NamedSite} NamedSite */
/** @typedef {import("./trace.js").ComputedTrace} ComputedTrace */

const MAX_TRACES = 12; // of a sentence of 128 pieces one takes 6 MB
const MAX_PASSES = 1; // 75 MB

/**
 * A Map of the latest values.
 * @template Value
 */
export class RecentCache {
  /** @type {Map<string, Value>} */ values = new Map();

  /** @param {number} size */
  constructor(size) {
    this.size = size;
  }

  /** The value of a key, or what `compute()` returns. @param {string} key @param {() => Value} compute */
  get(key, compute) {
    const value = this.values.has(key) ? this.values.get(key) : compute();
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.size) this.values.delete(this.values.keys().next().value);
    return value;
  }
}

export class Recordings {
  /** @type {RecentCache<ComputedTrace>} */ traces = new RecentCache(MAX_TRACES);
  /** @type {RecentCache<ForwardPass>} */ passes = new RecentCache(MAX_PASSES);

  /**
   * @param {import("./decoding.js").Translator} translator
   * @param {EngineSettings} settings
   */
  constructor(translator, settings) {
    this.translator = translator;
    this.settings = settings;
  }

  /** The trace of a sentence. Throws a UserError, with a sentence for the visitor. @param {string} sentence */
  trace(sentence) {
    const { translator, settings } = this;
    const text = checkSentence(sentence, translator, settings);
    return this.traces.get(text, () => {
      const limit = translator.limit(translator.sourceIds(text).length);
      return recordTrace(translator, text, { maxSteps: Math.min(limit, settings.limits.MAX_PIECES) });
    });
  }

  /** The pass over the translation of a sentence. Throws a UserError. @param {string} sentence */
  forwardPass(sentence) {
    const trace = this.trace(sentence);
    return this.passes.get(JSON.stringify([trace.sentence]), () => new ForwardPass(this.translator, trace));
  }
}

/** The ids of tokens as a batch of one. @param {Piece[]} tokens */
function idsOf(tokens) {
  return idTensor([tokens.map(({ id }) => id)]);
}

/** Every tensor of a forward pass over a finished translation, in the order of computation. */
export class ForwardPass {
  /** @type {NamedSite[]} */ sites = [];
  /** @type {Map<string, import("./tensor.js").Tensor>} by siteKey */ tensors = new Map();

  /**
   * The tensors that the probe `intervention` returns replace those computed.
   * @param {Translator} translator @param {ComputedTrace} trace @param {Probe} intervention
   */
  constructor(translator, trace, intervention = NO_PROBE) {
    const { model } = translator;
    this.translator = translator;
    this.model = model;
    this.trace = trace;
    const probe = new Probe((site, tensor) => {
      const kept = /** @type {typeof tensor} */ (intervention.visit?.(site, tensor) ?? tensor);
      this.sites.push(site);
      this.tensors.set(siteKey(site), kept);
      return kept;
    });
    const [src, tgtIn] = [idsOf(trace.source), idsOf(trace.steps.map(({ fed }) => fed))];
    distribution(model.forward(src, tgtIn, probe).logits, probe);
  }

  /**
   * The tensor of a site: of numbers, except for ids and masks.
   * @param {NamedSite} site
   */
  at(site) {
    return this.tensors.get(siteKey(site));
  }
}
