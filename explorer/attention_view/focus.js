// One head enlarged, as a heatmap or as ribbons, with its row in words.

import { columnOf, shown, strongest } from "./attention.js";
import { NumberTable } from "./numbers.js";
import { Plot } from "./plot.js";
import { drawRibbons, hovered } from "./ribbons.js";
import { focused, known, seen } from "./state.js";
import { fill, headsName } from "../shared/text.js";

export class Focus {
  constructor(root, settings, choose) {
    Object.assign(this, { root, settings, scene: null, key: "", pointed: null });
    const part = (name) => root.querySelector(`.${name}`);
    this.part = { title: root.querySelector("h3") };
    for (const name of ["axes", "scroll", "ribbons", "numbers", "readout"]) this.part[name] = part(name);
    this.table = new NumberTable(this.part.numbers, settings.text);
    this.plot = new Plot(part("plot"), settings, choose);
    for (const type of ["mousemove", "mouseleave"]) {
      this.part.ribbons.addEventListener(type, (event) => this.point(type === "mousemove" ? event : null));
    }
    this.part.ribbons.addEventListener("click", () => this.pointed && choose.pin(this.pointed));
  }

  /** Shows a scene: map, view, heads, theme and the number of the trace. Only what has changed is drawn again. */
  draw(scene) {
    const { map, view, heads, submission } = scene;
    const key = JSON.stringify([submission, view.kind, heads, view.specials]);
    const same = key === this.key;
    if (!same) this.content = shown(map, heads, view.specials);
    Object.assign(this, { scene, key });
    if (!same || view.look !== "ribbon" || (this.pointed && !seen(this.pointed, view, map))) this.pointed = null;
    const title = fill(this.settings.text.title, {
      kind: this.settings.kinds[view.kind], heads: headsName(this.settings.heads, heads),
    });
    const ribbon = view.look === "ribbon", table = view.look === "table";
    this.part.title.textContent = title;
    this.plot.node.hidden = ribbon || table;
    this.part.scroll.hidden = !ribbon;
    this.part.numbers.hidden = !table;
    this.part.axes.hidden = ribbon || (!table && !this.plot.narrow);
    this.part.axes.textContent = this.axes();
    if (ribbon) this.drawRibbons();
    else if (table) this.table.draw(scene, this.content, key, { title, axes: this.axes() });
    else this.plot.draw(scene, this.content, key, { title, axes: this.axes() });
    this.part.ribbons.setAttribute("aria-label", fill(this.settings.text.ribbons, { title }));
    this.part.readout.textContent = this.readout();
  }

  /** What rows and columns are, where the figure is too narrow to say it. */
  axes() {
    const { view, theme } = this.scene;
    const { xaxis, yaxis } = this.settings.frames[theme][view.transposed ? "transposed" : "upright"][view.kind].layout;
    return fill(this.settings.text.axes, { rows: yaxis.title.text, columns: xaxis.title.text });
  }

  drawRibbons() {
    const { scroll, ribbons } = this.part;
    const { view, map, theme } = this.scene;
    const { [view.kind]: colour, text } = this.settings.colours[theme];
    drawRibbons(ribbons, this.content, {
      known: known(view, map), lit: this.lit, pin: view.pin, colour, text, font: this.settings.monospace,
      room: [scroll.clientWidth, scroll.clientHeight],
    });
  }

  /** The row or column that stands out: under the mouse, else pinned, else the current one; index null: none. */
  get lit() {
    const { view, map } = this.scene;
    if (this.pointed) return this.pointed;
    if (view.pin?.axis === "key" && seen(view.pin, view, map)) return view.pin;
    return { axis: "query", index: focused(view, map) };
  }

  /** The piece under the mouse lights its ribbons. */
  point(event) {
    const { map, view } = this.scene;
    const found = event && hovered(this.part.ribbons, this.content, event.offsetX, event.offsetY);
    this.pointed = found && seen(found, view, map) ? found : null;
    this.drawRibbons();
    this.part.readout.textContent = this.readout();
  }

  /** Sum and strongest weights of the row (or column) that stands out, in words. */
  readout() {
    const { view, heads } = this.scene;
    const { text } = this.settings;
    const { axis, index } = this.lit;
    const maximum = heads.layer === "max" || heads.head === "max";
    const remarks = (view.specials ? "" : ` ${text.hidden}`) + (maximum ? ` ${text.maximum}` : "");
    if (index === null) return this.rowsInWords() + remarks;
    return (axis === "key" ? this.columnInWords(index) : this.rowInWords(index)) + remarks;
  }

  /** All rows together, where none stands out. */
  rowsInWords() {
    const { text } = this.settings;
    const { sums } = this.content;
    const [least, most] = [Math.min(...sums).toFixed(3), Math.max(...sums).toFixed(3)];
    const sentence = least === most ? fill(text.rows, { sum: least }) : fill(text.rowsBetween, { least, most });
    return this.scene.view.look === "heatmap" ? `${sentence} ${text.howToPin}` : sentence;
  }

  rowInWords(query) {
    const { text } = this.settings;
    const { rows: { [query]: row }, sums: { [query]: sum } } = this.content;
    if (sum === 0) return fill(text.emptyRow, { query: this.content.queries[query] });
    return fill(text.row, {
      query: this.content.queries[query], sum: sum.toFixed(3), keys: this.listed(row, this.content.labels),
    });
  }

  columnInWords(key) {
    const { map, view } = this.scene;
    const column = columnOf(this.content, key).slice(0, known(view, map));
    return fill(this.settings.text.column, { key: map.keys[key], queries: this.listed(column, map.queries) });
  }

  listed(weights, names) {
    const found = strongest(weights, 3).map(([i, weight]) => `${names[i]} ${weight.toFixed(3)}`);
    return found.join(", ") || this.settings.text.none;
  }
}
