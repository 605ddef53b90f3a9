// Showing on this page what the teacher's page shows, and noticing that the visitor does something else.

import { currentParts, navigate, onChange, readPart } from "../../ui/address.js";

const OWN_PARTS = ["hide", "embed", "lang"]; // of each page itself
const QUIET_MS = 40; // in which changes are sent together

/** What this page shows, as the class is told: without the parts of the page itself. */
export function shownPlace() {
  return Object.fromEntries(Object.entries(currentParts()).filter(([name]) => !OWN_PARTS.includes(name)));
}

/** Shows what the teacher's page shows. */
export function showPlace(place) {
  const own = OWN_PARTS.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
  navigate({ ...place, ...Object.fromEntries(own) }, { replace: true });
}

/** Calls `send(place)` when what this page shows has changed. */
export function onShown(send) {
  let sent = "";
  onceQuiet(() => {
    const place = shownPlace(), text = textOf(place);
    if (text !== sent) send(place);
    sent = text;
  });
}

/**
 * Calls `listener()` when the visitor has changed what this page shows: a change after a press or a key. What the class
 * changes comes without either; `expect()` says that it has just done so.
 */
export function onOwnChange(listener) {
  let hasTouched = false, known = "";
  const touch = () => { hasTouched = true; };
  for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, touch, { capture: true, passive: true });
  onceQuiet(() => {
    const text = textOf(shownPlace()), isOwn = hasTouched && text !== known;
    known = text;
    hasTouched = false;
    if (isOwn) listener();
  });
  const expect = () => {
    known = textOf(shownPlace());
    hasTouched = false;
  };
  return { expect };
}

/** Calls `listener()` after changes, once for those that come together. */
function onceQuiet(listener) {
  let timer = null;
  onChange(() => {
    timer ??= setTimeout(() => {
      timer = null;
      listener();
    }, QUIET_MS);
  });
}

/** A text that is the same for equal places. */
function textOf(place) {
  return JSON.stringify(Object.entries(place).sort(([one], [other]) => (one < other ? -1 : 1)));
}
