// The curves of a training, drawn by figures.py, with a mark at the moment in view.

import { onLookChange, theme } from "../../ui/page.js";
import { loadPlotly } from "../../ui/libraries.js";

const NARROW = 500, ROW_GAP = 0.2;

/** The step at which a logarithmic axis begins: there stands step 0, which such an axis has no place for. */
export function beginning(steps) {
  return Math.min(...steps.filter((step) => step > 0)) / 2;
}

/** What the axis of steps shows; the right end leaves room for a mark. */
export function stepAxis(steps, scale) {
  const last = Math.max(...steps), first = beginning(steps);
  if (scale === "linear") return { type: "linear", range: [-0.01 * last, 1.01 * last] };
  const [from, to] = [Math.log10(first), Math.log10(last)];
  return { type: "log", dtick: 1, range: [from - 0.01 * (to - from), to + 0.01 * (to - from)] };
}

/** A vertical line through every panel. */
export function marks(panels, steps, scale, step, line) {
  const x = scale === "log" ? Math.max(step, beginning(steps)) : step;
  return panels.map((panel) => (
    { type: "line", xref: `x${panel}`, yref: `y${panel} domain`, x0: x, x1: x, y0: 0, y1: 1, line }
  ));
}

/** Where a panel lies, of those one below the other. */
export function below(number, count) {
  const height = (1 - ROW_GAP * (count - 1)) / count;
  const bottom = (count - 1 - number) * (height + ROW_GAP);
  return { x: [0, 1], y: [bottom, bottom + height] };
}

export class Curves {
  /** `figures` has a list for each theme, one for each place; `steps` the axis must reach; `hint` says how to read, `url` where Plotly is. */
  constructor(root, { figures, steps, hint }, url) {
    Object.assign(this, { figures, steps, url, scale: "log", step: null });
    for (const place of root.querySelectorAll(".curves")) place.hidden = false;
    root.querySelector(".curves .hint").textContent = hint;
    this.nodes = [...root.querySelectorAll(".curves .figure")];
    this.nodes.forEach((node, number) => { node.hidden = figures.light[number].data.length === 0; });
    this.buttons = [...root.querySelectorAll("[data-scale]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.set({ scale: button.dataset.scale }));
    }
    this.nodes.forEach((node, number) => onLookChange(node, () => this.draw(node, number)));
  }

  /** Changes the scale of the steps, the step in view (null: none), or which steps there are. */
  set(change) {
    Object.assign(this, change);
    this.nodes.forEach((node, number) => node.offsetParent && this.draw(node, number));
  }

  async draw(node, number) {
    const { data, layout } = this.figure(node, this.figures[theme()][number]);
    for (const button of this.buttons) button.setAttribute("aria-pressed", button.dataset.scale === this.scale);
    const Plotly = await loadPlotly(this.url);
    Plotly.react(node, data, layout, { displayModeBar: false });
  }

  /** A figure in the room that its node has, on the scale in view, with the mark. */
  figure(node, given) {
    const { steps, scale, step } = this;
    const { data, layout } = structuredClone(given);
    const panels = Object.keys(layout).filter((name) => name.startsWith("xaxis")).map((name) => name.slice(5));
    panels.forEach((panel, number) => {
      const across = layout[`xaxis${panel}`], up = layout[`yaxis${panel}`];
      Object.assign(across, stepAxis(steps, scale));
      if (node.clientWidth >= NARROW) return;
      const place = below(number, panels.length);
      Object.assign(across, { domain: place.x });
      Object.assign(up, { domain: place.y });
    });
    const line = { color: getComputedStyle(node).color, width: 2 };
    const moment = step === null ? [] : marks(panels, steps, scale, step, line);
    const shapes = [...(layout.shapes ?? []), ...moment];
    return { data, layout: { ...layout, dragmode: false, width: node.clientWidth, height: node.clientHeight, shapes } };
  }
}
