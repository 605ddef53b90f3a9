// The view as parts of an address, and back. In an address everything counts from one, as on the screen.

import { ROLLOUT } from "./rollout.js";
import { fitted } from "./state.js";

/** A number that counts from one; undefined where the text is none. */
const index = {
  read: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) - 1 : undefined),
  write: (value) => `${value + 1}`,
};
const choiceAmong = (...names) => ({
  read: (text) => (names.includes(text) ? text : index.read(text)),
  write: (value) => (typeof value === "number" ? index.write(value) : value),
});
const layer = choiceAmong("mean", "max", ROLLOUT), head = choiceAmong("mean", "max");
const among = (...values) => ({ read: (text) => values.find((value) => `${value}` === text), write: String });
const flag = { read: (text) => [false, true][["0", "1"].indexOf(text)], write: (value) => (value ? "1" : "0") };

/** Two parts in one, as "a.b", read as an object with two names. */
function pair(first, one, second, other) {
  const read = (text) => {
    const [a, b, ...more] = text.split("."), found = { [first]: one.read(a), [second]: other.read(b ?? "") };
    return more.length || Object.values(found).includes(undefined) ? undefined : found;
  };
  return { read, write: (value) => `${one.write(value[first])}.${other.write(value[second])}` };
}

/** Every field of the view, with the way it is written. */
const FIELDS = {
  level: among("picture", "heads"),
  step: index,
  kind: among("encoder", "decoder", "cross"),
  layer,
  head,
  measure: among("weight", "length"),
  second: pair("layer", layer, "head", head),
  pin: pair("axis", among("query", "key"), "index", index),
  cell: pair("query", index, "key", index),
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
