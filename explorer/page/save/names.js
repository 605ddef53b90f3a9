// Names of saved files, made of letters, digits and hyphens.

import { shownView } from "./snapshot.js";

const MAX_SLUG_LENGTH = 40; // characters

/** A text reduced to characters that any system allows in a file name. */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replaceAll("ß", "ss").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG_LENGTH).replace(/^-|-$/g, "");
}

function indexedName(letter, choice) {
  return typeof choice === "number" ? `${letter}${choice + 1}` : `${letter}-${choice}`;
}

/** A name such as "attention-cross-l4-h3-step7", with indices from one. */
export function viewName(look) {
  const { kind, layer, head, step, measure } = shownView(look);
  const heads = layer === "rollout" ? ["rollout"] : [indexedName("l", layer), indexedName("h", head)];
  const shows = look.viewer.map.measure === "length" && measure === "length" ? "lengths" : "attention";
  return [shows, kind, ...heads, ...(kind === "encoder" ? [] : [`step${step + 1}`])].join("-");
}
