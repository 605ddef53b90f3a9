// The curves of a training, which tab.py draws, with a line at the current moment.

import { onLookChange, theme } from "../../ui/page.js";
import { loadPlotly } from "../../ui/libraries.js";

const NARROW_WIDTH_PX = 500, ROW_GAP = 0.2;

/** The step at which a logarithmic axis begins; step 0, which it cannot show, is drawn there. */
function logAxisStart(steps) {
  return Math.min(...steps.filter((step) => step > 0)) / 2;
}

/** The Plotly layout of the axis of steps, with space for a line at its ends. */
function stepAxis(steps, scale) {
  const last = Math.max(...steps);
  if (scale === "linear") return { type: "linear", range: [-0.01 * last, 1.01 * last] };
  const from = Math.log10(logAxisStart(steps));
  const to = Math.log10(last);
  return { type: "log", dtick: 1, range: [from - 0.01 * (to - from), to + 0.01 * (to - from)] };
}

/** A vertical line through every panel. */
function markLines(panels, steps, scale, step, line) {
  const x = scale === "log" ? Math.max(step, logAxisStart(steps)) : step;
  return panels.map((panel) => (
    { type: "line", xref: `x${panel}`, yref: `y${panel} domain`, x0: x, x1: x, y0: 0, y1: 1, line }
  ));
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

export class Curves {
  /** @type {{ data: any[], layout: any }[]} In the light theme's colours. */ figures;
  /** @type {Record<string, Record<string, string>>} By theme and name. */ colours;
  /** @type {number[]} All that the axis includes. */ steps;
  /** "linear" or "log", of the axis of steps. */ scale = "log";
  /** @type {number | null} The current one; null: none. */ step = null;
  /** @type {string} Of Plotly. */ url;
  /** @type {HTMLElement[]} Of the figures. */ nodes;
  /** @type {HTMLElement[]} */ buttons;

  /** `hint` explains the curves; Plotly is at `url`. */
  constructor(root, { figures, steps, hint }, { plotly: url, colours }) {
    this.figures = figures;
    this.colours = colours;
    this.steps = steps;
    this.url = url;
    for (const node of root.querySelectorAll(".curves")) node.hidden = false;
    root.querySelector(".curves .hint").textContent = hint;
    this.nodes = [...root.querySelectorAll(".curves .figure")];
    this.nodes.forEach((node, index) => { node.hidden = figures[index].data.length === 0; });
    this.buttons = [...root.querySelectorAll("[data-scale]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => {
        this.scale = button.dataset.scale;
        this.drawAll();
      });
    }
    this.nodes.forEach((node, index) => onLookChange(node, () => this.draw(node, index)));
  }

  /** @param {number} step of the line */
  mark(step) {
    this.step = step;
    this.drawAll();
  }

  /** Draws the figures that are visible. */
  drawAll() {
    this.nodes.forEach((node, index) => {
      if (node.offsetParent) this.draw(node, index);
    });
  }

  async draw(node, index) {
    const { data, layout } = this.sizedFigure(node, recoloured(this.figures[index], this.colours));
    for (const button of this.buttons) button.setAttribute("aria-pressed", `${button.dataset.scale === this.scale}`);
    const Plotly = await loadPlotly(this.url);
    Plotly.react(node, data, layout, { displayModeBar: false });
  }

  /** The figure with the size of its node, the current scale, and the line at the current step. */
  sizedFigure(node, { data, layout }) {
    const { steps, scale, step } = this;
    const panels = Object.keys(layout).filter((name) => name.startsWith("xaxis")).map((name) => name.slice(5));
    panels.forEach((panel, index) => {
      const xAxis = layout[`xaxis${panel}`], yAxis = layout[`yaxis${panel}`];
      Object.assign(xAxis, stepAxis(steps, scale));
      if (node.clientWidth >= NARROW_WIDTH_PX) return;
      const domain = stackedDomain(index, panels.length);
      Object.assign(xAxis, { domain: domain.x });
      Object.assign(yAxis, { domain: domain.y });
    });
    const line = { color: getComputedStyle(node).color, width: 2 };
    const markShapes = step === null ? [] : markLines(panels, steps, scale, step, line);
    const shapes = [...(layout.shapes ?? []), ...markShapes];
    return { data, layout: { ...layout, dragmode: false, width: node.clientWidth, height: node.clientHeight, shapes } };
  }
}
