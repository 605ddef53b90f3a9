// What the level "picture" says: pieces without their signs, and one sentence about what is looked at.

import { strongest } from "./attention.js";
import { joinPieces } from "../ui/scripts.js";
import { fill } from "../ui/text.js";

const HALF = 50; // percent; a word with less than this is not where the model looks "mostly"

/** A trace whose pieces are called as a reader writes: no dot before a word, and start and end by their names. */
export function plainTrace(trace, words) {
  const called = (piece, place) => {
    const marked = piece.special ? { mark: place, text: words.mark[place] } : { text: piece.text.replace(/^·/, "") };
    return { ...piece, ...marked };
  };
  const steps = trace.steps.map((step, i) => {
    const fed = called(step.fed, i === 0 ? "start" : "end");
    return { ...step, fed, predicted: called(step.predicted, "end") };
  });
  return { ...trace, source: trace.source.map((piece) => called(piece, "end")), steps };
}

/**
 * The row or column in focus in one sentence. `reading` holds its `pieces`, and the `weights` of the `groups` of pieces
 * on the other side (sentences.js); null where nothing is in focus. Percent are those of the printed thousandths.
 */
export function plainSentence(words, kind, reading) {
  if (!reading) return words.rows;
  const { axis, pieces, groups, weights } = reading;
  const name = nameOf(words, pieces);
  const found = strongest(weights, 2).map(([i, weight]) => ({ name: nameOf(words, groups[i]), percent: percentOf(weight) }));
  if (!found.length) return fill(words.unseen, { name });
  if (axis === "key") return fill(words.column[kind], { name, found: fill(words.found, found[0]) });
  const mostly = found[0].percent >= HALF || found.length === 1;
  const named = mostly ? [found[0]] : found;
  const [first, second] = named.map((one) => fill(words.found, one));
  const aim = pieces[0].mark === "end" ? words.aim.end : fill(words.aim.word, { name });
  return fill(words.row[kind][mostly ? "mostly" : "spread"], {
    aim, name, found: mostly ? first : fill(words.both, { first, second }),
  });
}

function nameOf(words, pieces) {
  const [{ mark }] = pieces;
  return mark ? words.place[mark] : fill(words.word, { word: joinPieces(pieces.map(({ text }) => text)) });
}

function percentOf(weight) {
  return Math.round(Math.round(1000 * weight) / 10);
}
