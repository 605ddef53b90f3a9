// The rows of the table of heads: which are shown, in which order, and how their numbers are written.

import { fill } from "../../ui/text.js";

// Of the names: every head, and those that have none.
export const ANY = "any";
export const NONE = "none";
const PLACE = ["encoder", "decoder", "cross"];

/** The heads of a kind, or of all, that have a name. */
export function chosen(heads, { kind, name }) {
  const named = (names) => name === ANY || (name === NONE ? !names.length : names.includes(name));
  return heads.filter((head) => (kind === ANY || head.kind === kind) && named(head.names));
}

function place({ kind, layer, head }) {
  return [PLACE.indexOf(kind), layer, head];
}

function compared(one, other) {
  if (Array.isArray(one)) return one.reduce((found, part, i) => found || compared(part, other[i]), 0);
  return typeof one === "string" ? one.localeCompare(other, "en") : one - other;
}

/**
 * Sorted by "head", "names" or a number; what has none comes last either way, and equal heads stand by their place.
 * `called` says how each name is shown.
 */
export function sorted(heads, { by, descending }, called = {}) {
  const value = { head: place, names: ({ names }) => names.map((name) => called[name]).join() || null }[by] ?? ((head) => head[by]);
  return [...heads].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null) || compared(place(one), place(other));
    return (descending ? compared(b, a) : compared(a, b)) || compared(place(one), place(other));
  });
}

const FORMS = {
  percent: (value) => `${Math.round(100 * value)}%`,
  nats: (value) => value.toFixed(2),
  bits: (value) => value.toFixed(2),
  pieces: (value) => value.toFixed(1),
  plain: (value) => value.toFixed(2),
};

/** A number as it stands in its column, with a true minus. */
export function written(value, form) {
  const text = FORMS[form](value).replace("-", "−");
  return /[1-9]/.test(text) ? text : text.replace("−", "");
}

/** What one number of a head says in words. */
export function said(head, name, { form, cell }) {
  const values = { value: head[name], low: head.low, high: head.high };
  return fill(cell, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, written(value, form)])));
}

/** How much of a cell is shaded: a share as it is, else the part of the largest number; nothing below 0. */
export function part(value, form, largest) {
  return Math.max(0, form === "percent" || form === "plain" ? value : value / largest);
}
