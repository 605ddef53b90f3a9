// What single heads are called: by what was measured of them on many sentences
// (explorer/experiments/head_measurements.py), and where this sentence differs by what they look at here, beside it.

import { headLook, restingKey } from "../derived/head_looks.js";
import { fill, plainPiece } from "../ui/text.js";

/**
 * `short`, with its `share` of percents, and `full`, with the same share, are the measured name, empty if there is
 * none; `here` is what the head looks at in this sentence, empty where the measured name says it or it is unclear.
 * @typedef {{ short: string, share: string, full: string, hint: string, here: string }} HeadName
 */

/** The measured names that say what a look says. @type {Partial<Record<Look, string[]>>} */
const SAYING = {
  previous: ["previous", "nearby"], same: ["same", "nearby"], next: ["next", "nearby"], rest: ["start", "end"],
  single: ["aligns"], spread: ["broad"],
};

/** @typedef {import("../derived/head_looks.js").Look} Look */

/**
 * The name of a head, one and the same wherever it is called by one. `named` are { names, heads } of `named_heads`
 * there, null if the heads were not measured; `map` has the weights of this sentence, as soon as they are loaded.
 * @param {{ named?: any, text: Record<string, any> }} words
 * @param {AttentionMap} map
 * @param {Heads} heads of which a mean or a maximum has no name
 * @returns {HeadName}
 */
export function headName({ named, text }, map, { layer, head }) {
  const isOne = typeof layer === "number" && typeof head === "number";
  const [key, percent] = (isOne && named?.heads[map.kind][`${layer}.${head}`]) || [];
  return { ...measuredName(named, text, key, percent), here: isOne ? lookHere(text, map, { layer, head }, key) : "" };
}

function measuredName(named, text, key, percent) {
  if (!key) return { short: "", share: "", full: "", hint: "" };
  const { short, full } = named.names[key];
  if (percent === null) return { short, share: "", full, hint: "" };
  const [share, whole] = ["", full].map((name) => fill(text.named, { name, percent }).trim());
  return { short, share, full: whole, hint: text.averaged };
}

/** What a head looks at in this sentence, if more than half of its rows do, and its measured name does not say it. */
function lookHere(text, map, { layer, head }, key) {
  if (!map.ready || map.isOff(layer, head)) return "";
  const { look } = headLook(map, layer, head);
  if (look === "mixed" || SAYING[look].includes(key)) return "";
  return fill(text.here, { look: look === "rest" ? plainPiece(map.keys[restingKey(map)]) : text.looks[look] });
}

/** Names, numbers and remarks of a head in one line, without those that are empty. */
export function headLine(...parts) {
  return parts.filter(Boolean).join(" · ");
}

/** What a switch of heads does; `texts` are those of explorer/attention_view/words/, by what it does. */
export function switchLabel({ layer, head }, texts, isOff) {
  const isOneHead = typeof head === "number";
  const ofLayer = isOneHead ? "head" : "layer";
  const ofAllLayers = isOneHead ? "heads" : "all";
  const text = texts[isOff ? "on" : "off"][typeof layer === "number" ? ofLayer : ofAllLayers];
  return fill(text, { layer: layer + 1, head: head + 1 });
}
