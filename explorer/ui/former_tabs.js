// Links of before lead to where their parts are now. Pure.

/** @typedef {import("./address_parts.js").Parts} Parts */

const BLOCKS = { self_attention: "self", cross_attention: "cross", feed_forward: "feed" };

/** What a link to a tab of before asks for now, by the tab; the parts of such a tab go. */
const FORMER_TABS = {
  catalogue: () => ({ tab: "lab", "lab.station": "heads" }),
  architecture: (parts) => ({
    tab: "whole", "whole.at": placeOfModule(parts.get("architecture.block") ?? ""), "whole.shapes": "1",
  }),
  predictions: (parts) => ({
    tab: "whole", "whole.at": "output", "whole.temperature": parts.get("predictions.temperature") ?? "",
  }),
  inside: (parts) => ({ tab: "whole", "whole.at": placeOfCell(parts, "cross") }),
  masks: (parts) => ({ tab: "whole", "whole.at": placeOfCell(parts, "decoder"), "whole.shapes": "1" }),
};
const KEPT = ["catalogue"]; // is a part of another tab, and has parts of its own

/** The place of a view's cell, or of its head; where it had several layers or heads, of the first. */
function placeOfCell(parts, usualKind) {
  const kind = parts.get("kind") ?? usualKind;
  const number = (name) => (/^\d+$/.test(parts.get(name) ?? "") ? parts.get(name) : "1");
  const stack = kind === "encoder" ? "encoder" : "decoder";
  const block = kind === "cross" ? "cross" : "self";
  const cell = parts.get("cell");
  return [stack, number("layer"), block, number("head"), ...(cell ? [cell] : [])].join(".");
}

/** The place of the whole model (explorer/tabs/whole/place.js) of a module such as "encoder.layers.0.feed_forward". */
function placeOfModule(path) {
  const [, stack, layer, sublayer] = path.match(/^(encoder|decoder)\.layers\.(\d+)\.([a-z_]+?)(_norm)?$/) ?? [];
  if (stack) return [stack, Number(layer) + 1, BLOCKS[sublayer] ?? []].flat().join(".");
  const [, before] = path.match(/^(encoder|decoder)\.(ids|embedding)/) ?? [];
  if (before) return `${before}.embedding`;
  return ["projection", "decoder.probabilities"].includes(path) ? "output" : "";
}

/**
 * Parts by their present names: some tabs of before are places of others, and the recorded training was played by the
 * tab "training", which has no parts of its own now.
 * @param {Parts} parts
 * @returns {Parts}
 */
export function movedParts(parts) {
  const tab = parts.get("tab");
  const present = Object.hasOwn(FORMER_TABS, tab) ? Object.entries(FORMER_TABS[tab](parts)) : [];
  const gone = Object.keys(FORMER_TABS).filter((each) => !KEPT.includes(each)).map((each) => `${each}.`);
  const kept = [...parts].filter(([name]) => !gone.some((prefix) => name.startsWith(prefix)));
  const moved = new Map([...kept, ...present.filter(([, text]) => text !== "")]);
  if (moved.has("at")) moved.set("whole.at", moved.get("at")); // its short name
  moved.delete("at");
  if (tab === "training" && [...moved.keys()].some((name) => name.startsWith("training."))) moved.set("tab", "train");
  return new Map([...moved].map(([name, text]) => [name.replace(/^training\./, "train."), text]));
}
