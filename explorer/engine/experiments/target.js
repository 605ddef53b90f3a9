// A translation that a visitor typed, as ids: explorer/experiments/laboratory.py.

import { WORD_START } from "../sentencepiece.js";
import { lengthOf, strip } from "../python_text.js";
import { requirePlainCharacters, refuseSentence } from "../refusals.js";

/** The ids of a text in the target language, and the end id. Throws a UserError if the vocabulary lacks some of it. */
export function targetIds(laboratory, text) {
  const { translator: { tokenizer }, recordings: { data } } = laboratory, { MAX_CHARACTERS, MAX_PIECES } = data.limits;
  if (typeof text !== "string") laboratory.refuse("no_text");
  if (lengthOf(text) > MAX_CHARACTERS) refuseSentence(data, "long", { length: lengthOf(text), limit: MAX_CHARACTERS });
  requirePlainCharacters(text, data);
  const ids = tokenizer.encode(strip(text), "target"), surfaces = tokenizer.surfaces(strip(text), "target");
  const unknown = surfaces.filter((_, i) => ids[i] === tokenizer.unkId).map((surface) => surface.replace(new RegExp(`^${WORD_START}+`), ""));
  if (unknown.length) laboratory.refuse("unknown_target", { characters: unknown.join(" ") });
  if (!ids.length) laboratory.refuse("empty_target");
  if (ids.length >= MAX_PIECES) laboratory.refuse("long_target", { pieces: ids.length, limit: MAX_PIECES - 1 });
  return { ids, end: tokenizer.eosId };
}
