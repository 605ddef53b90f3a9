// One head enlarged, as a heatmap or as ribbons, with its row in words.

import { shown, strongest } from "./attention.js";
import { difference, differenceInWords } from "./difference.js";
import { toldOf } from "./explained.js";
import { cuts, inWords, knownRows, piecesAt, placeOf, wordsOf } from "./joined.js";
import { NumberTable } from "./numbers.js";
import { axisTitles, Plot } from "./plot.js";
import { drawRibbons, hovered } from "./ribbons.js";
import { focused, known, seen } from "./state.js";
import { pointerPosition } from "../ui/page.js";
import { registerDraw } from "../ui/svg_replay.js";
import { fill, headsName } from "../ui/text.js";

export class Focus {
  constructor(root, settings, choose) {
    Object.assign(this, { root, settings, scene: null, key: "", piecesKey: "", pointed: null });
    const part = (name) => root.querySelector(`.${name}`);
    this.part = { title: root.querySelector("h3") };
    for (const name of ["axes", "scroll", "ribbons", "numbers", "readout"]) this.part[name] = part(name);
    this.table = new NumberTable(this.part.numbers, settings.text);
    this.plot = new Plot(part("plot"), settings, choose);
    for (const type of ["mousemove", "mouseleave"]) {
      this.part.ribbons.addEventListener(type, (event) => this.point(type === "mousemove" ? event : null));
    }
    registerDraw(this.part.ribbons, () => this.scene && this.drawRibbons());
    this.part.ribbons.addEventListener("click", () => this.pointed && choose.pin(this.pointed));
  }

  /**
   * Shows a scene: map, view, heads, theme and the trace. Of two runs each has a `name`; `against`, the other run's scene and
   * its `partner`s, asks for their difference. Only what has changed is drawn again.
   */
  draw(scene) {
    const { map, view, heads, name } = scene;
    this.speak(this.settings.texts[toldOf(map, heads)]);
    const same = this.take(scene);
    if (!same || view.look !== "ribbon" || (this.pointed && !seen(this.pointed, view, map))) this.pointed = null;
    const { text } = this.settings;
    const { kinds: { [view.kind]: kind }, kindNames: { [view.kind]: short } } = this.settings;
    const called = { kind, short, heads: headsName(this.settings.heads, heads) };
    const whole = fill(text.title, called), title = name ? fill(text.compared.title, { name, title: whole }) : whole;
    const ribbon = view.look === "ribbon", table = view.look === "table";
    this.part.title.textContent = name ? fill(text.compared.heading, { name, ...called }) : title;
    this.plot.node.hidden = ribbon || table;
    this.part.scroll.hidden = !ribbon;
    this.part.numbers.hidden = !table;
    this.part.axes.hidden = ribbon || (!table && !this.plot.narrow);
    this.part.axes.textContent = this.axes();
    if (ribbon) this.drawRibbons();
    else if (table) this.table.draw(scene, this.content, this.key, { title, axes: this.axes() });
    else this.plot.draw(scene, this.content, this.key, { title, axes: this.axes() });
    this.part.ribbons.setAttribute("aria-label", fill(text.ribbons, { title }));
    this.part.readout.textContent = this.readout();
  }

  /**
   * What there is to draw: a row and a column for every piece or, in words, for every word as far as it is known at this
   * step. Says whether the pieces are the same as before.
   */
  take(scene) {
    const { trace, map, view, heads, against } = scene;
    const piecesKey = JSON.stringify([trace.submission, against?.trace.submission, view.level, view.kind, map.measure, heads, view.specials]), rows = known(view, map);
    const same = piecesKey === this.piecesKey;
    if (!same) {
      const pieces = (all) => shown(all, heads, view.specials);
      this.pieces = against ? difference(pieces(map), pieces(against.map), against.partner) : pieces(map);
      const { text } = this.settings, { pair } = view.level === "picture" ? text.plain : text;
      this.words = wordsOf(trace, view.kind, pair);
    }
    const part = view.words && cuts(this.words, rows, view.kind) ? rows : null;
    const key = JSON.stringify([piecesKey, view.words, part]);
    if (key !== this.key) this.content = view.words ? inWords(this.pieces, this.words, rows) : this.pieces;
    this.content.signed = this.pieces.signed;
    Object.assign(this, { scene, key, piecesKey });
    return same;
  }

  /** Weights, lengths and rollouts are told in words of their own. */
  speak(text) {
    if (text === this.settings.text) return;
    this.settings = this.plot.settings = { ...this.settings, text };
    this.table.text = text;
  }

  /** What rows and columns are, where the figure is too narrow to say it. */
  axes() {
    const { view, theme } = this.scene;
    const { yaxis, xaxis } = axisTitles(this.settings, view, theme);
    return fill(this.settings.text.axes, { rows: yaxis, columns: xaxis });
  }

  drawRibbons() {
    const { scroll, ribbons } = this.part;
    const { view, map, theme } = this.scene;
    const { [view.kind]: colour, text } = this.settings.colours[theme];
    drawRibbons(ribbons, this.content, {
      known: knownRows(this.content, known(view, map)), lit: this.marked(this.lit), pin: this.marked(view.pin), colour, text, font: this.settings.monospace,
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

  /** A mark as the rows and columns are numbered: a row by its place, a column by its first key. */
  marked(mark) {
    if (!mark || mark.index === null) return mark;
    const index = placeOf(this.content, mark);
    return { ...mark, index: mark.axis === "query" ? index : this.content.keys[index] };
  }

  /** The piece under the mouse lights its ribbons. */
  point(event) {
    const { map, view } = this.scene;
    const place = event && hovered(this.part.ribbons, this.content, pointerPosition(this.part.ribbons, event));
    const found = place && { axis: place.axis, index: piecesAt(this.content, place)[0] };
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
    if (this.content.signed) return this.differences();
    const remarks = (view.specials ? "" : ` ${text.hidden}`) + (maximum ? ` ${text.maximum}` : "");
    if (index === null) return view.parted && view.kind !== "encoder" ? text.compared.parted : this.rowsInWords() + remarks;
    const place = placeOf(this.content, { axis, index });
    return (axis === "key" ? this.columnInWords(place) : this.rowInWords(place)) + remarks;
  }

  differences() {
    const { content, lit, scene: { map, view }, settings: { text } } = this;
    const place = lit.index === null ? null : placeOf(content, lit);
    const said = differenceInWords(content, { axis: lit.axis, place, known: knownRows(content, known(view, map)) }, text.compared);
    return view.specials ? said : `${said} ${text.hidden}`;
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

  columnInWords(column) {
    const { scene: { map, view }, content } = this;
    const weights = content.rows.slice(0, knownRows(content, known(view, map))).map((row) => row[column]);
    return fill(this.settings.text.column, { key: content.labels[column], queries: this.listed(weights, content.queries) });
  }

  listed(weights, names) {
    const found = strongest(weights, 3).map(([i, weight]) => `${names[i]} ${weight.toFixed(3)}`);
    return found.join(", ") || this.settings.text.none;
  }
}
