// Whether a sentence can be translated, and remarks on its translation: explorer/recording/sentence.py.

import { lengthOf, strip } from "./python_text.js";
import { formatText } from "../ui/format_text.js";
import { UserError } from "../ui/user_error.js";

const CONTROL = /[\p{Cc}\p{Cs}]/u, ALLOWED_CONTROLS = /[\t\n\r]/g;

/** Throws the UserError of a name; `data` are limits and texts (settings.py). */
export function refuseSentence({ language, sentence: { refusals } }, reason, values = {}) {
  throw new UserError(formatText(refusals[reason], values, language));
}

/** Throws a UserError if the text contains a control character. */
export function requirePlainCharacters(text, data) {
  const control = text.replace(ALLOWED_CONTROLS, "").match(CONTROL)?.[0];
  if (control) refuseSentence(data, "control", { code: `U+${control.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}` });
}

/** The text without blanks around it. Throws a UserError; `data` are limits and texts (settings.py). */
export function checkSentence(text, translator, data) {
  const { limits: { MAX_CHARACTERS, MAX_PIECES }, sentence: { tags } } = data, refuse = (...reason) => refuseSentence(data, ...reason);
  const stripped = strip(text), length = lengthOf(stripped), { tokenizer } = translator;
  if (!length) refuse("empty");
  if (length > MAX_CHARACTERS) refuse("long", { length, limit: MAX_CHARACTERS });
  requirePlainCharacters(stripped, data);
  const all = tokenizer.pieces(tokenizer.encode(stripped)), untagged = all.filter((piece) => !tags.includes(piece));
  if (all.length && !untagged.length) refuse("empty"); // a tag and nothing behind it
  if (untagged.every((piece) => piece === "\u2581" || piece === "<unk>")) refuse("unknown");
  const pieces = tokenizer.encode(translator.tidy(stripped)).length + 1, limit = Math.min(MAX_PIECES, translator.maxPieces + 1);
  if (pieces > limit) refuse("pieces", { pieces, limit });
  return stripped;
}
