// The attention view of what a page carries: one trace, or the comparison of two (report.py,
// explorer/notebook/view.py).

import { createTrace } from "../derived/trace.js";
import { createViewer } from "../attention_view/viewer.js";
import { positionDefinitions } from "../ui/page.js";
import { readEmbedded } from "./embedded_data.js";

/** Shows the view in a node; resolves to the texts that came with it. */
export async function showEmbedded(node) {
  const { settings, view, trace, experiment, text } = JSON.parse(await readEmbedded("report"));
  // An inline script, which the page's policy names by its hash: notebooks may forbid scripts from blob: URLs.
  document.head.append(Object.assign(document.createElement("script"), { textContent: await readEmbedded("plotly") }));
  positionDefinitions();
  settings.lengths = document.querySelector("[data-embedded^=norms]") !== null;
  const norms = async (_, kind) => JSON.parse(await readEmbedded(`norms-${kind}`));
  const viewer = createViewer(node, { ...settings, view }, { load: { norms } });
  if (experiment) {
    viewer.compare(createTrace(trace), createTrace(experiment.trace), {
      pairs: experiment.pairs,
      names: text.names,
      view: viewer.view,
    });
  } else viewer.showTrace(createTrace(trace), viewer.view);
  return text;
}
