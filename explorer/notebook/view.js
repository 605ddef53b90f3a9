// The attention view in the frame of a notebook's output (view.py): as high as its content, light or dark as what is
// around.

import { readFile, showView } from "../handout/embedded_view.js";

/** Whether the text around the frame is light, as it is on dark pages of Jupyter, VS Code and Colab alike. */
function isDark(frame) {
  const [red, green, blue] = getComputedStyle(frame).color.match(/[\d.]+/g).map(Number);
  return red + green + blue > 3 * 128;
}

export async function mount() {
  // Null if the notebook keeps the frame apart: then it stays as it is.
  const frame = /** @type {HTMLElement | null} */ (window.frameElement);
  if (frame) document.body.classList.toggle("dark", isDark(frame));
  await showView(document.querySelector("main"), await readFile());
  if (frame) {
    new ResizeObserver(() => {
      frame.style.height = `${document.body.offsetHeight}px`;
    }).observe(document.body);
  }
}
