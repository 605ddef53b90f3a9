// A decoding step in words: what was fed and predicted, and what could have come instead.

import { drawCandidates, othersInWords } from "../shared/candidates.js";
import { fill } from "../shared/text.js";

/** Shows the step of a viewer's view, in the viewer's parts. */
export function drawStep({ part, settings: { text, forks }, view, trace }) {
  const step = trace.steps[view.step];
  const status = fill(text.status, {
    step: view.step + 1, steps: trace.steps.length, fed: step.fed.text, predicted: step.predicted.text,
    probability: step.probability.toFixed(2),
  });
  part.slider.max = trace.steps.length;
  part.slider.value = view.step + 1;
  part.slider.setAttribute("aria-valuetext", status);
  part.status.textContent = status;
  part.entropy.textContent = fill(text.entropy, { bits: step.entropy.toFixed(2) });
  drawCandidates(part.candidates, step, forks ? text.fork : null);
  part.others.textContent = othersInWords(text.others, step.candidates, trace.vocabulary);
}
