// The whole picture for a sheet of paper: drawn anew at the sheet's proportions, in the colours of white paper, with
// what stands around it. The sheet itself is made by page/save/poster.

import { captionOf } from "./guide/captions.js";
import { legendOf } from "./legend.js";
import { Bitmaps } from "./picture/bitmaps.js";
import { layoutOf } from "./picture/layout.js";
import { drawPicture } from "./picture/picture.js";
import { WHOLE } from "./place.js";
import { plainText } from "../../ui/segments.js";

const SIGNS = ["pooled", "ribbon", "others", "rest", "sum"]; // of the legend of the whole picture
const LEAST_WIDTH = 880, MOST_WIDTH = 1500, WIDTH_STEP = 20; // pixels of the drawing, whose letters have 10 to 16
const NAMED_PITCH = 10; // pixels of a lane whose name has room
const UNMOVED = { kx: 1, ky: 1, dx: 0, dy: 0 };

/** @typedef {{ src: number, tgt: number }} Counts */

/**
 * The size of the drawing in pixels, of a ratio (width to height): as small as names have room on all lanes, so that
 * on paper letters are large, but of a long sentence not so large that they become too small.
 * @param {Parameters<typeof layoutOf>[0]} config
 * @param {Counts} counts
 * @param {number} ratio
 */
export function drawingSize(config, counts, ratio) {
  let width = LEAST_WIDTH;
  const size = () => ({ width, height: width / ratio });
  while (width < MOST_WIDTH && layoutOf(config, counts, size()).pitch < NAMED_PITCH) width += WIDTH_STEP;
  return size();
}

export class Poster {
  /**
   * `take()` promises the run that is shown with all that it needs, or rejects with a UserError.
   * @param {any} settings
   * @param {{ presentation: import("./presentation.js").Presentation, boards: any, take: () => Promise<any> }} options
   */
  constructor(settings, { presentation, boards, take }) {
    this.settings = settings;
    this.presentation = presentation;
    this.boards = boards;
    this.take = take;
  }

  /**
   * Promises what is drawn on a sheet, of what is shown now (`Plate` of page/save/poster/poster.js); rejects with a
   * UserError if it cannot be loaded.
   */
  async plate() {
    const { presentation, settings: { config, colours, text } } = this;
    const shown = await this.take();
    const { trace, step, experiment, isChanged, viewer: { source } } = shown;
    const counts = { src: trace.source.length, tgt: trace.steps.length };
    const legend = legendOf(text.legend, config);
    const sizeFor = (/** @type {number} */ ratio) => drawingSize(config, counts, ratio);
    return {
      trace, source, step, experiment, isChanged, sizeFor,
      caption: plainText(captionOf(WHOLE, presentation.captionContext(shown, this.boards, WHOLE), text.captions)),
      legend: Object.fromEntries(SIGNS.map((sign) => [sign, legend[sign]])),
      colours: colours.light,
      draw: (/** @type {any} */ context, /** @type {number} */ ratio) => {
        const layout = layoutOf(config, counts, sizeFor(ratio));
        drawPicture(context, UNMOVED, presentation.pictureScene(shown, layout, new Bitmaps(), "light"));
      },
    };
  }
}
