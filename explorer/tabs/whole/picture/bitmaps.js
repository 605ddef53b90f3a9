// The small bitmaps that the picture stretches: tensors of the residual streams, and heads' weights. The latest are
// kept, up to so many bytes.

const MAX_BYTES = 24e6;

export class Bitmaps {
  bitmaps = new Map();
  bytes = 0;
  /** @type {HTMLCanvasElement | null} */ layer = null;

  /**
   * A canvas as large as the picture, for what is drawn with less opacity; it is kept beside the bitmaps.
   * @param {number} width
   * @param {number} height
   */
  layerOf(width, height) {
    if (this.layer?.width !== width || this.layer.height !== height) {
      this.layer = Object.assign(document.createElement("canvas"), { width, height });
    }
    return this.layer;
  }

  /**
   * The bitmap of a name; `make()` returns it if it is not kept.
   * @param {string} name
   * @param {() => HTMLCanvasElement} make
   */
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
