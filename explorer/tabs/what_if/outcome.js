// The result of an experiment: both German texts with their differences, and the unchanged text's score under the experiment.

import { element } from "../../ui/element.js";
import { formatChange, formatDecimal, localNumber, shownDifference } from "../../ui/numbers.js";
import { sum } from "../../ui/tensor.js";
import { fill, innerPiece, plainPiece } from "../../ui/text.js";

const FULL_BAR_NATS = 3; // the change at which a piece's bar is full

/** The nodes of a German piece and the space before it; `kind` marks pieces that only one text has. */
function pieceNodes({ predicted }, kind, title) {
  const node = element(kind === "kept" ? "span" : { removed: "del", added: "ins" }[kind], { title }, innerPiece(predicted.text));
  node.classList.toggle("special", predicted.special);
  return predicted.starts_word || predicted.special ? [" ", node] : [node];
}

/** Both texts as nodes, and how many pieces only one of them has. */
function diffTexts({ source, answer, text }) {
  const { changedTrace, pairs, original, changed } = answer;
  const keptTitle = (trace, logs, i) => fill(text.kept, { piece: plainPiece(trace.steps[i].predicted.text), log: formatDecimal(logs[i], 2) });
  const isCommon = (i) => pairs.steps[i] !== null && source.steps[pairs.steps[i]].predicted.id === changedTrace.steps[i].predicted.id;
  const commonSteps = new Set(pairs.steps.filter((_, i) => isCommon(i)));
  const titleOf = (trace, kind, i, logs) => (kind === "kept" ? keptTitle(trace, logs, i) : fill(text[kind], { piece: plainPiece(trace.steps[i].predicted.text) }));
  const before = source.steps.map((step, i) => {
    const kind = commonSteps.has(i) ? "kept" : "removed";
    return pieceNodes(step, kind, titleOf(source, kind, i, original.logs));
  });
  const after = changedTrace.steps.map((step, i) => {
    const kind = isCommon(i) ? "kept" : "added";
    return pieceNodes(step, kind, titleOf(changedTrace, kind, i, changed.logs));
  });
  const count = (nodes, name) => nodes.flat().filter(({ tagName }) => tagName === name).length;
  return { before, after, removed: count(before, "DEL"), added: count(after, "INS") };
}

function drawTotal(node, { logs }, text) {
  const all = sum(logs);
  node.textContent = fill(text.total, { total: formatDecimal(all, 2) });
  node.title = fill(text.totalHint, { probability: localNumber(Math.exp(all).toPrecision(2)) });
}

/** Draws how the experiment changes the score of the unchanged German: one bar per piece. */
function drawRescored(part, { source, answer: { original, rescored }, text }) {
  part.rescored.hidden = !rescored;
  if (!rescored) return;
  const changes = rescored.logs.map((log, i) => log - original.logs[i]);
  const change = (before, after) => formatChange(shownDifference(before, after, 2), 2);
  const stepChange = (i) => change(original.logs[i], rescored.logs[i]), totals = [original, rescored].map(({ logs }) => sum(logs));
  part.bars.replaceChildren(...source.steps.map(({ predicted }, i) => {
    const bar = element("i"), number = element("small", {}, stepChange(i));
    bar.style.height = `${Math.min(1, Math.abs(changes[i]) / FULL_BAR_NATS) * 100}%`;
    const title = fill(text.step, { step: i + 1, piece: plainPiece(predicted.text), original: formatDecimal(original.logs[i], 2), changed: formatDecimal(rescored.logs[i], 2) });
    const node = element("span", { title, role: "listitem" }, element("b", {}, bar), plainPiece(predicted.text), number);
    node.classList.toggle("less", changes[i] < 0);
    return node;
  }));
  const lowestStep = changes.reduce((worst, change, i) => (change < changes[worst] ? i : worst), 0);
  const values = { original: formatDecimal(totals[0], 2), changed: formatDecimal(totals[1], 2), difference: change(...totals) };
  const hasLoss = changes[lowestStep] < 0;
  const worst = { piece: plainPiece(source.steps[lowestStep].predicted.text), most: stepChange(lowestStep) };
  part.drop.textContent = hasLoss ? fill(text.drop, { ...values, ...worst }) : fill(text.rise, values);
}

/** Draws the sentence that the model reads; if the experiment replaces it, both sentences. */
function drawSource(node, source, changedTrace) {
  const contents = source.sentence === changedTrace.sentence ? [source.sentence] : [element("del", {}, source.sentence), " ", element("ins", {}, changedTrace.sentence)];
  node.replaceChildren(...contents);
}

/** `answer` is null if nothing is changed; `names` are the panel's names for the two texts. */
export function drawOutcome(part, { source, answer, text, names }) {
  part.outcome.dataset.changed = answer !== null;
  drawSource(part.source, source, answer?.changedTrace ?? source);
  for (const name of ["original", "changed"]) part[name].closest("dd").previousElementSibling.textContent = names[name];
  if (!answer) {
    part.said.textContent = text.started;
    part.original.replaceChildren(...source.steps.flatMap((step) => pieceNodes(step, "kept", "")));
    part.rescored.hidden = true;
    return;
  }
  const { before, after, removed, added } = diffTexts({ source, answer, text });
  part.original.replaceChildren(...before.flat());
  part.changed.replaceChildren(...after.flat());
  drawTotal(part["original-total"], answer.original, text);
  drawTotal(part["changed-total"], answer.changed, text);
  part.said.textContent = removed + added === 0 ? text.same : fill(text.other, { removed, added });
  drawRescored(part, { source, answer, text });
}
