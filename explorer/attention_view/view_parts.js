// Encodes a view as parts of the address, and decodes it. Indices in an address count from one, as on the screen.

import { among, flag, index, indexOr, record } from "../ui/codecs.js";
import { ROLLOUT } from "../derived/rollout.js";
import { fitView } from "./state.js";

const layer = indexOr("mean", "max", ROLLOUT);
const head = indexOr("mean", "max");

/** The encoding of every field of the view. */
const FIELDS = {
  level: among("picture", "heads"),
  step: index,
  kind: among("encoder", "decoder", "cross"),
  layer,
  head,
  measure: among("weight", "length"),
  pin: record({ axis: among("query", "key"), index }),
  cell: record({ query: index, key: index }),
  look: among("heatmap", "ribbon", "table"),
  whole: flag,
  scale: among("fixed", "row", "auto"),
  specials: flag,
  transposed: flag,
  words: flag,
  speed: among(1, 2, 5, 15, 60),
  compared: among("one", "beside", "difference"),
};
export const NAMES = Object.keys(FIELDS);

/**
 * Encodes a view; parts equal to the `first` view of a visit are null, except those in `always`. Without a trace the
 * view is one that still waits for its own.
 */
export function encodeView(view, first, trace, always = []) {
  const initial = trace ? fitView(first, trace) : first;
  const isInitial = (name) => !always.includes(name) && JSON.stringify(view[name]) === JSON.stringify(initial[name]);
  return Object.fromEntries(NAMES.map((name) => [name, isInitial(name) ? null : FIELDS[name].write(view[name])]));
}

/** Decodes a view, with defaults from `first`; `damaged` are the names of invalid parts. */
export function decodeView(texts, first) {
  const entries = Object.entries(texts).map(([name, text]) => [name, FIELDS[name].read(text)]);
  const valid = entries.filter(([, value]) => value !== undefined);
  const damaged = entries.filter(([, value]) => value === undefined).map(([name]) => name);
  return { view: { ...first, ...Object.fromEntries(valid) }, damaged };
}
