// Numbers as small bitmaps, one pixel a number, which the picture stretches: tensors of the residual streams, and
// heads' weights. The latest are kept, up to so many bytes.

import { contextOf } from "../../../ui/canvas.js";
import { parseHex } from "../../../ui/contrast.js";

const MAX_BYTES = 24e6;
const EXPONENT = 0.8; // of the share of the full colour: small numbers stay visible
const FULL = 2.8; // root mean squares that have the full colour

/** The number with the full colour. */
export function fullScale({ data }) {
  const squares = data.reduce((sum, number) => sum + number * number, 0);
  return FULL * Math.sqrt(squares / data.length) || 1;
}

/** How strong the colour of a number is, from 0 to 1. */
export function strength(number, scale) {
  return Math.min(1, Math.abs(number) / scale) ** EXPONENT || 0;
}

export class Bitmaps {
  bitmaps = new Map();
  bytes = 0;
  /** @type {HTMLCanvasElement | null} */ layer = null;

  /** A canvas as large as the picture, for what is drawn with less opacity; it is kept beside the bitmaps. */
  layerOf(width, height) {
    if (this.layer?.width !== width || this.layer.height !== height) {
      this.layer = Object.assign(document.createElement("canvas"), { width, height });
    }
    return this.layer;
  }

  /** The bitmap of a name; `make()` returns it if it is not kept. */
  get(name, make) {
    const found = this.bitmaps.get(name) ?? make();
    this.bytes += this.bitmaps.delete(name) ? 0 : 4 * found.width * found.height;
    this.bitmaps.set(name, found); // as the latest
    for (const [oldest, { width, height }] of this.bitmaps) {
      if (this.bytes <= MAX_BYTES) break;
      this.bitmaps.delete(oldest);
      this.bytes -= 4 * width * height;
    }
    return found;
  }

  clear() {
    this.bitmaps.clear();
    this.bytes = 0;
  }
}

/**
 * The bitmap of a matrix. `colourOf(number)` returns [colour, strength], the colour as [r, g, b].
 * @param {{ length: number, [row: number]: ArrayLike<number> }} rows
 */
export function bitmapOf(rows, columns, colourOf) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = Math.max(1, rows.length);
  const image = new ImageData(columns, canvas.height);
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < columns; column++) {
      const [colour, share] = colourOf(rows[row][column]);
      const at = 4 * (row * columns + column);
      image.data.set(colour, at);
      image.data[at + 3] = Math.round(255 * share);
    }
  }
  contextOf(canvas).putImageData(image, 0, 0);
  return canvas;
}

/** The colours of numbers above and below zero as a function for `bitmapOf`; in one hue far away, in two near. */
export function signedColours({ accent, negative }, scale, isNear) {
  const [above, below] = [accent, isNear ? negative : accent].map(parseHex);
  return (number) => [number < 0 ? below : above, strength(number, scale)];
}
