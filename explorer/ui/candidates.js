// The bars of the pieces that could come next. Nodes are kept, so that a step only changes their texts.

import { element } from "./element.js";
import { formatInteger } from "./numbers.js";
import { isolate } from "./scripts.js";
import { fill } from "./text.js";

function line(chosen) {
  const parts = [element("i"), element("span"), element("span")];
  return chosen ? element("li", {}, element("button", { type: "button" }, ...parts)) : element("li", {}, ...parts);
}

/** With a sentence `choose` every candidate is a button that it describes; the predicted one is none. */
export function drawCandidates(list, step, choose = null) {
  while (list.children.length < step.candidates.length) list.append(line(choose));
  while (list.children.length > step.candidates.length) list.lastChild.remove();
  step.candidates.forEach((candidate, i) => {
    const node = list.children[i];
    const [bar, text, number] = choose ? node.firstChild.children : node.children;
    const predicted = candidate.id === step.predicted.id;
    node.classList.toggle("chosen", predicted);
    if (choose) node.firstChild.disabled = predicted;
    if (choose) node.firstChild.title = predicted ? "" : fill(choose, { piece: candidate.text });
    bar.style.transform = `scaleX(${candidate.probability})`;
    text.textContent = isolate(candidate.text);
    number.textContent = candidate.probability.toFixed(3);
  });
}

/**
 * Calls `go(beginning)` with the ids of the German so far and of a candidate that was chosen in its place. `where()` gives
 * the trace's `steps`, the `step` and its `candidates`, or null where none can be chosen.
 */
export function onCandidate(list, where, go) {
  list.addEventListener("click", ({ target }) => {
    const line = target.closest("li"), found = line && where();
    if (!found) return;
    const { id } = found.candidates[[...list.children].indexOf(line)];
    if (id === found.steps[found.step].predicted.id) return;
    go([...found.steps.slice(0, found.step).map(({ predicted }) => predicted.id), id]);
  });
}

/**
 * How many pieces of a vocabulary are not among the candidates, and the probability of all of them; "" where none is left,
 * or where a trace does not tell how many there are, as those of a story.
 */
export function othersInWords(sentence, candidates, vocabulary) {
  const count = vocabulary - candidates.length;
  if (!(count > 0)) return "";
  const rest = candidates.reduce((left, { probability }) => left - probability, 1);
  // The sum of many roundings may lie a little beyond 1.
  return fill(sentence, { count: formatInteger(count), probability: Math.max(0, rest).toFixed(3) });
}
