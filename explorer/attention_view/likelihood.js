// How likely the translation is good (explorer/recording/likelihood.py): a word, its reason, and what it rests on.

import { formatDecimal } from "../ui/numbers.js";
import { fill } from "../ui/text.js";

/** Draws the likelihood; none for models without a fit, changed runs and texts in another language. */
export function drawLikelihood(node, likelihood, text) {
  node.hidden = !likelihood;
  node.open = false;
  if (!likelihood) return;
  const { word, probability, reason } = likelihood, [verdict, why] = node.querySelectorAll("strong, span");
  node.dataset.word = word;
  verdict.textContent = text[word];
  why.textContent = reason?.text ?? "";
  node.querySelector("p").textContent = fill(text.about, { percent: formatDecimal(100 * probability, 0) });
}
