// The contexts of canvases. A browser that is short of memory, as old iPads are, gives none: the page then goes on
// without pictures, and says so (toolbar.js).

const listeners = [];
let isRefused = false;

/** What is drawn on, and touched in the next frame. @type {Set<CanvasRenderingContext2D>} */
const touched = new Set();

/**
 * WebKit at times shows nothing of a large canvas that has just appeared, though its pixels are there, until something
 * more is drawn on it; one pixel beside it, a frame later, is enough.
 * @param {CanvasRenderingContext2D} context
 */
function touchLater(context) {
  if (!touched.size) {
    requestAnimationFrame(() => {
      for (const one of touched) one.clearRect(-1, -1, 1, 1);
      touched.clear();
    });
  }
  touched.add(context);
}

/** Calls `listener` once a canvas has no context; at once if that is so already. */
export function onRefusedContext(listener) {
  listeners.push(listener);
  if (isRefused) listener();
}

/** A context that draws nothing, with the methods that the drawings of this page use. */
class NoContext {
  isBlank = true;
  font = ""; fillStyle = ""; strokeStyle = ""; textAlign = ""; textBaseline = "";
  globalAlpha = 1; lineWidth = 1; imageSmoothingEnabled = true;

  constructor(canvas) {
    this.canvas = canvas;
  }

  save() {}
  restore() {}
  scale() {}
  translate() {}
  rotate() {}
  setTransform() {}
  setLineDash() {}
  beginPath() {}
  closePath() {}
  moveTo() {}
  lineTo() {}
  arc() {}
  bezierCurveTo() {}
  quadraticCurveTo() {}
  rect() {}
  clip() {}
  fill() {}
  stroke() {}
  fillRect() {}
  clearRect() {}
  strokeRect() {}
  fillText() {}
  strokeText() {}
  drawImage() {}
  putImageData() {}

  getLineDash() {
    return [];
  }

  getTransform() {
    return new DOMMatrix();
  }

  getImageData(left, top, width, height) {
    return new ImageData(width, height);
  }

  /** About as large as most letters are, in the pixels that the font names. */
  measureText(text) {
    const size = parseFloat(/[\d.]+px/.exec(this.font)?.[0] ?? "10");
    const [above, below] = [0.8 * size, 0.2 * size];
    return {
      width: 0.5 * size * text.length, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below,
      actualBoundingBoxAscent: above, actualBoundingBoxDescent: below,
    };
  }
}

/**
 * The context of a canvas; where the browser has none for it, one that draws nothing.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [options]
 * @returns {any}
 */
export function contextOf(canvas, options) {
  const context = canvas.getContext("2d", options);
  if (canvas.isConnected && context instanceof CanvasRenderingContext2D) touchLater(context);
  if (context) return context;
  if (!isRefused) {
    isRefused = true;
    for (const listener of listeners) listener();
  }
  return new NoContext(canvas);
}
