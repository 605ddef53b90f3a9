// What the browser remembers of a visitor's choices from one visit to the next; nothing of it leaves the machine.

const PREFIX = "attention-explorer:";

export const SESSION = "sessionStorage"; // remembered as long as this tab of the browser lives

/** The storage, or null where the browser has it switched off: reading the property itself throws there. */
function storage(where) {
  try {
    return window[where];
  } catch (refused) {
    if (refused instanceof DOMException) return null;
    throw refused;
  }
}

/** What was remembered under a name; null where nothing was, or nothing can be. */
export function readStored(name, where = "localStorage") {
  return storage(where)?.getItem(PREFIX + name) ?? null;
}

/** Remembers a text; a full or missing storage forgets it, which a visitor sees at the next visit only. */
export function store(name, value, where = "localStorage") {
  try {
    storage(where)?.setItem(PREFIX + name, value);
  } catch (refused) {
    if (refused.name !== "QuotaExceededError") throw refused;
  }
}
