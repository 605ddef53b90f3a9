// Names of files: what is inside, in letters, digits and hyphens only.

import { inView } from "./look.js";

const LONGEST = 40; // characters of a sentence in a name

/** What is left of a text that any system can have in the name of a file. */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replaceAll("ß", "ss").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").slice(0, LONGEST).replace(/^-|-$/g, "");
}

function numbered(letter, choice) {
  return typeof choice === "number" ? `${letter}${choice + 1}` : `${letter}-${choice}`;
}

/** "attention-cross-l4-h3-step7": all counts from one, as on the screen. */
export function viewName(look) {
  const { kind, layer, head, step, measure } = inView(look);
  const heads = layer === "rollout" ? ["rollout"] : [numbered("l", layer), numbered("h", head)];
  const shows = look.viewer.map.measure === "length" && measure === "length" ? "lengths" : "attention";
  return [shows, kind, ...heads, ...(kind === "encoder" ? [] : [`step${step + 1}`])].join("-");
}
