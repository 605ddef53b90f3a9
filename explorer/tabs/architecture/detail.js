// The details of the chosen block of the map, and links to the tabs that explain it.

import { button, element } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

export class Detail {
  /** `openLink(link, block)` and `showRows(block)` are the click handlers. */
  constructor(root, { text, blocks }, { openLink, showRows }) {
    Object.assign(this, { root, text, descriptions: blocks, openLink, showRows });
  }

  draw(block, links) {
    const { text } = this;
    const [title, why] = this.descriptions[block.name];
    const place = block.layer === null ? text[block.stack] : fill(text.place, { stack: text[block.stack], layer: block.layer + 1 });
    const reason = element("p");
    reason.innerHTML = why;
    this.root.dataset.block = block.path;
    this.root.replaceChildren(
      element("h3", {}, title, element("small", {}, place)),
      reason,
      element("dl", {}, ...this.termNodes(text.takes, this.shapes(block.inputs)), ...this.termNodes(text.gives, this.shapes(block.outputs)),
        ...this.termNodes(text.parameters, this.parameterText(block))),
      element("div", { class: "tab-links" }, ...links.map((link) => button(() => this.openLink(link, block), {}, text.links[link.tab])),
        button(() => this.showRows(block), {}, text.rows)),
    );
  }

  termNodes(term, content) {
    return [element("dt", {}, term), element("dd", {}, ...content)];
  }

  shapes(tensors) {
    return Object.entries(tensors).map(([name, shape]) => element("div", {}, element("span", {}, this.text.tensors[name]), element("code", {}, shape)));
  }

  parameterText({ parameters, share, tied }) {
    const { text } = this;
    const numbers = { parameters: formatInteger(parameters), share: fill(text.percent, { number: formatDecimal(100 * share, 2) }) };
    const sentences = [parameters ? fill(text.share, numbers) : tied ? null : text.none, tied && fill(text.tied, { owner: tied })];
    return [sentences.filter((part) => part).join(" ")];
  }
}
