// Texts of lessons, in which *stars* emphasize words.

import { element } from "../../ui/element.js";

/** The nodes of a text, with bold words; markup in the text stays plain text. */
export function parseEmphasis(text) {
  return text.split("*").map((part, i) => (i % 2 ? element("b", {}, part) : part)).filter((part) => part !== "");
}
