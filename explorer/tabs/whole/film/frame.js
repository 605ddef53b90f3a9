// One frame of the film of the flight: the stop's title, the picture with its boards, and the sentence below.

import { formulaParts } from "../../../ui/formula.js";
import { breakLine } from "../../../ui/text.js";

export const FRAME = { width: 1440, height: 810 };
export const STAGE = { left: 32, top: 66, width: 1376, height: 632 };

const TITLE = { size: 26, middle: 36 }; // pixels, as the next two
const CAPTION = { top: 706, height: 92, sizes: [23, 20, 18, 16, 14] };
const LINE = 1.32; // of the size of its letters
const LETTER = { size: 0.72, shift: { "": 0, _: 0.22, "^": -0.32 } }; // of a letter off the line, of its size

/**
 * @typedef {object} Frame
 * @property {string} title
 * @property {string} position of the stop among all
 * @property {string} caption
 * @property {HTMLCanvasElement} picture as large as the stage above the legend
 * @property {Drawn | null} legend below the picture, where there is one
 * @property {{ image: Drawn, opacity: number, left: number, top: number, x: number, y: number }[]} boards
 * @property {{ ink: string, text: string, ground: string }} colours
 * @property {string} font
 */

/**
 * A part of the page as it looks, in pixels of its own.
 * @typedef {{ canvas: HTMLCanvasElement, width: number, height: number }} Drawn
 */

/**
 * @param {CanvasRenderingContext2D} context in pixels of FRAME
 * @param {Frame} frame
 */
export function drawFrame(context, frame) {
  const { width, height } = FRAME;
  context.globalAlpha = 1;
  context.fillStyle = frame.colours.ground;
  context.fillRect(0, 0, width, height);
  drawTitle(context, frame);
  drawStage(context, frame);
  drawCaption(context, frame);
}

function drawTitle(context, { title, position, colours, font }) {
  const right = STAGE.left + STAGE.width;
  Object.assign(context, { textBaseline: "middle", textAlign: "left", fillStyle: colours.ink });
  context.font = `600 ${TITLE.size}px ${font}`;
  context.fillText(title, STAGE.left, TITLE.middle);
  Object.assign(context, { textAlign: "right", fillStyle: colours.text });
  context.font = `${TITLE.size * 0.75}px ${font}`;
  context.fillText(position, right, TITLE.middle);
  context.textAlign = "left";
}

/** Nothing of it reaches beyond the stage. */
function drawStage(context, { picture, legend, boards }) {
  const { left, top, width, height } = STAGE;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.translate(left, top);
  const below = height - (legend?.height ?? 0);
  context.drawImage(picture, 0, 0, width, below);
  const isCovered = boards.length > 0;
  if (legend && !isCovered) context.drawImage(legend.canvas, 0, below, legend.width, legend.height);
  for (const { image, opacity, left: x, top: y, x: across, y: down } of boards) {
    context.globalAlpha = opacity;
    context.drawImage(image.canvas, x, y, width * across, height * down);
  }
  context.restore();
}

/** In the largest letters in which all of it has room. */
function drawCaption(context, { caption, colours, font }) {
  const measure = (text) => context.measureText(text).width;
  for (const size of CAPTION.sizes) {
    context.font = `${size}px ${font}`;
    const lines = breakLine(caption, STAGE.width, measure);
    if (lines.length * size * LINE > CAPTION.height && size !== CAPTION.sizes.at(-1)) continue;
    context.fillStyle = colours.ink;
    lines.forEach((line, i) => drawLine(context, line, { top: CAPTION.top + (i + 0.5) * size * LINE, size, font }));
    return;
  }
}

/** A line with its letters above and below it, as W_Q has one. */
function drawLine(context, line, { top, size, font }) {
  let left = STAGE.left;
  for (const [text, script] of formulaParts(line)) {
    context.font = `${script ? LETTER.size * size : size}px ${font}`;
    context.fillText(text, left, top + LETTER.shift[script] * size);
    left += context.measureText(text).width;
  }
}
