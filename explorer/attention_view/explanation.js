// The explanation beside the picture, the words for weights, lengths and rollouts, and the current step in numbers.

import { drawCandidates, drawExcluded, describeOtherCandidates } from "../ui/candidates.js";
import { formatDecimal, formatPercent } from "../ui/numbers.js";
import { fill, joinList, plainPiece, requireWords } from "../ui/text.js";
import { ROLLOUT, sourceShare } from "../derived/rollout.js";

const PLAIN_CHOICES = 3; // candidates that the level "picture" names
const WORD_START = "·"; // before tokens that begin a word
const LETTER = /^\p{L}/u;

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
  const { level, kind } = view;
  const measure = level === "picture" ? "weight" : measureOf(map, view);
  const isReading = level === "picture" && kind === "encoder";
  const remark = view.words && level === "heads" ? [texts[measure].words] : isReading ? [text.plain.rows] : [];
  return [{
    weight: () => explanations[level][kind],
    length: () => [explanations.length[kind], ...describeChanges(text.instead, view, map)].join(" "),
    rollout: () => fill(explanations.rollout[kind], { layers: map.layers, share: percent(sourceShare(map.layers)) }),
  }[measure](), ...remark].join(" ");
}

/**
 * A sentence on how often the strongest key by length differs from the strongest by weight; in a list, empty if
 * unknown.
 */
function describeChanges(words, { layer, head, specials }, map) {
  if (!map.ready) return [];
  const { rows, here, all } = map.changed({ layer, head }, specials);
  return rows ? [fill(words.changed, { here, rows, all: percent(all) })] : [];
}

function percent(share) {
  return formatPercent(share, { digits: share > 0.9 && share < 1 ? 1 : 0 });
}

/**
 * Draws a step's number, the next-piece candidates and the entropy; `part` are the view's nodes by their roles.
 * @param {Record<string, any>} part
 * @param {Trace} trace
 * @param {View} view
 * @param {Settings} settings
 */
export function drawStep(part, { steps, vocabulary }, { step: number }, { changes, text }) {
  const step = steps[number];
  const best = step.candidates[0] ?? step.predicted;
  const isModelsChoice = best.id === step.predicted.id; // else a visitor has chosen it
  const status = fill(text.status[isModelsChoice ? "own" : "given"], {
    step: number + 1, steps: steps.length, fed: step.fed.text, predicted: step.predicted.text,
    probability: formatDecimal(step.probability, isModelsChoice ? 2 : 3),
  });
  part.slider.max = steps.length;
  part.slider.value = number + 1;
  part.slider.setAttribute("aria-valuetext", status);
  part.status.textContent = status;
  part.entropy.textContent = fill(text.entropy, { bits: formatDecimal(step.entropy, 2) });
  drawCandidates(part.candidates, step, changes ? text.fork : null);
  const hasDots = steps.some(({ predicted: { text: token } }) => token.startsWith(WORD_START));
  part.choices.textContent = fill(text.choices, {
    choices: joinList(step.candidates.slice(0, PLAIN_CHOICES).map((one) => describeChoice(one, hasDots, text))),
  });
  drawExcluded(part.excluded, text.excluded, step);
  part.others.textContent = describeOtherCandidates(text.others, step.candidates, vocabulary);
}

/** A candidate; where words have dots (`hasDots`), one that goes on with a word has a hyphen. */
function describeChoice({ text: piece, probability }, hasDots, text) {
  const hyphen = hasDots && !piece.startsWith(WORD_START) && LETTER.test(piece) ? "-" : "";
  return fill(text.choice, { piece: hyphen + plainPiece(piece), percent: formatPercent(probability) });
}
