// Files of numbers, which the server writes.

import { shownView, slug, viewName } from "./snapshot.js";
import { decodeBase64 } from "./save_error.js";
import { withoutIsolates } from "../../ui/scripts.js";

/** The groups of pieces of a picture in words; null if it shows pieces or differences. */
function wordGroupsOf({ content }) {
  if (!content?.members || content.signed) return null;
  const { members: { query: queries, key: keys }, full } = content;
  return { queries, keys, query_labels: full.queries.map(withoutIsolates), key_labels: full.labels.map(withoutIsolates) };
}

function matrixRequest(look, { experiment, sentence, pane }) {
  const { kind, layer, head, specials, measure: viewMeasure, words } = shownView(look), { measure } = look.viewer.map;
  return { sentence, experiment, kind, layer, head, measure: viewMeasure === "length" ? measure : "weight", specials, words: words ? wordGroupsOf(pane) : null };
}

/** The shown matrix as CSV; in a comparison that of the changed run. */
export async function createCsv({ look, ask }) {
  const { viewer, experiment } = look, { panes, compared: { run }, view } = viewer;
  const pane = panes[run && viewer.compared.two(view) ? 1 : 0], { sentence } = run ? run.trace : viewer.trace;
  const { text } = await ask(matrixRequest(look, { experiment, sentence, pane }));
  return { name: `${viewName(look)}${run ? "-changed" : ""}.csv`, ...csvFile(text) };
}

export async function createUnchangedCsv({ look, ask }) {
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
  return { sentence, experiment, name: ["trace", experiment ? "changed" : "", slug(sentence)].filter(Boolean).join("-") };
}

export async function createJson({ look, ask }) {
  const { sentence, experiment, name } = traceRequest(look), { text } = await ask(sentence, experiment);
  return { name: `${name}.json`, type: "application/json", data: text };
}

export async function createNpz({ look, ask }) {
  const { sentence, experiment, name } = traceRequest(look), { base64 } = await ask(sentence, experiment);
  return { name: `${name}.npz`, type: "application/octet-stream", data: decodeBase64(base64) };
}
