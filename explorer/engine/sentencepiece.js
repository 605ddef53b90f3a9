// SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959), read from its own file: what the sentencepiece library does.

import { Normalizer, WORD_START } from "./normalizer.js";
import { readFloat, readMessage, readText } from "./protobuf.js";

const UNKNOWN_PENALTY = 10; // how much less probable a character without a piece is than any piece
const UNIGRAM = 1; // of the kinds of model
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, UNUSED = 5; // of the kinds of piece
const UNKNOWN_TEXT = " \u2047 ";

/** The pieces of the file: text, score and kind. */
function readPieces(messages) {
  return messages.map((message) => {
    const { 1: [text] = [new Uint8Array()], 2: [score] = [], 3: [kind] = [NORMAL] } = readMessage(message);
    return { text: readText(text), score: score ? readFloat(score) : 0, kind };
  });
}

/** Raises an error unless the engine can do what the file asks for. */
function verify(pieces, training, normalization) {
  const { 3: [kind] = [UNIGRAM], 24: [suffix] = [0], 35: [bytes] = [0] } = training, { 5: [escapes] = [1] } = normalization;
  const isKnown = (piece) => [NORMAL, UNKNOWN, CONTROL, UNUSED].includes(piece.kind);
  if (kind !== UNIGRAM || suffix || bytes || !escapes || !pieces.every(isKnown)) {
    throw new Error("The engine reads only unigram tokenizers, without bytes, symbols of one's own or blanks as suffixes.");
  }
}

export class SentencePiece {
  constructor(file) {
    const { 1: messages = [], 2: [training] = [new Uint8Array()], 3: [normalization] = [new Uint8Array()] } = readMessage(file);
    this.vocabulary = readPieces(messages);
    this.options = readMessage(training);
    const normalizer = readMessage(normalization);
    verify(this.vocabulary, this.options, normalizer);
    const { 2: [table] = [new Uint8Array()], 3: [addsPrefix] = [1], 4: [removesBlanks] = [1] } = normalizer;
    this.normalizer = new Normalizer(table, { addsPrefix: addsPrefix === 1, removesBlanks: removesBlanks === 1 });
    this.kinds = new Map(this.vocabulary.map(({ text, kind }) => [text, kind]));
    this.unkId = this.vocabulary.findIndex(({ kind }) => kind === UNKNOWN);
    const normal = [...this.vocabulary.entries()].filter(([, { kind }]) => kind === NORMAL);
    this.ids = new Map(normal.map(([id, { text }]) => [text, id]));
    this.unknownScore = Math.fround(normal.reduce((least, [, { score }]) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY);
    this.longest = normal.reduce((longest, [, { text }]) => Math.max(longest, text.length), 0);
  }

  /** The id of a control piece, whose text is in a field of the training options; -1 if there is none. */
  controlId(field, text) {
    const name = this.options[field] ? readText(this.options[field][0]) : text;
    return this.vocabulary.findIndex((piece) => piece.text === name && piece.kind === CONTROL);
  }

  /** The most probable segmentation (Viterbi), as { id, text }; unknown characters in a row are one piece. */
  segment(text) {
    const normalized = this.normalizer.normalize(text), best = this.bestPieces(normalized), pieces = [];
    for (let end = normalized.length; end > 0; end = best[end].start) {
      const { start, id } = best[end], surface = normalized.slice(start, end);
      if (id === this.unkId && pieces.at(-1)?.id === id) pieces.at(-1).text = surface + pieces.at(-1).text;
      else pieces.push({ id, text: surface });
    }
    return pieces.reverse();
  }

  /** For each place in a text the last piece of the best segmentation up to there: its start, id and the score so far. */
  bestPieces(text) {
    const best = new Array(text.length + 1).fill(null);
    best[0] = { score: 0 };
    const offer = (start, end, id, score) => {
      const total = Math.fround(best[start].score + score); // 32 bits, as there: rounding decides between equals
      if (!best[end] || total > best[end].score) best[end] = { start, id, score: total };
    };
    for (let start = 0, next; start < text.length; start = next) {
      next = start + (text.codePointAt(start) > 0xffff ? 2 : 1);
      for (let end = next; end <= Math.min(start + this.longest, text.length); end++) {
        const id = this.ids.get(text.slice(start, end));
        if (id !== undefined) offer(start, end, id, this.vocabulary[id].score);
      }
      if (!this.ids.has(text.slice(start, next))) offer(start, next, this.unkId, this.unknownScore);
    }
    return best;
  }

  /** The text of pieces; control pieces vanish, the unknown one becomes " ⁇ ", and texts that are no pieces stay. */
  decode(pieces) {
    let text = "";
    for (const piece of pieces) {
      const kind = this.kinds.get(piece) ?? null;
      const isFirst = !text && kind !== null && (this.normalizer.addsPrefix || this.normalizer.removesBlanks);
      const shown = isFirst && piece.startsWith(WORD_START) ? piece.slice(1) : piece;
      if (kind === UNKNOWN) text += UNKNOWN_TEXT;
      else if (kind === null) text += piece;
      else if (kind !== CONTROL) text += shown.replaceAll(WORD_START, " ");
    }
    return text;
  }
}
