// Which words are German, and which are English alone: a Bloom filter of the words of sentence pairs.
//
// `assets/words.bloom` holds the words, and tools/vocabulary.py makes it, with the same hashes. A Bloom
// filter (Bloom 1970) answers "perhaps" or "no" from a few bits a word: about 1 in 100 words that it does not hold
// seems to be in it. A German compound counts as a word if its parts do, so that the filter need not hold it.

import { fetchFile } from "../ui/packed_files.js";
import { trackWork } from "../ui/rest.js";

const UTF8 = new TextEncoder();
const HASHES = 7; // of a word: the best number for ten bits a word
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const LINKS = ["", "s", "n", "en", "es", "er"]; // between the parts of a compound
const MIN_PART = 3; // letters of a part of a compound; shorter parts around a hyphen are not looked up
const MAX_PARTS = 4;

/**
 * Spreads the bits of a 32-bit number: the last step of MurmurHash3, since those of FNV-1a are too alike.
 * @param {number} number
 */
function mix(number) {
  let value = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The 32-bit FNV-1a hash of a text in UTF-8, mixed. @param {string} text */
function hash(text) {
  return mix(UTF8.encode(text).reduce((value, byte) => Math.imul(value ^ byte, FNV_PRIME), FNV_OFFSET));
}

export class GermanWords {
  /** @type {Uint8Array} */ bits;

  /** @param {Uint8Array} bits of the filter */
  constructor(bits) {
    this.bits = bits;
  }

  /**
   * Whether a language has a word; the bits of a word are found by double hashing (Kirsch and Mitzenmacher 2006).
   * @param {string} language @param {string} word
   */
  has(language, word) {
    const { bits } = this;
    const first = hash(`${language}:${word}`);
    const second = mix(first ^ FNV_OFFSET);
    for (let i = 0; i < HASHES; i++) {
      const index = ((first + Math.imul(i, second)) >>> 0) % (8 * bits.length);
      if (!((bits[index >> 3] >> (index & 7)) & 1)) return false;
    }
    return true;
  }

  /** Whether a word in small letters is English and not German. @param {string} word */
  isEnglish(word) {
    return this.has("en", word) && !this.has("de", word);
  }

  /**
   * Whether a word in small letters, or each of its parts around hyphens, is German or a German compound.
   * @param {string} word
   */
  isGerman(word) {
    if (this.has("de", word)) return true;
    return word.split("-").every((part) => [...part].length < MIN_PART || this.isCompound(part));
  }

  /**
   * Whether a word consists of at most so many German words, with a linking element between two.
   * @param {string} word @param {number} parts
   */
  isCompound(word, parts = MAX_PARTS) {
    if (this.has("de", word)) return true;
    if (parts === 1) return false;
    const signs = [...word];
    for (let end = MIN_PART; end <= signs.length - MIN_PART; end++) {
      if (!this.has("de", signs.slice(0, end).join(""))) continue;
      const rest = signs.slice(end).join("");
      const links = LINKS.filter((link) => rest.startsWith(link) && [...rest].length - link.length >= MIN_PART);
      if (links.some((link) => this.isCompound(rest.slice(link.length), parts - 1))) return true;
    }
    return false;
  }
}

/** In place of the words, for a text all of whose words are among the German ones; it knows no other forms of them. */
export const ALL_GERMAN = { isEnglish: () => false, isGerman: () => true, isCompound: () => false };

/** @type {Map<string, Promise<GermanWords>>} by address */
const filters = new Map();
/** @type {Set<string>} addresses */
const loaded = new Set();

/** @param {string} url */
export function areGermanWordsLoaded(url) {
  return loaded.has(url);
}

/** Promises the words of a file; rejects with a FileError. @param {string} url */
export function loadGermanWords(url) {
  const read = async (/** @type {Response} */ file) => {
    const bits = new Uint8Array(await file.arrayBuffer());
    loaded.add(url);
    return new GermanWords(bits);
  };
  if (!filters.has(url)) filters.set(url, trackWork("words", fetchFile(url).then(read)));
  return filters.get(url);
}
