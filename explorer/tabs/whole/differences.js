// How a changed run differs from the unchanged one: which of its rows belong together, how far each token's vector
// moved, and which tokens are written differently. Pure.

import { matchElements } from "../../derived/differences.js";
import { isRowOfKey, kindOf } from "./place.js";

/** @typedef {import("../../ui/tensor.js").Tensor} Tensor */
/** @typedef {Map<string, Tensor>} Strips by name (stripName of picture/view.js) */

/**
 * The changed run beside the unchanged one. `rows` are the indices of the decoder's rows in the unchanged run, which is
 * fed the same token there, or null, `sources` those of the encoder's; `strips` the shares by which each row of a
 * tensor moved; `former` what was written in a row, null where that is still written or the row is new.
 * @typedef {object} Comparison
 * @property {Trace} before
 * @property {(number | null)[]} rows
 * @property {(number | null)[]} sources
 * @property {Map<string, number[]>} strips
 * @property {(Piece | null)[]} former
 */

/**
 * @param {{ trace: Trace, strips: Strips }} before
 * @param {{ trace: Trace, strips: Strips }} after
 * @returns {Comparison}
 */
export function compareRuns(before, after) {
  const [first, second] = [before, after].map(({ trace }) => trace.steps.map(({ fed }) => fed.id));
  const rows = matchElements(first, second);
  const former = after.trace.steps.map(({ predicted }, row) => {
    const partner = rows[row] === null ? null : before.trace.steps[rows[row]].predicted;
    return partner === null || partner.id === predicted.id ? null : partner;
  });
  const partners = { rows, sources: after.trace.run.pairs.source };
  return { before: before.trace, ...partners, former, strips: movedStrips(before.strips, after.strips, partners) };
}

const STEPS = 127; // of a strip's numbers from 0 to its largest (explorer/recording/overview.py)
const POOLED_PART = 0.4; // of a share that strips of pooled numbers show, in the median of the shipped model's sites

/**
 * The length of the difference of two vectors per length of the first, 1 at most, for each row of each tensor. A row
 * without a partner is new as a whole.
 */
export function movedRows(before, after, partners) {
  return sharesOfRows(before, after, partners, () => ({ distance: subtract, noise: 0, part: 1 }));
}

/**
 * The same from strips, as an estimate that is hardly ever too large: a pooled number has the size of its group, but
 * its sign flips with the least change, so that only sizes are compared; what rounding makes is taken off.
 */
function movedStrips(before, after, partners) {
  const sizes = (one, other) => Math.abs(one) - Math.abs(other);
  return sharesOfRows(before, after, partners, (former, tensor) => {
    const step = (largest(former) + largest(tensor)) / (2 * STEPS);
    return { distance: sizes, noise: (tensor.shape.at(-1) * step ** 2) / 3, part: POOLED_PART };
  });
}

function subtract(one, other) {
  return one - other;
}

function largest({ data }) {
  return data.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
}

/** `measureOf(former, tensor)` says how numbers of a tensor are compared. */
function sharesOfRows(before, after, { rows, sources }, measureOf) {
  const both = [...after].filter(([name]) => before.has(name));
  return new Map(both.map(([name, tensor]) => {
    const partners = name.startsWith("encoder") ? sources : rows;
    const shares = sharesOfTensor(before.get(name), tensor, partners, measureOf(before.get(name), tensor));
    return /** @type {[string, number[]]} */ ([name, shares]);
  }));
}

function sharesOfTensor(former, tensor, partners, measure) {
  return tensor.rows.map((numbers, row) => (
    partners[row] === null ? 1 : movedShare(former.row(partners[row]), numbers, measure)));
}

function movedShare(before, after, { distance, noise, part }) {
  const squares = after.reduce((sum, number, i) => sum + distance(number, before[i]) ** 2, -noise);
  if (squares <= 0) return 0;
  return Math.min(1, Math.sqrt(squares) / Math.hypot(...before) / part);
}

/**
 * The place in the unchanged run that belongs to one of the changed run; null if its row or column is new.
 * @param {import("./place.js").Place} place
 * @param {Pick<Comparison, "rows" | "sources">} partners
 * @returns {import("./place.js").Place | null}
 */
export function placeBefore(place, { rows, sources }) {
  const { stack, part, row, column } = place;
  if (part === null) return place;
  const kind = kindOf(place);
  const isOfSource = stack === "encoder" || (kind === "cross" && isRowOfKey(place));
  const keys = kind === "decoder" ? rows : sources;
  const former = {
    ...place,
    row: (isOfSource ? sources : rows)[row],
    column: part === "weights" ? keys[column] : column,
  };
  return former.row === null || former.column === null ? null : former;
}
