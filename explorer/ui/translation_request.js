// A translation that is awaited: Explore's box asks for one, and its view shows what comes.

import { serverIn, cancel } from "./server.js";

const watchers = [], receivers = [];
let awaited = null; // the number of the last submission, as long as it has no answer

function tell(why = {}) {
  for (const watch of watchers) watch({ busy: awaited !== null, failed: false, stopped: false, ...why });
}

/**
 * Has a sentence translated by the server of a page in a language; what was asked before is not waited for any more. The
 * number of a submission is its time, so that it grows from one to the next.
 */
export async function submit(text, language, number = Math.round(performance.timeOrigin + performance.now())) {
  cancel("translate");
  awaited = number;
  tell();
  const answer = await serverIn(language).translate([text]).catch((error) => ({ stopped: error.name === "AbortError" }));
  if (typeof answer === "string") for (const receive of receivers) receive(answer, number);
  else if (awaited === number) fail(answer);
}

/** No answer will come. */
function fail({ stopped }) {
  awaited = null;
  tell({ failed: true, stopped });
}

/** Calls `receive(text, number)` with each answer and the number of its submission. */
export function onTranslated(receive) {
  receivers.push(receive);
}

/** An answer or a refusal came; one that a newer submission overtook ends nothing. */
export function settle(number) {
  if (awaited === null || number < awaited) return;
  awaited = null;
  tell();
}

/** Calls `watch({ busy, failed, stopped })` whenever a translation is asked for, is there, failed, or was stopped. */
export function onTranslationState(watch) {
  watchers.push(watch);
}
