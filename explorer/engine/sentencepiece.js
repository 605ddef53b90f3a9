// SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959), read from its own file: what the sentencepiece library
// does.

export const WORD_START = "\u2581"; // SentencePiece's mark
const UNKNOWN_PENALTY = 10; // how much less probable a character without a piece is than any piece
const UNIGRAM = 1; // of the kinds of model
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, UNUSED = 5; // of the kinds of piece
const UNKNOWN_TEXT = " \u2047 ";

/**
 * The messages of the file by the numbers of their fields: a model with its pieces and options, a piece with its text,
 * score and kind, and the options that are read.
 * @typedef {{ 1?: Uint8Array[], 2?: Uint8Array[], 3?: Uint8Array[] }} ModelMessage
 * @typedef {{ 1?: Uint8Array[], 2?: Uint8Array[], 3?: number[] }} PieceMessage
 * @typedef {Partial<Record<3 | 24 | 35, number[]> & Record<46 | 47 | 48, Uint8Array[]>>} TrainingMessage
 * @typedef {{ 2?: Uint8Array[], 3?: number[], 4?: number[], 5?: number[] }} NormalizerMessage
 */

/** @typedef {{ text: string, score: number, kind: number }} VocabularyPiece */

/**
 * The fields of a message (protocol buffers) by number, each a list: numbers, or the bytes of texts, messages and
 * 32-bit floats.
 * @template {ModelMessage | PieceMessage | TrainingMessage | NormalizerMessage} Message
 * @param {Uint8Array} bytes
 */
function readMessage(bytes) {
  /** @type {Record<number, (number | Uint8Array)[]>} */
  const fields = {};
  let index = 0;
  const readNumber = () => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[index++];
      if (byte === undefined) throw new Error("tokenizer.model is incomplete.");
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  };
  const readBytes = (/** @type {number} */ length) => {
    if (index + length > bytes.length) throw new Error("tokenizer.model is incomplete.");
    return bytes.subarray(index, (index += length));
  };
  /** @type {Record<number, () => number | Uint8Array>} by the type of a field */
  const readers = { 0: readNumber, 1: () => readBytes(8), 2: () => readBytes(readNumber()), 5: () => readBytes(4) };
  while (index < bytes.length) {
    const tag = readNumber();
    const read = readers[tag & 7];
    if (!read) throw new Error("tokenizer.model is no SentencePiece model.");
    (fields[tag >>> 3] ??= []).push(read());
  }
  return /** @type {Message} */ (fields);
}

