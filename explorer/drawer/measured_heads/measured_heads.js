// A table of all measured heads that users can sort and filter; a row links to its head in the attention view.

import { registerFields, notifyChange } from "../../ui/address.js";
import { onView, openTab } from "../../ui/page_events.js";
import { button, element } from "../../ui/element.js";
import { dropPointerFocus } from "../../ui/page.js";
import { nodesByAttribute, markPressed } from "../../ui/tab.js";
import { fill, joinList, requireWords } from "../../ui/text.js";
import { formatDecimal, formatPercent } from "../../ui/numbers.js";

// Values of the name filter: all heads, and heads without a name.
const ANY = "any";
export const NONE = "none";
const KIND_ORDER = ["encoder", "decoder", "cross"];
const DEFAULT_CHOICE = { kind: ANY, name: ANY, by: "drop", descending: true };
const ASCENDING_COLUMNS = ["head", "names"]; // sorted in ascending order first; numbers in descending order

/** The heads that match a kind and a name. */
function filterHeads(heads, { kind, name }) {
  const hasName = (names) => name === ANY || (name === NONE ? !names.length : names.includes(name));
  return heads.filter((head) => (kind === ANY || head.kind === kind) && hasName(head.names));
}

function headOrder({ kind, layer, head }) {
  return [KIND_ORDER.indexOf(kind), layer, head];
}

function compareValues(one, other) {
  if (Array.isArray(one)) return one.reduce((order, item, i) => order || compareValues(item, other[i]), 0);
  return typeof one === "string" ? one.localeCompare(other, "en") : one - other;
}

/**
 * Heads sorted by "head", "names" or the name of a number. Heads without a value come last in either order, and ties
 * are in the order of places. `labels` are the displayed names.
 */
export function sortHeads(heads, { by, descending }, labels = {}) {
  const namesOf = ({ names }) => names.map((name) => labels[name]).join() || null;
  const value = { head: headOrder, names: namesOf }[by] ?? ((head) => head[by]);
  return [...heads].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    const byPlace = compareValues(headOrder(one), headOrder(other));
    if (a === null || b === null) return Number(a === null) - Number(b === null) || byPlace;
    return (descending ? compareValues(b, a) : compareValues(a, b)) || byPlace;
  });
}

const FORMATTERS = {
  percent: (value) => `${formatPercent(value)}%`,
  nats: (value) => formatDecimal(value, 2),
  bits: (value) => formatDecimal(value, 2),
  pieces: (value) => formatDecimal(value, 1),
  plain: (value) => formatDecimal(value, 2),
};

/** A number in the format of its column. */
function formatNumber(value, form) {
  return FORMATTERS[form](value);
}

/** One number of a head in words. */
function describeCell(head, name, { form, cell }) {
  const values = { value: head[name], low: head.low, high: head.high };
  return fill(cell, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, formatNumber(value, form)])));
}

/** The shaded share of a cell: a share as it is, other numbers relative to the largest; 0 for negative ones. */
function shadeShare(value, form, largest) {
  return Math.max(0, form === "percent" || form === "plain" ? value : value / largest);
}

export function mount(element, settings) {
  return new HeadTable(element.querySelector(".catalogue"), { ...settings, text: requireWords(settings.text) });
}

class HeadTable {
  /** Which heads are shown, in which order. */
  choice = { ...DEFAULT_CHOICE };

  /** The attention view; null before its first translation. */
  viewer = null;

  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    this.part = nodesByAttribute(root, "role");
    this.rows = new Map(settings.heads.map((head) => [head, null])); // by head, as soon as it is drawn
    const largest = (name) => Math.max(...settings.heads.map((head) => head[name] ?? 0));
    this.largest = Object.fromEntries(Object.keys(settings.columns).map((name) => [name, largest(name)]));
    this.addFilters();
    this.addTable();
    dropPointerFocus(root);
    onView((viewer) => { this.viewer = viewer; });
    registerFields("catalogue", {
      kind: this.field("kind", [ANY, ...Object.keys(settings.kindNames)]),
      name: this.field("name", this.names),
      sort: this.order(),
    });
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

  /** A choice as a URL parameter. */
  field(name, values) {
    return { get: () => this.choice[name], set: (text) => values.includes(text) && (this.set({ [name]: text }), true) };
  }

