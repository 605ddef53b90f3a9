// The text box of Explore's sentence, for the rest of the page: reads it, fills it and submits it. Components are mounted in
// no certain order, so whoever needs the box waits until it is connected.

let box = null, connect;
const connected = new Promise((resolve) => { connect = resolve; });

/** Connects the box, an input element, and `translate()`, which submits its text. */
export function connectBox(input, translate) {
  box = input;
  connect(translate);
}

/** The text in the box; null if there is no box yet. */
export function typedText() {
  return box?.value.trim() ?? null;
}

/** Calls `listener` when the text in the box may have changed. */
export async function onTyped(listener) {
  await connected;
  box.addEventListener("input", listener);
}

/** Writes a text into the box as if the visitor had typed it. */
export async function typeText(text) {
  await connected;
  box.value = text;
  box.dispatchEvent(new Event("input"));
}

/** Submits a sentence as if the visitor had typed it, unless `beforeSubmit()` returns false. */
export async function translateSentence(sentence, beforeSubmit = () => true) {
  const translate = await connected;
  await typeText(sentence);
  if (beforeSubmit()) translate();
}
