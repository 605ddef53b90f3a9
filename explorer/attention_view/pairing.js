// Which places of two runs stand for each other: pieces, steps, and with them rows and columns of the maps.

import { SEQUENCE } from "./state.js";

/** For every place of the one side its partner on the other, the other way round. */
function inverted(partners, count) {
  const found = Array(count).fill(null);
  partners.forEach((partner, place) => { if (partner !== null) found[partner] = place; });
  return found;
}

/** A piece is fed one step after it was predicted; the start has the start as its partner. */
function fedOf(steps, count) {
  const later = steps.slice(0, -1).map((partner) => (partner === null || partner + 1 >= count ? null : partner + 1));
  return [0, ...later];
}

export class Pairing {
  /**
   * `pairs` are { source, steps }: for every piece and step of the changed run the index in the unchanged one, or null
   * (explorer/experiments/differences.py); `trace` is the unchanged run.
   */
  constructor({ source, steps }, trace) {
    const count = { source: trace.source.length, steps: trace.steps.length, fed: trace.steps.length };
    this.there = { source, steps, fed: fedOf(steps, count.steps) };
    this.here = Object.fromEntries(Object.entries(this.there).map(([name, all]) => [name, inverted(all, count[name])]));
  }

  /** The query or key of the unchanged run that stands for one of the changed run; null where none does. */
  partner(kind, axis, index) {
    return this.there[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The other way round. */
  origin(kind, axis, index) {
    return this.here[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The last step up to one of the changed run that has a partner: that partner, or the first step where none has. */
  upTo(step) {
    return this.there.steps.slice(0, step + 1).findLast((partner) => partner !== null) ?? 0;
  }

  /**
   * The changed run's view as one of the unchanged run. Where the step has no partner it is `parted`: it stays at the last
   * one before that has one, and no row is the current one. A pin or cell without a partner is let go.
   */
  viewOf(view) {
    const { kind, step } = view;
    const at = (axis, index) => this.partner(kind, axis, index);
    const pin = view.pin && { axis: view.pin.axis, index: at(view.pin.axis, view.pin.index) };
    const cell = view.cell && { query: at("query", view.cell.query), key: at("key", view.cell.key) };
    return {
      ...view, step: this.upTo(step), parted: this.there.steps[step] === null,
      pin: pin?.index === null ? null : pin, cell: cell && Object.values(cell).includes(null) ? null : cell,
    };
  }
}
