// A worksheet as a file (worksheet.py): draws its pages from the trace that it carries.

import { createTrace } from "../derived/trace.js";
import { readEmbedded } from "./embedded_data.js";
import { sheetsHtml } from "./worksheet_pages.js";

export async function mount() {
  const { trace, ...settings } = JSON.parse(await readEmbedded("worksheet"));
  const named = createTrace(trace, { names: settings.tokenNames });
  document.body.insertAdjacentHTML("afterbegin", sheetsHtml(named, settings));
}
