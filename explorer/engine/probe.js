// The one interface for reading the model's tensors, or replacing them: model/probe.py, with the same sites.

/** @type {Kind[]} */
export const KINDS = ["encoder", "decoder", "cross"];

// The place of each kind of attention in a layer.
export const ATTENTION = {
  encoder: { stack: "encoder", sublayer: "self_attention" },
  decoder: { stack: "decoder", sublayer: "self_attention" },
  cross: { stack: "decoder", sublayer: "cross_attention" },
};

/** A place in the model where a tensor is computed, as text, for the keys of a Map. */
export function siteKey({ stack, layer = null, sublayer = null, tensor }) {
  return [stack, layer, sublayer, tensor].join("/");
}

/** The residual stream after a layer; for layer -1, after the embedding. */
export function layerOutput(stack, layer) {
  return layer < 0 ? { stack, tensor: "stream" } : { stack, layer, sublayer: "feed_forward", tensor: "stream" };
}

export class Probe {
  /**
   * Calls `visit(site, tensor)` with every tensor; it returns nothing, or a tensor of the same shape to replace it.
   * A visit must not change a tensor in place.
   */
  constructor(visit = null, site = { stack: "encoder", layer: null, sublayer: null }) {
    this.visit = visit;
    this.site = site;
  }

  /** The same probe at a more specific place: `probe.at({ layer: 2 })`. */
  at(place) {
    return this.visit ? new Probe(this.visit, { ...this.site, ...place }) : this;
  }

  /** Shows a tensor under its name; the model continues with what is returned. */
  pass(name, tensor) {
    if (!this.visit) return tensor;
    const site = { ...this.site, tensor: name }, replacement = this.visit(site, tensor) ?? tensor;
    if (`${replacement.shape}` !== `${tensor.shape}`) {
      throw new Error(`${siteKey(site)} has shape ${tensor.shape}, its replacement ${replacement.shape}`);
    }
    return replacement;
  }
}

export const NO_PROBE = new Probe();
