// Writing systems: direction, word spaces and combining marks. The rules equal those of scripts.py; a test compares
// both.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const WITHOUT_BLANKS = new RegExp([
  "[",
  String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff`,
  String.raw`\uaa60-\uaa7f\u3000-\u312f\u31a0-\u31ff\u3400-\u4dbf`,
  String.raw`\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\u{20000}-\u{3ffff}`,
  "]",
].join(""), "u");
const MARK = /^\p{M}/u, CIRCLED = /^◌(?=\p{M})/u;
const ISOLATES = /[\u2068\u2069]/g;

/** Whether a text has right-to-left letters. */
export function isRightToLeft(text) {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Isolates a right-to-left text (Unicode FSI, PDI), so that text around it keeps its order; isolated text stays as it
 * is.
 */
export function isolate(text) {
  return RIGHT_TO_LEFT.test(text) && withoutIsolates(text) === text ? `\u2068${text}\u2069` : text;
}

/** Removes directional isolates. */
export function withoutIsolates(text) {
  return text.replace(ISOLATES, "");
}

/** Whether a text has letters of a script without spaces between words. */
export function isUnspaced(text) {
  return WITHOUT_BLANKS.test(text);
}

/** Whether a piece starts with a combining mark, which belongs to the letter before it. */
export function startsWithMark(text) {
  return MARK.test(text) || CIRCLED.test(text);
}

/** Joins pieces to one text, without the dotted circles in front of combining marks. */
export function joinPieces(texts) {
  return texts.map((text, i) => (i ? withoutCircle(text) : text)).join("");
}

/** Removes the dotted circle in front of a combining mark. */
export function withoutCircle(text) {
  return text.replace(CIRCLED, "");
}
