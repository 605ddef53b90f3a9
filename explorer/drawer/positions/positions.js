// The panel Positions: changes the position information of the encoder, the decoder, or both.

import { button, element } from "../../ui/element.js";
import { markPressed } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { Panel } from "../panel.js";

const STACKS = ["encoder", "decoder"];
const AMOUNTS = { seed: { change: "shuffled", first: 1 }, shift: { change: "shifted", first: 5 } };
const WHOLE_NUMBER = /^\d{1,7}$/;

export class Positions extends Panel {
  /** `own` describes what is special about this model's positions; may be empty. */
  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { own } = settings;
    this.part.own.textContent = own;
    this.part.own.hidden = !own;
    for (const stack of STACKS) {
      this.part[stack].append(...Object.entries(this.text.ways).map(([way, { label, hint }]) => {
        const value = way === "trained" ? "" : way;
        return button(() => this.applySelection({ [stack]: value }), { value, title: hint }, label);
      }));
    }
    for (const name of Object.keys(AMOUNTS)) this.part[name].addEventListener("change", () => this.applySelection({}));
  }

  /** The change of each stack's positions; "" if there is none. */
  get selectedChanges() {
    const { experiment } = this.drawer;
    return Object.fromEntries(STACKS.map((stack) => [stack, experiment[`${stack}_positions`] ?? ""]));
  }

  /** Runs the experiment of the selection, with the seed or shift that it needs. */
  applySelection(choice) {
    const selected = Object.entries({ ...this.selectedChanges, ...choice });
    const positions = selected.map(([stack, change]) => [`${stack}_positions`, change || undefined]);
    const experiment = Object.fromEntries(positions);
    for (const [name, { change, first }] of Object.entries(AMOUNTS)) {
      const input = this.part[name];
      if (!WHOLE_NUMBER.test(input.value)) input.value = first;
      if (selected.some(([, each]) => each === change)) experiment[name] = Number(input.value);
    }
    this.drawer.set(experiment);
  }

  draw() {
    const { selectedChanges, drawer: { experiment }, part, text } = this;
    for (const stack of STACKS) markPressed(part[stack], selectedChanges[stack]);
    for (const [name, { change }] of Object.entries(AMOUNTS)) {
      part[name].closest("label").hidden = !Object.values(selectedChanges).includes(change);
      if (experiment[name] !== undefined) part[name].value = experiment[name];
    }
    const expectations = STACKS.filter((stack) => selectedChanges[stack]).map((stack) =>
      fill(text.expect, { stack: text.stacks[stack], sentence: text[stack][selectedChanges[stack]] }));
    if ([...part.expected.children].map((line) => line.textContent).join() === expectations.join()) return;
    part.expected.replaceChildren(...expectations.map((sentence) => element("li", {}, sentence)));
  }
}
