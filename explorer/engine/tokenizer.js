// Text to pieces and back, with one SentencePiece model for both languages: model/tokenizer.py.

import { SentencePiece } from "./sentencepiece.js";

export class Tokenizer {
  constructor(file) {
    this.processor = new SentencePiece(file);
    this.unkId = this.processor.unkId;
    this.bosId = this.processor.controlId(46, "<s>");
    this.eosId = this.processor.controlId(47, "</s>");
    this.padId = this.processor.controlId(48, "<pad>");
    if (Math.min(this.padId, this.bosId, this.eosId, this.unkId) < 0) throw new Error("The tokenizer lacks a special piece.");
  }

  get vocabSize() {
    return this.processor.vocabulary.length;
  }

  /** The ids of pieces that no translation may contain. */
  get excludedIds() {
    return [this.padId, this.unkId, this.bosId];
  }

  /** The ids of the pieces, without start or end. */
  encode(text) {
    return this.processor.segment(text).map(({ id }) => id);
  }

  /** The pieces of `encode(text)` as text; an unknown piece is shown as its characters. */
  surfaces(text) {
    return this.processor.segment(text).map((piece) => piece.text);
  }

  /** The text of the pieces; start, end and padding vanish, an unknown piece becomes " ⁇ ". */
  decode(ids) {
    return this.processor.decode(this.pieces(ids));
  }

  /** The pieces as in the vocabulary. */
  pieces(ids) {
    return ids.map((id) => this.processor.vocabulary[id].text);
  }
}
