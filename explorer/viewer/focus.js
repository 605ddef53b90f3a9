// One head enlarged, as a heatmap or as ribbons, with its row in words.

import { columnOf, shown, strongest, total } from "./attention.js";
import { Plot } from "./plot.js";
import { drawRibbons, hovered } from "./ribbons.js";
import { focused, known } from "./state.js";
import { fill, headsName } from "./text.js";

export class Focus {
  constructor(root, settings, pin) {
    Object.assign(this, { root, settings, scene: null, key: "", pointed: null });
    const part = (name) => root.querySelector(`.${name}`);
    this.part = { title: root.querySelector("h3"), axes: part("axes"), scroll: part("scroll"), ribbons: part("ribbons"), readout: part("readout") };
    this.plot = new Plot(part("plot"), settings, pin);
    for (const type of ["mousemove", "mouseleave"]) {
      this.part.ribbons.addEventListener(type, (event) => this.point(type === "mousemove" ? event : null));
    }
    this.part.ribbons.addEventListener("click", () => this.pointed && pin(this.pointed));
  }

  /** Shows a scene: map, view, heads, theme and the number of the trace. Only what has changed is drawn again. */
  draw(scene) {
    const { map, view, heads, request } = scene;
    const key = JSON.stringify([request, view.kind, heads, view.specials]);
    if (key !== this.key) this.content = shown(map, heads, view.specials);
    Object.assign(this, { scene, key });
    const title = `${this.settings.kinds[view.kind]} · ${headsName(heads)}`;
    const ribbon = view.look === "ribbon";
    this.part.title.textContent = title;
    this.plot.node.hidden = ribbon;
    this.part.scroll.hidden = !ribbon;
    this.part.axes.hidden = ribbon || !this.plot.narrow;
    this.part.axes.textContent = this.axes();
    if (ribbon) this.drawRibbons();
    else this.plot.draw(scene, this.content, key, title);
    this.part.ribbons.setAttribute("aria-label", `Ribbons: ${title}`);
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
    const lit = this.pointed ?? { axis: "query", index: focused(view, map) };
    const room = [scroll.clientWidth, scroll.clientHeight];
    drawRibbons(ribbons, this.content, { known: known(view, map), lit, pin: view.pin, colour, text, room });
  }

  /** The piece under the mouse lights its ribbons. */
  point(event) {
    const { map, view } = this.scene;
    const found = event && hovered(this.part.ribbons, this.content, event.offsetX, event.offsetY);
    const reachable = found?.axis !== "query" || found.index < known(view, map);
    this.pointed = reachable ? found : null;
    this.drawRibbons();
    this.part.readout.textContent = this.readout();
  }

  /** Sum and strongest weights of the row (or column) in focus, in words. */
  readout() {
    const { map, view, heads } = this.scene;
    const { text } = this.settings;
    const maximum = heads.layer === "max" || heads.head === "max";
    const remarks = (view.specials ? "" : ` ${text.hidden}`) + (maximum ? ` ${text.maximum}` : "");
    const lit = this.pointed ?? (view.pin?.axis === "key" ? view.pin : { axis: "query", index: focused(view, map) });
    if (lit.axis === "key") return this.columnInWords(lit.index) + remarks;
    return (lit.index === null ? fill(text.rows, { sums: this.sums() }) : this.rowInWords(lit.index)) + remarks;
  }

  rowInWords(query) {
    const row = this.content.rows[query];
    const keys = this.listed(row, this.content.labels);
    return fill(this.settings.text.row, { query: this.content.queries[query], sum: total(row).toFixed(3), keys });
  }

  columnInWords(key) {
    const { map, view } = this.scene;
    const column = columnOf(this.content, key).slice(0, known(view, map));
    return fill(this.settings.text.column, { key: map.keys[key], queries: this.listed(column, map.queries) });
  }

  listed(weights, names) {
    return strongest(weights, 3).map(([i, weight]) => `${names[i]} ${weight.toFixed(3)}`).join(", ") || this.settings.text.none;
  }

  sums() {
    const sums = this.content.rows.map(total);
    const [least, most] = [Math.min(...sums).toFixed(3), Math.max(...sums).toFixed(3)];
    return least === most ? least : `${least} to ${most}`;
  }
}
