// Finds scripts that this device cannot show because none of its fonts has their glyphs.
//
// Chromium and Safari draw the same picture for every letter without a glyph; Firefox draws the letter's code point,
// which a reader understands. `document.fonts.check` only knows the page's own fonts.

import { contextOf } from "./canvas.js";
import { fill } from "./text.js";

// ISO 15924 codes, without the scripts that any font for a European language has.
const SCRIPT_CODES =
  "Arab Armn Beng Bopo Cher Deva Ethi Geor Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym Mong Mymr Nkoo " +
  "Orya Sinh Syrc Taml Telu Thaa Thai Tibt";
const SCRIPTS = SCRIPT_CODES.split(" ").map((code) => ({ code, pattern: new RegExp(`\\p{Script=${code}}`, "u") }));
const FIRST_CODE_POINT = 0x530; // the first code point of these scripts
const UNASSIGNED_LETTER = "\u0378"; // not assigned in Unicode, so no font has a glyph for it
const CANVAS_PIXELS = 24;

const scriptByLetter = new Map(); // by letter: the code of its script if the letter is missing, otherwise null

/** Returns a function that draws a letter and returns its pixels as a string. */
function createLetterRenderer() {
  const canvas = Object.assign(document.createElement("canvas"), { width: CANVAS_PIXELS, height: CANVAS_PIXELS });
  const context = contextOf(canvas, { willReadFrequently: true });
  if (context.isBlank) return (letter) => letter; // no letter counts as missing
  context.font = `${CANVAS_PIXELS / 2}px system-ui, sans-serif`;
  return (letter) => {
    context.clearRect(0, 0, CANVAS_PIXELS, CANVAS_PIXELS);
    context.fillText(letter, CANVAS_PIXELS / 4, (3 * CANVAS_PIXELS) / 4);
    return String(context.getImageData(0, 0, CANVAS_PIXELS, CANVAS_PIXELS).data);
  };
}

/** Codes of the scripts in a text whose letters have no glyph; `renderLetter` returns the pixels of a letter. */
export function missingScripts(text, renderLetter, scriptByLetterCache = new Map()) {
  const letters = [...new Set(text)].filter(
    (letter) => letter.codePointAt(0) >= FIRST_CODE_POINT && !scriptByLetterCache.has(letter),
  );
  const missingPicture = letters.length ? renderLetter(UNASSIGNED_LETTER) : null;
  for (const letter of letters) {
    const script = SCRIPTS.find(({ pattern }) => pattern.test(letter));
    scriptByLetterCache.set(letter, script && renderLetter(letter) === missingPicture ? script.code : null);
  }
  return mergeJapaneseScripts(new Set([...text].map((letter) => scriptByLetterCache.get(letter)).filter(Boolean)));
}

/** Replaces the three scripts of Japanese by "Jpan"; Hiragana and Katakana occur in no other language. */
function mergeJapaneseScripts(codes) {
  if (!codes.has("Hira") && !codes.has("Kana")) return [...codes];
  return ["Jpan", ...[...codes].filter((code) => !["Hira", "Kana", "Hani"].includes(code))];
}

/** A list with one sentence about the missing scripts of a trace; empty if no script is missing. */
export function missingFontNotices({ source, steps, sentence, translation }, sentenceTemplate) {
  const all = [
    sentence,
    translation,
    ...source.map(({ text }) => text),
    ...steps.flatMap(({ candidates }) => candidates.map(({ text }) => text)),
  ];
  const codes = missingScripts(all.join(""), createLazyLetterRenderer(), scriptByLetter);
  if (!codes.length) return [];
  const language = document.documentElement.lang || "en";
  const names = new Intl.DisplayNames(language, { type: "script" });
  return [
    fill(sentenceTemplate, { scripts: new Intl.ListFormat(language).format(codes.map((code) => names.of(code))) }),
  ];
}

/** Creates its canvas on the first call only. */
function createLazyLetterRenderer() {
  let render = null;
  return (letter) => (render ??= createLetterRenderer())(letter);
}
