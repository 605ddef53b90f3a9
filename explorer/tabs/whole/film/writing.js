// The film of a sentence that is being written: the whole picture from step to step, and both sentences above it as
// they grow. Of the run that is shown when it begins.

import { Bitmaps } from "../picture/bitmaps.js";
import { layoutOf } from "../picture/layout.js";
import { drawPicture } from "../picture/picture.js";
import { translationUntil } from "../../../derived/written.js";
import { contextOf } from "../../../ui/canvas.js";
import { fitTexts, partLines } from "../../../ui/fitting.js";
import { MOVE_MS } from "../../../ui/page.js";

const FRAME = { width: 1280, height: 720 };
const MARGIN = 28; // pixels, as the next four
const TITLE = { top: 20, height: 140, between: 6, gap: 10 };
const SIZES = [34, 32, 30, 28, 26, 24, 22, 20, 18, 17, 16, 15];
const BAR = 4; // how far the film is, at its lower edge
const WIDTH = FRAME.width - 2 * MARGIN;
const LEADING = 1.28; // of the letters, the height of a line
const READING = 0.09, ENDING = 0.15; // shares of the film: the source is read, and all is written
const MOST_FADE = 0.6; // of a step's time
const UNMOVED = { kx: 1, ky: 1, dx: 0, dy: 0 };

/**
 * What is seen at a share of the film: which share of the source is read, the step, and how far the picture of the
 * step before has faded into its own.
 * @param {number} share from 0 to 1
 * @param {number} steps
 * @param {number} duration milliseconds
 */
export function writingAt(share, steps, duration) {
  const each = (1 - READING - ENDING) / steps;
  const step = Math.min(steps - 1, Math.max(0, Math.floor((share - READING) / each + 1e-9)));
  const fade = Math.min(MOVE_MS / duration, MOST_FADE * each);
  const since = share - READING - step * each;
  return {
    read: Math.min(1, share / READING),
    step,
    shown: step === 0 ? 1 : Math.min(1, Math.max(0, since / fade)),
  };
}

export class Writing {
  size = FRAME;
  pixels = FRAME.width;
  duration = 10_000;
  /** A second: less than 3 MB in all. */ bits = 2.3e6;
  /** It loads nothing on its way. @type {never[]} */ stops = [];
  /** The run that is shown. @type {any} */ shown = null;
  /** @type {import("../picture/view.js").PictureScene | null} */ scene = null;
  /** Lines of both sentences, and the size of their letters. @type {ReturnType<typeof fitTexts> | null} */
  title = null;
  /** The pictures of the step and of the one before. */
  pictures = { now: document.createElement("canvas"), before: document.createElement("canvas") };
  /** The step of the picture. @type {number | null} */ drawn = null;

  /**
   * `take()` promises the run that is shown with all that it needs, or rejects with a UserError.
   * @param {any} settings
   * @param {{ presentation: import("../presentation.js").Presentation, take: () => Promise<any> }} options
   */
  constructor(settings, { presentation, take }) {
    this.settings = settings;
    this.presentation = presentation;
    this.take = take;
  }

  /** Takes the run that is shown now; rejects with a UserError if it cannot be loaded. */
  async open() {
    this.shown = await this.take();
    const { shown, shown: { trace }, presentation, settings: { config } } = this;
    const font = presentation.font();
    const context = contextOf(this.pictures.now);
    const widthOf = (/** @type {string} */ text) => {
      context.font = `600 100px ${font}`;
      return context.measureText(text).width / 100;
    };
    const texts = [trace.sentence, translationUntil(trace.steps.length - 1, trace)];
    this.title = fitTexts(texts, { width: WIDTH, height: TITLE.height, leading: LEADING }, SIZES, widthOf);
    const counts = { src: trace.source.length, tgt: trace.steps.length };
    const size = { width: WIDTH, height: Math.floor(FRAME.height - this.top - 2 * BAR) };
    this.scene = presentation.pictureScene(shown, layoutOf(config, counts, size), new Bitmaps());
    for (const canvas of Object.values(this.pictures)) Object.assign(canvas, size);
    this.drawn = null;
  }

  /** Leaves nothing behind. */
  close() {
    this.scene = null;
    this.drawn = null;
    for (const canvas of Object.values(this.pictures)) Object.assign(canvas, { width: 0, height: 0 });
  }

  /** The upper edge of the picture. */
  get top() {
    const { size, lines } = this.title;
    return TITLE.top + lines.flat().length * size * LEADING + TITLE.between + TITLE.gap;
  }

  /**
   * Draws a share of the film, which takes so many milliseconds.
   * @param {CanvasRenderingContext2D} context in pixels of `size`
   * @param {number} share
   * @param {number} duration
   */
  drawShare(context, share, duration) {
    const { scene: { trace, colours }, pictures } = this;
    const { read, step, shown } = writingAt(share, trace.steps.length, duration);
    if (step !== this.drawn) this.drawStep(step);
    context.globalAlpha = 1;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, FRAME.width, FRAME.height);
    context.globalAlpha = read;
    context.drawImage(pictures.now, MARGIN, this.top);
    context.globalAlpha = 1 - shown;
    if (shown < 1) context.drawImage(pictures.before, MARGIN, this.top);
    context.globalAlpha = 1;
    this.drawTitle(context, read, read < 1 ? -1 : step);
    context.fillStyle = colours.decoder;
    context.fillRect(0, FRAME.height - BAR, FRAME.width * share, BAR);
  }

  /** Draws the picture of a step; that of the one before is kept. */
  drawStep(step) {
    const { pictures, scene } = this;
    this.pictures = { now: pictures.before, before: pictures.now };
    drawPicture(contextOf(this.pictures.now), UNMOVED, { ...scene, step });
    this.drawn = step;
  }

  /**
   * Both sentences, as far as they are read and written; what is being written in its colour.
   * @param {CanvasRenderingContext2D} context
   * @param {number} read share of the source
   * @param {number} step -1: nothing is written
   */
  drawTitle(context, read, step) {
    const { title: { size, lines }, scene: { trace, colours, font } } = this;
    const [source, target] = [trace.sentence, translationUntil(trace.steps.length - 1, trace)];
    const words = source.match(/\S+\s*/gu) ?? [];
    const readUntil = words.slice(0, Math.ceil(read * words.length)).join("").length;
    const now = { from: translationUntil(step - 1, trace).length, to: translationUntil(step, trace).length };
    Object.assign(context, { textAlign: "left", textBaseline: "middle", font: `600 ${size}px ${font}` });
    const looks = [{ before: colours.ink }, { before: colours.ink, now: colours.decoder }];
    const parts = [
      partLines(source, lines[0], { from: readUntil, to: readUntil }), partLines(target, lines[1], now),
    ];
    let y = TITLE.top + 0.5 * size * LEADING;
    parts.forEach((sentence, i) => {
      for (const line of sentence) {
        this.drawLine(context, line, looks[i], y);
        y += size * LEADING;
      }
      y += TITLE.between;
    });
  }

  /** Draws the parts of a line that have a colour. */
  drawLine(context, line, colours, y) {
    let x = MARGIN;
    for (const { text, part } of line) {
      if (!colours[part]) return;
      context.fillStyle = colours[part];
      context.fillText(text, x, y);
      x += context.measureText(text).width;
    }
  }
}
