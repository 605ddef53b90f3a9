// The box of Explore's sentence, which Gradio draws: what stands in it, and how to have a sentence translated.

import { drawn } from "./page.js";

const BOX = "#sentence :is(input, textarea)";

/** What is typed; null where the box is not drawn yet. */
export function typed() {
  return document.querySelector(BOX)?.value.trim() ?? null;
}

/** Calls when the text in the box may be another one. */
export function onTyped(tell) {
  document.addEventListener("input", ({ target }) => target.matches?.(BOX) && tell());
}

/** Has a sentence translated as if the visitor had typed it. */
export async function translate(sentence) {
  const box = await drawn(BOX), button = await drawn("#translate");
  box.value = sentence;
  box.dispatchEvent(new Event("input", { bubbles: true })); // by which Gradio hears of it
  button.click();
}
