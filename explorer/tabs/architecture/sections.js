// The shape trace and the table of parameters: their rows in sections, and a table with foldable sections.

import { button, element } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";
import { placeName } from "./map.js";

/** Groups of adjacent items with equal `key`. */
function groupRuns(items, key) {
  const groups = [];
  for (const item of items) {
    if (groups.length && key(groups.at(-1)[0]) === key(item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}

/**
 * A section of a table. `first` is the index of the shape trace's row that it begins with; `head` is the module that
 * summarizes a section of the parameter table, and `layer` says whether that is a layer.
 * @typedef {{ id: string, title: string, rows: any[], first?: number, head?: any, layer?: boolean }} Section
 */

/**
 * The sections of the shape trace: before, per layer, and after the layers.
 *
 * @param {any[]} rows
 * @param {Settings} text
 * @returns {Section[]}
 */
export function stepSections(rows, text) {
  let first = 0;
  return groupRuns(rows, ({ stack, layer }) => `${stack}.${layer}`).map((ownRows) => {
    const { stack, layer, key } = ownRows[0];
    const isStackStart = first === 0 || rows[first - 1].stack !== stack;
    const outside = fill(text[isStackStart ? "start" : "end"], { stack: text[stack] });
    const title = layer === null ? outside : placeName(text, { stack, layer });
    const section = { id: `${stack}.${layer ?? key}`, title, first, rows: ownRows };
    first += ownRows.length;
    return section;
  });
}

/**
 * The sections of the parameter table: one per layer, and one per module outside the layers.
 *
 * @param {any[]} parts
 * @param {Settings} text
 * @returns {Section[]}
 */
export function partSections(parts, text) {
  const layer = ({ path }) => path.match(/^\w+\.layers\.\d+/)?.[0];
  const heads = parts.filter(({ path }) => layer({ path }) === path || /^(\w+\.embedding|projection)$/.test(path));
  return heads.map((head) => {
    const [stack, , number] = head.path.split(".");
    const title = layer(head) ? placeName(text, { stack, layer: Number(number) }) : head.path;
    const isInside = ({ path, own }) => path.startsWith(`${head.path}.`) || (path === head.path && own);
    return { id: head.path, title, head, layer: layer(head) !== undefined, rows: parts.filter(isInside) };
  });
}

export class FoldedTable {
  table;
  /** @type {string[]} */ columns;
  /** @type {(section: Section) => HTMLElement[]} */ rowsOf;
  /** @type {Set<string>} The ids of the open sections. */ open = new Set();
  /** @type {Map<string, Section>} */ sections;
  /** @type {Map<string, HTMLElement>} */ bodies;

  /** `columns` are the headings; `rowsOf(section)` creates a section's rows when it first opens. */
  constructor(table, columns, rowsOf) {
    this.table = table;
    this.columns = columns;
    this.rowsOf = rowsOf;
  }

  /**
   * Replaces the sections; open ones stay open. `summary(section)` returns the cells of a section's first row.
   *
   * @param {Section[]} sections
   * @param {(section: Section) => HTMLElement[]} summary
   */
  show(sections, summary) {
    this.sections = new Map(sections.map((section) => [section.id, section]));
    const headings = this.columns.map((text) => element("th", { scope: "col" }, text));
    this.bodies = new Map(sections.map((section) => [section.id, this.body(section, summary(section))]));
    this.table.replaceChildren(element("thead", {}, element("tr", {}, ...headings)), ...this.bodies.values());
    for (const id of this.open) {
      if (this.bodies.has(id)) this.set(id, true);
      else this.open.delete(id);
    }
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
  root;
  text;
  /** @type {Record<string, [title: string, why: string]>} */ descriptions;
  /** @type {(link: any) => void} */ openLink;
  /** @type {(block: Block) => void} */ showRows;

  /** `openLink(link)` and `showRows(block)` are the click handlers. */
  constructor(root, { text, blocks }, { openLink, showRows }) {
    this.root = root;
    this.text = text;
    this.descriptions = blocks;
    this.openLink = openLink;
    this.showRows = showRows;
  }

  /**
   * @param {Block} block
   * @param {any[]} links to the tabs that explain it
   */
  draw(block, links) {
    const { text } = this;
    const [title, why] = this.descriptions[block.name];
    const reason = element("p");
    reason.innerHTML = why;
    const linkButtons = links.map((link) => button(() => this.openLink(link), {}, text.links[link.tab]));
    const rowsButton = button(() => this.showRows(block), {}, text.rows);
    this.root.dataset.block = block.path;
    this.root.replaceChildren(
      element("h3", {}, title, element("small", {}, placeName(text, block))),
      reason,
      element("dl", {},
        element("dt", {}, text.takes), element("dd", {}, ...this.shapes(block.inputs)),
        element("dt", {}, text.gives), element("dd", {}, ...this.shapes(block.outputs)),
        element("dt", {}, text.parameters), element("dd", {}, this.parameterText(block))),
      element("div", { class: "tab-links" }, ...linkButtons, rowsButton),
    );
  }

  shapes(tensors) {
    return Object.entries(tensors).map(([name, shape]) => {
      const nameNode = element("span", {}, this.text.tensors[name]);
      return element("div", {}, nameNode, element("code", {}, shape));
    });
  }

  parameterText({ parameters, share, tied }) {
    const { text } = this;
    const sentences = [];
    if (parameters) {
      const percent = fill(text.percent, { number: formatDecimal(100 * share, 2) });
      sentences.push(fill(text.share, { parameters: formatInteger(parameters), share: percent }));
    }
    if (tied) sentences.push(fill(text.tied, { owner: tied }));
    return sentences.join(" ") || text.none;
  }
}
