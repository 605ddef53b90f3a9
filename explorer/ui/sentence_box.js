// The box of Explore's sentence, which Gradio draws: what stands in it, and how to have a sentence translated.

import { whenDrawn } from "./page.js";

const BOX = "#sentence :is(input, textarea)";

/** What is typed; null where the box is not drawn yet. */
export function typedText() {
  return document.querySelector(BOX)?.value.trim() ?? null;
}

/** Calls when the text in the box may be another one. */
export function onTyped(tell) {
  document.addEventListener("input", ({ target }) => target.matches?.(BOX) && tell());
}

/** Lets what is typed choose its direction, which Gradio's own box does not. */
export async function setAutoDirection() {
  (await whenDrawn(BOX)).dir = "auto";
}

/** Writes a text into the box as if the visitor had typed it. */
export async function typeText(text) {
  const box = await whenDrawn(BOX);
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true })); // by which Gradio hears of it
}

/** Has a sentence translated as if the visitor had typed it, unless `begin()`, called just before, says false. */
export async function translateSentence(sentence, begin = () => true) {
  const button = await whenDrawn("#translate");
  await typeText(sentence);
  if (begin()) button.click();
}
