// Notes beside the picture: how the translation was decoded (explorer/recording/sentence.py), and scripts without a font.

import { element } from "../ui/element.js";
import { missingFontNotices } from "../ui/fonts.js";

/** Draws the notes on a trace as list items; returns those about fonts, which a saved picture also needs. */
export function drawNotes(node, trace, template) {
  const fontNotices = missingFontNotices(trace, template);
  node.replaceChildren(...[...fontNotices, ...trace.notes].map((note) => element("li", {}, note)));
  return fontNotices;
}
