// What drawing functions need: the canvas, the camera that they draw for, and what is drawn.

import { knownLanes } from "./layout.js";
import { SUBLAYERS } from "../place.js";
import { contextOf } from "../../../ui/canvas.js";

const NEAR_FROM = 1.35, NEAR_TO = 2.2; // zoom factors between which numbers get their second colour
const FILLS_FROM = 0.64, FILLS_TO = 0.8; // shares of the stage's width that a block has in its layer, and by itself
const CUT = 3; // pixels of a line that may lie beyond the stage

/** The height of the lowest lane that has a name, in pixels. */
export const LEAST_LABEL = 9;

/** The most letters of a name. */
export const LETTERS = 14;

/** The least share of its width that a name has where there is less room than it needs. */
export const LEAST_WIDTH = 0.75;

/**
 * Whether the stage has left behind the names before the lanes, at `x`, so that they stand at its edge.
 * @param {number} x
 */
export function hasLeft(x) {
  return x < 56;
}

/**
 * The name of a tensor in the overview.
 * @param {Stack} stack
 * @param {number | null} layer
 * @param {import("../place.js").BlockName | null} block
 * @param {string} tensor
 */
export function stripName(stack, layer, block, tensor) {
  return [stack, layer, SUBLAYERS[block] ?? null, tensor].join(" ");
}

/**
 * What is drawn. `strips` are the overview's tensors by `stripName`, replaced by those in full that are loaded;
 * `nameOf(map, head)` is what a head is called.
 * @typedef {object} PictureScene
 * @property {import("./layout.js").Layout} layout
 * @property {Record<string, any>} config
 * @property {Trace} trace
 * @property {number} step
 * @property {Map<string, import("../../../ui/tensor.js").Tensor>} strips
 * @property {Record<string, string>} colours of the theme
 * @property {string} theme
 * @property {string} font
 * @property {import("./bitmaps.js").Bitmaps} bitmaps
 * @property {Record<string, any>} words
 * @property {(map: AttentionMap, head: Heads) => import("../../../attention_view/head_names.js").HeadName} nameOf
 * @property {import("../place.js").Place | null} hovered
 * @property {import("./pointed.js").Lane | null} pointed whose ribbons alone are strong
 * @property {number[]} hiddenTokens of the source
 * @property {import("../differences.js").Comparison | null} comparison with the run without a change
 */

/**
 * How a line is written; `room` is the most pixels that it may take.
 * @typedef {{ size: number, colour: string, align?: "left" | "center" | "right", isBold?: boolean, isSlanted?: boolean,
 *   hasHalo?: boolean, room?: number }} TextStyle
 */

export class View {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("./camera.js").Camera} camera
   * @param {PictureScene} scene
   */
  constructor(context, camera, scene) {
    this.context = context;
    this.camera = camera;
    this.scene = scene;
    this.layout = scene.layout;
    this.pitch = scene.layout.pitch * camera.ky;
    this.nearness = Math.min(1, Math.max(0, Math.log(camera.kx / NEAR_FROM) / Math.log(NEAR_TO / NEAR_FROM)));
    this.kx = camera.kx;
    this.ky = camera.ky;
  }

  /** @param {number} value */
  x(value) {
    return value * this.camera.kx + this.camera.dx;
  }

  /** @param {number} value */
  y(value) {
    return value * this.camera.ky + this.camera.dy;
  }

  /**
   * Whether a part of the picture between two x is on the stage.
   * @param {number} from
   * @param {number} to
   */
  isSeen(from, to) {
    return this.x(to) > 0 && this.x(from) < this.layout.width;
  }

  /**
   * How many lanes are written at the step.
   * @param {Stack} stack
   */
  known(stack) {
    return knownLanes(this.scene, stack);
  }

  /**
   * How far a block fills the stage: 0 where its layer does, 1 where it does.
   * @param {Pick<import("./layout.js").Block, "start" | "to">} block
   */
  filling({ start, to }) {
    const share = ((to - start) * this.kx) / this.layout.width;
    return Math.min(1, Math.max(0, (share - FILLS_FROM) / (FILLS_TO - FILLS_FROM)));
  }

  /**
   * Whether a block of a layer fills the stage, rather than the layer or the whole.
   * @param {Stack} stack
   * @param {number} layer
   */
  isInBlock(stack, layer) {
    return Object.values(this.layout[stack].layers[layer]).some((block) => this.filling(block) > 0.5);
  }

  /**
   * @param {Stack} stack
   * @param {number} lane
   */
  isNow(stack, lane) {
    return stack === "decoder" && lane === this.scene.step;
  }

  /**
   * Draws something with less opacity: what it draws with `globalAlpha` goes onto a canvas of its own.
   * @param {number} share
   * @param {() => void} draw
   */
  fade(share, draw) {
    if (share >= 1) return draw();
    const { context } = this;
    const { width, height } = context.canvas;
    const layer = this.scene.bitmaps.layerOf(width, height);
    const own = contextOf(layer);
    own.setTransform(1, 0, 0, 1, 0, 0);
    own.clearRect(0, 0, width, height);
    own.setTransform(context.getTransform());
    own.font = context.font;
    own.textBaseline = "middle";
    this.context = own;
    draw();
    this.context = context;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = share;
    context.drawImage(layer, 0, 0);
    context.restore();
  }

  /**
   * @param {string} text
   * @param {number} size
   */
  measure(text, size, isBold = false) {
    this.context.font = `${isBold ? "600 " : ""}${size}px ${this.scene.font}`;
    return this.context.measureText(text).width;
  }

  /**
   * Writes a line, unless the edge of the stage would cut it off.
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {TextStyle} style
   */
  write(text, x, y, style) {
    const { size, colour, align = "left", isBold = false, isSlanted = false, hasHalo = false, room } = style;
    const { context } = this;
    context.font = `${isSlanted ? "italic " : ""}${isBold ? "600 " : ""}${size}px ${this.scene.font}`;
    const width = Math.min(room ?? Infinity, context.measureText(text).width);
    const left = x - { left: 0, center: 0.5, right: 1 }[align] * width;
    if (left < -CUT || left + width > this.layout.width + CUT) return;
    context.textAlign = align;
    if (hasHalo) {
      context.strokeStyle = this.scene.colours.ground;
      context.lineWidth = 4;
      context.strokeText(text, x, y, room);
    }
    context.fillStyle = colour;
    context.fillText(text, x, y, room);
    context.textAlign = "left";
  }
}
