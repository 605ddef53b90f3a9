// The guided flight through the model as files: a film, recorded by the browser as it is drawn, and pictures of its
// stops in one archive.
//
// `flight` is the reel of the tab (tabs/whole/film/reel.js). `watch` tells what happens meanwhile: `signal` aborts,
// `show(canvas)` shows what is drawn, `tell(sentence, share)` says how far it is.

import { zipFile } from "../../derived/zip.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";
import { drawNode, encodePng } from "./picture/picture.js";
import { SaveError, slug } from "./snapshot.js";

const FILM_MS = 60_000;
const FILM_WIDTH = 1920; // pixels
const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 6e6; // thin lines and small letters stay sharp
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const PICTURE_SCALE = 2; // pixels of a picture per pixel of the film

/** @typedef {{ signal: AbortSignal, show: (canvas: HTMLCanvasElement) => void,
 *   tell: (sentence: string, share: number) => void }} Watch */

/** The first kind of film that this browser records; undefined if it records none. */
function recordedType() {
  const { MediaRecorder, HTMLCanvasElement: { prototype } } = globalThis;
  if (!MediaRecorder || !("captureStream" in prototype)) return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/** A canvas for the frames of a flight, and its context. */
function canvasOf({ size }, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { canvas, context };
}

/** Draws a share of a film once a frame until it is over or aborted; while nobody sees the page it waits. */
function play(draw, duration, recorder, { signal }) {
  return new Promise((/** @type {(nothing?: any) => void} */ resolve, reject) => {
    let elapsed = 0;
    let last = performance.now();
    const wait = () => {
      if (document.hidden) recorder.pause();
      else recorder.resume();
      last = performance.now();
    };
    const tick = (now) => {
      if (now - last >= 1000 / (2 * FRAMES_A_SECOND)) {
        elapsed += now - last;
        last = now;
        draw(Math.min(1, elapsed / duration));
      }
      if (!signal.aborted && elapsed < duration) {
        requestAnimationFrame(tick);
        return;
      }
      document.removeEventListener("visibilitychange", wait);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    document.addEventListener("visibilitychange", wait);
    requestAnimationFrame(tick);
  });
}

/**
 * Promises the film of a canvas that `draw(share)` draws on.
 * @param {HTMLCanvasElement} canvas
 * @param {(share: number) => void} draw
 * @param {{ type: string, duration: number, watch: { signal: AbortSignal } }} options
 * @returns {Promise<Blob>}
 */
async function recordCanvas(canvas, draw, { type, duration, watch }) {
  const stream = canvas.captureStream(FRAMES_A_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_A_SECOND });
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => { recorder.addEventListener("stop", resolve, { once: true }); });
  recorder.start();
  try {
    await play(draw, duration, recorder, watch);
  } finally {
    recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
  }
  return new Blob(parts, { type: type.replace(/;.*/, "") });
}

/**
 * Promises the film of a flight.
 * @param {any} flight
 * @param {{ type: string, duration: number, watch: Watch, text: Record<string, string> }} options
 */
export async function filmOf(flight, { type, duration, watch, text }) {
  flight.open();
  try {
    const scale = FILM_WIDTH / flight.size.width;
    const { canvas, context } = canvasOf(flight, scale);
    for (const stop of flight.stops.keys()) {
      watch.signal.throwIfAborted();
      watch.tell(text.preparing, stop / flight.stops.length);
      await flight.load(stop, (node) => drawNode(node, scale));
    }
    const seconds = (share) => formatInteger(Math.round((share * duration) / 1000));
    const draw = (share) => {
      flight.drawShare(context, share, duration);
      watch.tell(fill(text.recording, { seconds: seconds(share), all: seconds(1) }), share);
    };
    draw(0);
    watch.show(canvas);
    return await recordCanvas(canvas, draw, { type, duration, watch });
  } finally {
    flight.close();
  }
}

export async function createFilm({ snapshot: { flight, viewer }, settings: { text }, watch }) {
  const type = recordedType();
  if (!type) throw new SaveError(text.noRecorder);
  const data = await filmOf(flight, { type, duration: FILM_MS, watch, text });
  return { name: `flight-${slug(viewer.trace.sentence)}.${data.type.replace("video/", "")}`, type: data.type, data };
}

/** Promises an archive with a picture of every stop, and their sentences as text. */
export async function createFlightPictures({ snapshot: { flight, viewer }, settings: { text }, watch }) {
  flight.open();
  try {
    const { stops } = flight;
    const { canvas, context } = canvasOf(flight, PICTURE_SCALE);
    const files = [];
    let sentences = "";
    watch.show(canvas);
    for (const [stop, { key }] of stops.entries()) {
      watch.signal.throwIfAborted();
      watch.tell(fill(text.drawing, { number: stop + 1, count: stops.length }), stop / stops.length);
      await flight.load(stop, (node) => drawNode(node, PICTURE_SCALE));
      flight.drawStop(context, stop);
      const name = `${`${stop + 1}`.padStart(2, "0")}-${key}.png`;
      files.push([name, new Uint8Array(await (await encodePng(canvas, text)).arrayBuffer())]);
      const { title, caption } = flight.stills[stop];
      sentences += `${name}\n${title}\n${caption}\n\n`;
      flight.drop(stop);
    }
    const data = await zipFile([...files, ["captions.txt", new TextEncoder().encode(sentences)]]);
    return { name: `flight-${slug(viewer.trace.sentence)}.zip`, type: "application/zip", data };
  } finally {
    flight.close();
  }
}
