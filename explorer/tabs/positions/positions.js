// The tab Positions: sections that the visitor's choices change. The sentence, and how far it is translated, are Explore's.

import { controlField, registerFields } from "../../ui/address.js";
import { Context } from "../../ui/context.js";
import { dropPointerFocus, onLookChange, theme } from "../../ui/page.js";
import { onView, openPanel } from "../../ui/page_events.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { controlsOf } from "./controls.js";
import { Section } from "./section.js";

// The controls whose values make the question of a section, as explorer/tabs/positions/answers.py takes them.
const ASKED = {
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
    if (!settings.added) { // nothing to forget, and no experiment without them
      for (const node of [root.querySelector("[name=forget]").parentElement, this.part.door]) node.remove();
    }
    this.controls = controlsOf(root, settings, () => this.show());
    this.sections = [...root.querySelectorAll("[data-section]")].map((node) => {
      const { section } = node.dataset;
      return new Section(node, server[`positions.${section}`], () => this.request(section), settings);
    });
    this.context = new Context(this.part.context, settings.context, (step) => this.explore.set({ step }));
    this.part.door.addEventListener("click", () => openPanel(settings.lab, "positions", { encoder_positions: "off" }));
    const fields = Object.fromEntries(Object.entries(this.controls).map(([name, { field }]) => [name, field]));
    registerFields("positions", { ...fields, ...this.sentences() });
    this.listen();
  }

  /** The two sentences to compare, which are compared when the visitor, or the address, asks for it. */
  sentences() {
    const { first, second } = this.part.order.elements;
    const compare = () => {
      this.compared = [first.value, second.value];
      this.show();
    };
    this.part.order.addEventListener("submit", (event) => {
      event.preventDefault();
      compare();
    });
    this.compared = [first.value, second.value];
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

  /** What a section asks the server for; null as long as it has nothing to ask. */
  request(section) {
    const value = (name) => this.controls[name].value();
    if (section === "order") return this.compared;
    if (section !== "pieces") return ASKED[section].map(value);
    const forget = this.settings.added && value("forget");
    return this.explore && [this.explore.trace.sentence, value("side"), forget];
  }

  paint() {
    const { root, settings } = this, { encoder: accent, text: soft } = settings.colours[theme()];
    for (const [name, value] of Object.entries({ accent, soft, mono: settings.monospace })) root.style.setProperty(`--${name}`, value);
  }

  /** Shows everything as it is chosen now; what has not changed stays as it is. */
  show() {
    if (!this.root.offsetParent) return;
    this.paint();
    if (this.explore) this.context.draw(this.explore.trace, this.explore.view.step);
    for (const section of this.sections) section.show();
  }
}
