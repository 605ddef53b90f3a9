// Exceptions that nothing caught, as for a function that an old browser lacks: nobody waits for ever, and a sentence
// says that something has failed (toolbar.js).

import { FileError } from "./packed_files.js";

const listeners = [];
let said = "";

/** Calls `listener()` after an exception that nothing caught. `sentence` is what the page says of it. */
export function onException(listener, sentence = said) {
  listeners.push(listener);
  said = sentence;
}

/** What stands in place of an answer after an exception: { error } with the page's sentence; null without a page. */
export function failedAnswer() {
  return said ? { error: said } : null;
}

/**
 * Whether something of the page has failed. Neither what ResizeObserver or another site's script reports comes with an
 * error; Safari before 16.4 cannot read a script of Gradio's, without which the page does all the same; and where the
 * page is files, it says itself which of them did not come (site.js).
 */
function isFailure(exception) {
  return exception instanceof Error && exception.name !== "AbortError"
    && !(exception instanceof SyntaxError || exception instanceof FileError);
}

/** @param {any} event an ErrorEvent or a PromiseRejectionEvent */
function receive({ error, reason }) {
  if (!isFailure(error ?? reason)) return;
  for (const node of document.querySelectorAll("[aria-busy=true]")) node.setAttribute("aria-busy", "false");
  for (const listener of listeners) listener();
}

for (const type of ["error", "unhandledrejection"]) globalThis.addEventListener?.(type, receive);
