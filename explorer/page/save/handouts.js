// What is handed out: one HTML file of the whole translation, and a worksheet, saved or printed.

import { slug } from "./names.js";

/** The unchanged sentence. */
function sentenceOf({ viewer }) {
  return (viewer.compared.run?.trace ?? viewer.trace).sentence;
}

export async function report({ look, ask }) {
  const { experiment, notes, viewer: { view } } = look, sentence = sentenceOf(look);
  const { text } = await ask(sentence, experiment, notes, view);
  return { name: `report-${slug(sentence)}.html`, type: "text/html", data: text };
}

export async function worksheet({ look, ask }) {
  const sentence = sentenceOf(look), { text } = await ask(sentence);
  return { name: `worksheet-${slug(sentence)}.html`, type: "text/html", data: text };
}

/** In a frame of its own, so that nothing else of the page is printed; it goes with the next one. */
export async function print({ look, ask }) {
  const { text } = await ask(sentenceOf(look));
  document.querySelector("#printed")?.remove();
  const frame = Object.assign(document.createElement("iframe"), { id: "printed", srcdoc: text, tabIndex: -1 });
  frame.style.cssText = "position:fixed;width:0;height:0;border:0;visibility:hidden";
  await new Promise((loaded) => {
    frame.addEventListener("load", loaded, { once: true });
    document.body.append(frame);
  });
  frame.contentWindow.print();
  return null;
}
