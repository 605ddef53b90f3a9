// A translation as a film: the German is written word by word to its end, then the word that it is about is marked. A
// first visit begins with it, and so does the picture of what a visitor had translated.

import { readPart } from "../ui/address.js";
import { wantsStillness } from "../ui/page.js";
import { readStored, store } from "../ui/storage.js";

const INTRODUCED_KEY = "introduced"; // storage key
const SECONDS = 4.5; // in which all steps are shown
const PAUSE_MS = 900; // between the last word and the mark

/** Plays the sentence on the first visit. */
export function introduce(viewer) {
  if (readStored(INTRODUCED_KEY) || !canPlay(viewer)) return;
  store(INTRODUCED_KEY, "1");
  viewer.set({ step: 0 });
  playThrough(viewer);
}

/** Whether a sentence plays by itself: in the level "picture", by steps, and not where others lead. */
export function canPlay({ root, view }) {
  const isLed = Boolean(document.body.dataset.lesson) || readPart("class") !== null;
  return view.level === "picture" && view.kind !== "encoder" && !isLed && !wantsStillness() && root.offsetParent;
}

/** Plays from the step of the view to the last one, and marks the row of the default step; any input stops it. */
export function playThrough(viewer) {
  const { transport, trace } = viewer;
  const over = new AbortController();
  const stop = (/** @type {any} */ { key, target }) => {
    over.abort();
    if (key !== " " && !target.closest?.("[data-go=play]")) transport.pause(); // these two pause by themselves
  };
  for (const type of ["pointerdown", "click", "keydown", "wheel"]) {
    document.addEventListener(type, stop, { capture: true, signal: over.signal });
  }
  const mark = () => {
    if (over.signal.aborted || viewer.trace !== trace) return;
    over.abort();
    viewer.set({ pin: { axis: "query", index: trace.defaultStep, ends: true } });
  };
  const leastSpeed = (trace.steps.length - 1) / SECONDS;
  transport.play({ leastSpeed, ended: () => setTimeout(mark, PAUSE_MS) });
}
