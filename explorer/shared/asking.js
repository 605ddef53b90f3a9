// A translation that is awaited: Explore's event says when one is asked for, its view when an answer is there.

const PATIENCE = 1500; // milliseconds from one look after the server to the next

const watchers = [];
let awaited = null; // the number of the last submission, as long as it has no answer

function tell(failed = false) {
  for (const watch of watchers) watch({ busy: awaited !== null, failed });
}

/**
 * Of a server that is gone Gradio says nothing to those who wait for its answer, so it is asked whether this file is there
 * as long as an answer is missing. One that is only slow says so.
 */
async function look(number) {
  await new Promise((go) => setTimeout(go, PATIENCE));
  if (awaited !== number) return;
  const found = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (awaited !== number) return;
  if (found === null || found.status >= 500) failed();
  else look(number);
}

/** A sentence was submitted; its number grows from one to the next. */
export function ask(number) {
  awaited = number;
  tell();
  look(number);
}

/** An answer or a refusal came; one that a newer submission overtook ends nothing. */
export function answered(number) {
  if (awaited === null || number < awaited) return;
  awaited = null;
  tell();
}

/** No answer will come. */
export function failed() {
  if (awaited === null) return;
  awaited = null;
  tell(true);
}

/** Calls `watch({ busy, failed })` whenever a translation is asked for, is there, or failed. */
export function onAsking(watch) {
  watchers.push(watch);
}
