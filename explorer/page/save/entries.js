// The files that the dialog's buttons save, by the names of dialog.py: `make` resolves to { name, type, data }, or to
// null if there is nothing to download. `data` is a text, bytes or a blob. A `SaveError` has a message for the visitor.
//
// `look` is a snapshot (snapshot.js): the `tab`, its attention view (`viewer`, Explore's unless the tab has its own),
// its `experiment` or null, the options `what`, `grey` and `caption`, and `notes`. `ask(...args)` sends a request to
// the entry's `serve` and resolves to the response; `settings` are those of the dialog, with the words `text`.

import { createPng, createSvg } from "./picture/picture.js";
import { slug, shownView, viewName } from "./snapshot.js";
import { withoutIsolates } from "../../ui/scripts.js";
import { decodeBase64 } from "../../ui/tensor.js";

/** The groups of pieces of a picture in words; null if it shows pieces or differences. */
function wordGroupsOf({ content }) {
  if (!content?.members || content.signed) return null;
  const { members: { query: queries, key: keys }, full } = content;
  return {
    queries,
    keys,
    query_labels: full.queries.map(withoutIsolates),
    key_labels: full.labels.map(withoutIsolates),
  };
}

function matrixRequest(look, { experiment, sentence, pane }) {
  const { kind, layer, head, specials, measure: viewMeasure, words } = shownView(look);
  const { measure } = look.viewer.map;
  return {
    sentence,
    experiment,
    kind,
    layer,
    head,
    measure: viewMeasure === "length" ? measure : "weight",
    specials,
    words: words ? wordGroupsOf(pane) : null,
  };
}

/** The shown matrix as CSV; in a comparison that of the changed run. */
export async function createCsv({ look, ask }) {
  const { viewer, experiment } = look, { panes, compared: { run }, view } = viewer;
  const pane = panes[run && viewer.compared.two(view) ? 1 : 0];
  const { sentence } = run ? run.trace : viewer.trace;
  const { text } = await ask(matrixRequest(look, { experiment, sentence, pane }));
  return { name: `${viewName(look)}${run ? "-changed" : ""}.csv`, ...csvFile(text) };
}

async function createUnchangedCsv({ look, ask }) {
  const { panes: [pane], compared: { run } } = look.viewer;
  const { text } = await ask(matrixRequest(look, { experiment: null, sentence: run.trace.sentence, pane }));
  return { name: `${viewName(look)}-unchanged.csv`, ...csvFile(text) };
}

/** A CSV file with a byte order mark, which spreadsheet programs need to detect UTF-8. */
function csvFile(text) {
  return { type: "text/csv;charset=utf-8", data: `\ufeff${text}` };
}

/** The request for a whole trace: the unchanged sentence and the experiment, with a file name. */
function traceRequest({ viewer, experiment }) {
  const { sentence } = viewer.compared.run?.trace ?? viewer.trace;
  return {
    sentence,
    experiment,
    name: ["trace", experiment ? "changed" : "", slug(sentence)].filter(Boolean).join("-"),
  };
}

async function createJson({ look, ask }) {
  const { sentence, experiment, name } = traceRequest(look);
  const { text } = await ask(sentence, experiment);
  return { name: `${name}.json`, type: "application/json", data: text };
}

async function createNpz({ look, ask }) {
  const { sentence, experiment, name } = traceRequest(look);
  const { base64 } = await ask(sentence, experiment);
  return { name: `${name}.npz`, type: "application/octet-stream", data: decodeBase64(base64) };
}

/** The unchanged sentence. */
function sentenceOf({ viewer }) {
  return (viewer.compared.run?.trace ?? viewer.trace).sentence;
}

async function createReport({ look, ask }) {
  const { experiment, notes, viewer: { view } } = look;
  const sentence = sentenceOf(look);
  const { text } = await ask(sentence, experiment, notes, view);
  return { name: `report-${slug(sentence)}.html`, type: "text/html", data: text };
}

async function createWorksheet({ look, ask }) {
  const sentence = sentenceOf(look);
  const { text } = await ask(sentence);
  return { name: `worksheet-${slug(sentence)}.html`, type: "text/html", data: text };
}

/** Prints the worksheet in a frame of its own, without the page; the next call removes the frame. */
async function printWorksheet({ look, ask }) {
  const { text } = await ask(sentenceOf(look));
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

/** `offered(look)` returns whether the file is available; without `offered` it always is. */
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
