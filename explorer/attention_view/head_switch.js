// The switch of the heads that are shown, at their picture.

import { isAmong, withHeadsSwitched } from "../changes/experiments.js";
import { switchLabel } from "./head_names.js";
import { headsOf } from "./state.js";

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
    const isOff = this.heads.every((head) => isAmong(experiment.off ?? [], head));
    node.textContent = switchLabel(view, text, isOff);
    node.setAttribute("aria-pressed", `${isOff}`);
    node.hidden = view.level === "picture";
    if (figure.contains(node)) return;
    const hasFocus = document.activeElement === node;
    figure.querySelector(".acts").append(node);
    if (hasFocus) node.focus();
  }
}
