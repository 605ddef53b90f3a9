// The tab Heads: a table of all heads with their numbers, to be sorted and filtered; a row leads to its head in Explore.

import { registerFields, notifyChange } from "../../ui/address.js";
import { onView, openTab, openPanel } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { dropPointerFocus, onThemeChange, theme } from "../../ui/page.js";
import { nodesByAttribute, markPressed } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { ANY, NONE, chosen, part, said, sorted, written } from "./rows.js";

const FIRST = { kind: ANY, name: ANY, by: "drop", descending: true };
const WORDS = ["head", "names"]; // columns that begin with A or the first layer; numbers begin with the largest

export function mount(element, settings) {
  return new Catalogue(element.querySelector(".catalogue"), { ...settings, text: requireWords(settings.text) });
}

class Catalogue {
  constructor(root, settings) {
    Object.assign(this, { root, settings, choice: { ...FIRST }, explore: null });
    this.part = nodesByAttribute(root, "role");
    this.rows = new Map(settings.heads.map((head) => [head, null]));
    this.largest = Object.fromEntries(Object.keys(settings.columns).map((name) => [name, Math.max(...settings.heads.map((head) => head[name] ?? 0))]));
    this.makeFilters();
    this.makeTable();
    dropPointerFocus(root);
    onThemeChange(() => this.paint());
    onView((explore) => { this.explore = explore; });
    registerFields("catalogue", { kind: this.field("kind", [ANY, ...Object.keys(settings.kindNames)]), name: this.field("name", this.names), sort: this.order() });
    this.paint();
    this.draw();
  }

  get names() {
    return [ANY, ...Object.keys(this.settings.names), NONE];
  }

  set(change) {
    Object.assign(this.choice, change);
    this.draw();
    notifyChange();
  }

  /** A choice as a part of the address. */
  field(name, values) {
    return { get: () => this.choice[name], set: (text) => values.includes(text) && (this.set({ [name]: text }), true) };
  }

  /** The order as one part: the column, behind a minus where its largest come first. */
  order() {
    const get = () => `${this.choice.descending ? "-" : ""}${this.choice.by}`;
    const set = (text) => {
      const by = text.replace(/^-/, ""), known = this.headings.has(by);
      if (known) this.set({ by, descending: text !== by });
      return known;
    };
    return { get, set };
  }

  makeFilters() {
    const { part, settings } = this, { text } = settings;
    for (const [kind, label] of [[ANY, text.allKinds], ...Object.entries(settings.kindNames)]) {
      const button = element("button", { type: "button", value: kind }, label);
      button.addEventListener("click", () => this.set({ kind }));
      part.kinds.append(button);
    }
    const labels = { [ANY]: text.anyName, ...settings.names, [NONE]: text.unclassified };
    part.name.append(...this.names.map((name) => new Option(labels[name], name)));
    part.name.addEventListener("change", () => this.set({ name: part.name.value }));
  }

  makeTable() {
    const { columns, heading, text } = this.settings;
    const titles = [...Object.entries(heading), ...Object.entries(columns).map(([name, { title }]) => [name, title])];
    this.headings = new Map(titles.map(([name, title]) => {
      const hint = columns[name]?.meaning ?? text.sort;
      const button = element("button", { type: "button", title: hint }, title);
      button.addEventListener("click", () => this.sort(name));
      return [name, element("th", { scope: "col", class: name }, button)];
    }));
    this.body = element("tbody");
    const last = element("th", { scope: "col", class: "try" }, text.try);
    this.part.table.append(element("thead", {}, element("tr", {}, ...this.headings.values(), last)), this.body);
  }

  /** The same column again turns the order round. */
  sort(by) {
    const { choice } = this;
    this.set({ by, descending: choice.by === by ? !choice.descending : !WORDS.includes(by) });
  }

  /** A head's row, made when it is first shown. */
  row(head) {
    if (!this.rows.get(head)) this.rows.set(head, this.made(head));
    return this.rows.get(head);
  }

  made(head) {
    const { columns, names, text, kindNames } = this.settings;
    const place = { kind: kindNames[head.kind], layer: head.layer + 1, head: head.head + 1 };
    const button = element("button", { type: "button", title: fill(text.open, place) }, fill(text.place, place));
    button.addEventListener("click", () => this.open(head));
    const called = head.names.length ? element("span", { class: "named" }, head.names.map((name) => names[name]).join(", ")) : text.unclassified;
    return element("tr", { "data-kind": head.kind }, element("th", { scope: "row", class: "head" }, button), element("td", { class: "names" }, called),
      ...Object.entries(columns).map(([name, column]) => this.cell(head, name, column)), element("td", { class: "try" }, this.off(head, place)));
  }

  /** The way to the tab where the head is switched off. */
  off({ kind, layer, head }, place) {
    const { lab, text } = this.settings, words = fill(text.offHint, place);
    const button = element("button", { type: "button", title: words, "aria-label": words }, text.off);
    button.addEventListener("click", () => openPanel(lab, "heads", { off: [[kind, layer, head]], off_by: "zero" }));
    return button;
  }

  cell(head, name, column) {
    const { text } = this.settings, value = head[name];
    if (value === null) return element("td", { title: text.noneWords }, text.none);
    const bounds = Object.fromEntries(["low", "high"].map((bound) => [bound, written(head[bound], column.form)]));
    const style = `--part: ${(100 * part(value, column.form, this.largest[name])).toFixed(1)}%`;
    const interval = name === "drop" ? [element("small", {}, fill(text.interval, bounds))] : [];
    return element("td", { class: "number", title: said(head, name, column), style }, written(value, column.form), ...interval);
  }

  open({ kind, layer, head }) {
    openTab(this.settings.explore);
    this.explore.set({ level: "heads", kind, layer, head });
  }

  paint() {
    const colours = this.settings.colours[theme()];
    for (const kind of Object.keys(this.settings.kindNames)) this.root.style.setProperty(`--${kind}`, colours[kind]);
    const others = { soft: colours.text, mono: this.settings.monospace, line: `${colours.masked}66` };
    for (const [name, value] of Object.entries(others)) this.root.style.setProperty(`--${name}`, value);
  }

  draw() {
    const { choice, part: nodes, settings } = this;
    const shown = sorted(chosen(settings.heads, choice), choice, settings.names);
    this.body.replaceChildren(...shown.map((head) => this.row(head)));
    for (const [name, heading] of this.headings) {
      heading.setAttribute("aria-sort", name !== choice.by ? "none" : choice.descending ? "descending" : "ascending");
    }
    markPressed(nodes.kinds, choice.kind);
    nodes.name.value = choice.name;
    nodes.count.textContent = fill(settings.text.count, { shown: shown.length, all: settings.heads.length });
    nodes.meaning.textContent = settings.columns[choice.by]?.meaning ?? "";
  }
}