  /** The order as one URL parameter: the column, after a minus sign if descending. */
  order() {
    const get = () => `${this.choice.descending ? "-" : ""}${this.choice.by}`;
    const set = (text) => {
      const by = text.replace(/^-/, "");
      const isKnown = this.headings.has(by);
      if (isKnown) this.set({ by, descending: text !== by });
      return isKnown;
    };
    return { get, set };
  }

  addFilters() {
    const { part, settings } = this, { text } = settings;
    for (const [kind, label] of [[ANY, text.allKinds], ...Object.entries(settings.kindNames)]) {
      part.kinds.append(button(() => this.set({ kind }), { value: kind }, label));
    }
    const labels = { [ANY]: text.anyName, ...settings.names, [NONE]: text.unclassified };
    part.name.append(...this.names.map((name) => new Option(labels[name], name)));
    part.name.addEventListener("change", () => this.set({ name: part.name.value }));
  }

  addTable() {
    const { columns, heading, text } = this.settings;
    const titles = [...Object.entries(heading), ...Object.entries(columns).map(([name, { title }]) => [name, title])];
    this.headings = new Map(titles.map(([name, title]) => {
      const hint = columns[name]?.meaning ?? text.sort;
      const sort = button(() => this.sort(name), { title: hint }, title);
      return [name, element("th", { scope: "col", class: name }, sort)];
    }));
    this.body = element("tbody");
    const last = element("th", { scope: "col", class: "try" }, text.try);
    this.part.table.append(element("thead", {}, element("tr", {}, ...this.headings.values(), last)), this.body);
  }

  /** Sorts by a column; the same column again reverses the order. */
  sort(by) {
    const { choice } = this;
    this.set({ by, descending: choice.by === by ? !choice.descending : !ASCENDING_COLUMNS.includes(by) });
  }

  /** A head's row, created when it is first drawn. */
  row(head) {
    if (!this.rows.get(head)) this.rows.set(head, this.createRow(head));
    return this.rows.get(head);
  }

  createRow(head) {
    const { columns, names, text, kindNames } = this.settings;
    const place = { kind: kindNames[head.kind], layer: head.layer + 1, head: head.head + 1 };
    const open = button(() => this.open(head), { title: fill(text.open, place) }, fill(text.place, place));
    const named = element("span", { class: "named" }, joinList(head.names.map((name) => names[name])));
    return element(
      "tr",
      { "data-kind": head.kind },
      element("th", { scope: "row", class: "head" }, open),
      element("td", { class: "names" }, head.names.length ? named : text.unclassified),
      ...Object.entries(columns).map(([name, column]) => this.cell(head, name, column)),
      element("td", { class: "try" }, this.offButton(head, place)),
    );
  }

  /** A button that switches the head off. */
  offButton({ kind, layer, head }, place) {
    const { text } = this.settings;
    const title = fill(text.offHint, place);
    const switchOff = () => this.viewer.change.merge({ off: [[kind, layer, head]], off_by: "zero" });
    return button(switchOff, { title, "aria-label": title }, text.off);
  }

  cell(head, name, column) {
    const { text } = this.settings;
    const value = head[name];
    if (value === null) return element("td", { title: text.noneWords }, text.none);
    const bounds = Object.fromEntries(["low", "high"].map((bound) => [bound, formatNumber(head[bound], column.form)]));
    const style = `--part: ${(100 * shadeShare(value, column.form, this.largest[name])).toFixed(1)}%`;
    const interval = name === "drop" ? [element("small", {}, fill(text.interval, bounds))] : [];
    const attributes = { class: "number", title: describeCell(head, name, column), style };
    return element("td", attributes, formatNumber(value, column.form), ...interval);
  }

  open({ kind, layer, head }) {
    openTab("explore");
    this.viewer.set({ level: "heads", kind, layer, head });
  }

  draw() {
    const { choice, part: nodes, settings } = this;
    const visibleHeads = sortHeads(filterHeads(settings.heads, choice), choice, settings.names);
    this.body.replaceChildren(...visibleHeads.map((head) => this.row(head)));
    for (const [name, heading] of this.headings) {
      heading.setAttribute("aria-sort", name !== choice.by ? "none" : choice.descending ? "descending" : "ascending");
    }
    markPressed(nodes.kinds, choice.kind);
    nodes.name.value = choice.name;
    nodes.count.textContent = fill(settings.text.count, { shown: visibleHeads.length, all: settings.heads.length });
    nodes.meaning.textContent = settings.columns[choice.by]?.meaning ?? "";
  }
}
