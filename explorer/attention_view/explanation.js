// The explanation beside the picture, and the words for weights, lengths and rollouts.

import { ROLLOUT, sourceShare } from "./rollout.js";
import { requireWords, fill } from "../ui/text.js";
import { formatDecimal } from "../ui/numbers.js";

/** The words for weights, lengths and rollouts; the last two replace some words for weights. */
export function textsByMeasure(text) {
  const replaceWords = (words) => requireWords({ ...text, ...words });
  return { weight: text, length: replaceWords(text.instead.length), rollout: replaceWords(text.instead.rollout) };
}

/** Which of these words fit a map and a choice of heads: "weight", "length" or "rollout". */
export function measureOf(map, { layer }) {
  return layer === ROLLOUT ? "rollout" : map.measure;
}

/** HTML that explains a view of a map. */
export function explanation({ explanations, texts, text }, view, map) {
  const { level, kind } = view, measure = level === "picture" ? "weight" : measureOf(map, view);
  const remark = view.words && level === "heads" ? [texts[measure].words] : [];
  return [{
    weight: () => explanations[level][kind],
    length: () => [explanations.length[kind], ...describeChanges(text.instead, view, map)].join(" "),
    rollout: () => fill(explanations.rollout[kind], { layers: map.layers, share: percent(sourceShare(map.layers)) }),
  }[measure](), ...remark].join(" ");
}

/** A sentence on how often the strongest key by length differs from the strongest by weight; in a list, empty if unknown. */
function describeChanges(words, { layer, head, specials }, map) {
  if (!map.ready) return [];
  const { rows, here, all } = map.changed({ layer, head }, specials);
  return rows ? [fill(words.changed, { here, rows, all: percent(all) })] : [];
}

function percent(share) {
  return formatDecimal(100 * share, share > 0.9 && share < 1 ? 1 : 0);
}
