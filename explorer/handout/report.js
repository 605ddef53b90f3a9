// A report: the attention view with one trace, or with an experiment's beside it; all it needs stands in its own file.

import { createTrace } from "../attention_view/payload.js";
import { mount as mountViewer } from "../attention_view/viewer.js";
import { download } from "../ui/download.js";
import { nodesByAttribute } from "../ui/tab.js";
import { positionDefinitions } from "../ui/terms.js";
import { carried } from "./unpacked.js";

/** Begins where the whole page is read; the page as it came is what is saved again. */
export async function mount() {
  const untouched = document.cloneNode(true);
  const part = nodesByAttribute(document, "report");
  switchTheme(part.theme);
  const { settings, view, trace, experiment, text } = JSON.parse(await carried("report"));
  part.save.addEventListener("click", () => save(untouched, document.querySelector("#notes").value, text.file));
  positionDefinitions();
  settings.plotly = URL.createObjectURL(new Blob([await carried("plotly")], { type: "text/javascript" }));
  const lengths = ([, kind]) => carried(`lengths-${kind}`);
  const viewer = mountViewer(document.querySelector("#viewer"), { ...settings, view }, { lengths });
  if (experiment) viewer.compare(createTrace(trace), createTrace(experiment.trace), { pairs: experiment.pairs, names: text.names, view: viewer.view });
  else viewer.take(createTrace(trace), viewer.view);
}

/** Light or dark as the system has it, until the button says otherwise. */
function switchTheme(button) {
  const dark = (wanted) => {
    document.body.classList.toggle("dark", wanted);
    button.setAttribute("aria-pressed", wanted);
  };
  button.addEventListener("click", () => dark(!document.body.classList.contains("dark")));
  dark(matchMedia("(prefers-color-scheme: dark)").matches);
}

/** The file once more, with the notes as they are now; in HTML a line break at their beginning does not count. */
function save(untouched, notes, name) {
  const page = untouched.cloneNode(true);
  page.querySelector("#notes").textContent = `\n${notes}`;
  download({ name, type: "text/html", data: `<!doctype html>\n${page.documentElement.outerHTML}\n` });
}
