// The result of an experiment: both German texts with their differences, and the unchanged text's score under the
// experiment.

import { logProbability } from "../../derived/trace.js";
import { element } from "../../ui/element.js";
import { formatSigned, formatDecimal, formatSignificant, shownDifference } from "../../ui/numbers.js";
import { sum } from "../../ui/tensor.js";
import { fill, innerPiece, plainPiece } from "../../ui/text.js";

const FULL_BAR_NATS = 3; // the change at which a piece's bar is full
const TAGS = { kept: "span", removed: "del", added: "ins" }; // "removed" and "added" pieces are in one text only

/** The nodes of a German piece and the space before it. */
function pieceNodes({ predicted }, kind, title) {
  const node = element(TAGS[kind], { title }, innerPiece(predicted.text));
  node.classList.toggle("special", predicted.special);
  return predicted.starts_word || predicted.special ? [" ", node] : [node];
}

/** The nodes of a translation; `isCommon(step)` says whether both have the piece, `kind` names one that has not. */
function textNodes({ steps }, isCommon, kind, text) {
  return steps.flatMap((step, i) => {
    const piece = plainPiece(step.predicted.text);
    if (!isCommon(i)) return pieceNodes(step, kind, fill(text[kind], { piece }));
    return pieceNodes(step, "kept", fill(text.kept, { piece, log: formatDecimal(step.log_probability, 2) }));
  });
}

/** Both texts as nodes, and how many pieces only one of them has. */
function diffTexts({ source, answer: { trace, pairs }, text }) {
  const idOf = ({ steps }, i) => steps[i].predicted.id;
  const isCommon = (i) => pairs.steps[i] !== null && idOf(source, pairs.steps[i]) === idOf(trace, i);
  const commonSteps = new Set(pairs.steps.filter((_, i) => isCommon(i)));
  const count = ({ steps }) => steps.length - commonSteps.size;
  return {
    before: textNodes(source, (i) => commonSteps.has(i), "removed", text),
    after: textNodes(trace, isCommon, "added", text),
    removed: count(source),
    added: count(trace),
  };
}

function drawTotal(node, { steps }, text) {
  const total = logProbability(steps);
  node.textContent = fill(text.total, { total: formatDecimal(total, 2) });
  node.title = fill(text.totalHint, { probability: formatSignificant(Math.exp(total), 2) });
}

/** Draws how the experiment changes the score of the unchanged German: one bar per piece. */
function drawRescored(part, { source: { steps }, answer: { trace: { rescored } }, text }) {
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

/** Draws the sentence that the model reads; if the experiment replaces it, both sentences. */
function drawSource(node, { sentence }, { sentence: read }) {
  const isSame = sentence === read;
  node.replaceChildren(...(isSame ? [sentence] : [element("del", {}, sentence), " ", element("ins", {}, read)]));
}

/** `answer` is null if nothing is changed; `names` are the panel's names for the two texts. */
export function drawOutcome(part, { source, answer, text, names }) {
  part.outcome.dataset.changed = answer !== null;
  drawSource(part.source, source, answer?.trace ?? source);
  for (const name of ["original", "changed"]) part[name].closest("dd").previousElementSibling.textContent = names[name];
  if (!answer) {
    part.said.textContent = text.started;
    part.original.replaceChildren(...source.steps.flatMap((step) => pieceNodes(step, "kept", "")));
    part.rescored.hidden = true;
    return;
  }
  const { before, after, removed, added } = diffTexts({ source, answer, text });
  part.original.replaceChildren(...before);
  part.changed.replaceChildren(...after);
  drawTotal(part["original-total"], source, text);
  drawTotal(part["changed-total"], answer.trace, text);
  part.said.textContent = removed + added === 0 ? text.same : fill(text.other, { removed, added });
  drawRescored(part, { source, answer, text });
}
