// The button that opens the ablation experiment for the shown heads.

import { openPanel } from "../ui/page_events.js";
import { fill } from "../ui/text.js";

/** The heads that a view shows, as [kind, layer, head]; a mean or maximum stands for all its heads. */
export function headsOf({ kind, layer, head }, { layers, heads }) {
  const indices = (choice, count) => (typeof choice === "number" ? [choice] : [...Array(count).keys()]);
  return indices(layer, layers).flatMap((layerIndex) => indices(head, heads).map((headIndex) => [kind, layerIndex, headIndex]));
}

export class AblationButton {
  /** `text` holds the labels of the button; `readScene()` returns { view, map }. */
  constructor(button, { text, lab }, readScene) {
    Object.assign(this, { button, text });
    button.addEventListener("click", () => {
      const { view, map } = readScene();
      openPanel(lab, "heads", { off: headsOf(view, map) });
    });
  }

  draw({ layer, head }) {
    const isIndex = (choice) => typeof choice === "number";
    const sentence = isIndex(layer) ? (isIndex(head) ? "head" : "layer") : (isIndex(head) ? "heads" : "all");
    const label = fill(this.text[sentence], { layer: layer + 1, head: head + 1 });
    if (this.button.textContent !== label) this.button.textContent = label;
  }
}
