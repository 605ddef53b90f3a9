// The screen stays on while something runs that nobody touches: a class, the projector, the guided flight, a film.
// Browsers allow it only on this machine and under https (MDN, Screen Wake Lock API).

const reasons = new Set();
/** @type {WakeLockSentinel | null} */ let lock = null;
let isRequesting = false;

/**
 * Keeps the screen on, or no longer, for a reason of its own.
 * @param {"class" | "projector" | "flight" | "film"} reason
 */
export function keepAwake(reason, isWanted) {
  if (isWanted) reasons.add(reason);
  else reasons.delete(reason);
  update();
}

/** Requests the lock, which the browser takes away with the window out of sight, or releases it. */
async function update() {
  if (!navigator.wakeLock || isRequesting) return;
  const isNeeded = reasons.size > 0 && document.visibilityState === "visible";
  if (isNeeded === (lock !== null && !lock.released)) return;
  isRequesting = true;
  try {
    if (isNeeded) lock = await navigator.wakeLock.request("screen");
    else await lock.release();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    lock = null; // refused, as where the battery is low; asked for again with the next change
    return;
  } finally {
    isRequesting = false;
  }
  update(); // what was wanted meanwhile
}

globalThis.document?.addEventListener("visibilitychange", update); // none in tests by Node
