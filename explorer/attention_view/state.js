// The state of the view of a trace, and the head and cell that it selects. Names and values equal those of
// explorer/attention_view/component.py; indices count from zero.

import { SEQUENCE } from "../changes/pairing.js";
import { ROLLOUT } from "../derived/rollout.js";

/** Choices that release the pin that ended a film, which nobody set. */
const ENDING = ["step", "level", "kind", "layer", "head"];

function clamp(index, count) {
  return typeof index === "number" ? Math.max(0, Math.min(index, count - 1)) : index;
}

/**
 * Fits layer and head to a map. A rollout has the mean of heads; lengths have no rollout, so the last layer replaces
 * it.
 */
function fitHeads({ layer, head }, map, measure) {
  if (layer === ROLLOUT && measure !== "length") return { layer, head: "mean" };
  return { layer: clamp(layer === ROLLOUT ? Infinity : layer, map.layers), head: clamp(head, map.heads) };
}

/** Whether a pin is inside the trace and not on a hidden key. */
function isValidPin({ axis, index }, map, specials) {
  if (axis === "query") return index < map.queries.length;
  return index < map.keys.length && (specials || !map.special.keys.has(index));
}

/** Whether a cell is inside the trace; it may be on a hidden special key. */
function isValidCell({ query, key }, map) {
  return query < map.queries.length && key < map.keys.length;
}

/**
 * The view with every index inside the trace; an invalid pin or cell is dropped. A null step means the default step
 * (explorer/derived/default_step.js), or the last one if the trace has no default.
 */
export function fitView(view, trace) {
  const map = trace.kinds[view.kind];
  return {
    ...view,
    ...fitHeads(view, map, view.measure),
    step: clamp(view.step ?? trace.defaultStep ?? Infinity, trace.steps.length),
    pin: view.pin && isValidPin(view.pin, map, view.specials) ? view.pin : null,
    cell: view.cell && isValidCell(view.cell, map) ? view.cell : null,
  };
}

/**
 * The level "picture" overrides these choices of the level "heads": it shows the mean of the last layer (lastLayerOn),
 * where the alignment is most visible, in words.
 */
const PICTURE = {
  head: "mean",
  measure: "weight",
  look: "heatmap",
  whole: false,
  scale: "fixed",
  specials: true,
  transposed: false,
  words: true,
};

/** The view as drawn at its level. */
export function viewAtLevel(view, trace) {
  if (view.level !== "picture") return view;
  const layer = lastLayerOn(trace.kinds[view.kind]);
  return fitView({ ...view, ...PICTURE, layer, piece: trace.defaultPiece }, trace);
}

/** The last layer that has a head that is on; the last of all if none has. */
function lastLayerOn(map) {
  const layers = [...Array(map.layers).keys()];
  return layers.findLast((layer) => map.headsOn(layer).length) ?? map.layers - 1;
}

/** The view for another trace; it keeps a pin or cell if the labels of its axes are equal. */
export function carryView(view, before, after) {
  const hasSameLabels = (kind, axis) => String(before.kinds[kind][axis]) === String(after.kinds[kind][axis]);
  const isPinKept = view.pin && hasSameLabels(view.kind, view.pin.axis === "query" ? "queries" : "keys");
  const isKept = hasSameLabels(view.kind, "queries") && hasSameLabels(view.kind, "keys");
  return { ...view, pin: isPinKept ? view.pin : null, cell: isKept ? view.cell : null };
}

/**
 * A pin in another kind: the same word, as the one that looks if it does there, else as the one that is looked at. An
 * English word reads in the encoder and is read in the cross-attention. Null if the other kind has no such word.
 */
function carryPin({ axis, ...pin }, before, after) {
  const isSame = (other) => SEQUENCE[other][after] === SEQUENCE[axis][before];
  const carried = ["query", "key"].find(isSame);
  return carried ? { ...pin, axis: carried } : null;
}

/** The view after a change by the visitor. */
export function changeView(view, change, trace) {
  const kind = change.kind ?? view.kind;
  const isOver = view.pin?.ends && ENDING.some((name) => change[name] !== undefined);
  const isSameKind = kind === view.kind;
  const kept = isOver ? null : view.pin;
  const pin = kept && !isSameKind ? carryPin(kept, view.kind, kind) : kept;
  const cell = isSameKind ? view.cell : null; // cells of kinds do not correspond
  return fitView({ ...view, pin, cell, ...change }, trace);
}

/** The number of rows known at the view's step; all for the encoder, which reads everything at once. */
export function countKnownRows(view, map) {
  return view.kind === "encoder" || view.whole ? map.queries.length : view.step + 1;
}

/** Whether a row or column, as { axis, index }, is known at the view's step. */
export function isKnown({ axis, index }, view, map) {
  const rows = countKnownRows(view, map);
  return index < (axis === "query" ? rows : map.reach(rows - 1));
}

/**
 * The current query: the step, or in the encoder, which has no steps, the piece that its picture shows; null if there
 * is none, as where the step of another run has no partner (comparison.js).
 */
export function currentQuery({ kind, parted, piece = null, step }) {
  if (kind === "encoder") return piece;
  return parted ? null : step;
}

/** The focused query: the pinned one if it is known, else the current one. */
export function focusedQuery(view, map) {
  if (view.pin?.axis === "query" && view.pin.index < countKnownRows(view, map)) return view.pin.index;
  return currentQuery(view);
}

/**
 * The heads that a view shows; a mean or maximum stands for all its heads.
 * @returns {HeadAt[]}
 */
export function headsOf({ kind, layer, head }, { layers, heads }) {
  const indices = (choice, count) => (typeof choice === "number" ? [choice] : [...Array(count).keys()]);
  return indices(layer, layers).flatMap((layerIndex) =>
    indices(head, heads).map((headIndex) => [kind, layerIndex, headIndex]),
  );
}

/** The weight of a cell, and the weights of the heads that a mean or maximum combines. */
export function combinedWeight({ layer, head }, map, { query, key }) {
  const heads = headsOf({ kind: map.kind, layer, head }, map).map(([, one, other]) => ({
    layer: one,
    head: other,
    weight: map.weight(one, other, query, key),
  }));
  return { weight: map.weight(layer, head, query, key), heads };
}

/**
 * The change of a view that selects a cell: its row is pinned, the cell framed, and for a row that is not known yet its
 * step becomes current.
 */
export function cellChange({ kind, step }, cell) {
  return {
    cell, pin: { axis: "query", index: cell.query }, step: kind === "encoder" ? step : Math.max(step, cell.query),
  };
}
