// What is known of the chosen block of the map, and the ways to what explains it.

import { element } from "../../ui/element.js";
import { formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

export class Detail {
  /** `open(door, block)` and `rows(block)` are called for the ways that a visitor takes. */
  constructor(root, { text, blocks }, { open, rows }) {
    Object.assign(this, { root, text, words: blocks, open, rows });
  }

  draw(block, doors) {
    const { text } = this;
    const [title, why] = this.words[block.name];
    const place = block.layer === null ? text[block.stack] : fill(text.place, { stack: text[block.stack], layer: block.layer + 1 });
    const reason = element("p");
    reason.innerHTML = why;
    this.root.dataset.block = block.path;
    this.root.replaceChildren(
      element("h3", {}, title, element("small", {}, place)),
      reason,
      element("dl", {}, ...this.pair(text.takes, this.shapes(block.inputs)), ...this.pair(text.gives, this.shapes(block.outputs)),
        ...this.pair(text.parameters, this.counted(block))),
      element("div", { class: "doors" }, ...doors.map((door) => this.way(text.doors[door.tab], () => this.open(door, block))),
        this.way(text.rows, () => this.rows(block))),
    );
  }

  pair(term, content) {
    return [element("dt", {}, term), element("dd", {}, ...content)];
  }

  shapes(named) {
    return Object.entries(named).map(([name, shape]) => element("div", {}, element("span", {}, this.text.tensors[name]), element("code", {}, shape)));
  }

  counted({ parameters, share, tied }) {
    const { text } = this;
    const numbers = { parameters: formatInteger(parameters), share: fill(text.percent, { number: (100 * share).toFixed(2) }) };
    const said = [parameters ? fill(text.share, numbers) : tied ? null : text.none, tied && fill(text.tied, { owner: tied })];
    return [said.filter((part) => part).join(" ")];
  }

  way(label, act) {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", act);
    return button;
  }
}
