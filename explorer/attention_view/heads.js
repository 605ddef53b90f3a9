// The overview for the keyboard and for screen readers: a button over every thumbnail. The mouse goes through to the canvas.

import { element } from "../ui/element.js";
import { headsName } from "../ui/text.js";

const same = (one, other) => one.layer === other.layer && one.head === other.head;

export class Heads {
  /** `words` say how a head is called; `choose` is called with a layer and head, and the event. */
  constructor(node, words, choose) {
    Object.assign(this, { node, words, choose, key: "", marked: "" });
  }

  /** Buttons for the layers and heads that there are, made once. */
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

  /** Marks the chosen ones; a mean or maximum is none of them. */
  mark(choices) {
    const marked = JSON.stringify(choices.map(({ layer, head }) => [layer, head]));
    if (marked === this.marked) return;
    this.marked = marked;
    this.all.forEach((place, i) => {
      this.node.children[i].setAttribute("aria-pressed", choices.some((choice) => same(choice, place)));
    });
  }
}
