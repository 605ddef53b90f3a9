// What the panels of the drawer have in common. A panel without choices of its own has no state beside the change.

import { nodesByAttribute } from "../ui/tab.js";

export class Panel {
  /** The names of its own parts of the address. */
  static names = [];

  /** `drawer` is what it lies in, `node` its element, whose data attributes are named like the panel. */
  constructor(node, drawer, { text }) {
    this.node = node;
    this.drawer = drawer;
    this.text = text;
    this.part = nodesByAttribute(node, node.dataset.panel);
  }

  /** Another sentence is translated. */
  resetForSentence() {}

  /** The texts of its own parts of the address; null for an initial one. */
  encodeState() {
    return {};
  }

  /** Takes over the texts of its own parts; returns the names of invalid ones. */
  restore() {
    return [];
  }
}
