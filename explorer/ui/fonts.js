// What this device cannot show: letters for which none of its fonts has a picture, by the names of their scripts.
//
// A browser draws the same picture for every letter that no font has (Chromium and Safari; Firefox writes the letter's number
// instead, which says it, too). `document.fonts.check` answers for the page's own fonts only.

import { fill } from "./text.js";

// By ISO 15924; all but those that any font of a page in a European language has.
const CODES = "Arab Armn Beng Bopo Cher Deva Ethi Geor Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Thaa Thai Tibt";
const SCRIPTS = CODES.split(" ").map((code) => [code, new RegExp(`\\p{Script=${code}}`, "u")]);
const FIRST = 0x530; // no script of these begins before
const NOTHING = "\u0378"; // no letter, and no font has a picture of it
const SIDE = 24; // pixels

const known = new Map(); // of every letter, once: the script of one that is missing, else null

/** Draws one letter and gives its pixels as a text. */
function pictures() {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = `${SIDE / 2}px system-ui, sans-serif`;
  return (letter) => {
    context.clearRect(0, 0, SIDE, SIDE);
    context.fillText(letter, SIDE / 4, (3 * SIDE) / 4);
    return String(context.getImageData(0, 0, SIDE, SIDE).data);
  };
}

/** The codes of scripts of which a text has letters that look as one that no font has; `drawn` gives the picture of a letter. */
export function missingScripts(text, drawn, found = new Map()) {
  const letters = [...new Set(text)].filter((letter) => letter.codePointAt(0) >= FIRST && !found.has(letter));
  const nothing = letters.length ? drawn(NOTHING) : null;
  for (const letter of letters) {
    const script = SCRIPTS.find(([, has]) => has.test(letter));
    found.set(letter, script && drawn(letter) === nothing ? script[0] : null);
  }
  return joined(new Set([...text].map((letter) => found.get(letter)).filter(Boolean)));
}

/** Japanese is written in three scripts, two of which nothing else is written in. */
function joined(codes) {
  if (!codes.has("Hira") && !codes.has("Kana")) return [...codes];
  return ["Jpan", ...[...codes].filter((code) => !["Hira", "Kana", "Hani"].includes(code))];
}

/** A sentence about the scripts that this device cannot show of a trace, in a list; an empty one where it shows all. */
export function missingFontNotices({ source, steps, sentence, translation }, said) {
  const all = [sentence, translation, ...source.map(({ text }) => text), ...steps.flatMap(({ candidates }) => candidates.map(({ text }) => text))];
  const codes = missingScripts(all.join(""), lazyPictures(), known);
  if (!codes.length) return [];
  const language = document.documentElement.lang || "en", names = new Intl.DisplayNames(language, { type: "script" });
  return [fill(said, { scripts: new Intl.ListFormat(language).format(codes.map((code) => names.of(code))) })];
}

/** A canvas is made only where a letter has to be drawn. */
function lazyPictures() {
  let draw = null;
  return (letter) => (draw ??= pictures())(letter);
}
