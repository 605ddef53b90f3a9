// Figures that Plotly draws. A double click opens a cell's arithmetic and does nothing else, so it ends no zoom, and no
// notice says that it would; the key 0 and a button in the figure end it.

import { busy, commanded } from "../shared/keys.js";

const RESET = '[data-title="Reset axes"]';

/** What Gradio draws takes no configuration from Python: Plotly reads it, at every drag, from where it keeps it. */
function configure({ target }) {
  const context = target.closest?.(".js-plotly-plot")?._context;
  if (context) Object.assign(context, { doubleClick: false, showTips: false });
}

export function tameFigures() {
  document.addEventListener("pointerdown", configure, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "0" || busy(event) || commanded(event)) return;
    for (const figure of document.querySelectorAll(".js-plotly-plot")) {
      if (figure.offsetParent) figure.querySelector(RESET)?.click();
    }
  });
}
