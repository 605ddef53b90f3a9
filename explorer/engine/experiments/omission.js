// Leave-one-out: what each German piece loses if an English piece is hidden (explorer/experiments/omission.py).

import { Tensor } from "../tensor.js";

/** A mask for each of some places of a source of `count` pieces, which hides it from all attention. */
function hidingMasks(places, count) {
  const masks = new Tensor([places.length, 1, 1, count], new Uint8Array(places.length * count).fill(1));
  places.forEach((place, row) => (masks.at(row)[place] = 0));
  return masks;
}

/** The change of every target piece's log-probability, in nats, when each of some places is hidden: [place step]. */
export function omissionEffects(laboratory, trace, places) {
  if (!places.length) return [];
  const forced = laboratory.forced(trace), mask = hidingMasks(places, trace.source.length);
  const hidden = forced.changeEncoder(places.length, { mask });
  return hidden.map((row) => row.map((number, step) => number - forced.logProbabilities[step]));
}
