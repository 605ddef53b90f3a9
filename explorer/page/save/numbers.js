// Files of numbers. The server writes them, because the browser has 8 bits of most weights.

import { inView } from "./look.js";
import { bytesOf } from "./file.js";
import { slug, viewName } from "./names.js";
import { withoutIsolates } from "../../ui/scripts.js";

/** The groups of pieces behind the words of a picture, null where it shows pieces, or differences. */
function wordsIn({ content }) {
  if (!content?.members || content.signed) return null;
  const { members: { query: queries, key: keys }, full } = content;
  return { queries, keys, query_labels: full.queries.map(withoutIsolates), key_labels: full.labels.map(withoutIsolates) };
}

function matrixOf(look, { experiment, sentence, pane }) {
  const { kind, layer, head, specials, measure: wanted, words } = inView(look), { measure } = look.viewer.map;
  return { sentence, experiment, kind, layer, head, measure: wanted === "length" ? measure : "weight", specials, words: words ? wordsIn(pane) : null };
}

/** The run that is shown: where two stand beside each other, the changed one, which is the second. */
export async function csv({ look, ask }) {
  const { viewer, experiment } = look, { panes, compared: { run }, view } = viewer;
  const pane = panes[run && viewer.compared.two(view) ? 1 : 0], { sentence } = run ? run.trace : viewer.trace;
  const { text } = await ask(matrixOf(look, { experiment, sentence, pane }));
  return { name: `${viewName(look)}${run ? "-changed" : ""}.csv`, ...spreadsheet(text) };
}

export async function csvUnchanged({ look, ask }) {
  const { panes: [pane], compared: { run } } = look.viewer;
  const { text } = await ask(matrixOf(look, { experiment: null, sentence: run.trace.sentence, pane }));
  return { name: `${viewName(look)}-unchanged.csv`, ...spreadsheet(text) };
}

/** With a byte order mark, without which a spreadsheet takes umlauts for something else. */
function spreadsheet(text) {
  return { type: "text/csv;charset=utf-8", data: `\ufeff${text}` };
}

/** What is saved of everything: the unchanged sentence, and what is changed. */
function whole({ viewer, experiment }) {
  const { sentence } = viewer.compared.run?.trace ?? viewer.trace;
  return { sentence, experiment, name: ["trace", experiment ? "changed" : "", slug(sentence)].filter(Boolean).join("-") };
}

export async function json({ look, ask }) {
  const { sentence, experiment, name } = whole(look), { text } = await ask(sentence, experiment);
  return { name: `${name}.json`, type: "application/json", data: text };
}

export async function npz({ look, ask }) {
  const { sentence, experiment, name } = whole(look), { base64 } = await ask(sentence, experiment);
  return { name: `${name}.npz`, type: "application/octet-stream", data: bytesOf(base64) };
}
