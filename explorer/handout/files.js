// Reports and worksheets that the page makes, with the templates of report.py.

import { rawTrace } from "../derived/trace.js";
import { gzip } from "../ui/gzip.js";
import { scriptText } from "../ui/libraries.js";
import { fetchFile, fetchPacked } from "../ui/packed_files.js";
import { fill } from "../ui/text.js";
import { escapeHtml, fillPlaceholders } from "./html.js";
import { sheetsHtml, titleHtml } from "./worksheet_pages.js";

const KINDS = ["encoder", "decoder", "cross"];
const CHUNK = 32_768; // more arguments than that a function may not take

/** Promises the templates; rejects with a FileError. */
export async function fetchTemplates(url) {
  return JSON.parse((await fetchPacked(url)).text);
}

/**
 * Promises the HTML of a report of a trace, and of one under an experiment with all its fields if there is one.
 * `plotly` is the URL of the library. Rejects with a FileError, or as the model does.
 */
export async function reportHtml(templates, { trace, changed, experiment, view, notes }, { model, plotly }) {
  const { germanWords } = model.about;
  const content = {
    raw: rawTrace(trace),
    isModelsChoice: trace.isModelsChoice,
    changed: changed && rawTrace(changed),
    experiment,
    view: { ...view, level: "heads" },
  };
  const norms = changed ? [] : KINDS.map(async (kind) => (
    embedData(`norms-${kind}`, JSON.stringify(await model.norms(trace.sentence, kind)))));
  const embedded = await Promise.all([
    embedData("file", JSON.stringify(content)),
    scriptText(plotly).then((text) => embedData("plotly", text)),
    germanWords ? fetchFile(germanWords).then((file) => file.blob()).then((bits) => embedData("words", bits)) : "",
    ...norms,
  ]);
  return fillPlaceholders(templates.report, {
    title: escapeHtml(fill(templates.title, { sentence: trace.sentence })),
    notes: escapeHtml(notes),
    embedded: embedded.join(""),
  });
}

/** The HTML of a worksheet. Throws a UserError if a page has no room for its words. */
export function worksheetHtml({ worksheet, sheets }, trace) {
  return fillPlaceholders(worksheet, { title: titleHtml(trace, sheets), sheets: sheetsHtml(trace, sheets) });
}

/** Promises HTML with data, a text or bytes, that embedded_data.js reads by name. */
async function embedData(name, data) {
  const bytes = await gzip(new Uint8Array(await new Blob([data]).arrayBuffer()));
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + CHUNK));
  }
  return `<script type="text/plain" data-embedded="${name}">${btoa(text)}</script>\n`;
}
