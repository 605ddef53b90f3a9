// The view as parts of an address, and back. In an address everything counts from one, as on the screen.

import { among, flag, index, indexOr, record } from "../ui/codecs.js";
import { ROLLOUT } from "./rollout.js";
import { fitted } from "./state.js";

const layer = indexOr("mean", "max", ROLLOUT), head = indexOr("mean", "max");

/** Every field of the view, with the way it is written. */
const FIELDS = {
  level: among("picture", "heads"),
  step: index,
  kind: among("encoder", "decoder", "cross"),
  layer,
  head,
  measure: among("weight", "length"),
  second: record({ layer, head }),
  pin: record({ axis: among("query", "key"), index }),
  cell: record({ query: index, key: index }),
  look: among("heatmap", "ribbon", "table"),
  whole: flag,
  scale: among("fixed", "row", "auto"),
  specials: flag,
  transposed: flag,
  words: flag,
  speed: among(1, 2, 5, 15, 60),
  compared: among("beside", "difference"),
};
export const NAMES = Object.keys(FIELDS);

/** The parts of a view; null where it is as `first`, the view of a first visit, has it, but for those `always` given. */
export function written(view, first, trace, always = []) {
  const before = fitted(first, trace);
  const same = (name) => !always.includes(name) && JSON.stringify(view[name]) === JSON.stringify(before[name]);
  return Object.fromEntries(NAMES.map((name) => [name, same(name) ? null : FIELDS[name].write(view[name])]));
}

/** The view that parts ask for, beginning from `first`, and the names of those that say nothing understandable. */
export function read(given, first) {
  const found = Object.entries(given).map(([name, text]) => [name, FIELDS[name].read(text)]);
  const good = found.filter(([, value]) => value !== undefined);
  const damaged = found.filter(([, value]) => value === undefined).map(([name]) => name);
  return { view: { ...first, ...Object.fromEntries(good) }, damaged };
}
