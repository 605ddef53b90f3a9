// Remarks beside the picture: how the translation was chosen and how it is written (explorer/recording/sentence.py), and what
// this device has no font for.

import { element } from "../ui/element.js";
import { missingFontNotices } from "../ui/fonts.js";

/** Writes the remarks on a trace into a list, and gives back those about fonts, which a saved picture needs, too. */
export function drawNotes(node, trace, said) {
  const missing = missingFontNotices(trace, said);
  node.replaceChildren(...[...missing, ...trace.notes].map((note) => element("li", {}, note)));
  return missing;
}
