// The files that the dialog's buttons save, by the names of entries.py: `make` resolves to { name, type, data }, or to null
// if there is nothing to download. `data` is a text, bytes or a blob. A `SaveError` has a message for the visitor.
//
// `look` is a snapshot (snapshot.js): the `tab`, its attention view (`viewer`, Explore's unless the tab has its own), its
// `experiment` or null, the options `what`, `grey` and `caption`, and `notes`. `ask(...args)` sends a request to the entry's
// `serve` and resolves to the response; `settings` are those of the dialog, with the words `text`.

import { createCsv, createUnchangedCsv, createJson, createNpz } from "./number_files.js";
import { createPng, createSvg } from "./picture/picture.js";
import { slug } from "./snapshot.js";

/** The unchanged sentence. */
function sentenceOf({ viewer }) {
  return (viewer.compared.run?.trace ?? viewer.trace).sentence;
}

export async function createReport({ look, ask }) {
  const { experiment, notes, viewer: { view } } = look, sentence = sentenceOf(look);
  const { text } = await ask(sentence, experiment, notes, view);
  return { name: `report-${slug(sentence)}.html`, type: "text/html", data: text };
}

export async function createWorksheet({ look, ask }) {
  const sentence = sentenceOf(look), { text } = await ask(sentence);
  return { name: `worksheet-${slug(sentence)}.html`, type: "text/html", data: text };
}

/** Prints the worksheet in a frame of its own, without the page; the next call removes the frame. */
export async function printWorksheet({ look, ask }) {
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
