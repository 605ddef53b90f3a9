// The set of heads that are off, as zero-based places [kind, layer, head], and the colour scale of drops; draws nothing.

const KINDS = ["encoder", "decoder", "cross"];

export function isSameHead(first, other) {
  return String(first) === String(other);
}

export function isOff(off, place) {
  return off.some((other) => isSameHead(other, place));
}

/** The places of all heads of a kind, or of one of its layers; `layers` is the number of layers by kind. */
export function headsOf(kind, { layers, heads }, layer = null) {
  const rows = layer === null ? Array.from({ length: layers[kind] }, (_, i) => i) : [layer];
  return rows.flatMap((eachLayer) => Array.from({ length: heads }, (_, head) => [kind, eachLayer, head]));
}

/** The set in a fixed order, so that equal experiments have equal URLs. */
export function sortHeads(off) {
  const sortKey = ([kind, layer, head]) => [KINDS.indexOf(kind), layer, head];
  return [...off].sort((first, other) => {
    const [a, b] = [sortKey(first), sortKey(other)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  });
}

/** The set after a head is switched. */
export function toggleHead(off, place) {
  return sortHeads(isOff(off, place) ? off.filter((other) => !isSameHead(other, place)) : [...off, place]);
}

/** The set after several heads are switched off, or on if all of them are off. */
export function toggleHeads(off, places) {
  const rest = off.filter((place) => !isOff(places, place));
  return sortHeads(places.every((place) => isOff(off, place)) ? rest : [...rest, ...places]);
}

/** The set after each of these heads is switched. */
export function invertHeads(off, places) {
  const rest = off.filter((place) => !isOff(places, place));
  return sortHeads([...rest, ...places.filter((place) => !isOff(off, place))]);
}

/** The drop of full colour: the largest drop or rise with its interval, but at least 0.1, so that noise has no strong colour. */
export function colourScale(drops) {
  return Math.max(0.1, ...drops.map(({ drop, high = 0 }) => Math.max(Math.abs(drop), high)));
}

/** Heads by their drop, the largest first; the sort is stable. */
export function sortByDrop(drops) {
  return [...drops].sort((first, other) => other.drop - first.drop);
}

/** The ranges [start, stop] in which to request heads: the longer the sentence, the fewer at a time. */
export function requestRanges(count, pieces) {
  const size = Math.max(4, Math.min(24, Math.floor(600 / pieces)));
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => [i * size, Math.min(count, (i + 1) * size)]);
}
