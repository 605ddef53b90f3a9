// Which heads are off, as places [kind, layer, head] that count from zero; and how drops become colours. No drawing here.

const KINDS = ["encoder", "decoder", "cross"];

export function same(one, other) {
  return String(one) === String(other);
}

export function isOff(off, place) {
  return off.some((other) => same(other, place));
}

/** All heads of a kind, or of one of its layers; `layers` has their number by kind. */
export function headsOf(kind, { layers, heads }, layer = null) {
  const rows = layer === null ? Array.from({ length: layers[kind] }, (_, i) => i) : [layer];
  return rows.flatMap((row) => Array.from({ length: heads }, (_, head) => [kind, row, head]));
}

/** The same set in one order, so that one experiment is always written in the same way. */
export function ordered(off) {
  const number = ([kind, layer, head]) => [KINDS.indexOf(kind), layer, head];
  return [...off].sort((one, other) => {
    const [a, b] = [number(one), number(other)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  });
}

/** Switches a head. */
export function toggled(off, place) {
  return ordered(isOff(off, place) ? off.filter((other) => !same(other, place)) : [...off, place]);
}

/** Switches several off, or on again where all of them are off. */
export function toggledAll(off, places) {
  const rest = off.filter((place) => !isOff(places, place));
  return ordered(places.every((place) => isOff(off, place)) ? rest : [...rest, ...places]);
}

/** Switches off what is on among some heads, and on what is off. */
export function inverted(off, places) {
  const rest = off.filter((place) => !isOff(places, place));
  return ordered([...rest, ...places.filter((place) => !isOff(off, place))]);
}

/** The largest drop or rise of a ranking, its interval included, at least so much that noise is not painted. */
export function scaleOf(drops) {
  return Math.max(0.1, ...drops.map(({ drop, high = 0 }) => Math.max(Math.abs(drop), high)));
}

/** Heads by their drop, the largest first; equal ones as they came. */
export function ranked(drops) {
  return [...drops].sort((one, other) => other.drop - one.drop);
}

/** The parts in which so many heads are asked for: fewer at a time the longer the sentence is. */
export function partsOf(count, pieces) {
  const size = Math.max(4, Math.min(24, Math.floor(600 / pieces)));
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => [i * size, Math.min(count, (i + 1) * size)]);
}
