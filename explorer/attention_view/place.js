// Which cell of which head is looked at, out of the view of Explore. No drawing.

import { focused } from "./state.js";

function within(index, count) {
  return Math.max(0, Math.min(index, count - 1));
}

/** The head and cell of a view; a mean or maximum has no arithmetic, so there it is the first head, and the last layer. */
export function cellAt(view, trace) {
  const { kind, cell } = view;
  const map = trace.kinds[kind];
  return {
    kind,
    layer: typeof view.layer === "number" ? view.layer : map.layers - 1,
    head: typeof view.head === "number" ? view.head : 0,
    query: cell?.query ?? focused(view, map) ?? 0,
    key: cell?.key ?? null, // the strongest one, which only the weights tell
  };
}

/** The heads that a view shows at once, each with its weight in a cell, and the weight that they have together. */
export function together({ layer, head }, map, { query, key }) {
  const chosen = (choice, count) => (typeof choice === "number" ? [choice] : [...Array(count).keys()]);
  const heads = chosen(layer, map.layers).flatMap((l) =>
    chosen(head, map.heads).map((h) => ({ layer: l, head: h, weight: map.weight(l, h, query, key) })));
  return { weight: map.weight(layer, head, query, key), heads };
}

/**
 * What a choice of kind, layer, head, query or key changes in the view of Explore, where the cell `chosen` so far is
 * looked at: there the row is pinned and the cell framed, and a row not known yet makes its step the current one.
 */
export function changeTo(view, trace, chosen, change) {
  if (change.kind !== undefined) return { kind: change.kind };
  if (change.layer !== undefined || change.head !== undefined) return change;
  const map = trace.kinds[view.kind];
  const query = within(change.query ?? chosen.query, map.queries.length);
  const key = within(change.key ?? chosen.key, map.keys.length);
  const step = view.kind === "encoder" ? view.step : Math.max(view.step, query);
  return { cell: { query, key }, pin: { axis: "query", index: query }, step };
}
