// Reads addresses as the page does, but without a browser: what is asked for, and what is written of it again.

import { NAMES, decodeView, encodeView } from "../../explorer/attention_view/address.js";
import { fitView, viewAtLevel } from "../../explorer/attention_view/state.js";
import { NAMES as CHANGES, decodeExperiment as readExperiment, encodeExperiment as writtenExperiment } from "../../explorer/tabs/what_if/experiment.js";

const labels = (count) => Array.from({ length: count }, (_, i) => `${i}`);
const map = (queries, keys) => ({ layers: 4, heads: 8, queries: labels(queries), keys: labels(keys), special: { keys: new Set([keys - 1]) } });
/** Seven English pieces, six steps. */
const TRACE = { steps: labels(6), kinds: { encoder: map(7, 7), decoder: map(6, 6), cross: map(6, 7) } };
const FIRST = {
  level: "picture", kind: "cross", layer: 1_000_000, head: "mean", second: null, step: null, pin: null, look: "heatmap", whole: false,
  scale: "fixed", specials: true, transposed: false, words: false, speed: 2, compared: "beside", cell: null, measure: "weight", beam: false,
};

let arrive = null;
const shown = { view: FIRST, experiment: {}, damaged: [] };

function place(query) {
  globalThis.location = { search: query, pathname: "/", origin: "http://localhost:7860" };
}
place("");
globalThis.history = { state: null, pushState() {}, replaceState() {} };
globalThis.addEventListener = (name, listener) => { if (name === "popstate") arrive = listener; };

const { registerPart, currentLink, onInvalidParts } = await import("../../explorer/ui/address.js");
onInvalidParts((names) => shown.damaged.push(...names));
registerPart("", {
  names: NAMES,
  tabs: ["explore", "lab"],
  write: () => encodeView(shown.view, FIRST, TRACE, ["step"]),
  restore(given) {
    const { view, damaged } = decodeView(given, FIRST);
    shown.view = fitView(view, TRACE);
    return damaged;
  },
});
registerPart("lab", {
  names: CHANGES,
  write: () => writtenExperiment(shown.experiment),
  restore(given) {
    const { experiment, damaged } = readExperiment(given);
    shown.experiment = experiment;
    return damaged;
  },
});

function visited(query) {
  place(query);
  shown.damaged = [];
  arrive({ state: null });
  const { view, experiment, damaged } = shown, again = currentLink();
  const found = { view: structuredClone(view), level: viewAtLevel(view, TRACE).level, experiment, damaged, again };
  if (again !== null) {
    place(new URL(again).search);
    arrive({ state: null });
    found.stays = JSON.stringify([shown.view, shown.experiment]) === JSON.stringify([found.view, experiment]);
  }
  return found;
}

/** What each of some queries asks for. */
export function readAll(queries) {
  return queries.map(visited);
}
