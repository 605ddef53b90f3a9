// The shape trace and the table of parameters: their rows in sections, and a table with foldable sections.

import { button, element } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

/** Groups of adjacent items with equal `key`. */
function groupRuns(items, key) {
  const groups = [];
  for (const item of items) {
    if (groups.length && key(groups.at(-1)[0]) === key(item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}

/** The sections of the shape trace: before, per layer, and after the layers; `first` is the index of the first row. */
export function stepSections(rows, text) {
  let first = 0;
  return groupRuns(rows, ({ stack, layer }) => `${stack}.${layer}`).map((ownRows) => {
    const { stack, layer, key } = ownRows[0];
    const isStackStart = first === 0 || rows[first - 1].stack !== stack;
    const place = { stack: text[stack], layer: layer + 1 };
    const title = fill(layer === null ? text[isStackStart ? "start" : "end"] : text.place, place);
    const section = { id: `${stack}.${layer ?? key}`, title, first, rows: ownRows };
    first += ownRows.length;
    return section;
  });
}

/** The sections of the parameter table: one per layer, and one per module outside the layers. */
export function partSections(parts, text) {
  const layer = ({ path }) => path.match(/^\w+\.layers\.\d+/)?.[0];
  const heads = parts.filter(({ path }) => layer({ path }) === path || /^(\w+\.embedding|projection)$/.test(path));
  return heads.map((head) => {
    const [stack, , number] = head.path.split(".");
    const title = layer(head) ? fill(text.place, { stack: text[stack], layer: Number(number) + 1 }) : head.path;
    const isInside = ({ path, own }) => path.startsWith(`${head.path}.`) || (path === head.path && own);
    return { id: head.path, title, head, layer: layer(head) !== undefined, rows: parts.filter(isInside) };
  });
}

export class FoldedTable {
  /** `columns` are the headings; `rowsOf(section)` creates a section's rows when it first opens. */
  constructor(table, columns, rowsOf) {
    Object.assign(this, { table, columns, rowsOf, open: new Set() });
  }

  /** Replaces the sections; open ones stay open. `summary(section)` returns the cells of a section's first row. */
  show(sections, summary) {
    this.sections = new Map(sections.map((section) => [section.id, section]));
    const headings = this.columns.map((text) => element("th", { scope: "col" }, text));
    this.bodies = new Map(sections.map((section) => [section.id, this.body(section, summary(section))]));
    this.table.replaceChildren(element("thead", {}, element("tr", {}, ...headings)), ...this.bodies.values());
    for (const id of this.open) this.bodies.has(id) ? this.set(id, true) : this.open.delete(id);
  }

  body({ id, title }, cells) {
    const toggle = button(() => this.set(id, !this.open.has(id)), { "aria-expanded": false }, title);
    const heading = element("th", { scope: "rowgroup", colspan: this.columns.length - cells.length }, toggle);
    return element("tbody", { "data-section": id }, element("tr", { class: "section" }, heading, ...cells));
  }

  set(id, open) {
    const body = this.bodies.get(id);
    if (open && body.children.length === 1) body.append(...this.rowsOf(this.sections.get(id)));
    body.classList.toggle("closed", !open);
    body.querySelector("button").setAttribute("aria-expanded", open);
    if (open) this.open.add(id);
    else this.open.delete(id);
  }

  setAll(open) {
    for (const id of this.bodies.keys()) this.set(id, open);
  }
}

/** The details of the chosen block of the map, and links to the tabs that explain it. */
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
