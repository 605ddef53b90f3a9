// A run of the picture: the strips of every vector, and under an experiment also the translation.

import { createTrace } from "../../../derived/trace.js";
import { decodeStrip } from "../../../ui/tensor.js";
import { isUnchanged } from "./change.js";

/**
 * `trace` is null for the unchanged translation, which is that of Explore.
 * @typedef {{ sentence: string, experiment: Experiment, trace: Trace | null,
 *   strips: Map<string, import("../../../ui/tensor.js").Tensor> }} Run
 */

/**
 * @param {import("../../../ui/model.js").Model} model
 * @param {string} sentence
 * @param {Experiment} experiment
 * @returns {Promise<Run>} rejects with a UserError or NoAnswer
 */
export async function fetchRun(model, sentence, experiment) {
  const [{ strips }, trace] = await Promise.all([
    model.overview(sentence, experiment),
    isUnchanged(experiment) ? null : fetchTrace(model, sentence, experiment),
  ]);
  const named = strips.map(({ stack, layer, sublayer, tensor, ...strip }) => (
    /** @type {[string, any]} */ ([[stack, layer, sublayer, tensor].join(" "), decodeStrip(strip)])));
  return { sentence, experiment, trace, strips: new Map(named) };
}

/** The changed translation with all weights; heads that are off are left out of means. */
async function fetchTrace(model, sentence, experiment) {
  const trace = createTrace(await model.run(sentence, experiment), { names: model.about.tokenNames });
  for (const map of Object.values(trace.kinds)) {
    map.off = (experiment.off ?? []).filter(([kind]) => kind === map.kind).map(([, layer, head]) => [layer, head]);
    if (!map.ready) map.receive(await model.weights(sentence, experiment, map.kind));
  }
  return trace;
}
