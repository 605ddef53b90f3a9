// The room of the picture on the page: what the window leaves of it, on a phone as much as names need, and there which
// part of it is in sight.

import { laneY, lanesShown, leastHeight } from "./picture/layout.js";
import { boardOf, levelOf } from "./place.js";
import { zoom } from "../../ui/page.js";

const BELOW_LANE = 40; // pixels that stay in sight below a lane

export class StageRoom {
  /** The translation, and how many of its lanes are shown. @type {{ trace: Trace | null, lanes: number }} */
  shown = { trace: null, lanes: 0 };
  /** @type {{ width: number, height: number } | null} */ size = null;

  /**
   * `part` are nodes by role.
   * @param {HTMLElement} root
   * @param {Record<string, any>} part
   */
  constructor(root, part) {
    this.root = root;
    this.part = part;
  }

  /** Whether it is that of a phone, whose page scrolls. */
  get isTall() {
    return leastHeight({ src: 1, tgt: 1 }, this.part.stage.clientWidth) > 0;
  }

  /**
   * Measures the room for a translation at a step; where a board covers the picture of a phone it stays as it was.
   * @param {Trace} trace
   * @param {number} step
   */
  measure(trace, step) {
    const { root, part: { stage, canvas } } = this;
    root.style.setProperty("--stage-top", `${(stage.getBoundingClientRect().top + scrollY) / zoom()}px`);
    const width = stage.clientWidth;
    const counts = { src: trace.source.length, tgt: this.lanesOf(trace, step, width) };
    if (this.isTall && canvas.hidden && this.size?.width === width) return { counts, size: this.size };
    const legend = this.legendHeight();
    root.style.setProperty("--legend", `${legend}px`);
    stage.style.minHeight = `${leastHeight(counts, width) + legend}px`;
    this.size = { width, height: stage.clientHeight - legend };
    canvas.style.height = `${this.size.height}px`;
    return { counts, size: this.size };
  }

  /** A step back leaves the lanes where they are: a pointer may rest on one. */
  lanesOf(trace, step, width) {
    const before = this.shown.trace === trace ? this.shown.lanes : 0;
    const lanes = Math.max(before, lanesShown({ steps: trace.steps.length, step }, width));
    this.shown = { trace, lanes };
    return lanes;
  }

  /** The most that the legend takes: it says more at some levels than at others, and nothing is to move for that. */
  legendHeight() {
    const { root: { dataset }, part: { legend } } = this;
    const { level } = dataset;
    const heights = ["whole", "layer"].map((one) => {
      dataset.level = one;
      return legend.offsetHeight;
    });
    dataset.level = level;
    return Math.max(...heights);
  }

  /**
   * Brings into a phone's sight what is told about: a board as a whole, else the lane of the step.
   * @param {import("./picture/stage.js").Stage} stage
   */
  reveal({ place, camera, scene: { layout, step } }) {
    const { part, isTall } = this;
    if (!isTall || levelOf(place) === "whole") return;
    const hasBoard = boardOf(place) !== null || levelOf(place) === "number";
    if (hasBoard) return part.path.parentElement.scrollIntoView({ block: "start" });
    if (place.stack !== "decoder" || place.layer === null) return;
    const lane = part.stage.getBoundingClientRect().top + camera.ky * laneY(layout, "decoder", step) + camera.dy;
    const hidden = lane + BELOW_LANE - part.caption.parentElement.getBoundingClientRect().top;
    if (hidden > 0) scrollBy({ top: hidden });
  }
}
