// Figures that Plotly draws. A double click opens a cell's arithmetic and does nothing else, so it ends no zoom, and no
// notice says that it would; the key 0 and a button in the figure end it.

import { isTaken, hasModifier } from "../ui/keys.js";

const RESET = '[data-attr="zoom"][data-val="reset"]';

/**
 * Whenever Plotly comes, it calls the buttons of its figures by `names`: `language` is the page's, and all that it
 * changes; numbers stay as they are written everywhere here.
 */
function configured(language, names) {
  let found = globalThis.Plotly;
  const configure = (library) => {
    library.register({ moduleType: "locale", name: language, dictionary: names, format: {} });
    library.setPlotConfig({ locale: language, doubleClick: false, showTips: false });
  };
  if (found) configure(found);
  Object.defineProperty(globalThis, "Plotly", {
    configurable: true,
    enumerable: true,
    get: () => found,
    set: (library) => {
      found = library;
      if (library) configure(library);
    },
  });
}

export function tameFigures({ language, names }) {
  configured(language, names);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "0" || isTaken(event) || hasModifier(event)) return;
    for (const figure of document.querySelectorAll(".js-plotly-plot")) {
      if (figure.offsetParent) figure.querySelector(RESET)?.click();
    }
  });
}
