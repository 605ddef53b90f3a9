// The tab Positions: sections with controls. It shares the sentence and the step with Explore.

import { controlField, registerFields } from "../../ui/address.js";
import { Context } from "../../ui/context.js";
import { onSubmit } from "../../ui/element.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { onView, openPanel } from "../../ui/page_events.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { createControls } from "./controls.js";
import { Section } from "./section.js";

// The controls whose values are the arguments of a section's request (explorer/tabs/positions/answers.py).
const REQUEST_CONTROLS = {
  table: ["length", "position", "dimension"],
  waves: ["length", "dimensions"],
  similarity: ["length", "measure"],
  turn: ["length", "pair", "start", "distance"],
};

export function mount(element, settings, server) {
  new Positions(element.querySelector(".positions"), { ...settings, text: requireWords(settings.text) }, server);
}

class Positions {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, explore: null, part: nodesByAttribute(root, "role") });
    if (!settings.added) { // without positions, these controls have no effect
      for (const node of [root.querySelector("[name=forget]").parentElement, this.part.experiment]) node.remove();
    }
    this.controls = createControls(root, settings, () => this.show());
    this.sections = [...root.querySelectorAll("[data-section]")].map((node) => {
      const { section } = node.dataset;
      return new Section(node, server[`positions.${section}`], () => this.request(section), settings);
    });
    this.context = new Context(this.part.context, settings.context, (step) => this.explore.set({ step }));
    this.part.experiment.addEventListener("click", () => openPanel(settings.lab, "positions", { encoder_positions: "off" }));
    const fields = Object.fromEntries(Object.entries(this.controls).map(([name, { field }]) => [name, field]));
    registerFields("positions", { ...fields, ...this.sentenceFields() });
    this.listen();
  }

  /** URL fields of the two sentences, which are compared on submit or from a URL. */
  sentenceFields() {
    const { first, second } = this.part.order.elements;
    const compare = () => {
      this.comparedSentences = [first.value, second.value];
      this.show();
    };
    onSubmit(this.part.order, compare);
    this.comparedSentences = [first.value, second.value];
    return { first: controlField(first, compare), second: controlField(second, compare) };
  }

  listen() {
    dropPointerFocus(this.root);
    onLookChange(this.root, () => this.show());
    onView((explore) => {
      this.explore = explore;
      this.show();
    });
  }

  /** The arguments of a section's request; null if it has none yet. */
  request(section) {
    const value = (name) => this.controls[name].value();
    if (section === "order") return this.comparedSentences;
    if (section !== "pieces") return REQUEST_CONTROLS[section].map(value);
    const forget = this.settings.added && value("forget");
    return this.explore && [this.explore.trace.sentence, value("side"), forget];
  }

  /** Draws the tab; unchanged sections stay as they are. */
  show() {
    if (!this.root.offsetParent) return;
    if (this.explore) this.context.draw(this.explore.trace, this.explore.view.step);
    for (const section of this.sections) section.show();
  }
}
