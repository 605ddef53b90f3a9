// The small picture of the whole model beside the map of the level "picture": one press plays the sentence in the whole
// model. It stands where there is room: in the column below the legend, else beside a map that leaves some.

import { drawModel } from "./small_model.js";
import { contextOf } from "../ui/canvas.js";
import { pixelRatio } from "../ui/page.js";

const GAP = 16; // pixels between the map and the card
const LEAST_WIDTH = 132, MOST_WIDTH = 220; // pixels, beside the map
const COLUMN_HEIGHT = 180; // pixels that the column has left: the card's, and some as the texts there differ by step
const COLUMN_GAP = 20; // pixels between the legend and the card

export class WholeCard {
  /** What it shows. @type {{ trace: Trace, theme: string } | null} */ scene = null;
  key = "";
  drawn = "";

  /**
   * `part` are nodes by role; `plot` is the map (plot.js); `open` opens the whole model.
   * @param {Record<string, any>} part
   * @param {{ plot: import("./plot.js").Plot, colours: any, open: () => void }} options
   */
  constructor({ card: node, cardCanvas: canvas }, { plot, colours, open }) {
    this.node = node;
    this.canvas = canvas;
    this.panes = node.closest(".panes");
    this.plot = plot;
    this.colours = colours;
    node.addEventListener("click", open);
    plot.onLayout = () => this.show();
  }

  /** @param {Trace} trace @param {string} theme */
  draw(trace, theme) {
    this.scene = { trace, theme };
    this.show();
  }

  /** Places and draws it, anew only where something is different. */
  show() {
    if (!this.scene) return;
    const { canvas, node, scene: { trace, theme } } = this;
    this.place();
    const { clientWidth: width, clientHeight: height } = canvas;
    const key = JSON.stringify([trace.submission, trace.run !== undefined, theme, width, height, pixelRatio()]);
    if (!node.offsetParent || key === this.drawn) return;
    this.drawn = key;
    const ratio = pixelRatio();
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = contextOf(canvas);
    context.scale(ratio, ratio);
    drawModel(context, { width, height }, { trace, colours: this.colours[theme] });
  }

  /** Where it stands: "column", "beside", or "none". */
  place() {
    const { node, panes, plot: { layout, layoutKey, heatmap } } = this;
    const [focus, pickers, next] = ["focus", "pickers", "next"].map((name) => panes.querySelector(`.${name}`));
    const own = node.dataset.place === "column" ? node.offsetHeight + COLUMN_GAP : 0;
    const free = focus.offsetHeight - pickers.offsetHeight - next.offsetHeight + own;
    const hasColumn = free >= COLUMN_HEIGHT;
    const key = JSON.stringify([panes.clientWidth, layoutKey, hasColumn]);
    if (key === this.key) return;
    this.key = key;
    const beside = layout ? layout.margin.r - GAP : 0;
    const otherPlace = beside >= LEAST_WIDTH ? "beside" : "none";
    node.dataset.place = hasColumn ? "column" : otherPlace;
    if (node.dataset.place !== "beside") return;
    const map = heatmap.getBoundingClientRect();
    const room = panes.getBoundingClientRect();
    const left = map.right - room.left - beside;
    const top = map.top - room.top + layout.margin.t;
    const sizes = { left, top, width: Math.min(MOST_WIDTH, beside) };
    for (const [name, size] of Object.entries(sizes)) node.style.setProperty(`--${name}`, `${Math.round(size)}px`);
  }
}
