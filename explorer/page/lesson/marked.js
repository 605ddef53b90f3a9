// Texts of lessons, in which *stars* make words stand out.

import { element } from "../../ui/element.js";

/** The nodes of a text; what a teacher typed stays text. */
export function marked(text) {
  return text.split("*").map((part, i) => (i % 2 ? element("b", {}, part) : part)).filter((part) => part !== "");
}
