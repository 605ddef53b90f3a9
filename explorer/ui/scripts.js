// Scripts that are not written as English is. The rules are those of scripts.py, and a test holds the two together.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const WITHOUT_BLANKS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f\u3000-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\u{20000}-\u{3ffff}]/u;
const MARK = /^\p{M}/u, CIRCLED = /^◌(?=\p{M})/u;
const ISOLATES = /[\u2068\u2069]/g;

/** Whether a text has letters that are written from right to left. */
export function isRightToLeft(text) {
  return RIGHT_TO_LEFT.test(text);
}

/** A text that may stand in a sentence of another direction without moving what is around it; one whose parts do already stays. */
export function isolate(text) {
  return RIGHT_TO_LEFT.test(text) && withoutIsolates(text) === text ? `\u2068${text}\u2069` : text;
}

/** A text without the signs that isolate its parts. */
export function withoutIsolates(text) {
  return text.replace(ISOLATES, "");
}

/** Whether a text has letters or marks of a script that puts no blanks between words. */
export function isUnspaced(text) {
  return WITHOUT_BLANKS.test(text);
}

/** Whether a piece begins with a mark, which belongs to the letter before it. */
export function startsWithMark(text) {
  return MARK.test(text) || CIRCLED.test(text);
}

/** Pieces as one text: a mark stands on the piece before it again, without the circle that it has alone. */
export function joinPieces(texts) {
  return texts.map((text, i) => (i ? withoutCircle(text) : text)).join("");
}

/** A piece after another one: a mark at its beginning needs no circle. */
export function withoutCircle(text) {
  return text.replace(CIRCLED, "");
}
