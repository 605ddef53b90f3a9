// Draws a canvas again into another context, so that a saved picture has SVG lines and text instead of pixels.

const drawFunctions = new WeakMap();

/**
 * Registers how a canvas is drawn again: `draw(asVector)` asks the canvas for its context; `asVector` says whether that
 * context records lines and text.
 */
export function registerDraw(canvas, draw) {
  drawFunctions.set(canvas, draw);
}

/** Draws a canvas into another context; returns false if its draw function is not registered. */
export function drawInto(canvas, context) {
  const draw = drawFunctions.get(canvas);
  if (!draw) return false;
  canvas.getContext = () => context; // an own property hides the method of the prototype
  try {
    draw(true);
  } finally {
    delete canvas.getContext;
  }
  draw(false); // setting the size of the canvas has cleared it
  return true;
}
