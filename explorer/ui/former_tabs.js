// Links of before lead to where their parts are now: the tab What if, of which every panel had an experiment and a view
// of its own, and the change of the whole model's picture. Pure.

/** @typedef {import("./address_parts.js").Parts} Parts */

const WHAT_IF = "lab.";
const TEXTS = ["source", "from"]; // sentences, which may have what stands between two parts of a change
const EXPERIMENT_PARTS = [
  ...TEXTS, "order", "hidden", "begin", "off", "by", "encoder", "decoder", "seed", "shift", "heads", "cells",
];
/** The panel of today for one of before, by the parts of the link; most have the same name. */
const PANELS = {
  heads: (parts) => (parts.has("lab.heads-rank") && !parts.has("lab.off") ? "ranking" : "heads"),
  hide: (parts) => (parts.has("lab.hidden") ? "hide" : "leave"),
  compare: (parts) => (parts.has("lab.order") && !parts.has("lab.source") ? "order" : "compare"),
  fork: (parts) => (parts.has("lab.fork-branches") ? "branches" : "fork"),
};
const FIRST_PANEL = "fork";
const PANEL_PARTS = { "heads-rank": "ranking-rank", "hide-heads": "leave-heads", "fork-branches": "branches-branches" };
const DRAWER_PART = /^(heads|hide|fork|score|search|patch|compare|positions)-/;

/**
 * Parts by their present names.
 * @param {Parts} parts
 * @returns {Parts}
 */
export function movedParts(parts) {
  const tab = parts.get("tab");
  const moved = new Map([...parts].filter(([name]) => !name.startsWith(WHAT_IF) && name !== "whole.change"));
  const change = tab === "lab" ? changeOfWhatIf(parts) : tab === "whole" ? parts.get("whole.change") ?? "" : "";
  if (change) moved.set("change", change);
  if (moved.has("at")) moved.set("whole.at", moved.get("at")); // its short name
  moved.delete("at");
  if (tab === "catalogue") moveTo(moved, "ranking");
  if (tab === "lab") moveWhatIf(parts, moved);
  if (moved.get("beam") === "5") moved.set("drawer.panel", "search");
  moved.delete("beam");
  moved.delete("second");
  // The recorded training was played by the tab "training", which has no parts of its own now.
  if (tab === "training" && [...moved.keys()].some((name) => name.startsWith("training."))) moved.set("tab", "train");
  return new Map([...moved].map(([name, text]) => [name.replace(/^training\./, "train."), text]));
}

function moveTo(moved, panel) {
  moved.delete("tab");
  moved.set("level", "heads");
  moved.set("drawer.panel", panel);
}

/** The view and the panel of the tab What if. */
function moveWhatIf(parts, moved) {
  const station = parts.get("lab.station") ?? FIRST_PANEL;
  moveTo(moved, PANELS[station]?.(parts) ?? station);
  for (const [name, text] of parts) {
    const part = name.startsWith(WHAT_IF) ? name.slice(WHAT_IF.length) : null;
    if (part === null || part === "station" || EXPERIMENT_PARTS.includes(part)) continue;
    moved.set(DRAWER_PART.test(part) ? `drawer.${PANEL_PARTS[part] ?? part}` : part, text);
  }
}

/** The text of a change (explorer/changes/experiment_text.js). */
function changeOfWhatIf(parts) {
  const given = EXPERIMENT_PARTS.filter((name) => parts.has(WHAT_IF + name)).map((name) => {
    const text = parts.get(WHAT_IF + name);
    return `${name}.${TEXTS.includes(name) ? text.replaceAll("*", "*0").replaceAll("_", "*1") : text}`;
  });
  return given.join("_");
}
