// Handouts: a report of the translation as one HTML file, and a worksheet, saved or printed.

import { slug } from "./names.js";

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
