// What the dialog's buttons save, by the names of dialog.py: `make` resolves to { name, type, data } of a file, whose
// `data` is a text, bytes or a blob; to { said }, texts and nodes that say what was done instead; or to null if the
// browser says it. A `SaveError` has a message for the visitor.
//
// `snapshot` (snapshot.js) holds the `tab`, its attention view (`viewer`, the page's unless the tab has its own),
// the `run` of a change or null, the options `what`, `grey` and `caption`, and `notes`. `settings` are those of the
// dialog, with the words `text`. `watch` (flight.js) is for what takes longer.

import { viewName } from "../../attention_view/file_name.js";
import { mapOfMeasure } from "../../derived/length_map.js";
import { csvOf } from "../../derived/csv_file.js";
import { traceJson, traceNpz } from "../../derived/trace_files.js";
import { fetchTemplates, reportHtml, worksheetHtml } from "../../handout/files.js";
import { escapeHtml } from "../../handout/html.js";
import { createFilm, createFlightPictures, createWriting } from "./flight.js";
import { createPage, createPng, createSvg } from "./picture/picture.js";
import { SaveError, slug, shownView } from "./snapshot.js";
import { currentLink } from "../../ui/address.js";
import { withoutIsolates } from "../../ui/scripts.js";
import { fill } from "../../ui/text.js";
import { copy } from "../passing_on.js";

/** The groups of pieces of a picture in words; null if it shows pieces or differences. */
export function wordGroupsOf({ content }) {
  if (!content?.members || content.signed) return null;
  const { members: { query: queries, key: keys }, full } = content;
  const [queryLabels, keyLabels] = [full.queries, full.labels].map((labels) => labels.map(withoutIsolates));
  return { queries, keys, queryLabels, keyLabels };
}

/** The matrix of a trace that a pane shows; its numbers are those of the view. */
function matrixCsv(snapshot, { trace, pane }, { corner }) {
  const { kind, layer, head, specials, measure, words } = shownView(snapshot);
  const map = mapOfMeasure(trace.kinds[kind], measure === "length" ? snapshot.viewer.map.measure : "weight");
  return csvOf(trace, map, { layer, head, specials, words: words ? wordGroupsOf(pane) : null }, corner);
}

/** The shown matrix as CSV: in a comparison that of the changed run, else of the run that is shown. */
async function createCsv({ snapshot, settings: { files } }) {
  const { run, viewer: { panes, compared, view, trace } } = snapshot;
  const pane = panes[compared.showsTwo(view) ? 1 : 0];
  const named = viewName(shownView(snapshot), snapshot.viewer.map);
  const name = [named, ...(run ? [trace.run ? "changed" : "unchanged"] : [])].join("-");
  return { name: `${name}.csv`, ...csvFile(matrixCsv(snapshot, { trace, pane }, files)) };
}

/** A CSV file with a byte order mark, which spreadsheet programs need to detect UTF-8. */
function csvFile(text) {
  return { type: "text/csv;charset=utf-8", data: `\ufeff${text}` };
}

/** Promises the unchanged trace with all its weights and, with a change, the changed one: { trace, run, name }. */
async function wholeTraces({ viewer, run }) {
  const trace = viewer.source;
  const changed = viewer.change?.changed ?? null;
  for (const each of [trace, changed].filter(Boolean)) await viewer.loadAllWeights(each);
  const name = ["trace", changed ? "changed" : "", slug(trace.sentence)].filter(Boolean).join("-");
  return { trace, run: { changed, experiment: run?.experiment ?? {} }, name };
}

async function createJson({ snapshot, settings: { files } }) {
  const { trace, run, name } = await wholeTraces(snapshot);
  return { name: `${name}.json`, type: "application/json", data: traceJson(trace, run, files) };
}

async function createNpz({ snapshot, settings: { files } }) {
  const { trace, run, name } = await wholeTraces(snapshot);
  return { name: `${name}.npz`, type: "application/octet-stream", data: await traceNpz(trace, run, files) };
}

async function createReport({ snapshot, model, settings }) {
  const { notes, viewer: { view } } = snapshot;
  const { trace, run: { changed, experiment }, name } = await wholeTraces(snapshot);
  const content = { trace, changed, experiment: { ...settings.files.unchanged, ...experiment }, view, notes };
  const data = await reportHtml(await fetchTemplates(settings.handout), content, { model, plotly: settings.plotly });
  return { name: `${name.replace("trace", "report")}.html`, type: "text/html", data };
}

/** Promises the HTML of the worksheet of the unchanged sentence, and the trace. */
async function makeWorksheet({ snapshot, settings }) {
  const { trace } = await wholeTraces(snapshot);
  return { trace, data: worksheetHtml(await fetchTemplates(settings.handout), trace) };
}

async function createWorksheet(options) {
  const { trace, data } = await makeWorksheet(options);
  return { name: `worksheet-${slug(trace.sentence)}.html`, type: "text/html", data };
}

async function printWorksheet(options) {
  const { data } = await makeWorksheet(options);
  return printDocument(data);
}

/** Prints the picture on a page of its size: the browser makes a PDF of lines and text, with the fonts in it. */
async function printPicture({ snapshot, settings }) {
  return printDocument(await createPage({ snapshot, settings }));
}

/** Copies the HTML of a frame for other pages, in which the present view is alone (`embed=1`). */
async function copyFrame({ snapshot, settings: { base, text } }) {
  const src = currentLink(base, { embed: "1", hide: null, lesson: null });
  if (src === null) throw new SaveError(text.tooLong);
  const title = fill(text.frame.title, { sentence: snapshot.viewer.source.sentence });
  const [address, name] = [src, title].map(escapeHtml);
  const size = 'width="800" height="450" style="border: 0; max-width: 100%" loading="lazy"';
  return { said: await copy(`<iframe src="${address}" title="${name}" ${size}></iframe>`, src, text.frame) };
}

/** Prints HTML in a frame of its own, without the page; the next call removes the frame. */
async function printDocument(srcdoc) {
  document.querySelector("#printed")?.remove();
  const frame = Object.assign(document.createElement("iframe"), { id: "printed", srcdoc, tabIndex: -1 });
  frame.style.cssText = "position:fixed;width:0;height:0;border:0;visibility:hidden";
  await new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
    document.body.append(frame);
  });
  frame.contentWindow.print();
  return null;
}

/**
 * `offered(snapshot)` returns whether the file is available; without `offered` it always is. `hint` names the words
 * that say what is left to do.
 */
export const ENTRIES = {
  svg: { make: createSvg },
  png: { make: createPng },
  pdf: { make: printPicture, hint: "choosePdf" },
  embed: { make: copyFrame },
  writing: { make: createWriting, offered: ({ writing }) => writing !== null },
  film: { make: createFilm, offered: ({ flight }) => flight !== null },
  flight: { make: createFlightPictures, offered: ({ flight }) => flight !== null },
  csv: { make: createCsv },
  json: { make: createJson },
  npz: { make: createNpz },
  report: { make: createReport },
  worksheet: { make: createWorksheet },
  print: { make: printWorksheet },
};
