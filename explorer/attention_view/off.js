// The way from a head to the experiment in which it is switched off.

import { openPanel } from "../ui/page_events.js";
import { fill } from "../ui/text.js";

/** The heads that a view shows, as an experiment names them: all of a layer for their mean, all layers for theirs. */
export function headsOf({ kind, layer, head }, { layers, heads }) {
  const each = (choice, count) => (typeof choice === "number" ? [choice] : [...Array(count).keys()]);
  return each(layer, layers).flatMap((l) => each(head, heads).map((h) => [kind, l, h]));
}

export class OffDoor {
  /** `text` holds the sentences on the button; `shown()` gives { view, map }. */
  constructor(button, { text, lab }, shown) {
    Object.assign(this, { button, text });
    button.addEventListener("click", () => {
      const { view, map } = shown();
      openPanel(lab, "heads", { off: headsOf(view, map) });
    });
  }

  draw({ layer, head }) {
    const one = (choice) => typeof choice === "number";
    const sentence = one(layer) ? (one(head) ? "head" : "layer") : (one(head) ? "heads" : "all");
    const said = fill(this.text[sentence], { layer: layer + 1, head: head + 1 });
    if (this.button.textContent !== said) this.button.textContent = said;
  }
}
