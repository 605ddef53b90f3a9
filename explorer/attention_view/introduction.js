// A translation as a film: the German is written word by word to its end, then the word that it is about is marked. A
// first visit begins with it, and so does the picture of what a visitor had translated.

import { readPart } from "../ui/address.js";
import { wantsStillness } from "../ui/page.js";
import { readStored, store } from "../ui/storage.js";

const INTRODUCED_KEY = "introduced"; // storage key
const SECONDS = 4.5; // in which all steps are shown
const PAUSE_MS = 900; // between the last word and the mark
const LEADING_ON = "[role=tab], [role=toolbar]"; // from the film to what its end is shown in, not wherever it was
const FOCUS_KEYS = ["Tab", "Shift"]; // on the way there

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

/**
 * Plays from the step of the view to the last one, and marks the row of the default step; any input stops it. One that
 * leads on, to another tab or to a tool of the page, finds it at its end.
 */
export function playThrough(viewer) {
  const { transport, trace } = viewer;
  const over = new AbortController();
  const end = () => {
    over.abort();
    if (viewer.trace !== trace) return;
    viewer.set({ step: trace.steps.length - 1, pin: { axis: "query", index: trace.defaultStep, ends: true } });
  };
  const stop = (/** @type {any} */ { key, target }) => {
    if (FOCUS_KEYS.includes(key)) return;
    over.abort();
    const leadsOn = target.closest?.(LEADING_ON);
    const pausesItself = key === " " || target.closest?.("[data-go=play]");
    if (leadsOn || !pausesItself) transport.pause();
    if (leadsOn) end();
  };
  for (const type of ["pointerdown", "click", "keydown", "wheel"]) {
    document.addEventListener(type, stop, { capture: true, signal: over.signal });
  }
  const leastSpeed = (trace.steps.length - 1) / SECONDS;
  transport.play({ leastSpeed, ended: () => setTimeout(() => over.signal.aborted || end(), PAUSE_MS) });
}
