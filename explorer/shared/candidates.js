// The bars of the pieces that could come next. Nodes are kept, so that a step only changes their texts.

import { element } from "./element.js";

function line() {
  return element("li", {}, element("i"), element("span"), element("span"));
}

export function drawCandidates(list, step) {
  while (list.children.length < step.candidates.length) list.append(line());
  while (list.children.length > step.candidates.length) list.lastChild.remove();
  step.candidates.forEach((candidate, i) => {
    const node = list.children[i];
    const [bar, text, number] = node.children;
    node.classList.toggle("chosen", candidate.id === step.predicted.id);
    bar.style.transform = `scaleX(${candidate.probability})`;
    text.textContent = candidate.text;
    number.textContent = candidate.probability.toFixed(3);
  });
}
