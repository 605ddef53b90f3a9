// Text to pieces and back: SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959), read from its own file.
//
// It gives what model/tokenizer.py gets from the sentencepiece library, piece by piece.

import { Normalizer, WORD_START } from "./normalizer.js";
import { readFloat, readMessage, readText } from "./protobuf.js";

const UNKNOWN_PENALTY = 10; // how much less probable a character without a piece is than any piece
const UNIGRAM = 1; // of the kinds of model
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, UNUSED = 5; // of the kinds of piece
const UNKNOWN_TEXT = " \u2047 ";

/** The pieces of the file: text, score and kind. */
function readPieces(messages) {
  return messages.map((message) => {
    const { 1: [text] = [new Uint8Array()], 2: [score] = [], 3: [kind = NORMAL] = [] } = readMessage(message);
    return { text: readText(text), score: score ? readFloat(score) : 0, kind };
  });
}

/** Raises an error unless the engine can do what the file asks for. */
function verify(pieces, training, normalization) {
  const [kind = UNIGRAM] = training[3] ?? [], [suffix = 0] = training[24] ?? [], [bytes = 0] = training[35] ?? [];
  const [escapes = 1] = normalization[5] ?? [];
  const isKnown = (piece) => [NORMAL, UNKNOWN, CONTROL, UNUSED].includes(piece.kind);
  if (kind !== UNIGRAM || suffix || bytes || !escapes || !pieces.every(isKnown)) {
    throw new Error("The engine reads only unigram tokenizers, without bytes, symbols of one's own or blanks as suffixes.");
  }
}

export class Tokenizer {
  constructor(file) {
    const { 1: messages = [], 2: [training] = [new Uint8Array()], 3: [normalization] = [new Uint8Array()] } = readMessage(file);
    this.vocabulary = readPieces(messages);
    const trainer = readMessage(training), normalizer = readMessage(normalization);
    verify(this.vocabulary, trainer, normalizer);
    const { 2: [table] = [new Uint8Array()], 3: [addsPrefix] = [1], 4: [removesBlanks] = [1] } = normalizer;
    this.normalizer = new Normalizer(table, { addsPrefix: addsPrefix === 1, removesBlanks: removesBlanks === 1 });
    const idOf = (field, text, kind) => {
      const name = trainer[field] ? readText(trainer[field][0]) : text;
      return this.vocabulary.findIndex((piece) => piece.text === name && piece.kind === kind);
    };
    this.unkId = idOf(45, "<unk>", UNKNOWN);
    this.bosId = idOf(46, "<s>", CONTROL);
    this.eosId = idOf(47, "</s>", CONTROL);
    this.padId = idOf(48, "<pad>", CONTROL);
    if (Math.min(this.padId, this.bosId, this.eosId, this.unkId) < 0) throw new Error("The tokenizer lacks a special piece.");
    const normal = [...this.vocabulary.entries()].filter(([, { kind }]) => kind === NORMAL);
    this.ids = new Map(normal.map(([id, { text }]) => [text, id]));
    this.unknownScore = Math.fround(normal.reduce((least, [, { score }]) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY);
    this.longest = normal.reduce((longest, [, { text }]) => Math.max(longest, text.length), 0);
  }

  get vocabSize() {
    return this.vocabulary.length;
  }

  /** The ids of pieces that no translation may contain. */
  get excludedIds() {
    return [this.padId, this.unkId, this.bosId];
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

  /** The ids of the pieces, without start or end. */
  encode(text) {
    return this.segment(text).map(({ id }) => id);
  }

  /** The pieces of `encode(text)` as text; an unknown piece is shown as its characters. */
  surfaces(text) {
    return this.segment(text).map((piece) => piece.text);
  }

  /** The text of the pieces; start, end and padding vanish, an unknown piece becomes " ⁇ ". */
  decode(ids) {
    let text = "";
    for (const id of ids) {
      const piece = this.vocabulary[id];
      if (piece.kind === CONTROL) continue;
      const isFirst = !text && (this.normalizer.addsPrefix || this.normalizer.removesBlanks);
      const shown = isFirst && piece.text.startsWith(WORD_START) ? piece.text.slice(1) : piece.text;
      text += piece.kind === UNKNOWN ? UNKNOWN_TEXT : shown.replaceAll(WORD_START, " ");
    }
    return text;
  }

  /** The pieces as in the vocabulary. */
  pieces(ids) {
    return ids.map((id) => this.vocabulary[id].text);
  }
}
