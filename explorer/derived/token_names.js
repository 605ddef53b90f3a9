// What the page calls the tokens that are no words: "(end)" instead of "</s>". Files keep the names in the vocabulary.

/**
 * The start and the end of a sentence in the language of the page (TOKEN_NAMES of explorer/ui/words).
 * @typedef {{ start: string, end: string }} TokenNames
 */

/**
 * The name of a token of the vocabulary.
 * @param {string} text
 * @param {TokenNames} names
 */
export function tokenName(text, { start, end }) {
  if (text === "<s>") return start;
  return text === "</s>" ? end : text;
}

/**
 * A token with its name as its text and, if that is another one, with `raw`, its text in the vocabulary. An unknown
 * token has the letters of the sentence, which have no other name.
 * @template {{ text: string, unknown?: boolean }} T
 * @param {T} token
 * @param {TokenNames} names
 * @returns {T & { raw?: string }}
 */
export function nameToken(token, names, name = tokenName(token.text, names)) {
  return token.unknown || name === token.text ? token : { ...token, text: name, raw: token.text };
}

/**
 * A step of a trace with names; the first one is fed the start, whatever the model has there.
 * @param {Step} step @param {TokenNames} names @param {boolean} isFirst
 * @returns {Step}
 */
function nameStep({ fed, predicted, candidates, excluded, ...step }, names, isFirst) {
  return {
    ...step,
    fed: nameToken(fed, names, isFirst ? names.start : undefined),
    predicted: nameToken(predicted, names),
    candidates: candidates.map((candidate) => nameToken(candidate, names)),
    excluded: excluded && nameToken(excluded, names),
  };
}

/**
 * A trace whose tokens have names.
 * @template {Pick<TracePayload, "source" | "steps">} T
 * @param {T} trace
 * @param {TokenNames} names
 */
export function nameTokens({ source, steps, ...trace }, names) {
  return {
    ...trace,
    source: source.map((token) => nameToken(token, names)),
    steps: steps.map((step, i) => nameStep(step, names, i === 0)),
  };
}

/**
 * @template {{ text: string, raw?: string }} T
 * @param {T} token
 */
function rawToken({ raw, ...token }) {
  return raw === undefined ? token : { ...token, text: raw };
}

/**
 * The trace with the texts of the vocabulary again.
 * @template {Pick<Trace, "source" | "steps">} T
 * @param {T} trace
 */
export function withoutNames({ source, steps, ...trace }) {
  /** @type {(step: Step) => Step} */
  const rawStep = ({ fed, predicted, candidates, excluded, ...step }) => ({
    ...step,
    fed: rawToken(fed),
    predicted: rawToken(predicted),
    candidates: candidates.map(rawToken),
    excluded: excluded && rawToken(excluded),
  });
  return { ...trace, source: source.map(rawToken), steps: steps.map(rawStep) };
}
