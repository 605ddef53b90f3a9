// A translation that is awaited: Explore's event says when one is asked for, its view when an answer is there.

const watchers = [];
let awaited = null; // the number of the last submission, as long as it has no answer

function tell(failed = false) {
  for (const watch of watchers) watch({ busy: awaited !== null, failed });
}

/** A sentence was submitted; its number grows from one to the next. */
export function ask(number) {
  awaited = number;
  tell();
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
