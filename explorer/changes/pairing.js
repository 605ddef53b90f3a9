// What corresponds in two runs: steps, tokens, rows and columns of their maps.

/** The sequence on each axis of a kind. */
export const SEQUENCE = {
  query: { encoder: "source", decoder: "steps", cross: "steps" },
  key: { encoder: "source", decoder: "fed", cross: "source" },
};

/** The other direction of the partners of pieces and steps; `count` are the numbers of both in the other run. */
export function invertPairs({ source, steps }, trace) {
  return { source: invert(source, trace.source.length), steps: invert(steps, trace.steps.length) };
}

/** Inverts a list of partners. */
function invert(partners, count) {
  const inverse = Array(count).fill(null);
  partners.forEach((partner, index) => { if (partner !== null) inverse[partner] = index; });
  return inverse;
}

/**
 * The partners of fed pieces: a piece is fed one step after its prediction, and both runs begin with the start token.
 */
function fedPartners(steps, count) {
  const later = steps.slice(0, -1).map((partner) => (partner === null || partner + 1 >= count ? null : partner + 1));
  return [0, ...later];
}

export class Pairing {
  /**
   * The first argument has for every piece and step of the run that is shown the index in the other run, or null
   * (explorer/derived/differences.js); `trace` is the other run.
   */
  constructor({ source, steps }, trace) {
    const count = { source: trace.source.length, steps: trace.steps.length, fed: trace.steps.length };
    this.toOther = { source, steps, fed: fedPartners(steps, count.steps) };
    this.toShown = Object.fromEntries(
      Object.entries(this.toOther).map(([name, all]) => [name, invert(all, count[name])]),
    );
  }

  /** The query or key of the other run that corresponds to one of the run that is shown, or null. */
  partner(kind, axis, index) {
    return this.toOther[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The query or key of the run that is shown that corresponds to one of the other run, or null. */
  origin(kind, axis, index) {
    return this.toShown[SEQUENCE[axis][kind]][index] ?? null;
  }

  /** The partner of the last step, up to one of the run that is shown, that has one; the first step if none has. */
  upTo(step) {
    return this.toOther.steps.slice(0, step + 1).findLast((partner) => partner !== null) ?? 0;
  }

  /**
   * The view of the other run that corresponds to one of the run that is shown. If the step has no partner, the view is
   * `parted`: it stays at the last step with a partner, and no row is current. A pin or cell without a partner is
   * dropped.
   */
  viewOf(view) {
    const { kind, step } = view;
    const partnerOf = (axis, index) => this.partner(kind, axis, index);
    const pin = view.pin && { axis: view.pin.axis, index: partnerOf(view.pin.axis, view.pin.index) };
    const cell = view.cell && { query: partnerOf("query", view.cell.query), key: partnerOf("key", view.cell.key) };
    return {
      ...view, step: this.upTo(step), parted: this.toOther.steps[step] === null,
      pin: pin?.index === null ? null : pin, cell: cell && Object.values(cell).includes(null) ? null : cell,
    };
  }
}
