// A table of the weights, for screen readers and for people who want the digits.

import { knownRows, rowOrColumnOf } from "../derived/word_groups.js";
import { countKnownRows } from "./state.js";
import { element } from "../ui/element.js";
import { fill } from "../ui/text.js";
import { formatSigned, formatDecimal } from "../ui/numbers.js";

export class NumberTable {
  key = "";

  /** `node` scrolls and contains an empty table; `text` has the sentences. */
  constructor(node, text) {
    const [table] = node.getElementsByTagName("table");
    this.node = node;
    this.text = text;
    this.table = table;
  }

  /** Writes the numbers if they have changed; a step only shows or hides rows, and in the decoder columns. */
  draw({ view, map }, content, contentKey, { title, axes }) {
    const key = `${contentKey} ${view.transposed}`;
    if (key !== this.key) this.write(content, view.transposed, { title, axes });
    this.key = key;
    const rows = knownRows(content, countKnownRows(view, map));
    const keys = content.reach[rows - 1];
    const [down, across] = view.transposed ? [keys, rows] : [rows, keys];
    this.show(down, across);
    const step = rowOrColumnOf(content, { axis: "query", index: view.step });
    this.mark(map.kind === "encoder" || view.transposed || view.parted ? null : this.table.rows[step + 1]);
  }

  write(content, transposed, words) {
    const { node, table, text } = this;
    const { queries, labels, keys, special } = content;
    const query = { labels: queries, special: (i) => special.queries.has(i) };
    const key = { labels, special: (i) => special.keys.has(keys[i]) };
    const [down, across] = transposed ? [key, query] : [query, key];
    const number = (row, column) =>
      transposed ? this.number(content, column, row) : this.number(content, row, column);
    node.setAttribute("aria-label", fill(text.table, words));
    table.caption.textContent = fill(text.caption, words);
    const heads = across.labels.map((label, i) => headerCell("col", label, across.special(i)));
    table.tHead.replaceChildren(element("tr", {}, element("td"), ...heads));
    table.tBodies[0].replaceChildren(...down.labels.map((label, row) => {
      return element(
        "tr",
        {},
        headerCell("row", label, down.special(row)),
        ...heads.map((_, column) => number(row, column)),
      );
    }));
    this.down = down.labels.length;
    this.across = heads.length;
    this.current = null;
  }

  /** A cell with three decimals, or with a word if it is masked or has no number. */
  number({ rows, reach, signed: isSigned }, query, key) {
    if (key >= reach[query]) return element("td", { "data-masked": "" }, this.text.masked);
    if (Number.isNaN(rows[query][key])) return element("td", { "data-masked": "" }, this.text.compared.apart);
    return element("td", {}, isSigned ? formatSigned(rows[query][key], 3) : formatDecimal(rows[query][key], 3));
  }

  /** Shows a number of rows and columns; changes only those that appear or disappear. */
  show(down, across) {
    const { rows } = this.table;
    for (let i = Math.min(down, this.down); i < Math.max(down, this.down); i++) rows[i + 1].hidden = i >= down;
    for (let i = Math.min(across, this.across); i < Math.max(across, this.across); i++) {
      for (const row of rows) row.cells[i + 1].hidden = i >= across;
    }
    this.down = down;
    this.across = across;
  }

  /** Marks the row of the current step; null marks none, as in a transposed table. */
  mark(current) {
    if (current === this.current) return;
    this.current?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "step");
    this.current = current;
  }
}

function headerCell(scope, label, special) {
  return element("th", special ? { scope, class: "special" } : { scope }, label);
}
