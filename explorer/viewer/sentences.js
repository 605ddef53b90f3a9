// The pieces of both sentences, shaded by the attention of the current row.

function pieceNode(tag, piece, weight, title) {
  const node = document.createElement(tag);
  node.className = "piece";
  node.classList.toggle("unknown", piece.unknown);
  node.title = title;
  node.append(Object.assign(document.createElement("span"), { textContent: piece.text }));
  node.append(Object.assign(document.createElement("small"), { textContent: piece.id }));
  if (weight > 0) node.style.backgroundColor = `color-mix(in srgb, var(--accent) ${Math.round(weight * 75)}%, transparent)`;
  return node;
}

/** `weights` are those of the current row over the English pieces, or empty. */
export function drawSource(strip, pieces, weights) {
  strip.replaceChildren(...pieces.map((piece, i) => {
    const title = piece.unknown ? "not in the vocabulary" : `piece ${i + 1}, id ${piece.id}`;
    return pieceNode("span", piece, weights[i], title);
  }));
}

/** The start and the German so far; `weights` are over the pieces fed, or empty; a click goes to a piece's step. */
export function drawTarget(strip, steps, current, weights, lowConfidence, goTo) {
  const start = pieceNode("span", steps[0].fed, weights[0], "the start, fed first");
  const made = steps.slice(0, current + 1).map((step, i) => {
    const title = `step ${i + 1}: probability ${step.probability.toFixed(3)}`;
    const node = pieceNode("button", step.predicted, weights[i + 1], title);
    node.classList.toggle("current", i === current);
    node.classList.toggle("unsure", step.probability < lowConfidence);
    node.addEventListener("click", () => goTo(i));
    return node;
  });
  strip.replaceChildren(start, ...made);
}
