// The decoding step that a new translation shows first: explorer/recording/default_step.py.

import { lengthOf } from "./python_text.js";

const WORD = /^\p{L}+$/u;

/** Whether a piece is a whole word of at least `minLetters`. */
function isContentWord({ text, special, starts_word: isStart }, next, minLetters) {
  const word = text.replace(/^·/, ""), isWhole = isStart && (!next || next.starts_word || !WORD.test(next.text));
  return isWhole && !special && WORD.test(word) && lengthOf(word) >= minLetters;
}

/** The places of the pieces of a word where it last occurs; empty if it does not. */
function placesOf(word, pieces) {
  const starts = [...pieces.keys()].filter((place) => pieces[place].starts_word && !pieces[place].special);
  for (const start of starts.reverse()) {
    let end = start + 1;
    while (end < pieces.length && !pieces[end].starts_word && WORD.test(pieces[end].text)) end += 1;
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    if (places.map((place) => pieces[place].text).join("").replace(/^·/, "") === word) return places;
  }
  return [];
}

/** The mean of the heads in the last layer: a row of weights for each step. */
function meanOfHeads(weights) {
  const [layers, heads, queries, keys] = weights.shape;
  return Array.from({ length: queries }, (_, query) => Float64Array.from({ length: keys }, (_, key) => {
    let sum = 0;
    for (let head = 0; head < heads; head++) sum += weights.at(layers - 1, head, query)[key];
    return sum / heads;
  }));
}

/** The step that looks most at the word `subject`; without it, the one whose content word has the largest weight. */
export function defaultStep({ source, steps, cross: { weights } }, subject, minLetters) {
  const rows = meanOfHeads(weights), places = subject ? placesOf(subject, source) : [];
  const looks = rows.map((row) => (places.length ? places.reduce((sum, place) => sum + row[place], 0) : Math.max(...row)));
  const isWord = steps.map(({ predicted }, i) => isContentWord(predicted, steps[i + 1]?.predicted, minLetters));
  const competing = !places.length && isWord.includes(true) ? isWord : steps.map(() => true);
  return looks.reduce((best, look, step) => (competing[step] && (best < 0 || look > looks[best]) ? step : best), -1);
}
