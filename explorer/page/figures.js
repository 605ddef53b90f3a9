// Configures Plotly's figures. A double click does not reset the zoom, because it opens a cell's blackboard; the key 0
// and a button in the figure reset it.

import { isTaken, hasModifier } from "../ui/keys.js";
import { localNumber } from "../ui/numbers.js";

const RESET = '[data-attr="zoom"][data-val="reset"]';

/**
 * Configures Plotly as soon as it is loaded: `names` translates the buttons of figures to the page's `language`, and
 * numbers have its signs.
 */
function configurePlotly(language, names) {
  let plotly = globalThis.Plotly;
  const [decimal, thousands] = localNumber(".,");
  const format = decimal === "." ? {} : { decimal, thousands }; // a format of "en" would replace Plotly's own
  const configure = (library) => {
    library.register({ moduleType: "locale", name: language, dictionary: names, format });
    library.setPlotConfig({ locale: language, doubleClick: false, showTips: false });
  };
  if (plotly) configure(plotly);
  Object.defineProperty(globalThis, "Plotly", {
    configurable: true,
    enumerable: true,
    get: () => plotly,
    set: (library) => {
      plotly = library;
      if (library) configure(library);
    },
  });
}

export function configureFigures({ language, names }) {
  configurePlotly(language, names);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "0" || isTaken(event) || hasModifier(event)) return;
    for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".js-plotly-plot"))) {
      if (figure.offsetParent) /** @type {HTMLElement} */ (figure.querySelector(RESET))?.click();
    }
  });
}
