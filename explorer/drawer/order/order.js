// The panel Another order: the words of the sentence in a random order.

import { Panel } from "../panel.js";

const WHOLE_NUMBER = /^\d{1,7}$/;

export class Order extends Panel {
  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part: { shuffle, seed, next } } = this;
    shuffle.addEventListener("change", () => this.apply());
    seed.addEventListener("change", () => {
      if (!WHOLE_NUMBER.test(seed.value)) seed.value = 1;
      this.apply();
    });
    next.addEventListener("click", () => {
      seed.value = shuffle.checked ? Number(seed.value) + 1 : seed.value;
      shuffle.checked = true;
      this.apply();
    });
  }

  apply() {
    const { drawer, part: { shuffle, seed } } = this;
    drawer.set({ word_order: shuffle.checked ? Number(seed.value) : undefined });
  }

  draw() {
    const { drawer: { experiment: { word_order: order } }, part: { shuffle, seed } } = this;
    shuffle.checked = order !== undefined;
    if (order !== undefined) seed.value = order;
  }
}
