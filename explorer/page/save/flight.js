// The guided flight through the model as files: a film, recorded by the browser as it is drawn, and pictures of its
// stops in one archive; and the film of a sentence that is being written.
//
// `flight` is the reel of the tab (tabs/whole/film/reel.js), `writing` that of the sentence (film/writing.js), a flight
// without stops. `watch` tells what happens meanwhile: `signal` aborts,
// `show(canvas)` shows what is drawn, `tell(sentence, share)` says how far it is.

import { runName } from "../../attention_view/file_name.js";
import { zipFile } from "../../derived/zip.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";
import { keepAwake } from "../../ui/wake_lock.js";
import { drawNode, encodePng } from "./picture/picture.js";
import { recordCanvas, recordedType } from "./video.js";
import { SaveError, slug } from "./snapshot.js";

const PICTURE_SCALE = 2; // pixels of a picture per pixel of the film

/** @typedef {{ signal: AbortSignal, show: (canvas: HTMLCanvasElement) => void,
 *   tell: (sentence: string, share: number) => void }} Watch */

/** A canvas for the frames of a flight, and its context; throws a SaveError if the browser has no memory for it. */
function canvasOf({ size }, scale, text) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new SaveError(text.noMemory);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { canvas, context };
}

/** Loads a stop, unless the visitor has stopped by now or by then. */
async function loadStop(flight, stop, scale, signal) {
  signal.throwIfAborted();
  await flight.load(stop, (node) => drawNode(node, scale));
  signal.throwIfAborted();
}

/**
 * Promises the film of a flight.
 * @param {any} flight
 * @param {{ type: string, duration: number, watch: Watch, text: Record<string, string> }} options
 */
export async function filmOf(flight, { type, duration, watch, text }) {
  try {
    keepAwake("film", true);
    watch.tell(text.preparing, 0);
    await flight.open();
    const scale = flight.pixels / flight.size.width;
    const { canvas, context } = canvasOf(flight, scale, text);
    for (const stop of flight.stops.keys()) {
      watch.tell(text.preparing, stop / flight.stops.length);
      await loadStop(flight, stop, scale, watch.signal);
    }
    const seconds = (share) => formatInteger(Math.round((share * duration) / 1000));
    const draw = (share) => {
      flight.drawShare(context, share, duration);
      watch.tell(fill(text.recording, { seconds: seconds(share), all: seconds(1) }), share);
    };
    draw(0);
    watch.show(canvas);
    return await recordCanvas(canvas, draw, { type, duration, bits: flight.bits, signal: watch.signal });
  } finally {
    keepAwake("film", false);
    flight.close();
  }
}

function nameOf(kind, { shown: { trace } }, type) {
  return `${[kind, ...runName(trace), slug(trace.sentence)].join("-")}.${type}`;
}

/** Promises the file of a film, whose name begins with what it is of. */
async function createFilmOf(kind, flight, { settings: { text }, watch }) {
  const type = recordedType();
  if (!type) throw new SaveError(text.noRecorder);
  const data = await filmOf(flight, { type, duration: flight.duration, watch, text });
  return { name: nameOf(kind, flight, data.type.replace("video/", "")), type: data.type, data };
}

export function createFilm({ snapshot, settings, watch }) {
  return createFilmOf("flight", snapshot.flight, { settings, watch });
}

export function createWriting({ snapshot, settings, watch }) {
  return createFilmOf("writing", snapshot.writing, { settings, watch });
}

/** Promises an archive with a picture of every stop, and their sentences as text. */
export async function createFlightPictures({ snapshot: { flight }, settings: { text }, watch }) {
  try {
    await flight.open();
    const { stops } = flight;
    const { canvas, context } = canvasOf(flight, PICTURE_SCALE, text);
    const files = [];
    let sentences = "";
    watch.show(canvas);
    for (const [stop, { key }] of stops.entries()) {
      watch.tell(fill(text.drawing, { number: stop + 1, count: stops.length }), stop / stops.length);
      await loadStop(flight, stop, PICTURE_SCALE, watch.signal);
      flight.drawStop(context, stop);
      const name = `${`${stop + 1}`.padStart(2, "0")}-${key}.png`;
      files.push([name, new Uint8Array(await (await encodePng(canvas, text)).arrayBuffer())]);
      const { title, caption } = flight.stills[stop];
      sentences += `${name}\n${title}\n${caption}\n\n`;
      flight.drop(stop);
    }
    const data = await zipFile([...files, ["captions.txt", new TextEncoder().encode(sentences)]]);
    watch.signal.throwIfAborted();
    return { name: nameOf("flight", flight, "zip"), type: "application/zip", data };
  } finally {
    flight.close();
  }
}
