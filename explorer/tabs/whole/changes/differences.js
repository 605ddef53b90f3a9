// How a changed run differs from the unchanged one: which of its rows belong together, how far each token's vector
// moved, and which tokens are written differently. Pure.

import { matchElements } from "../../../derived/differences.js";
import { isRowOfKey, kindOf } from "../place.js";

/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */
/** @typedef {Map<string, Tensor>} Strips by name (stripName of picture/view.js) */

/**
 * The changed run beside the unchanged one. `rows` are the indices of the decoder's rows in the unchanged run, which is
 * fed the same token there, or null; `strips` the shares by which each row of a tensor moved; `former` what was written
 * in a row, null where that is still written or the row is new.
 * @typedef {object} Comparison
 * @property {Trace} before
 * @property {(number | null)[]} rows
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
  return { before: before.trace, rows, former, strips: movedStrips(before.strips, after.strips, rows) };
}

const STEPS = 127; // of a strip's numbers from 0 to its largest (explorer/recording/overview.py)
const POOLED_PART = 0.4; // of a share that strips of pooled numbers show, in the median of the shipped model's sites

/**
 * The length of the difference of two vectors per length of the first, 1 at most, for each row of each tensor. A row of
 * the decoder without a partner is new as a whole.
 */
export function movedRows(before, after, rows) {
  return sharesOfRows(before, after, rows, () => ({ distance: subtract, noise: 0, part: 1 }));
}

/**
 * The same from strips, as an estimate that is hardly ever too large: a pooled number has the size of its group, but
 * its sign flips with the least change, so that only sizes are compared; what rounding makes is taken off.
 */
function movedStrips(before, after, rows) {
  const sizes = (one, other) => Math.abs(one) - Math.abs(other);
  return sharesOfRows(before, after, rows, (former, tensor) => {
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
function sharesOfRows(before, after, rows, measureOf) {
  const found = [...after].filter(([name]) => before.has(name)).map(([name, tensor]) => {
    const former = before.get(name);
    const measure = measureOf(former, tensor);
    const shares = tensor.rows.map((numbers, row) => {
      const partner = name.startsWith("encoder") ? row : rows[row];
      return partner === null ? 1 : movedShare(former.row(partner), numbers, measure);
    });
    return /** @type {[string, number[]]} */ ([name, shares]);
  });
  return new Map(found);
}

function movedShare(before, after, { distance, noise, part }) {
  const squares = after.reduce((sum, number, i) => sum + distance(number, before[i]) ** 2, -noise);
  if (squares <= 0) return 0;
  return Math.min(1, Math.sqrt(squares) / Math.hypot(...before) / part);
}

/**
 * The place in the unchanged run that belongs to one of the changed run; null if its row or column is new.
 * @param {import("../place.js").Place} place
 * @param {(number | null)[]} rows
 * @returns {import("../place.js").Place | null}
 */
export function placeBefore(place, rows) {
  const { stack, part, row, column } = place;
  if (part === null || stack === "encoder") return place;
  const kind = kindOf(place);
  const isOfSource = kind === "cross" && isRowOfKey(place);
  const former = {
    ...place,
    row: isOfSource ? row : rows[row],
    column: part === "weights" && kind === "decoder" ? rows[column] : column,
  };
  return former.row === null || former.column === null ? null : former;
}
