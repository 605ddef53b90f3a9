// How well the heads of the cross-attention point to the piece that each piece of a translation needs most.
//
// The needed piece is the one without which the piece loses most log-probability (leave-one-out:
// explorer/experiments/omission.py). This takes no training pairs and no alignments, so it works for any model. A head
// may point to it in the row that predicts the piece, or a step later, in the row that is fed with it (Chen et al. 2020,
// arXiv:2004.14837).

export const ROWS = ["predicts", "fed"];
const MIN_LOSS_NATS = 1; // a piece that loses less needs no piece in particular

/**
 * The needed source place of each step; null for the end, and where nothing is needed. `effects` are [place][step].
 * The first `tags` places name the target language, and the last is the end: neither is a word.
 */
export function neededPlaces(effects, tags = 0) {
  const words = effects.slice(tags, -1), nSteps = effects[0].length;
  return Array.from({ length: nSteps }, (_, step) => {
    const losses = words.map((changes) => -changes[step]), most = Math.max(...losses);
    return step < nSteps - 1 && most >= MIN_LOSS_NATS ? tags + losses.indexOf(most) : null;
  });
}

/**
 * What each head does about the needed places, by "layer.head.row": whether its largest weight is there, and the weight
 * there. `weights` are [layer head step place] in order.
 */
export function hits(weights, effects, { layers, heads, tags }) {
  const needed = neededPlaces(effects, tags), nPlaces = effects.length, nSteps = needed.length, found = {};
  const hit = (layer, head, step, place) => {
    const start = ((layer * heads + head) * nSteps + step) * nPlaces, row = weights.subarray(start, start + nPlaces);
    return { isLargest: row[place] === Math.max(...row), weight: row[place] };
  };
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      for (const [later, row] of ROWS.entries()) {
        found[[layer, head, row].join(".")] = needed.flatMap((place, step) => (place === null ? [] : [hit(layer, head, step + later, place)]));
      }
    }
  }
  return found;
}

/**
 * All heads and rows by their share of hits in several translations, the best first, then by their mean weight on the
 * needed places; and the count of these.
 */
export function ranking(translations) {
  const [first] = translations, count = first ? translations.reduce((sum, found) => sum + Object.values(found)[0].length, 0) : 0;
  if (!count) return { count, ranked: [] };
  const ranked = Object.keys(first).map((key) => {
    const [layer, head, row] = key.split("."), all = translations.flatMap((found) => found[key]);
    const share = all.filter(({ isLargest }) => isLargest).length / count, weight = all.reduce((sum, one) => sum + one.weight, 0) / count;
    return { layer: Number(layer), head: Number(head), row, share, weight };
  });
  return { count, ranked: ranked.sort((one, other) => other.share - one.share || other.weight - one.weight) };
}
