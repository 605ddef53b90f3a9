// A report as a file (report.py): one translation, or its comparison with that of an experiment; prints as a worksheet.

import { logProbability } from "../derived/trace.js";
import { download } from "../ui/download.js";
import { element } from "../ui/element.js";
import { formatDecimal } from "../ui/numbers.js";
import { nodesByAttribute } from "../ui/tab.js";
import { fill } from "../ui/text.js";
import { UserError } from "../ui/user_error.js";
import { describeExperiment } from "./changes.js";
import { readFile, showView } from "./embedded_view.js";
import { sheetsHtml } from "./worksheet_pages.js";

/** Starts the report; keeps a copy of the original document for saving. */
export async function mount() {
  const originalDocument = document.cloneNode(true);
  const part = nodesByAttribute(document, "report");
  enableThemeButton(part.theme);
  const file = await readFile();
  const { settings } = file;
  part.sentence.textContent = file.trace.sentence;
  part.texts.append(...translations(file));
  if (file.changed) part.texts.after(changes(file));
  part.printing.textContent = addSheets(part.report, file) ? settings.text.printing : settings.text.long;
  const notes = /** @type {HTMLTextAreaElement} */ (document.querySelector("#notes"));
  part.save.addEventListener("click", () => save(originalDocument, notes.value, settings.fileName));
  await showView(document.querySelector("#viewer"), file);
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

/** The translation with its name; with an experiment both translations and their log-probabilities. */
function translations({ trace, changed, settings: { text, sheets: { languages: { codes, directions } } } }) {
  const attributes = { lang: codes.target, dir: directions.target };
  if (!changed) return [element("dt", {}, text.target), element("dd", attributes, trace.translation)];
  return Object.entries({ unchanged: trace, changed }).flatMap(([name, { translation, steps }]) => {
    const worth = fill(text.worth, { total: formatDecimal(logProbability(steps), 2) });
    const shown = element("span", attributes, translation);
    return [element("dt", {}, text[name]), element("dd", {}, shown, " ", element("small", {}, `(${worth})`))];
  });
}

function changes({ experiment, changed, settings: { text, changes: words } }) {
  const lines = describeExperiment(experiment, changed, words).map((line) => element("li", {}, line));
  return element("div", { class: "changes" }, element("strong", {}, text.changes), element("ul", {}, ...lines));
}

/** Adds the worksheet, which is printed; returns whether a page has room for its words. */
function addSheets(report, { trace, settings: { sheets } }) {
  try {
    report.insertAdjacentHTML("afterend", sheetsHtml(trace, sheets));
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

/** Downloads the report with the present notes; HTML ignores the line break at their start. */
function save(originalDocument, notes, name) {
  const page = originalDocument.cloneNode(true);
  page.querySelector("#notes").textContent = `\n${notes}`;
  download({ name, type: "text/html", data: `<!doctype html>\n${page.documentElement.outerHTML}\n` });
}
