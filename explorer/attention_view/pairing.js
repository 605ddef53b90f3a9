// The correspondence between two runs: pieces, steps, and with them rows and columns of the maps.

import { SEQUENCE } from "./state.js";

/** Inverts a list of partners. */
function invert(partners, count) {
  const inverse = Array(count).fill(null);
  partners.forEach((partner, place) => { if (partner !== null) inverse[partner] = place; });
  return inverse;
}

/** The partners of fed pieces: a piece is fed one step after its prediction, and both runs begin with the start token. */
function fedPartners(steps, count) {
  const later = steps.slice(0, -1).map((partner) => (partner === null || partner + 1 >= count ? null : partner + 1));
  return [0, ...later];
}

export class Pairing {
  /**
   * The first argument has for every piece and step of the changed run the index in the unchanged run, or null
   * (explorer/experiments/differences.py); `trace` is the unchanged run.
   */
  constructor({ source, steps }, trace) {
    const count = { source: trace.source.length, steps: trace.steps.length, fed: trace.steps.length };
    this.toUnchanged = { source, steps, fed: fedPartners(steps, count.steps) };
    this.toChanged = Object.fromEntries(Object.entries(this.toUnchanged).map(([name, all]) => [name, invert(all, count[name])]));
  }

  /** The query or key of the unchanged run that corresponds to one of the changed run, or null. */
  partner(kind, axis, index) {
    return this.toUnchanged[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The query or key of the changed run that corresponds to one of the unchanged run, or null. */
  origin(kind, axis, index) {
    return this.toChanged[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The partner of the last step, up to a step of the changed run, that has one; the first step if none has. */
  upTo(step) {
    return this.toUnchanged.steps.slice(0, step + 1).findLast((partner) => partner !== null) ?? 0;
  }

  /**
   * The view of the unchanged run that corresponds to one of the changed run. If the step has no partner, the view is
   * `parted`: it stays at the last step with a partner, and no row is current. A pin or cell without a partner is dropped.
   */
  viewOf(view) {
    const { kind, step } = view;
    const partnerOf = (axis, index) => this.partner(kind, axis, index);
    const pin = view.pin && { axis: view.pin.axis, index: partnerOf(view.pin.axis, view.pin.index) };
    const cell = view.cell && { query: partnerOf("query", view.cell.query), key: partnerOf("key", view.cell.key) };
    return {
      ...view, step: this.upTo(step), parted: this.toUnchanged.steps[step] === null,
      pin: pin?.index === null ? null : pin, cell: cell && Object.values(cell).includes(null) ? null : cell,
    };
  }
}
