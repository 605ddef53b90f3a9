// The numbers in full of the layer that is shown, which replace pooled ones.

import { movedRows } from "../differences.js";
import { BLOCKS, SUBLAYERS } from "../place.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { Tensor } from "../../../ui/tensor.js";

const MAX_CACHED = 24;
const OF_BLOCKS = ["output", "sum", "stream"];
const OF_THE_START = ["embedding", "positions", "stream"]; // of a stack, before its layers

/** @typedef {[sentence: string, stack: Stack, layer: number | null, experiment: Experiment]} Request */

export class LayerTensors {
  /**
   * @param {{ model: any, shown: import("../shown_run.js").ShownRun, message: HTMLElement, failed: string }} options
   */
  constructor({ model, shown, message, failed }) {
    this.model = model;
    this.shown = shown;
    this.message = message;
    this.failed = failed;
    this.layers = new AnswerCache((/** @type {Request} */ request) => this.fetch(request), MAX_CACHED);
  }

  /**
   * Loads those of a place, which `place()` is then; resolves to whether there is something to draw.
   * @param {() => import("../place.js").Place} place
   */
  async load(place) {
    const { shown } = this;
    if (place().layer === null && place().block === null) return false;
    /** @type {() => any} */
    const request = () => [shown.sentence, place().stack, place().layer, shown.experiment];
    const tensors = await this.layers.latest(request, this.message, this.failed);
    if (!tensors || tensors.error) return false;
    for (const [name, tensor] of tensors) shown.strips.set(name, tensor);
    await this.compare(request(), tensors);
    return true;
  }

  /**
   * How far they moved; those of the overview leave out sums, and are rounded.
   * @param {Request} request
   * @param {Map<string, Tensor>} tensors
   */
  async compare([sentence, stack, layer], tensors) {
    const { shown, shown: { comparison, trace, isChanged } } = this;
    if (!isChanged || !comparison) return;
    const unchanged = await this.layers.get([sentence, stack, layer, {}]);
    if (!unchanged || unchanged.error || trace !== shown.trace) return;
    for (const [name, shares] of movedRows(unchanged, tensors, comparison)) comparison.strips.set(name, shares);
  }

  /** @param {Request} request */
  async fetch([sentence, stack, layer, experiment]) {
    const sites = layer === null
      ? OF_THE_START.map((tensor) => [stack, null, null, tensor])
      : BLOCKS[stack].flatMap((block) => OF_BLOCKS.map((tensor) => [stack, layer, SUBLAYERS[block], tensor]));
    /** @type {{ tensors: Site[] }} */
    const { tensors } = await this.model.tensors(sentence, sites, experiment);
    return new Map(tensors.filter(({ data }) => data).map(({ sublayer, tensor, shape, data }) => (
      [[stack, layer, sublayer, tensor].join(" "), new Tensor({ shape: shape.slice(-2), data })])));
  }
}
