// The text box of Explore's sentence, which Gradio draws: reads it, fills it and submits it.

import { whenDrawn } from "./page.js";

const BOX_SELECTOR = "#sentence :is(input, textarea)";

/** The text in the box; null if the box is not drawn yet. */
export function typedText() {
  return document.querySelector(BOX_SELECTOR)?.value.trim() ?? null;
}

/** Calls `listener` when the text in the box may have changed. */
export function onTyped(listener) {
  document.addEventListener("input", ({ target }) => target.matches?.(BOX_SELECTOR) && listener());
}

/** Lets the text determine its direction. */
export async function setAutoDirection() {
  (await whenDrawn(BOX_SELECTOR)).dir = "auto";
}

/** Writes a text into the box as if the visitor had typed it. */
export async function typeText(text) {
  const box = await whenDrawn(BOX_SELECTOR);
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true })); // Gradio listens to it
}

/** Submits a sentence as if the visitor had typed it, unless `beforeSubmit()` returns false. */
export async function translateSentence(sentence, beforeSubmit = () => true) {
  const button = await whenDrawn("#translate");
  await typeText(sentence);
  if (beforeSubmit()) button.click();
}
