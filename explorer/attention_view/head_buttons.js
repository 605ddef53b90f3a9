// Invisible buttons over the thumbnails of the overview, for keyboard and screen readers; mouse events pass to the canvas.

import { element } from "../ui/element.js";
import { headsName } from "../ui/text.js";

const isSameHead = (one, other) => one.layer === other.layer && one.head === other.head;

export class HeadButtons {
  /** `words` name the heads; a click calls `choose({ layer, head }, event)`. */
  constructor(node, words, choose) {
    Object.assign(this, { node, words, choose, key: "", marked: "" });
  }

  /** Creates the buttons, if the number of layers or heads has changed. */
  offer({ layers, heads }) {
    const key = `${layers} ${heads}`;
    if (key === this.key) return;
    Object.assign(this, { key, marked: "" });
    this.node.dataset.columns = heads;
    this.node.style.gridTemplateColumns = `repeat(${heads}, 1fr)`;
    this.all = Array.from({ length: layers * heads }, (_, i) => ({ layer: Math.floor(i / heads), head: i % heads }));
    this.node.replaceChildren(...this.all.map((place) => this.button(place)));
  }

  button(place) {
    const button = element("button", { type: "button", "aria-label": headsName(this.words, place) });
    button.addEventListener("click", (event) => this.choose(place, event));
    return button;
  }

  /** Marks the chosen heads; a mean or maximum marks none. */
  mark(choices) {
    const markedKey = JSON.stringify(choices.map(({ layer, head }) => [layer, head]));
    if (markedKey === this.marked) return;
    this.marked = markedKey;
    this.all.forEach((place, i) => {
      this.node.children[i].setAttribute("aria-pressed", choices.some((choice) => isSameHead(choice, place)));
    });
  }
}
