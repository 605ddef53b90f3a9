// Texts of the level "picture": pieces in plain spelling, and one sentence about the focused row or column.

import { strongestWeights } from "../derived/attention_map.js";
import { joinPieces } from "../ui/scripts.js";
import { formatPercent, shownPercent } from "../ui/numbers.js";
import { fill, plainPiece } from "../ui/text.js";

const MOSTLY_PERCENT = 50; // the least weight for "looks mostly at"

/** A trace with tokens in plain spelling: no dot before a word; the start and the end of a sentence are marked. */
export function plainTrace(trace) {
  const rename = (piece, mark) => (
    piece.special ? { ...piece, mark } : { ...piece, text: plainPiece(piece.text) });
  const steps = trace.steps.map((step, i) => {
    const fed = rename(step.fed, i === 0 ? "start" : "end");
    return { ...step, fed, predicted: rename(step.predicted, "end") };
  });
  return { ...trace, source: trace.source.map((piece) => rename(piece, "end")), steps };
}

/**
 * One sentence about the focused row or column; `focused` is null if nothing is.
 * @param {import("./sentences.js").FocusedGroup | null} focused
 */
export function plainSentence(words, kind, focused) {
  if (!focused) return words.rows;
  const { axis, pieces, groups, weights } = focused;
  const name = nameOf(words, pieces);
  const strongest = strongestWeights(weights, 2);
  const strongestWords = strongest.map(([i, weight]) => ({
    name: nameOf(words, groups[i]),
    percent: formatPercent(weight),
  }));
  if (!strongestWords.length) return fill(words[whyUnseen(focused)], { name });
  if (axis === "key") return fill(words.column[kind], { name, found: fill(words.found, strongestWords[0]) });
  const mostly = shownPercent(strongest[0][1]) >= MOSTLY_PERCENT || strongestWords.length === 1;
  const listed = mostly ? [strongestWords[0]] : strongestWords;
  const [first, second] = listed.map((one) => fill(words.found, one));
  const aim = pieces[0].mark === "end" ? words.aim.end : fill(words.aim.word, { name });
  return fill(words.row[kind][mostly ? "mostly" : "spread"], {
    aim, name, found: mostly ? first : fill(words.both, { first, second }),
  });
}

/** Why no weight is above zero: a column that is hidden, or not looked at yet; a row of heads that are off. */
function whyUnseen({ axis, pieces }) {
  if (axis === "query") return "off";
  return pieces.every(({ gone }) => gone) ? "hidden" : "unseen";
}

function nameOf(words, pieces) {
  const [{ mark }] = pieces;
  return mark ? words.place[mark] : fill(words.word, { word: joinPieces(pieces.map(({ text }) => text)) });
}

/** The parts of a sentence: texts, and the words named in it as { word }. */
export function splitNames(sentence, words) {
  const [before, after] = words.word.split("{word}");
  const parts = sentence.split(new RegExp(`(${before}.+?${after})`, "u"));
  return parts.map((part, i) => (i % 2 ? { word: part } : part));
}
