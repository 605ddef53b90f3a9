// The curves of a training, drawn by explorer/figures.py, with a mark at the moment in view.

import { onNewLook, theme } from "./page.js";

const NARROW = 500, ROW_GAP = 0.13;

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
  /** `figures` by theme; `steps` are all that the axis must reach; `hint` says how to read them. */
  constructor(root, { curves: { figures, steps, hint }, colours }) {
    Object.assign(this, { figures, steps, colours, scale: "log", step: null });
    root.hidden = false;
    root.querySelector(".hint").textContent = hint;
    this.node = root.querySelector(".figure");
    this.buttons = [...root.querySelectorAll("[data-scale]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.set({ scale: button.dataset.scale }));
    }
    onNewLook(this.node, () => this.draw());
  }

  /** Changes the scale of the steps, the step in view (null: none), or which steps there are. */
  set(change) {
    Object.assign(this, change);
    if (this.node.offsetParent) this.draw();
  }

  draw() {
    const { data, layout } = this.figure();
    for (const button of this.buttons) button.setAttribute("aria-pressed", button.dataset.scale === this.scale);
    globalThis.Plotly.react(this.node, data, layout, { displaylogo: false, modeBarButtons: [["toImage"]] });
  }

  figure() {
    const { steps, scale, step } = this;
    const { data, layout } = structuredClone(this.figures[theme()]);
    const panels = Object.keys(layout).filter((name) => name.startsWith("xaxis")).map((name) => name.slice(5));
    panels.forEach((panel, number) => {
      const across = layout[`xaxis${panel}`], up = layout[`yaxis${panel}`];
      Object.assign(across, stepAxis(steps, scale));
      if (this.node.clientWidth >= NARROW) return;
      const place = below(number, panels.length);
      Object.assign(across, { domain: place.x });
      Object.assign(up, { domain: place.y });
    });
    const line = { color: this.colours[theme()].decoder, width: 2 };
    const moment = step === null ? [] : marks(panels, steps, scale, step, line);
    const shapes = [...(layout.shapes ?? []), ...moment];
    return { data, layout: { ...layout, height: this.node.clientHeight, shapes } };
  }
}
