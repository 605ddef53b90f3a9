// The attention view of what a file carries: one trace, or the comparison of two (report.py,
// explorer/notebook/view.py).

import { createTrace } from "../derived/trace.js";
import { pairPieces } from "../derived/differences.js";
import { remarksOn } from "../derived/translation.js";
import { createViewer } from "../attention_view/viewer.js";
import { positionDefinitions } from "../ui/page.js";
import { readEmbedded, readEmbeddedBytes } from "./embedded_data.js";

/**
 * Promises what is embedded: the `settings` of every file of a model, and of this one the `trace`, the `view` that it
 * opens in and, with an experiment, the `changed` trace.
 */
export async function readFile() {
  const [settings, { raw, changed, isModelsChoice, ...file }] = await Promise.all(
    ["settings", "file"].map(async (name) => JSON.parse(await readEmbedded(name))),
  );
  const { tokenNames: names } = settings.about;
  return {
    ...file,
    settings,
    trace: createTrace(raw, { isModelsChoice, names }),
    changed: changed && createTrace(changed, { names }),
  };
}

/** Shows the view in a node. */
export async function showView(node, { settings: { viewer: settings, about }, trace, changed, view }) {
  // An inline script, which the page's policy names by its hash: notebooks may forbid scripts from blob: URLs.
  document.head.append(Object.assign(document.createElement("script"), { textContent: await readEmbedded("plotly") }));
  positionDefinitions();
  const lengths = document.querySelector("[data-embedded^=norms]") !== null;
  const norms = async (_, kind) => JSON.parse(await readEmbedded(`norms-${kind}`));
  const germanWords = about.germanWords && await readEmbeddedBytes("words");
  const model = { about: { ...about, germanWords } };
  const viewer = createViewer(node, { ...settings, lengths, view }, { load: { norms }, model });
  if (!changed) return viewer.showTrace(trace, viewer.view);
  Object.assign(trace, await remarksOn(trace, model.about)); // the viewer remarks on the trace that it shows alone
  viewer.compare(trace, Object.assign(changed, { submission: "changed" }), { pairs: pairPieces(trace, changed), view });
}
