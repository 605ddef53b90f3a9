// Browser storage for the visitor's choices; nothing of it leaves the machine.

const PREFIX = "attention-explorer:";

export const SESSION = "sessionStorage"; // lives as long as this browser tab

/**
 * The storage, or null if the browser has it disabled: then reading the property itself throws.
 * @param {string} area
 * @returns {Storage | null}
 */
function storage(area) {
  try {
    return window[area];
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** The text stored under a name, or null. */
export function readStored(name, area = "localStorage") {
  return storage(area)?.getItem(PREFIX + name) ?? null;
}

/** Removes the text stored under a name. */
export function forget(name, area = "localStorage") {
  storage(area)?.removeItem(PREFIX + name);
}

/** Stores a text; does nothing if the storage is full or disabled. */
export function store(name, value, area = "localStorage") {
  try {
    storage(area)?.setItem(PREFIX + name, value);
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
}
