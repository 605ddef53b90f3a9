// The files that the dialog's buttons save, by the names of dialog.py: `make` resolves to { name, type, data }, or to
// null if there is nothing to download. `data` is a text, bytes or a blob. A `SaveError` has a message for the visitor.
//
// `snapshot` (snapshot.js) holds the `tab`, its attention view (`viewer`, Explore's unless the tab has its own),
// its `experiment` or null, the options `what`, `grey` and `caption`, and `notes`. `ask(...args)` sends a request to
// the entry's `serve` and resolves to the response; `settings` are those of the dialog, with the words `text`.

import { mapOfMeasure } from "../../derived/attention_map.js";
import { csvOf } from "../../derived/csv_file.js";
import { traceJson, traceNpz } from "../../derived/trace_files.js";
import { createPng, createSvg } from "./picture/picture.js";
import { slug, shownView, viewName } from "./snapshot.js";
import { withoutIsolates } from "../../ui/scripts.js";

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

/** The shown matrix as CSV; in a comparison that of the changed run. */
async function createCsv({ snapshot, settings: { files } }) {
  const { viewer } = snapshot;
  const { panes, compared: { run }, view, trace } = viewer;
  const pane = panes[run && viewer.compared.showsTwo(view) ? 1 : 0];
  const name = `${viewName(snapshot)}${run ? "-changed" : ""}.csv`;
  return { name, ...csvFile(matrixCsv(snapshot, { trace, pane }, files)) };
}

async function createUnchangedCsv({ snapshot, settings: { files } }) {
  const { panes: [pane], compared: { run: { trace } } } = snapshot.viewer;
  return { name: `${viewName(snapshot)}-unchanged.csv`, ...csvFile(matrixCsv(snapshot, { trace, pane }, files)) };
}

/** A CSV file with a byte order mark, which spreadsheet programs need to detect UTF-8. */
function csvFile(text) {
  return { type: "text/csv;charset=utf-8", data: `\ufeff${text}` };
}

/** Promises the unchanged trace with all its weights and, in an experiment, the changed one: { trace, run, name }. */
async function wholeTraces({ viewer, experiment }) {
  const changed = viewer.compared.run ? viewer.trace : null;
  const trace = viewer.compared.run?.trace ?? viewer.trace;
  for (const each of [trace, changed].filter(Boolean)) await viewer.loadAllWeights(each);
  const name = ["trace", changed ? "changed" : "", slug(trace.sentence)].filter(Boolean).join("-");
  return { trace, run: { changed, experiment: experiment ?? {} }, name };
}

async function createJson({ snapshot, settings: { files } }) {
  const { trace, run, name } = await wholeTraces(snapshot);
  return { name: `${name}.json`, type: "application/json", data: traceJson(trace, run, files) };
}

async function createNpz({ snapshot, settings: { files } }) {
  const { trace, run, name } = await wholeTraces(snapshot);
  return { name: `${name}.npz`, type: "application/octet-stream", data: await traceNpz(trace, run, files) };
}

/** The unchanged sentence. */
function sentenceOf({ viewer }) {
  return (viewer.compared.run?.trace ?? viewer.trace).sentence;
}

async function createReport({ snapshot, ask }) {
  const { experiment, notes, viewer: { view } } = snapshot;
  const sentence = sentenceOf(snapshot);
  const { text } = await ask(sentence, experiment, notes, view);
  return { name: `report-${slug(sentence)}.html`, type: "text/html", data: text };
}

async function createWorksheet({ snapshot, ask }) {
  const sentence = sentenceOf(snapshot);
  const { text } = await ask(sentence);
  return { name: `worksheet-${slug(sentence)}.html`, type: "text/html", data: text };
}

/** Prints the worksheet in a frame of its own, without the page; the next call removes the frame. */
async function printWorksheet({ snapshot, ask }) {
  const { text } = await ask(sentenceOf(snapshot));
  document.querySelector("#printed")?.remove();
  const frame = Object.assign(document.createElement("iframe"), { id: "printed", srcdoc: text, tabIndex: -1 });
  frame.style.cssText = "position:fixed;width:0;height:0;border:0;visibility:hidden";
  await new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
    document.body.append(frame);
  });
  frame.contentWindow.print();
  return null;
}

/** `offered(snapshot)` returns whether the file is available; without `offered` it always is. */
export const ENTRIES = {
  svg: { make: createSvg },
  png: { make: createPng },
  csv: { make: createCsv },
  csv_unchanged: { make: createUnchangedCsv, offered: ({ experiment }) => experiment !== null },
  json: { make: createJson },
  npz: { make: createNpz },
  report: { make: createReport },
  worksheet: { make: createWorksheet },
  print: { make: printWorksheet },
};
