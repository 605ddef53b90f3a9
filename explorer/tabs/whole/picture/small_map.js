// The whole in small beside the path, with a frame around what the stage shows.

import { frameOf } from "./layout.js";
import { drawPicture } from "./picture.js";
import { levelOf } from "../place.js";
import { contextOf } from "../../../ui/canvas.js";
import { pixelRatio } from "../../../ui/page.js";

const IDENTITY = { kx: 1, ky: 1, dx: 0, dy: 0 };

export class SmallMap {
  /** @type {HTMLCanvasElement} The whole at its full size. */ whole = document.createElement("canvas");
  /** The scene that `whole` shows. @type {import("./view.js").PictureScene | null} */ drawn = null;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /**
   * @param {import("./view.js").PictureScene} scene
   * @param {import("../place.js").Place} place
   */
  draw(scene, place) {
    this.canvas.hidden = levelOf(place) === "whole";
    if (this.canvas.hidden) return;
    const { layout } = scene;
    if (this.drawn !== scene) {
      Object.assign(this.whole, { width: layout.width, height: layout.height });
      drawPicture(contextOf(this.whole), IDENTITY, scene);
      this.drawn = scene;
    }
    const height = this.canvas.clientHeight, width = (height * layout.width) / layout.height;
    const ratio = pixelRatio();
    this.canvas.style.width = `${width}px`;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = contextOf(this.canvas);
    context.scale(ratio, ratio);
    context.drawImage(this.whole, 0, 0, width, height);
    const scale = width / layout.width;
    const box = frameOf(layout, place);
    context.strokeStyle = scene.colours.ink;
    context.lineWidth = 1.5;
    context.strokeRect(box.left * scale + 1, box.top * scale + 1, box.width * scale - 2, box.height * scale - 2);
  }
}
