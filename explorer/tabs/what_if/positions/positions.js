// The panel Positions: what each of the two halves is told about where its pieces stand.

import { element } from "../../../ui/element.js";
import { nodesByAttribute, markPressed } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";

const STACKS = ["encoder", "decoder"];
const AMOUNTS = { seed: { how: "shuffled", first: 1 }, shift: { how: "shifted", first: 5 } };
const WHOLE = /^\d{1,7}$/;

export class Positions {
  static names = [];

  /** `own` says what is special about this model's positions, or nothing. */
  constructor(node, lab, { text, own }) {
    Object.assign(this, { node, lab, text });
    this.part = nodesByAttribute(node, "positions");
    Object.assign(this.part.own, { textContent: own, hidden: !own });
    for (const stack of STACKS) {
      for (const button of this.part[stack].children) button.addEventListener("click", () => this.change({ [stack]: button.value }));
    }
    for (const name of Object.keys(AMOUNTS)) this.part[name].addEventListener("change", () => this.change({}));
  }

  /** Another sentence is read with the same positions. */
  renewed(experiment) {
    return experiment;
  }

  parts() {
    return {};
  }

  restore() {
    return [];
  }

  /** How the positions of each half are changed now; "" where they are not. */
  get chosen() {
    const { experiment } = this.lab;
    return Object.fromEntries(STACKS.map((stack) => [stack, experiment[`${stack}_positions`] ?? ""]));
  }

  /** Asks for what is chosen, with the amounts that it needs. */
  change(choice) {
    const chosen = Object.entries({ ...this.chosen, ...choice }).filter(([, how]) => how);
    const experiment = Object.fromEntries(chosen.map(([stack, how]) => [`${stack}_positions`, how]));
    for (const [name, { how, first }] of Object.entries(AMOUNTS)) {
      const input = this.part[name];
      if (!WHOLE.test(input.value)) input.value = first;
      if (chosen.some(([, one]) => one === how)) experiment[name] = Number(input.value);
    }
    this.lab.set(experiment);
  }

  draw() {
    const { chosen, lab: { experiment }, part, text } = this;
    for (const stack of STACKS) markPressed(part[stack], chosen[stack]);
    for (const [name, { how }] of Object.entries(AMOUNTS)) {
      part[name].closest("label").hidden = !Object.values(chosen).includes(how);
      if (experiment[name] !== undefined) part[name].value = experiment[name];
    }
    const expected = STACKS.filter((stack) => chosen[stack]).map((stack) =>
      fill(text.expect, { stack: text.stacks[stack], sentence: text[stack][chosen[stack]] }));
    if ([...part.expected.children].map((line) => line.textContent).join() === expected.join()) return;
    part.expected.replaceChildren(...expected.map((sentence) => element("li", {}, sentence)));
  }
}
