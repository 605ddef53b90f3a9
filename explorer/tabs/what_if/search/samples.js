// Sampled translations as a list, each with its differences from the greedy translation.

import { element } from "../../../ui/element.js";
import { fill, innerPiece, plainPiece } from "../../../ui/text.js";
import { formatChange, formatDecimal } from "../../../ui/numbers.js";

const formatCount = (words, count) => (count === 1 ? words.one : fill(words.many, { count }));

/** A sample's translation, in which pieces that the greedy translation lacks are marked. */
function pieceNodes(pieces, text) {
  return pieces.filter(({ special }) => !special).flatMap((piece, i) => {
    const values = { piece: plainPiece(piece.text), log: formatDecimal(piece.log_probability, 2), running: formatCount(text.running, piece.in_the_running) };
    const node = element(piece.also_greedy ? "span" : "ins", { title: fill(text.drawn, values) }, innerPiece(piece.text));
    return i && piece.starts_word ? [" ", node] : [node];
  });
}

function sampleRow(sample, greedy, { text, target, choose, isLimited }) {
  const { pieces, total, seed, ended } = sample, sampleOnly = pieces.filter((piece) => !piece.also_greedy).length;
  const greedyOnly = greedy.ids.length - pieces.length + sampleOnly; // pieces that only the greedy translation has
  const count = Math.max(sampleOnly, greedyOnly), difference = total - greedy.total;
  const differs = count ? formatCount(text.differs, count) : text.differs.none;
  const values = { seed, total: formatDecimal(total, 2), differs, difference: formatChange(difference, 2) };
  const button = element("button", { type: "button", lang: target, dir: "auto", value: String(sample.ids), "aria-label": `${sample.translation} (${fill(text.sample, values)})` }, ...pieceNodes(pieces, text));
  button.addEventListener("click", () => choose(sample.ids));
  const maxCandidates = Math.max(...pieces.map((piece) => piece.in_the_running));
  const notes = [...(isLimited ? [fill(text.most, { running: formatCount(text.running, maxCandidates) })] : []), ...(ended ? [] : [text.unended])];
  return element("div", {}, button, element("small", {}, fill(text.sampleNote, values), ...notes.map((note) => ` · ${note}`)));
}

/** `isLimited` says whether top-k or top-p excludes pieces. */
export function drawSamples(node, { greedy, samples }, { text, target, choose, isLimited }) {
  const first = element("div", {}, element("b", { lang: target, dir: "auto" }, greedy.translation),
    element("small", {}, `${text.greedy} · ${fill(text.greedyNote, { total: formatDecimal(greedy.total, 2) })}`));
  node.replaceChildren(first, ...samples.map((sample) => sampleRow(sample, greedy, { text, target, choose, isLimited })));
}
