// What the panels of the tab What if have in common. A panel without choices of its own has no state beside its
// experiment.

import { nodesByAttribute } from "../../ui/tab.js";

export class Panel {
  /** The names of its own parts of the address. */
  static names = [];

  /** `whatIf` is the tab, `node` the panel's element, whose data attributes are named like the panel. */
  constructor(node, whatIf, { text }) {
    this.node = node;
    this.whatIf = whatIf;
    this.text = text;
    this.part = nodesByAttribute(node, node.dataset.panel);
  }

  /** The experiment with which a visitor finds the panel; a link without one changes nothing. */
  get firstExperiment() {
    return {};
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
