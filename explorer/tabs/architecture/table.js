// A table with foldable sections; the first row of each is a button.

import { button, element } from "../../ui/element.js";

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
