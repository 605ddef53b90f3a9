// The pending translation request: Explore's text box sends it, and Explore's view shows the response.

import { serverIn, cancel } from "./server.js";

const stateListeners = [], answerListeners = [];
let pendingNumber = null; // the number of the last submission without a response, or null

function notifyState(change = {}) {
  for (const listener of stateListeners) listener({ busy: pendingNumber !== null, failed: false, stopped: false, ...change });
}

/**
 * Sends a sentence to the server and cancels the previous request. The number of a submission is its time in milliseconds,
 * so that later submissions have larger numbers.
 */
export async function submit(text, language, number = Math.round(performance.timeOrigin + performance.now())) {
  cancel("translate");
  pendingNumber = number;
  notifyState();
  const answer = await serverIn(language).translate([text]).catch((error) => ({ stopped: error.name === "AbortError" }));
  if (typeof answer === "string") for (const listener of answerListeners) listener(answer, number);
  else if (pendingNumber === number) fail(answer);
}

/** Ends the pending request without a response. */
function fail({ stopped }) {
  pendingNumber = null;
  notifyState({ failed: true, stopped });
}

/** Calls `listener(text, number)` with each response and the number of its submission. */
export function onTranslation(listener) {
  answerListeners.push(listener);
}

/** Ends the pending request, unless a newer submission than `number` is pending. */
export function settle(number) {
  if (pendingNumber === null || number < pendingNumber) return;
  pendingNumber = null;
  notifyState();
}

/** Calls `listener({ busy, failed, stopped })` when a request starts, succeeds, fails, or is cancelled. */
export function onTranslationState(listener) {
  stateListeners.push(listener);
}
