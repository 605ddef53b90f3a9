// What is seen, in a sentence or two beside the picture, and the words that its numbers are told in.

import { ROLLOUT, sourceShare } from "./rollout.js";
import { requireWords, fill } from "../ui/text.js";

/** The words for each of weights, lengths and rollouts: those of weights, some of them replaced. */
export function textsOf(text) {
  const instead = (words) => requireWords({ ...text, ...words });
  return { weight: text, length: instead(text.instead.length), rollout: instead(text.instead.rollout) };
}

/** Which of them tell what a map shows for a choice of heads. */
export function toldOf(map, { layer }) {
  return layer === ROLLOUT ? "rollout" : map.measure;
}

/** HTML that explains a view; `map` is the one that is shown. */
export function explanation({ explanations, texts, text }, view, map) {
  const { level, kind } = view, told = level === "picture" ? "weight" : toldOf(map, view);
  const remark = view.words && level === "heads" ? [texts[told].words] : [];
  return [{
    weight: () => explanations[level][kind],
    length: () => [explanations.length[kind], ...changes(text.instead, view, map)].join(" "),
    rollout: () => fill(explanations.rollout[kind], { layers: map.layers, share: percent(sourceShare(map.layers)) }),
  }[told](), ...remark].join(" ");
}

/** How often the strongest key is another one than by weight. */
function changes(words, { layer, head, specials }, map) {
  if (!map.ready) return [];
  const { rows, here, all } = map.changed({ layer, head }, specials);
  return rows ? [fill(words.changed, { here, rows, all: percent(all) })] : [];
}

function percent(share) {
  return (100 * share).toFixed(share > 0.9 && share < 1 ? 1 : 0);
}
