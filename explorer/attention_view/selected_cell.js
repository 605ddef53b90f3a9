// The head and cell that a view selects, and changes of that selection. No drawing.

import { focusedQuery } from "./state.js";

function clampIndex(index, count) {
  return Math.max(0, Math.min(index, count - 1));
}

/** The head and cell of a view. For a mean or maximum, which has no arithmetic, the first head of the last layer stands in. */
export function selectedCell(view, trace) {
  const { kind, cell } = view;
  const map = trace.kinds[kind];
  return {
    kind,
    layer: typeof view.layer === "number" ? view.layer : map.layers - 1,
    head: typeof view.head === "number" ? view.head : 0,
    query: cell?.query ?? focusedQuery(view, map) ?? 0,
    key: cell?.key ?? null, // null: the strongest key, which depends on the weights
  };
}

/** The heads that a view shows, as [kind, layer, head]; a mean or maximum stands for all its heads. */
export function headsOf({ kind, layer, head }, { layers, heads }) {
  const indices = (choice, count) => (typeof choice === "number" ? [choice] : [...Array(count).keys()]);
  return indices(layer, layers).flatMap((layerIndex) => indices(head, heads).map((headIndex) => [kind, layerIndex, headIndex]));
}

/** The weight of a cell, and the weights of the heads that a mean or maximum combines. */
export function combinedWeight({ layer, head }, map, { query, key }) {
  const heads = headsOf({ layer, head }, map).map(([, one, other]) => ({ layer: one, head: other, weight: map.weight(one, other, query, key) }));
  return { weight: map.weight(layer, head, query, key), heads };
}

/**
 * The change of Explore's view for a choice of kind, layer, head, query or key, given the `chosen` cell: the row is pinned,
 * the cell framed, and for a row that is not known yet its step becomes current.
 */
export function viewChange(view, trace, chosen, change) {
  if (change.kind !== undefined) return { kind: change.kind };
  if (change.layer !== undefined || change.head !== undefined) return change;
  const map = trace.kinds[view.kind];
  const query = clampIndex(change.query ?? chosen.query, map.queries.length);
  const key = clampIndex(change.key ?? chosen.key, map.keys.length);
  const step = view.kind === "encoder" ? view.step : Math.max(view.step, query);
  return { cell: { query, key }, pin: { axis: "query", index: query }, step };
}
