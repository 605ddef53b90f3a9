// The switch of the heads of a place: of one, or of all of its block.

import { kindOf } from "./place.js";
import { drawHeadSwitch } from "../../attention_view/head_switch.js";
import { withHeadsSwitched } from "../../changes/experiments.js";

export class PlaceSwitch {
  /**
   * `count` is the number of heads of a layer.
   * @param {HTMLElement} node
   * @param {number} count
   * @param {{ stage: import("./picture/stage.js").Stage, shown: import("./shown_run.js").ShownRun }} options
   */
  constructor(node, count, { stage, shown }) {
    this.node = node;
    this.count = count;
    this.stage = stage;
    this.shown = shown;
    node.addEventListener("click", () => shown.switch(withHeadsSwitched, this.heads));
  }

  /** The heads of the place: one, all of its block, or none. @returns {[Kind, number, number][]} */
  get heads() {
    const { stage: { place }, count } = this;
    const kind = kindOf(place);
    if (kind === null) return [];
    const indices = place.head === null ? [...Array(count).keys()] : [place.head];
    return indices.map((head) => [kind, place.layer, head]);
  }

  draw() {
    const { node, heads, stage: { place }, shown: { viewer: { change, settings: { text } } } } = this;
    node.hidden = !heads.length;
    if (node.hidden) return;
    drawHeadSwitch(node, heads, { experiment: change.experiment, site: place, texts: text.off });
  }
}
