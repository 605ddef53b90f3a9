// Canvases that can be drawn once more, into lines and text instead of pixels, where a picture is saved.

const ways = new WeakMap();

/**
 * Whoever draws a canvas says how the same is drawn on it again: `draw(inLines)` asks the canvas for its context, and is told
 * whether that makes lines and text of what is drawn.
 */
export function registerDraw(canvas, draw) {
  ways.set(canvas, draw);
}

/** Draws what a canvas shows into another context; false where nobody said how. */
export function drawInto(canvas, context) {
  const draw = ways.get(canvas);
  if (!draw) return false;
  canvas.getContext = () => context; // its own, before that of all canvases
  try {
    draw(true);
  } finally {
    delete canvas.getContext;
  }
  draw(false); // whoever sets a canvas's size clears it
  return true;
}
