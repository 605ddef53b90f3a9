// A film of a canvas, which the browser records while it is drawn.

import { withDuration } from "./webm.js";

const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 6e6; // thin lines and small letters stay sharp in a large film
const PART_MS = 500; // after which the recorder hands over what it has
// MP4 first: it has a length, and PowerPoint and iPhones take it.
const TYPES = [
  "video/mp4;codecs=avc1.640028", "video/mp4;codecs=avc1", "video/mp4",
  "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm",
];

/** The first kind of film that this browser records; undefined if it records none. */
export function recordedType() {
  const { MediaRecorder, HTMLCanvasElement: { prototype } } = globalThis;
  if (!MediaRecorder || !("captureStream" in prototype)) return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/** Promises the time of the next frame, once what waits in the page has had its turn: frames go before all else. */
function nextFrame() {
  return new Promise((resolve) => { requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))); });
}

/**
 * Draws a share of a film once a frame until it is over; while nobody sees the page it waits. Promises the milliseconds
 * that it took.
 */
async function play(draw, duration, recorder, signal) {
  const isBroken = () => recorder.state === "inactive"; // as after each error: what there is of the film is no film
  let elapsed = 0;
  let last = performance.now();
  const wait = () => {
    if (isBroken()) return;
    if (document.hidden) recorder.pause();
    else recorder.resume();
    last = performance.now();
  };
  document.addEventListener("visibilitychange", wait);
  try {
    while (elapsed < duration) {
      const now = await nextFrame();
      signal.throwIfAborted();
      if (isBroken()) throw new Error("The browser stopped recording.");
      if (now - last < 1000 / (2 * FRAMES_A_SECOND)) continue;
      elapsed += now - last;
      last = now;
      draw(Math.min(1, elapsed / duration));
    }
    return elapsed;
  } finally {
    document.removeEventListener("visibilitychange", wait);
  }
}

/**
 * Promises the film of a canvas that `draw(share)` draws on; rejects if it is aborted, cannot be drawn or breaks off.
 * @param {HTMLCanvasElement} canvas
 * @param {(share: number) => void} draw
 * @param {{ type: string, duration: number, bits?: number, signal: AbortSignal }} options `bits`: a second
 * @returns {Promise<Blob>}
 */
export async function recordCanvas(canvas, draw, { type, duration, bits = BITS_A_SECOND, signal }) {
  const stream = canvas.captureStream(FRAMES_A_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: bits });
  const parts = [];
  let recorded; // milliseconds
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => { recorder.addEventListener("stop", resolve, { once: true }); });
  recorder.start(PART_MS);
  try {
    recorded = await play(draw, duration, recorder, signal);
    while (!parts.some(({ size }) => size > 0)) { // a busy browser
      recorded += await play(() => draw(1), PART_MS, recorder, signal);
    }
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
  }
  signal.throwIfAborted();
  const film = new Blob(parts, { type: type.replace(/;.*/, "") });
  return film.type === "video/webm" ? withDuration(film, recorded) : film;
}
