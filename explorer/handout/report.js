// A report: the attention view of one trace, or of a comparison with an experiment, in a standalone file.

import { createTrace } from "../attention_view/payload.js";
import { mount as mountViewer } from "../attention_view/viewer.js";
import { download } from "../ui/download.js";
import { nodesByAttribute } from "../ui/tab.js";
import { positionDefinitions } from "../ui/terms.js";
import { readEmbedded } from "./embedded_data.js";

/** Starts the report; keeps a copy of the original document for saving. */
export async function mount() {
  const originalDocument = document.cloneNode(true);
  const part = nodesByAttribute(document, "report");
  enableThemeButton(part.theme);
  const { settings, view, trace, experiment, text } = JSON.parse(await readEmbedded("report"));
  part.save.addEventListener("click", () => save(originalDocument, document.querySelector("#notes").value, text.file));
  positionDefinitions();
  settings.lengths = !experiment; // an experiment's are not recorded
  settings.plotly = URL.createObjectURL(new Blob([await readEmbedded("plotly")], { type: "text/javascript" }));
  const lengths = ([, kind]) => readEmbedded(`lengths-${kind}`);
  const viewer = mountViewer(document.querySelector("#viewer"), { ...settings, view }, { lengths });
  if (experiment) viewer.compare(createTrace(trace), createTrace(experiment.trace), { pairs: experiment.pairs, names: text.names, view: viewer.view });
  else viewer.take(createTrace(trace), viewer.view);
}

/** Follows the system's theme until the visitor presses the button. */
function enableThemeButton(button) {
  const setDark = (isDark) => {
    document.body.classList.toggle("dark", isDark);
    button.setAttribute("aria-pressed", isDark);
  };
  button.addEventListener("click", () => setDark(!document.body.classList.contains("dark")));
  setDark(matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Downloads the report with the present notes; HTML ignores the line break at their start. */
function save(originalDocument, notes, name) {
  const page = originalDocument.cloneNode(true);
  page.querySelector("#notes").textContent = `\n${notes}`;
  download({ name, type: "text/html", data: `<!doctype html>\n${page.documentElement.outerHTML}\n` });
}
