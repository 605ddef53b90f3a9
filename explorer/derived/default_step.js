// What a new translation shows first: a decoding step with clear cross-attention, and a source word that it is about.

const MIN_LETTERS = 4; // of a content word; in any language most shorter words are articles, pronouns and the like
const LONG = 24, MIDDLE = 0.25; // steps of a long sentence, and how far from its half its middle reaches
const WORD = /^\p{L}+$/u;

/**
 * Whether a piece is a whole word of at least MIN_LETTERS: not special, not punctuation, not part of a word.
 * @param {Piece} piece @param {Piece | undefined} next
 */
function isContentWord({ text, special, starts_word: isStart }, next) {
  const word = text.replace(/^·/, "");
  const isWhole = isStart && (!next || next.starts_word || !WORD.test(next.text));
  return isWhole && !special && WORD.test(word) && [...word].length >= MIN_LETTERS;
}

/**
 * The indices of the pieces of a word where it last occurs; empty if it does not.
 * @param {string} word @param {Piece[]} pieces
 */
export function piecesOfWord(word, pieces) {
  const starts = [...pieces.keys()].filter((i) => pieces[i].starts_word && !pieces[i].special);
  for (const start of starts.reverse()) {
    let end = start + 1;
    while (end < pieces.length && !pieces[end].starts_word && WORD.test(pieces[end].text)) end += 1;
    const indices = Array.from({ length: end - start }, (_, i) => start + i);
    if (indices.map((i) => pieces[i].text).join("").replace(/^·/, "") === word) return indices;
  }
  return [];
}

/**
 * The step that looks most at the word `subject` (last layer, mean of heads).
 *
 * Without that word: the step whose content word has the largest weight, in a long sentence one in the middle, where
 * there is as much before as after it; if no step writes a content word, all compete.
 * @param {Pick<Trace, "source" | "steps" | "kinds">} trace @param {string} subject
 */
export function defaultStep({ source, steps, kinds: { cross } }, subject = "") {
  const rows = cross.matrix(cross.layers - 1, "mean");
  const pieces = subject ? piecesOfWord(subject, source) : []; // one may be a raised dot alone: an empty word
  /** @type {(step: number) => number} */
  const attention = (step) => (
    pieces.length ? pieces.reduce((sum, piece) => sum + rows[step][piece], 0) : Math.max(...rows[step]));
  const all = [...steps.keys()];
  const words = all.filter((step) => isContentWord(steps[step].predicted, steps[step + 1]?.predicted));
  const middle = words.filter((step) => steps.length > LONG && Math.abs(step / steps.length - 0.5) < MIDDLE);
  const competing = pieces.length ? all : [middle, words, all].find(({ length }) => length) ?? all;
  return competing.reduce((best, step) => (best < 0 || attention(step) > attention(best) ? step : best), -1);
}

/**
 * The source piece whose own attention is shown first: of the word `subject`, else what a step looks at most.
 * @param {Pick<Trace, "source" | "kinds">} trace @param {number} step @param {string} subject
 */
export function defaultPiece({ source, kinds: { cross } }, step, subject = "") {
  const [piece] = subject ? piecesOfWord(subject, source) : [];
  if (piece !== undefined) return piece;
  const row = cross.matrix(cross.layers - 1, "mean")[step];
  const words = [...source.keys()].filter((i) => !source[i].special);
  return words.reduce((best, i) => (row[i] > row[best] ? i : best), words[0] ?? 0);
}
