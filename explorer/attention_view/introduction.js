// What a first visit begins with: the sentence written once, step by step.

import { wantsStillness } from "../ui/page.js";
import { readStored, store } from "../ui/storage.js";

const INTRODUCED_KEY = "introduced"; // storage key
const SECONDS = 4.5; // in which all steps are shown

/** On the first visit, plays the sentence from its beginning to the step of the view; any input stops it. */
export function introduce(viewer) {
  if (readStored(INTRODUCED_KEY) || wantsStillness()) return;
  store(INTRODUCED_KEY, "1");
  const { transport, view: { step: end } } = viewer;
  viewer.set({ step: 0 });
  transport.play({ end, leastSpeed: end / SECONDS });
  const over = new AbortController();
  const stop = (/** @type {any} */ { key, target }) => {
    over.abort();
    if (key !== " " && !target.closest?.("[data-go=play]")) transport.pause(); // these two pause by themselves
  };
  for (const type of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(type, stop, { capture: true, signal: over.signal });
  }
  setTimeout(() => over.abort(), 1000 * (SECONDS + 1));
}
