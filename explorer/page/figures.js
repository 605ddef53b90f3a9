// Figures that Plotly draws. A double click opens a cell's arithmetic and does nothing else, so it ends no zoom, and no
// notice says that it would; the key 0 and a button in the figure end it.

import { isTaken, hasModifier } from "../ui/keys.js";

const RESET = '[data-attr="zoom"][data-val="reset"]';

/** What Gradio draws takes no configuration from Python: Plotly reads it, at every drag, from where it keeps it. */
function configure({ target }) {
  const context = target.closest?.(".js-plotly-plot")?._context;
  if (context) Object.assign(context, { doubleClick: false, showTips: false });
}

/**
 * Plotly, in Gradio's version and in ours, calls the buttons of its figures by `names`, whenever it comes: `language` is
 * the page's, and all that it changes; numbers stay as they are written everywhere here.
 */
function translated(language, names) {
  let found = globalThis.Plotly;
  const speak = (library) => {
    library.register({ moduleType: "locale", name: language, dictionary: names, format: {} });
    library.setPlotConfig({ locale: language });
  };
  if (found) speak(found);
  Object.defineProperty(globalThis, "Plotly", {
    configurable: true,
    enumerable: true,
    get: () => found,
    set: (library) => {
      found = library;
      if (library) speak(library);
    },
  });
}

export function tameFigures({ language, names }) {
  translated(language, names);
  document.addEventListener("pointerdown", configure, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "0" || isTaken(event) || hasModifier(event)) return;
    for (const figure of document.querySelectorAll(".js-plotly-plot")) {
      if (figure.offsetParent) figure.querySelector(RESET)?.click();
    }
  });
}
