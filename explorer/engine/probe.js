// The one interface for reading the model's tensors, or replacing them: model/probe.py, with the same sites.

/** @type {Kind[]} */
export const KINDS = ["encoder", "decoder", "cross"];

/**
 * Where in the model a tensor is computed, and its name there. Ids and masks are passed, too.
 * @typedef {{ stack: Stack, layer?: number | null, sublayer?: string | null, tensor: string }} NamedSite
 * @typedef {import("./tensor.js").Tensor} Tensor
 * @typedef {(site: NamedSite, tensor: Tensor) => Tensor | void} Visit
 */

/**
 * The place of each kind of attention in a layer.
 * @type {Record<Kind, { stack: Stack, sublayer: "self_attention" | "cross_attention" }>}
 */
export const ATTENTION = {
  encoder: { stack: "encoder", sublayer: "self_attention" },
  decoder: { stack: "decoder", sublayer: "self_attention" },
  cross: { stack: "decoder", sublayer: "cross_attention" },
};

/** A place in the model where a tensor is computed, as text, for the keys of a Map. @param {NamedSite} site */
export function siteKey({ stack, layer = null, sublayer = null, tensor }) {
  return [stack, layer, sublayer, tensor].join("/");
}

/**
 * The residual stream after a layer; for layer -1, after the embedding.
 * @param {Stack} stack @param {number} layer
 * @returns {NamedSite}
 */
export function layerOutput(stack, layer) {
  return layer < 0 ? { stack, tensor: "stream" } : { stack, layer, sublayer: "feed_forward", tensor: "stream" };
}

export class Probe {
  /**
   * Calls `visit(site, tensor)` with every tensor; it returns nothing, or a tensor of the same shape to replace it.
   * A visit must not change a tensor in place.
   * @param {Visit | null} visit
   * @param {Omit<NamedSite, "tensor">} site
   */
  constructor(visit = null, site = { stack: "encoder", layer: null, sublayer: null }) {
    this.visit = visit;
    this.site = site;
  }

  /** The same probe at a more specific place: `probe.at({ layer: 2 })`. @param {Partial<NamedSite>} part */
  at(part) {
    return this.visit ? new Probe(this.visit, { ...this.site, ...part }) : this;
  }

  /**
   * Shows a tensor under its name; the model continues with what is returned.
   * @template {import("./tensor.js").Tensor<import("./tensor.js").TypedArray>} AnyTensor
   * @param {string} name
   * @param {AnyTensor} tensor
   */
  pass(name, tensor) {
    if (!this.visit) return tensor;
    const site = { ...this.site, tensor: name };
    const replacement = /** @type {AnyTensor} */ (this.visit(site, /** @type {Tensor} */ (tensor)) ?? tensor);
    if (`${replacement.shape}` !== `${tensor.shape}`) {
      throw new Error(`${siteKey(site)} has shape ${tensor.shape}, its replacement ${replacement.shape}`);
    }
    return replacement;
  }
}

export const NO_PROBE = new Probe();
