// Whether the page is at rest: nothing that it has begun is still to come. Programs that drive the page, such as its
// tests, wait for that before they look and point (start.js hands both functions to them). Playback is no work here: it
// may go on for as long as it likes.

const works = [];

/** Registers what may be at work; the name is for those who wait in vain. */
export function registerWork(name, isAtWork) {
  works.push({ name, isAtWork });
}

const promised = new Set(); // names in objects, as several may be equal

/** Passes a promise on, which is work until it is settled. */
export async function trackWork(name, promise) {
  const work = { name };
  promised.add(work);
  try {
    return await promise;
  } finally {
    promised.delete(work);
  }
}

/** Whether something moves that will stop by itself. */
function isMoving() {
  return document.getAnimations().some(({ playState, effect }) => (
    playState === "running" && Number.isFinite(effect.getComputedTiming().endTime)));
}

function isBusy() {
  return [...document.querySelectorAll("[aria-busy=true]")].some((/** @type {any} */ node) => node.offsetParent);
}

/** The names of all that is at work. */
export function atWork() {
  const names = [...works.filter(({ isAtWork }) => isAtWork()), ...promised].map(({ name }) => name);
  return [...new Set(names), ...(isMoving() ? ["animation"] : []), ...(isBusy() ? ["aria-busy"] : [])];
}

/** Resolves to true as soon as two frames in a row find nothing at work. */
export async function whenAtRest() {
  for (let quietFrames = 0; quietFrames < 2;) {
    await new Promise(requestAnimationFrame);
    quietFrames = atWork().length ? 0 : quietFrames + 1;
  }
  return true;
}
