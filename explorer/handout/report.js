// A report: the attention view of one trace, or of a comparison with an experiment, in a standalone file.

import { download } from "../ui/download.js";
import { nodesByAttribute } from "../ui/tab.js";
import { showEmbedded } from "./embedded_view.js";

/** Starts the report; keeps a copy of the original document for saving. */
export async function mount() {
  const originalDocument = document.cloneNode(true);
  const part = nodesByAttribute(document, "report");
  enableThemeButton(part.theme);
  const text = await showEmbedded(document.querySelector("#viewer"));
  const notes = /** @type {HTMLTextAreaElement} */ (document.querySelector("#notes"));
  part.save.addEventListener("click", () => save(originalDocument, notes.value, text.file));
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
