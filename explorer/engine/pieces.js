// Ids as the pieces that the page shows: explorer/recording/trace.py.

import { WORD_START } from "./sentencepiece.js";
import { isolate, startsWithMark } from "../ui/scripts.js";

const BLANK = "·", CIRCLE = "◌"; // marks a piece that begins a word; the base of a mark without a letter

/** A piece with a dotted circle as the base of a mark at its beginning, if there is one. */
function addMarkBase(text) {
  const start = text.startsWith(BLANK) ? BLANK : "", rest = text.slice(start.length);
  return startsWithMark(rest) && !rest.startsWith(CIRCLE) ? `${start}${CIRCLE}${rest}` : text;
}

/** The pieces of ids: a raised dot marks a word's start. */
export function piecesOf({ tokenizer }, ids) {
  const special = [tokenizer.bosId, tokenizer.eosId, tokenizer.padId], texts = tokenizer.pieces(ids);
  return ids.map((id, i) => ({
    text: addMarkBase(texts[i].replaceAll(WORD_START, BLANK)),
    id,
    unknown: id === tokenizer.unkId,
    special: special.includes(id),
    starts_word: texts[i].startsWith(WORD_START),
  }));
}

/** The pieces of a source; an unknown piece shows its original characters. */
export function sourcePieces(translator, sentence, src) {
  const surfaces = translator.tokenizer.surfaces(translator.tidy(sentence));
  return piecesOf(translator, src).map((piece, i) => {
    const surface = surfaces[i] ?? ""; // the end has none
    if (!piece.unknown) return piece;
    const text = addMarkBase(surface.replace(/^\u2581+/, "")) || piece.text;
    return { ...piece, text, starts_word: surface.startsWith(WORD_START) };
  });
}

/** Pieces that could come next, as the page shows them: pairs of id and probability. */
export function shownCandidates(translator, candidates) {
  const pieces = piecesOf(translator, candidates.map(({ id }) => id));
  return candidates.map(({ id, probability }, i) => ({ text: pieces[i].text, id, probability }));
}

/** The texts of pieces, each of its own direction. */
export function isolatedTexts(pieces) {
  return pieces.map(({ text }) => isolate(text));
}
