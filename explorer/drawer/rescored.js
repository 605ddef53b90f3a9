// The unchanged translation under a change: how much the log-probability of each token moves.

import { logProbability } from "../derived/trace.js";
import { element } from "../ui/element.js";
import { formatSigned, formatDecimal, shownDifference } from "../ui/numbers.js";
import { sum } from "../ui/tensor.js";
import { fill, plainPiece } from "../ui/text.js";

const FULL_BAR_NATS = 3; // the change at which a piece's bar is full

/** Draws how a change moves the score of the unchanged translation: one bar per piece; nothing where it does not. */
export function drawRescored(part, { steps }, trace, text) {
  const rescored = trace?.rescored;
  part.rescored.hidden = !rescored;
  if (!rescored) return;
  const change = (before, after) => formatSigned(shownDifference(before, after, 2), 2);
  const scores = steps.map(({ predicted, log_probability: before }, i) => {
    const after = rescored[i];
    return { piece: plainPiece(predicted.text), before, after, change: after - before, shown: change(before, after) };
  });
  part.bars.replaceChildren(...scores.map((score, i) => scoreBar(score, i, text)));
  const lowest = scores.reduce((worst, score) => (score.change < worst.change ? score : worst));
  const totals = [logProbability(steps), sum(rescored)];
  const [original, changed] = totals.map((total) => formatDecimal(total, 2));
  const values = { original, changed, difference: change(...totals) };
  const loss = { ...values, piece: lowest.piece, most: lowest.shown };
  part.drop.textContent = lowest.change < 0 ? fill(text.drop, loss) : fill(text.rise, values);
}

/** A bar with the change of one piece's score. */
function scoreBar({ piece, before, after, change, shown }, i, text) {
  const bar = element("i");
  bar.style.height = `${Math.min(1, Math.abs(change) / FULL_BAR_NATS) * 100}%`;
  const [original, changed] = [before, after].map((log) => formatDecimal(log, 2));
  const title = fill(text.step, { step: i + 1, piece, original, changed });
  const node = element("span", { title, role: "listitem" }, element("b", {}, bar), piece, element("small", {}, shown));
  node.classList.toggle("less", change < 0);
  return node;
}
