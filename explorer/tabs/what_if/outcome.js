// What an experiment changes: both German texts with their differences marked, and what the unchanged one is worth now.

import { element } from "../../ui/element.js";
import { fill, innerPiece, plainPiece } from "../../ui/text.js";
import { formatNats } from "../../ui/numbers.js";

const MOST = 3; // nats: a bar of a piece's change that is full

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;

/** A piece of a German text, with the blank before it; one that only this text has is marked. */
function pieceOf({ predicted }, kind, title) {
  const node = element(kind === "kept" ? "span" : { removed: "del", added: "ins" }[kind], { title }, innerPiece(predicted.text));
  node.classList.toggle("special", predicted.special);
  return predicted.starts_word || predicted.special ? [" ", node] : [node];
}

/** Both texts in pieces, with what the other one has not. */
function texts({ source, answer, text }) {
  const { shown, pairs, original, changed } = answer;
  const kept = (trace, logs, i) => fill(text.kept, { piece: plainPiece(trace.steps[i].predicted.text), log: formatNats(logs[i]) });
  const same = (i) => pairs.steps[i] !== null && source.steps[pairs.steps[i]].predicted.id === shown.steps[i].predicted.id;
  const stays = new Set(pairs.steps.filter((_, i) => same(i)));
  const told = (trace, kind, i, logs) => (kind === "kept" ? kept(trace, logs, i) : fill(text[kind], { piece: plainPiece(trace.steps[i].predicted.text) }));
  const before = source.steps.map((step, i) => {
    const kind = stays.has(i) ? "kept" : "removed";
    return pieceOf(step, kind, told(source, kind, i, original.logs));
  });
  const after = shown.steps.map((step, i) => {
    const kind = same(i) ? "kept" : "added";
    return pieceOf(step, kind, told(shown, kind, i, changed.logs));
  });
  const count = (nodes, name) => nodes.flat().filter(({ tagName }) => tagName === name).length;
  return { before, after, removed: count(before, "DEL"), added: count(after, "INS") };
}

function total(node, { logs }, text) {
  const all = sum(logs);
  node.textContent = fill(text.total, { total: formatNats(all) });
  node.title = fill(text.totalHint, { probability: Math.exp(all).toPrecision(2) });
}

/** The unchanged German under the change, a bar for every piece. */
function drawRescored(part, { source, answer: { original, rescored }, text }) {
  part.rescored.hidden = !rescored;
  if (!rescored) return;
  const changes = rescored.logs.map((log, i) => log - original.logs[i]);
  part.bars.replaceChildren(...source.steps.map(({ predicted }, i) => {
    const bar = element("i"), number = element("small", {}, signed(changes[i]));
    bar.style.height = `${Math.min(1, Math.abs(changes[i]) / MOST) * 100}%`;
    const title = fill(text.step, { step: i + 1, piece: plainPiece(predicted.text), original: formatNats(original.logs[i]), changed: formatNats(rescored.logs[i]) });
    const node = element("span", { title, role: "listitem" }, element("b", {}, bar), plainPiece(predicted.text), number);
    node.classList.toggle("less", changes[i] < 0);
    return node;
  }));
  const least = changes.reduce((worst, change, i) => (change < changes[worst] ? i : worst), 0);
  const values = { original: formatNats(sum(original.logs)), changed: formatNats(sum(rescored.logs)), difference: signed(sum(changes)) };
  const loses = changes[least] < 0;
  const worst = { piece: plainPiece(source.steps[least].predicted.text), most: signed(changes[least]) };
  part.drop.textContent = loses ? fill(text.drop, { ...values, ...worst }) : fill(text.rise, values);
}

/** What the model reads; where that is another sentence, both. */
function drawSource(node, source, shown) {
  const texts = source.sentence === shown.sentence ? [source.sentence] : [element("del", {}, source.sentence), " ", element("ins", {}, shown.sentence)];
  node.replaceChildren(...texts);
}

/** `answer` is null where nothing is changed; `names` say how the panel calls the two texts. */
export function drawOutcome(part, { source, answer, text, names }) {
  part.outcome.dataset.changed = answer !== null;
  drawSource(part.source, source, answer?.shown ?? source);
  for (const name of ["original", "changed"]) part[name].closest("dd").previousElementSibling.textContent = names[name];
  if (!answer) {
    part.said.textContent = text.started;
    part.original.replaceChildren(...source.steps.flatMap((step) => pieceOf(step, "kept", "")));
    part.rescored.hidden = true;
    return;
  }
  const { before, after, removed, added } = texts({ source, answer, text });
  part.original.replaceChildren(...before.flat());
  part.changed.replaceChildren(...after.flat());
  total(part["original-total"], answer.original, text);
  total(part["changed-total"], answer.changed, text);
  part.said.textContent = removed + added === 0 ? text.same : fill(text.other, { removed, added });
  drawRescored(part, { source, answer, text });
}
