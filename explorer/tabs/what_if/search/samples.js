// Sampled translations as a list, each with what it has and the greedy translation has not.

import { element } from "../../../ui/element.js";
import { fill, innerPiece, plainPiece } from "../../../ui/text.js";
import { nats } from "./beam.js";

const counted = (words, count) => (count === 1 ? words.one : fill(words.many, { count }));

/** A sample's translation: pieces that the greedy translation lacks are marked. */
function marked(pieces, text) {
  return pieces.filter(({ special }) => !special).flatMap((piece, i) => {
    const values = { piece: plainPiece(piece.text), log: nats(piece.log_probability), running: counted(text.running, piece.in_the_running) };
    const node = element(piece.also_greedy ? "span" : "ins", { title: fill(text.drawn, values) }, innerPiece(piece.text));
    return i && piece.starts_word ? [" ", node] : [node];
  });
}

function sampleOf(sample, greedy, { text, target, choose, limited }) {
  const { pieces, total, seed, ended } = sample, others = pieces.filter((piece) => !piece.also_greedy).length;
  const fewer = greedy.ids.length - pieces.length + others; // pieces that only the greedy translation has
  const count = Math.max(others, fewer), difference = total - greedy.total;
  const differs = count ? counted(text.differs, count) : text.differs.none;
  const values = { seed, total: nats(total), differs, difference: `${difference < 0.005 ? nats(difference) : `+${nats(difference)}`}` };
  const button = element("button", { type: "button", lang: target, dir: "auto", value: String(sample.ids), "aria-label": `${sample.translation} (${fill(text.sample, values)})` }, ...marked(pieces, text));
  button.addEventListener("click", () => choose(sample.ids));
  const most = Math.max(...pieces.map((piece) => piece.in_the_running));
  const notes = [...(limited ? [fill(text.most, { running: counted(text.running, most) })] : []), ...(ended ? [] : [text.unended])];
  return element("div", {}, button, element("small", {}, fill(text.sampleNote, values), ...notes.map((note) => ` · ${note}`)));
}

/** `limited` says whether some pieces are not in the running at all. */
export function drawSamples(node, { greedy, samples }, { text, target, choose, limited }) {
  const first = element("div", {}, element("b", { lang: target, dir: "auto" }, greedy.translation),
    element("small", {}, `${text.greedy} · ${fill(text.greedyNote, { total: nats(greedy.total) })}`));
  node.replaceChildren(first, ...samples.map((sample) => sampleOf(sample, greedy, { text, target, choose, limited })));
}
