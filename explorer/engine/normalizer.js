// SentencePiece's normalisation: a table of replacements (nmt_nfkc: NFKC with a few rules more), and its blanks.

import { readText } from "./protobuf.js";

export const WORD_START = "\u2581"; // SentencePiece's mark

export class Normalizer {
  /**
   * `table` holds a double-array trie (Aoe 1989, as Darts-clone stores it) over the bytes of what is replaced, and the
   * replacements, each with a zero behind it.
   */
  constructor(table, { addsPrefix, removesBlanks }) {
    Object.assign(this, { addsPrefix, removesBlanks });
    const end = table.length ? 4 + new DataView(table.buffer, table.byteOffset).getUint32(0, true) : 0;
    this.trie = new Uint32Array(table.slice(4, end).buffer);
    this.replacements = table.subarray(end);
  }

  /** The longest replaced text at a place: its length in bytes, and where its replacement is; null if there is none. */
  longestMatch(bytes, start) {
    const offset = (unit) => (unit >>> 10) << ((unit & 512) >> 6);
    if (!this.trie.length) return null;
    let node = offset(this.trie[0]), found = null;
    for (let place = start; place < bytes.length; place++) {
      node ^= bytes[place];
      const unit = this.trie[node];
      if ((unit & 0x800000ff) !== bytes[place]) break;
      node ^= offset(unit);
      if (unit & 256) found = { length: place + 1 - start, replacement: this.trie[node] & 0x7fffffff };
    }
    return found;
  }

  /** The text at a place as it is after normalisation, and how many bytes of the original it stands for. */
  prefix(bytes, start) {
    const match = this.longestMatch(bytes, start);
    if (match) {
      const end = this.replacements.indexOf(0, match.replacement);
      return { text: readText(this.replacements.subarray(match.replacement, end)), length: match.length };
    }
    const first = bytes[start], length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return { text: readText(bytes.subarray(start, start + length)), length };
  }

  /** The text with WORD_START for each blank; at most one between words and none at the end. */
  normalize(text) {
    const bytes = new TextEncoder().encode(text);
    let normalized = "", afterBlank = this.removesBlanks, seen = !this.removesBlanks && bytes.length > 0;
    for (let place = 0; place < bytes.length;) {
      const { text: prefix, length } = this.prefix(bytes, place);
      place += length;
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