/** @param {Uint8Array} bytes */
export function readText(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @param {Uint8Array} bytes */
function readFloat(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
}

/** Normalisation: a table of replacements (nmt_nfkc: NFKC with a few rules more), and blanks. */
class Normalizer {
  /**
   * `table` holds a double-array trie (Aoe 1989, as Darts-clone stores it) over the bytes of what is replaced, and the
   * replacements, each with a zero behind it.
   * @param {Uint8Array} table @param {{ addsPrefix: boolean, removesBlanks: boolean }} options
   */
  constructor(table, { addsPrefix, removesBlanks }) {
    this.addsPrefix = addsPrefix;
    this.removesBlanks = removesBlanks;
    const end = table.length ? 4 + new DataView(table.buffer, table.byteOffset).getUint32(0, true) : 0;
    this.trie = new Uint32Array(table.slice(4, end).buffer);
    this.replacements = table.subarray(end);
  }

  /**
   * The longest replaced text at a place: its length in bytes, and where its replacement is; null if there is none.
   * @param {Uint8Array} bytes @param {number} start
   */
  longestMatch(bytes, start) {
    const offset = (/** @type {number} */ unit) => (unit >>> 10) << ((unit & 512) >> 6);
    if (!this.trie.length) return null;
    let node = offset(this.trie[0]);
    let found = null;
    for (let index = start; index < bytes.length; index++) {
      node ^= bytes[index];
      const unit = this.trie[node];
      if ((unit & 0x800000ff) !== bytes[index]) break;
      node ^= offset(unit);
      if (unit & 256) found = { length: index + 1 - start, replacement: this.trie[node] & 0x7fffffff };
    }
    return found;
  }

  /**
   * The text at a place as it is after normalisation, and how many bytes of the original it stands for.
   * @param {Uint8Array} bytes @param {number} start
   */
  prefix(bytes, start) {
    const match = this.longestMatch(bytes, start);
    if (match) {
      const end = this.replacements.indexOf(0, match.replacement);
      return { text: readText(this.replacements.subarray(match.replacement, end)), length: match.length };
    }
    const first = bytes[start];
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return { text: readText(bytes.subarray(start, start + length)), length };
  }

  /** The text with WORD_START for each blank; at most one between words and none at the end. @param {string} text */
  normalize(text) {
    const bytes = new TextEncoder().encode(text);
    let normalized = "";
    let afterBlank = this.removesBlanks;
    let seen = !this.removesBlanks && bytes.length > 0;
    for (let index = 0; index < bytes.length;) {
      const { text: prefix, length } = this.prefix(bytes, index);
      index += length;
      seen ||= prefix !== " ";
      const kept = afterBlank ? prefix.replace(/^ +/, "") : prefix;
      normalized += kept.replaceAll(" ", WORD_START);
      if (kept) afterBlank = this.removesBlanks && kept.endsWith(" ");
    }
    if (!seen) return "";
    const whole = (this.addsPrefix ? WORD_START : "") + normalized;
    return this.removesBlanks ? whole.replace(/\u2581+$/, "") : whole;
  }
}

/** The pieces of the file: text, score and kind. @param {Uint8Array[]} messages @returns {VocabularyPiece[]} */
function readPieces(messages) {
  return messages.map((message) => {
    /** @type {PieceMessage} */
    const { 1: [text] = [new Uint8Array()], 2: [score] = [], 3: [kind] = [NORMAL] } = readMessage(message);
    return { text: readText(text), score: score ? readFloat(score) : 0, kind };
  });
}

/**
 * Raises an error unless the engine can do what the file asks for.
 * @param {VocabularyPiece[]} pieces @param {TrainingMessage} training @param {NormalizerMessage} normalization
 */
function verify(pieces, training, normalization) {
  const { 3: [kind] = [UNIGRAM], 24: [suffix] = [0], 35: [bytes] = [0] } = training;
  const { 5: [escapes] = [1] } = normalization;
  const isKnown = (/** @type {VocabularyPiece} */ piece) => [NORMAL, UNKNOWN, CONTROL, UNUSED].includes(piece.kind);
  if (kind !== UNIGRAM || suffix || bytes || !escapes || !pieces.every(isKnown)) {
    throw new Error(
      "The engine reads only unigram tokenizers, without bytes, symbols of one's own or blanks as suffixes.",
    );
  }
}

export class SentencePiece {
  /** @param {Uint8Array} file */
  constructor(file) {
    /** @type {ModelMessage} */
    const {
      1: messages = [],
      2: [training] = [new Uint8Array()],
      3: [normalization] = [new Uint8Array()],
    } = readMessage(file);
    this.vocabulary = readPieces(messages);
    /** @type {TrainingMessage} */
    this.options = readMessage(training);
    /** @type {NormalizerMessage} */
    const normalizer = readMessage(normalization);
    verify(this.vocabulary, this.options, normalizer);
    const { 2: [table] = [new Uint8Array()], 3: [addsPrefix] = [1], 4: [removesBlanks] = [1] } = normalizer;
    this.normalizer = new Normalizer(table, { addsPrefix: addsPrefix === 1, removesBlanks: removesBlanks === 1 });
    this.kinds = new Map(this.vocabulary.map(({ text, kind }) => [text, kind]));
    this.unkId = this.vocabulary.findIndex(({ kind }) => kind === UNKNOWN);
    const normal = [...this.vocabulary.entries()].filter(([, { kind }]) => kind === NORMAL);
    this.ids = new Map(normal.map(([id, { text }]) => [text, id]));
    this.unknownScore = Math.fround(
      normal.reduce((least, [, { score }]) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY,
    );
    this.longest = normal.reduce((longest, [, { text }]) => Math.max(longest, text.length), 0);
  }

  /**
   * The id of a control piece, whose text is in a field of the training options; -1 if there is none.
   * @param {46 | 47 | 48} field @param {string} text
   */
  controlId(field, text) {
    const name = this.options[field] ? readText(this.options[field][0]) : text;
    return this.vocabulary.findIndex((piece) => piece.text === name && piece.kind === CONTROL);
  }

  /**
   * The most probable segmentation (Viterbi), as { id, text }; unknown characters in a row are one piece.
   * @param {string} text
   */
  segment(text) {
    const normalized = this.normalizer.normalize(text);
    const best = this.bestPieces(normalized);
    /** @type {{ id: number, text: string }[]} */
    const pieces = [];
    for (let end = normalized.length; end > 0; end = best[end].start) {
      const { start, id } = best[end];
      const surface = normalized.slice(start, end);
      if (id === this.unkId && pieces.at(-1)?.id === id) pieces.at(-1).text = surface + pieces.at(-1).text;
      else pieces.push({ id, text: surface });
    }
    return pieces.reverse();
  }

  /**
   * For each place in a text the last piece of the best segmentation up to there: its start, id and the score so far.
   * @param {string} text
   */
  bestPieces(text) {
    /** @type {{ start?: number, id?: number, score: number }[]} */
    const best = new Array(text.length + 1).fill(null);
    best[0] = { score: 0 };
    /** @type {(start: number, end: number, id: number, score: number) => void} */
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

  /**
   * The text of pieces; control pieces vanish, the unknown one becomes " ⁇ ", and texts that are no pieces stay.
   * @param {string[]} pieces
   */
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
