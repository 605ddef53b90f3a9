// The curves of a training, which tab.py draws.

import { onLookChange, theme } from "../../ui/page.js";
import { loadPlotly } from "../../ui/libraries.js";

const NARROW_WIDTH_PX = 700, ROW_GAP = 0.14;

/** The Plotly layout of the axis of steps, with space for a line at its ends. */
function stepAxis(steps, scale) {
  const last = Math.max(...steps);
  if (scale === "linear") return { type: "linear", range: [-0.01 * last, 1.01 * last] };
  const from = Math.log10(Math.min(...steps.filter((step) => step > 0)) / 2);
  const to = Math.log10(last);
  return { type: "log", dtick: 1, range: [from - 0.01 * (to - from), to + 0.01 * (to - from)] };
}

/** The domain of one of `count` panels that are stacked vertically. */
function stackedDomain(index, count) {
  const height = (1 - ROW_GAP * (count - 1)) / count;
  const bottom = (count - 1 - index) * (height + ROW_GAP);
  return { x: [0, 1], y: [bottom, bottom + height] };
}

/** A copy of a figure in colours of the theme, where it has those of the light one. `colours` are by theme and name. */
function recoloured(figure, colours) {
  let text = JSON.stringify(figure);
  for (const [name, colour] of Object.entries(colours.light)) text = text.replaceAll(colour, colours[theme()][name]);
  return JSON.parse(text);
}

export function mount(element, settings) {
  return new Curves(element.querySelector(".training"), settings);
}

class Curves {
  settings;
  /** "linear" or "log", of the axis of steps. */ scale = "log";
  /** @type {HTMLElement} */ node;
  /** @type {HTMLElement[]} */ buttons;

  /** `settings` are the figure in the light theme's colours, its steps, a hint, the colours, and Plotly's URL. */
  constructor(root, settings) {
    this.settings = settings;
    root.querySelector(".hint").textContent = settings.hint;
    this.node = root.querySelector(".figure");
    this.buttons = [...root.querySelectorAll("[data-scale]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => {
        this.scale = button.dataset.scale;
        this.draw();
      });
    }
    onLookChange(this.node, () => this.draw());
  }

  async draw() {
    const { node, settings } = this;
    const { data, layout } = this.sizedFigure(recoloured(settings.figure, settings.colours));
    for (const button of this.buttons) button.setAttribute("aria-pressed", `${button.dataset.scale === this.scale}`);
    const Plotly = await loadPlotly(settings.plotly);
    Plotly.react(node, data, layout, { displayModeBar: false });
  }

  /** The figure with the size of its node and the current scale; the panels of a narrow one are stacked. */
  sizedFigure({ data, layout }) {
    const { node, scale, settings: { steps } } = this;
    const { clientWidth: width, clientHeight: height } = node;
    const panels = Object.keys(layout).filter((name) => name.startsWith("xaxis")).map((name) => name.slice(5));
    panels.forEach((panel, index) => {
      const xAxis = layout[`xaxis${panel}`], yAxis = layout[`yaxis${panel}`];
      Object.assign(xAxis, stepAxis(steps, scale));
      if (width >= NARROW_WIDTH_PX) return;
      const domain = stackedDomain(index, panels.length);
      Object.assign(xAxis, { domain: domain.x });
      Object.assign(yAxis, { domain: domain.y });
    });
    return { data, layout: { ...layout, dragmode: false, width, height } };
  }
}
