// The view: what of a trace is looked at. Names and values are those of explorer/attention_view/view.py; all count from zero.

import { ROLLOUT } from "./rollout.js";

/** Where two kinds have the same rows (or columns), a pin survives the change between them. */
export const SEQUENCE = {
  query: { encoder: "source", decoder: "steps", cross: "steps" },
  key: { encoder: "source", decoder: "fed", cross: "source" },
};

function clamped(index, count) {
  return typeof index === "number" ? Math.max(0, Math.min(index, count - 1)) : index;
}

/** A rollout is that of the mean of heads, and of weights alone: of lengths, the last layer is shown in its place. */
function fittedHeads({ layer, head }, map, measure) {
  if (layer === ROLLOUT && measure !== "length") return { layer, head: "mean" };
  return { layer: clamped(layer === ROLLOUT ? Infinity : layer, map.layers), head: clamped(head, map.heads) };
}

/** Whether a pin has a place: inside the trace, and not on a key that is hidden. */
function holds({ axis, index }, map, specials) {
  if (axis === "query") return index < map.queries.length;
  return index < map.keys.length && (specials || !map.special.keys.has(index));
}

/** Whether a cell has a place; a special key that Explore hides is still a key. */
function framed({ query, key }, map) {
  return query < map.queries.length && key < map.keys.length;
}

/**
 * The view with every index inside the trace; a pin or a cell without a place is let go. No step means the trace's telling
 * one (explorer/recording/default_step.py), or the last where none is named.
 */
export function fitted(view, trace) {
  const map = trace.kinds[view.kind];
  return {
    ...view,
    ...fittedHeads(view, map, view.measure),
    second: view.second && fittedHeads(view.second, map, view.measure),
    step: clamped(view.step ?? trace.telling ?? Infinity, trace.steps.length),
    pin: view.pin && holds(view.pin, map, view.specials) ? view.pin : null,
    cell: view.cell && framed(view.cell, map) ? view.cell : null,
  };
}

/**
 * The level "picture" shows what aligns most visibly, in words, whatever is chosen for the level "heads", and is the same
 * in all else.
 */
const PICTURE = {
  layer: Infinity, head: "mean", measure: "weight", second: null, look: "heatmap", whole: false, scale: "fixed", specials: true,
  transposed: false, words: true,
};

/** What is drawn of a view. */
export function atLevel(view, trace) {
  return view.level === "picture" ? fitted({ ...view, ...PICTURE }, trace) : view;
}

/** A view for another trace: a pin or a cell stays where its rows and columns are the same. */
export function carried(view, before, after) {
  const same = (kind, axis) => String(before.kinds[kind][axis]) === String(after.kinds[kind][axis]);
  const held = view.pin && same(view.kind, view.pin.axis === "query" ? "queries" : "keys");
  const stays = same(view.kind, "queries") && same(view.kind, "keys");
  return { ...view, pin: held ? view.pin : null, cell: stays ? view.cell : null };
}

/** A view after a change by the visitor. */
export function changed(view, change, trace) {
  const kind = change.kind ?? view.kind;
  const stays = view.pin && SEQUENCE[view.pin.axis][view.kind] === SEQUENCE[view.pin.axis][kind];
  const cell = kind === view.kind ? view.cell : null; // another kind has other cells
  return fitted({ ...view, pin: stays ? view.pin : null, cell, ...change }, trace);
}

/** The rows of the chosen kind that are known at the view's step: the encoder reads everything at once. */
export function known(view, map) {
  return view.kind === "encoder" || view.whole ? map.queries.length : view.step + 1;
}

/** Whether a row or column, as { axis, index }, is known at the view's step. */
export function seen({ axis, index }, view, map) {
  const rows = known(view, map);
  return index < (axis === "query" ? rows : map.reach(rows - 1));
}

/**
 * The query in focus: the pinned one where it is known, else the decoder's current step; null in the encoder, and where the
 * step of another run has no partner (compared.js).
 */
export function focused(view, map) {
  if (view.pin?.axis === "query" && view.pin.index < known(view, map)) return view.pin.index;
  return view.kind === "encoder" || view.parted ? null : view.step;
}
