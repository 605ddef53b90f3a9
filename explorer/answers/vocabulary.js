// Which words are German, and which are English alone: explorer/recording/vocabulary.py.

import { lengthOf } from "./python_text.js";

const UTF8 = new TextEncoder();

/** Spreads the bits of a 32-bit number. */
function mix(number) {
  let value = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export class Vocabulary {
  /** `bits` are those of the Bloom filter in base64; `data` has the other constants of the Python module. */
  constructor({ bits, ...data }) {
    Object.assign(this, data, { bits: Uint8Array.from(atob(bits), (sign) => sign.charCodeAt(0)) });
  }

  has(language, word) {
    const { bits, HASHES, FNV_OFFSET, FNV_PRIME } = this;
    const first = mix(UTF8.encode(`${language}:${word}`).reduce((value, byte) => Math.imul(value ^ byte, FNV_PRIME), FNV_OFFSET));
    const second = mix(first ^ FNV_OFFSET);
    for (let i = 0; i < HASHES; i++) {
      const place = ((first + Math.imul(i, second)) >>> 0) % (8 * bits.length);
      if (!((bits[place >> 3] >> (place & 7)) & 1)) return false;
    }
    return true;
  }

  isEnglish(word) {
    return this.has("en", word) && !this.has("de", word);
  }

  /** Whether a word in small letters, or each of its parts around hyphens, is German or a German compound. */
  isGerman(word) {
    return this.has("de", word) || word.split("-").every((part) => lengthOf(part) < this.MIN_PART || this.isCompound(part));
  }

  /** Whether a word consists of at most so many German words, with a linking element between two. */
  isCompound(word, parts = this.MAX_PARTS) {
    if (this.has("de", word)) return true;
    const { LINKS, MIN_PART } = this, signs = [...word];
    if (parts === 1) return false;
    for (let end = MIN_PART; end <= signs.length - MIN_PART; end++) {
      if (!this.has("de", signs.slice(0, end).join(""))) continue;
      const rest = signs.slice(end).join(""), links = LINKS.filter((link) => rest.startsWith(link) && lengthOf(rest) - link.length >= MIN_PART);
      if (links.some((link) => this.isCompound(rest.slice(link.length), parts - 1))) return true;
    }
    return false;
  }
}
