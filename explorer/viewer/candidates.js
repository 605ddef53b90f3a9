// The bars of the pieces that could come next.

function line(candidate, chosen) {
  const node = document.createElement("li");
  node.classList.toggle("chosen", chosen);
  const bar = document.createElement("i");
  bar.style.width = `${100 * candidate.probability}%`;
  const text = Object.assign(document.createElement("span"), { textContent: candidate.text });
  const number = Object.assign(document.createElement("span"), { textContent: candidate.probability.toFixed(3) });
  node.append(bar, text, number);
  return node;
}

export function drawCandidates(list, step) {
  list.replaceChildren(...step.candidates.map((candidate) => line(candidate, candidate.id === step.predicted.id)));
}
