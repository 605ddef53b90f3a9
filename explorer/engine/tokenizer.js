// Text to pieces and back: model/tokenizer.py, and model/opus/tokenizer.py for OPUS-MT models.

import { SentencePiece, WORD_START } from "./sentencepiece.js";

/** @typedef {Tokenizer | TwoModels} AnyTokenizer */

/** One SentencePiece model for both languages. */
export class Tokenizer {
  /** @param {Uint8Array} file */
  constructor(file) {
    this.processor = new SentencePiece(file);
    this.unkId = this.processor.unkId;
    this.bosId = this.processor.controlId(46, "<s>");
    this.eosId = this.processor.controlId(47, "</s>");
    this.padId = this.processor.controlId(48, "<pad>");
    if (Math.min(this.padId, this.bosId, this.eosId, this.unkId) < 0) {
      throw new Error("The tokenizer lacks a special token.");
    }
  }

  get vocabSize() {
    return this.processor.vocabulary.length;
  }

  /** The ids of pieces that no translation may contain. */
  get excludedIds() {
    return [this.padId, this.unkId, this.bosId];
  }

  /** The ids of the pieces, without start or end. @param {string} text */
  encode(text) {
    return this.processor.segment(text).map(({ id }) => id);
  }

  /** The pieces of `encode(text)` as text; an unknown piece is shown as its characters. @param {string} text */
  surfaces(text) {
    return this.processor.segment(text).map((piece) => piece.text);
  }

  /** The text of the pieces; start, end and padding vanish, an unknown piece becomes " ⁇ ". @param {number[]} ids */
  decode(ids) {
    return this.processor.decode(this.pieces(ids));
  }

  /** The pieces as in the vocabulary. @param {number[]} ids */
  pieces(ids) {
    return ids.map((id) => this.processor.vocabulary[id].text);
  }
}

/** The files; target_tag.json, with the tag of texts without one, may be missing. */
export const TWO_MODELS = ["source.spm", "target.spm", "vocab.json"];

/**
 * The tag at the beginning of a text, such as ">>fra<<", which chooses the target language; and the rest.
 * @param {string} text
 */
function splitTag(text) {
  const end = text.indexOf("<<") + 2;
  return text.startsWith(">>") && end > 1 ? [text.slice(0, end), text.slice(end)] : ["", text];
}

/** A SentencePiece model for each language, which splits a text, and one vocabulary for both, which gives the ids. */
export class TwoModels {
  /** Decoding starts from the padding piece, so `bosId` is `padId`. @param {import("./checkpoint.js").Files} files */
  constructor(files) {
    const readJson = (/** @type {string} */ name) => JSON.parse(new TextDecoder().decode(files[name]));
    this.source = new SentencePiece(files["source.spm"]);
    this.target = new SentencePiece(files["target.spm"]);
    /** @type {Map<string, number>} */
    this.ids = new Map(Object.entries(readJson("vocab.json")));
    /** @type {string[]} */
    this.texts = [];
    for (const [text, id] of this.ids) this.texts[id] = text;
    this.padId = this.bosId = this.ids.get("<pad>");
    this.unkId = this.ids.get("<unk>");
    this.eosId = this.ids.get("</s>");
    /** @type {string} */
    this.defaultTag = files["target_tag.json"] ? readJson("target_tag.json").default : "";
  }

  get vocabSize() {
    return this.texts.length;
  }

  /** Only padding, as in Marian: the unknown piece may be chosen. */
  get excludedIds() {
    return [this.padId];
  }

  /**
   * The pieces as text, of a source or a "target"; an unknown piece is shown as its characters.
   * @param {string} text
   * @param {Side} side
   */
  surfaces(text, side = "source") {
    const [written, rest] = splitTag(text);
    const pieces = this[side].segment(rest).map((piece) => piece.text);
    const tag = written || (pieces.length && side === "source" ? this.defaultTag : "");
    return tag ? [tag, ...pieces] : pieces;
  }

  /** @param {string} text @param {Side} side */
  encode(text, side = "source") {
    return this.surfaces(text, side).map((piece) => this.ids.get(piece) ?? this.unkId);
  }

  /** The text of the pieces; end, padding and unknown pieces vanish, a tag stays. @param {number[]} ids */
  decode(ids) {
    const shown = ids.filter((id) => ![this.padId, this.eosId, this.unkId].includes(id));
    return this.target.decode(this.pieces(shown)).replaceAll(WORD_START, " ").trim();
  }

  /** @param {number[]} ids */
  pieces(ids) {
    return ids.map((id) => this.texts[id]);
  }
}
