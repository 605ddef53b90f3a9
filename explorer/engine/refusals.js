// What the calls refuse: explorer/recording/sentence.py, and `require_index` of explorer/ui/questions.py.

import { formatText } from "../ui/format_text.js";
import { UserError } from "../ui/user_error.js";
import { lengthOf, strip } from "./python_text.js";
import { WORD_START } from "./sentencepiece.js";

const CONTROL = /[\p{Cc}\p{Cs}]/u;
const ALLOWED_CONTROLS = /[\t\n\r]/g;

/**
 * Throws the UserError of a name.
 * @param {EngineSettings} settings
 * @param {string} reason
 * @returns {never}
 */
export function refuse({ refusals, language }, reason, values = {}) {
  throw new UserError(formatText(refusals[reason], values, language));
}

/**
 * Throws a UserError if the number is none of a list's places.
 * @param {string} name @param {number} value @param {number} count @param {EngineSettings} settings
 */
export function requireIndex(name, value, count, settings) {
  if (!(value >= 0 && value < count)) refuse(settings, "index", { name, last: count - 1, value });
}

/**
 * Throws a UserError if the text contains a control character.
 * @param {string} text @param {EngineSettings} settings
 */
export function requirePlainCharacters(text, settings) {
  const control = text.replace(ALLOWED_CONTROLS, "").match(CONTROL)?.[0];
  if (!control) return;
  const code = control.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  refuse(settings, "control", { code: `U+${code}` });
}

/**
 * The text without blanks around it. Throws a UserError if it cannot be translated.
 * @param {string} text
 * @param {import("./decoding.js").Translator} translator
 * @param {EngineSettings} settings
 */
export function checkSentence(text, translator, settings) {
  const { limits: { MAX_CHARACTERS, MAX_PIECES }, tags } = settings;
  const { tokenizer } = translator;
  const stripped = strip(text);
  const length = lengthOf(stripped);
  if (!length) refuse(settings, "empty");
  if (length > MAX_CHARACTERS) refuse(settings, "long", { length, limit: MAX_CHARACTERS });
  requirePlainCharacters(stripped, settings);
  const all = tokenizer.pieces(tokenizer.encode(stripped));
  const untagged = all.filter((piece) => !tags.includes(piece));
  if (all.length && !untagged.length) refuse(settings, "empty"); // a tag and nothing behind it
  if (untagged.every((piece) => piece === WORD_START || piece === "<unk>")) refuse(settings, "unknown");
  const pieces = tokenizer.encode(translator.tidy(stripped)).length + 1;
  const limit = Math.min(MAX_PIECES, translator.maxPieces + 1);
  if (pieces > limit) refuse(settings, "pieces", { pieces, limit });
  return stripped;
}
