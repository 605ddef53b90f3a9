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
  let timer = null, sent = "";
  onChange(() => {
    timer ??= setTimeout(() => {
      timer = null;
      const place = shownPlace(), text = JSON.stringify(place);
      if (text !== sent) send(place);
      sent = text;
    }, QUIET_MS);
  });
}

/**
 * Calls `listener()` when the visitor has changed what this page shows: a change after a press or a key, outside `bar`.
 * What the class changes comes without either.
 */
export function onOwnChange(bar, listener) {
  let hasTouched = false, known = "";
  const touch = ({ target }) => { hasTouched = !bar.contains(target); };
  for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, touch, { capture: true, passive: true });
  onShown((place) => {
    const text = JSON.stringify(place), isOwn = hasTouched && text !== known;
    known = text;
    hasTouched = false;
    if (isOwn) listener();
  });
}
