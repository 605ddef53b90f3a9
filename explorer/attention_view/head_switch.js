// The switch of heads: of those that are shown at their picture, and of a place of the whole model.

import { isAmong, withHeadsSwitched } from "../changes/experiments.js";
import { switchLabel } from "./head_names.js";
import { headsOf } from "./state.js";

/**
 * Says on a switch what a click does to some heads, which a view or a place names.
 * @param {HTMLElement} node
 * @param {[Kind, number, number][]} heads
 * @param {{ experiment: Experiment, site: { layer: any, head: any }, texts: any }} of
 */
export function drawHeadSwitch(node, heads, { experiment, site, texts }) {
  const isOff = heads.every((head) => isAmong(experiment.off ?? [], head));
  node.textContent = switchLabel(site, texts, isOff);
  node.setAttribute("aria-pressed", `${isOff}`);
}

export class HeadSwitch {
  heads = []; // that are shown

  /** `text` holds the labels. @param {import("../changes/change.js").Change} change */
  constructor(node, change, text) {
    this.node = node;
    this.change = change;
    this.text = text;
    node.addEventListener("click", () => change.set(withHeadsSwitched(change.experiment, this.heads)));
  }

  /** `map` is that of the view; `figure` is the picture of the run under the change. */
  draw(view, map, figure) {
    const { node, text, change: { experiment } } = this;
    this.heads = headsOf(view, map);
    drawHeadSwitch(node, this.heads, { experiment, site: view, texts: text });
    node.hidden = view.level === "picture";
    if (figure.contains(node)) return;
    const hasFocus = document.activeElement === node;
    figure.querySelector(".acts").append(node);
    if (hasFocus) node.focus();
  }
}
