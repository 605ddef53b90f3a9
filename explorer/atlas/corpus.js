// The sentences of an atlas (sentence_file.py), and where each of their tokens lies (corpus.py). Pure.

/** @typedef {import("./array_file.js").FileArray} FileArray */

/**
 * Every position of a stack, sentence behind sentence: the token there, the one after it, which in the decoder is
 * written there, and its sentence; `start` is the first position of each sentence. Tokens are indices of the corpus.
 * @typedef {{ ids: Int32Array, nextIds: Int32Array, sentence: Int32Array, start: Int32Array }} Positions
 */

/** A token as text, and whether it is the start or the end. @typedef {{ text: string, special: boolean }} AtlasToken */

const NO_TOKEN = -1; // after the last token of a source
const WORD_START = "▁";

/** What tokens have in common that differ in letter case, or in whether they begin a word. @param {string} text */
export function tokenKey(text) {
  return text.replace(/^[▁·](?=.)/su, "").toLowerCase();
}

export class Corpus {
  /** @param {{ header: Record<string, any>, arrays: Record<string, FileArray> }} file */
  constructor({ header, arrays }) {
    /** Of the checkpoint. @type {string} */ this.model = header.model;
    /** Whose sentences these are. @type {string} */ this.credit = header.credit;
    /** @type {string[]} */ this.tokens = header.tokens;
    /** @type {Set<number>} */ this.specials = new Set([header.bos, header.eos]);
    /** @type {string[]} */ this.keys = this.tokens.map(tokenKey);
    /** Tokens by their ids in the vocabulary. @type {Map<number, number>} */
    this.indexOfId = new Map(Array.from(arrays.token_id.data, (id, index) => [id, index]));
    this.source = splitRows(arrays.source.data, arrays.source_length.data);
    this.written = splitRows(arrays.written.data, arrays.written_length.data);
    this.fed = this.written.map((row) => [header.bos, ...row.slice(0, -1)]);
    /** @type {Record<Stack, Positions>} */
    this.positions = {
      encoder: positionsOf(this.source, this.source.map((row) => [...row.slice(1), NO_TOKEN])),
      decoder: positionsOf(this.fed, this.written),
    };
  }

  /** @param {number} index */
  token(index) {
    return { text: this.tokens[index].replace(WORD_START, "·"), special: this.specials.has(index) };
  }

  /** What a visitor would type for a source sentence. @param {number} sentence */
  text(sentence) {
    const inner = this.source[sentence].filter((index) => !this.specials.has(index));
    return inner.map((index) => this.tokens[index]).join("").replaceAll(WORD_START, " ").trim();
  }
}

/**
 * The rows that lie one behind the other.
 * @param {ArrayLike<number>} numbers
 * @param {ArrayLike<number>} lengths
 * @returns {number[][]}
 */
function splitRows(numbers, lengths) {
  let end = 0;
  const all = Array.from(numbers);
  return Array.from(lengths, (length) => all.slice(end, end += length));
}

/**
 * @param {number[][]} rows
 * @param {number[][]} nextRows
 * @returns {Positions}
 */
function positionsOf(rows, nextRows) {
  let count = 0;
  const start = Int32Array.from(rows, (row) => (count += row.length) - row.length);
  const sentence = new Int32Array(count);
  rows.forEach((row, i) => sentence.fill(i, start[i], start[i] + row.length));
  return { ids: Int32Array.from(rows.flat()), nextIds: Int32Array.from(nextRows.flat()), sentence, start };
}
