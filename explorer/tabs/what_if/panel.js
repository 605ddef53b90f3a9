// What the panels of the tab What if have in common. A panel without choices of its own has no state beside its experiment.

import { nodesByAttribute } from "../../ui/tab.js";

export class Panel {
  static names = []; // of its own parts of the address

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, part: nodesByAttribute(node, node.dataset.panel) });
  }

  /** The experiment that remains of one for the previous sentence. */
  resetForSentence() {
    return {};
  }

  /** The texts of its own parts of the address; null for an initial one. */
  encodeState() {
    return {};
  }

  /** Takes over the texts of its own parts; returns the names of invalid ones. */
  restore() {
    return [];
  }
}
