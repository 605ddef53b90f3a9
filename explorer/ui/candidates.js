// A bar chart of the next-piece candidates. Nodes are reused, so that a step only changes their texts.

import { element } from "./element.js";
import { formatDecimal, formatInteger, formatPercent } from "./numbers.js";
import { isolate } from "./scripts.js";
import { fill, plainPiece } from "./text.js";

function candidateRow(isButton) {
  const parts = [element("i"), element("span"), element("span")];
  return isButton ? element("li", {}, element("button", { type: "button" }, ...parts)) : element("li", {}, ...parts);
}

/**
 * Draws the candidates of a step. With `hint`, a tooltip template, each candidate is a button; the predicted one is
 * disabled.
 */
export function drawCandidates(list, step, hint = null) {
  list.translate = false; // tokens of the model
  while (list.children.length < step.candidates.length) list.append(candidateRow(hint));
  while (list.children.length > step.candidates.length) list.lastChild.remove();
  step.candidates.forEach((candidate, i) => {
    const node = list.children[i];
    const [bar, text, number] = hint ? node.firstChild.children : node.children;
    const predicted = candidate.id === step.predicted.id;
    node.classList.toggle("chosen", predicted);
    if (hint) node.firstChild.disabled = predicted;
    if (hint) node.firstChild.title = predicted ? "" : fill(hint, { piece: candidate.text });
    bar.style.transform = `scaleX(${candidate.probability})`;
    text.textContent = isolate(candidate.text);
    number.textContent = formatDecimal(candidate.probability, 3);
  });
}

/**
 * Says what the model wanted most at a step, if no translation may contain it; the story of a training does not know.
 */
export function drawExcluded(node, sentence, { excluded }) {
  node.hidden = !excluded;
  node.textContent = excluded
    ? fill(sentence, { piece: plainPiece(excluded.text), percent: formatPercent(excluded.probability) })
    : "";
}

/**
 * Calls `go(prefix)` when a candidate other than the predicted one is clicked, with the ids of the target prefix that
 * ends in it. `readStep()` returns { steps, step, candidates }, or null if no candidate can be chosen.
 */
export function onCandidateChoice(list, readStep, go) {
  list.addEventListener("click", ({ target }) => {
    const row = target.closest("li");
    const current = row && readStep();
    if (!current) return;
    const { id } = current.candidates[[...list.children].indexOf(row)];
    if (id === current.steps[current.step].predicted.id) return;
    go([...current.steps.slice(0, current.step).map(({ predicted }) => predicted.id), id]);
  });
}

/**
 * A sentence with the number of pieces outside the candidates and their total probability; "" if there are none, or if
 * the trace has no vocabulary size, as in the story of a training.
 */
export function describeOtherCandidates(sentence, candidates, vocabularySize) {
  const count = vocabularySize - candidates.length;
  if (!(count > 0)) return "";
  const remainder = candidates.reduce((left, { probability }) => left - probability, 1);
  // Rounded probabilities may add up to a little more than 1.
  return fill(sentence, { count: formatInteger(count), probability: formatDecimal(Math.max(0, remainder), 3) });
}
