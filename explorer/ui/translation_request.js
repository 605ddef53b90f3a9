// The text box, and the pending translation request that it sends; the attention view shows the
// response. Components are mounted in no certain order, so whoever needs the box waits until it is connected.

import { onException } from "./exceptions.js";
import { NoAnswer } from "./model.js";
import { cancel } from "./server.js";
import { UserError } from "./user_error.js";

let box = null, connect;
const connected = new Promise((resolve) => { connect = resolve; });
const stateListeners = [], answerListeners = [];
let pendingNumber = null; // the number of the last submission without a response, or null

/** Connects the box, an input element, and `translate({ isTyped })`, which submits its text. */
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

/**
 * Writes a text into the box as if the visitor had typed it; the box has one line, and would join words that two lines
 * part.
 */
export async function typeText(text) {
  await connected;
  box.value = text.replace(/[\r\n]+/g, " ");
  box.dispatchEvent(new Event("input"));
}

/**
 * Submits a sentence exactly as it is or, if it `isTyped`, as what a visitor types is read
 * (explorer/derived/reading.js), unless `beforeSubmit()` returns false.
 * @param {string} sentence
 * @param {{ isTyped?: boolean, beforeSubmit?: () => boolean }} options
 */
export async function translateSentence(sentence, { isTyped = false, beforeSubmit = () => true } = {}) {
  const translate = await connected;
  await typeText(sentence);
  if (beforeSubmit()) translate({ isTyped });
}

function notifyState(change = {}) {
  for (const listener of stateListeners) {
    listener({ busy: pendingNumber !== null, failed: false, stopped: false, broke: false, ...change });
  }
}

/**
 * Cancels the previous request and starts another: `translate()` promises a trace. The number of a submission is its
 * time in milliseconds, so that later submissions have larger numbers.
 */
export async function submit(translate, number = Math.round(performance.timeOrigin + performance.now())) {
  cancel("translate");
  pendingNumber = number;
  notifyState();
  try {
    notifyAnswer(await translate(), number);
  } catch (error) {
    if (error instanceof UserError) notifyAnswer({ error: error.message }, number);
    else if (!(error instanceof NoAnswer)) throw error;
    else if (pendingNumber === number) fail({ stopped: error.isAborted });
  }
}

function notifyAnswer(answer, number) {
  for (const listener of answerListeners) listener(answer, number);
}

/** Ends the pending request without a response. */
function fail(why) {
  pendingNumber = null;
  notifyState({ failed: true, ...why });
}

onException(() => {
  if (pendingNumber !== null) fail({ broke: true });
});

/** Calls `listener(answer, number)` with each trace, or { error }, and the number of its submission. */
export function onTranslation(listener) {
  answerListeners.push(listener);
}

/** Ends the pending request, unless a newer submission than `number` is pending. */
export function settle(number) {
  if (pendingNumber === null || number < pendingNumber) return;
  pendingNumber = null;
  notifyState();
}

/** Calls `listener({ busy, failed, stopped, broke })` when a request starts, succeeds, fails, or is cancelled. */
export function onTranslationState(listener) {
  stateListeners.push(listener);
}
