// The current step in numbers: its place, the next-piece candidates, and the entropy.

import { drawCandidates, describeOtherCandidates } from "../ui/candidates.js";
import { fill, joinList, plainPiece } from "../ui/text.js";
import { formatDecimal } from "../ui/numbers.js";

const PLAIN_CHOICES = 3; // candidates that the level "picture" names

/** `part` are the view's nodes by their roles. */
export function drawStep(part, { steps, vocabulary }, { step: number }, { forks, text }) {
  const step = steps[number];
  const status = fill(text.status, {
    step: number + 1, steps: steps.length, fed: step.fed.text, predicted: step.predicted.text,
    probability: formatDecimal(step.probability, 2),
  });
  part.slider.max = steps.length;
  part.slider.value = number + 1;
  part.slider.setAttribute("aria-valuetext", status);
  part.status.textContent = status;
  part.entropy.textContent = fill(text.entropy, { bits: formatDecimal(step.entropy, 2) });
  drawCandidates(part.candidates, step, forks ? text.fork : null);
  part.choices.textContent = fill(text.choices, { choices: joinList(step.candidates.slice(0, PLAIN_CHOICES).map((candidate) => describeChoice(candidate, text))) });
  part.others.textContent = describeOtherCandidates(text.others, step.candidates, vocabulary);
}

function describeChoice({ text: piece, probability }, text) {
  return fill(text.choice, { piece: plainPiece(piece), percent: formatDecimal(100 * probability, 0) });
}
