// Filters and sorts the rows of the table of heads, and formats their numbers.

import { formatDecimal } from "../../../ui/numbers.js";
import { fill } from "../../../ui/text.js";

// Values of the name filter: all heads, and heads without a name.
export const ANY = "any";
export const NONE = "none";
const KIND_ORDER = ["encoder", "decoder", "cross"];

/** The heads that match a kind and a name. */
export function filterHeads(heads, { kind, name }) {
  const hasName = (names) => name === ANY || (name === NONE ? !names.length : names.includes(name));
  return heads.filter((head) => (kind === ANY || head.kind === kind) && hasName(head.names));
}

function headOrder({ kind, layer, head }) {
  return [KIND_ORDER.indexOf(kind), layer, head];
}

function compareValues(one, other) {
  if (Array.isArray(one)) return one.reduce((order, item, i) => order || compareValues(item, other[i]), 0);
  return typeof one === "string" ? one.localeCompare(other, "en") : one - other;
}

/**
 * Heads sorted by "head", "names" or the name of a number. Heads without a value come last in either order, and ties are
 * in the order of places. `labels` are the displayed names.
 */
export function sortHeads(heads, { by, descending }, labels = {}) {
  const value = { head: headOrder, names: ({ names }) => names.map((name) => labels[name]).join() || null }[by] ?? ((head) => head[by]);
  return [...heads].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null) || compareValues(headOrder(one), headOrder(other));
    return (descending ? compareValues(b, a) : compareValues(a, b)) || compareValues(headOrder(one), headOrder(other));
  });
}

const FORMATTERS = {
  percent: (value) => `${Math.round(100 * value)}%`,
  nats: (value) => formatDecimal(value, 2),
  bits: (value) => formatDecimal(value, 2),
  pieces: (value) => formatDecimal(value, 1),
  plain: (value) => formatDecimal(value, 2),
};

/** A number in the format of its column. */
export function formatNumber(value, form) {
  return FORMATTERS[form](value);
}

/** One number of a head in words. */
export function describeCell(head, name, { form, cell }) {
  const values = { value: head[name], low: head.low, high: head.high };
  return fill(cell, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, formatNumber(value, form)])));
}

/** The shaded share of a cell: a share as it is, other numbers relative to the largest; 0 for negative ones. */
export function shadeShare(value, form, largest) {
  return Math.max(0, form === "percent" || form === "plain" ? value : value / largest);
}
