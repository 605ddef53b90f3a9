// The enlarged picture of one head: a heatmap, ribbons or a table, with a readout of the focused row or column.

import { contentOf, strongestWeights } from "../derived/attention_map.js";
import { computeDifference, describeDifference } from "./comparison.js";
import { measureOf } from "./explanation.js";
import { headLine, headName } from "./head_names.js";
import {
  hasPartialWord,
  knownRows,
  mergeIntoWords,
  piecesAt,
  rowOrColumnOf,
  wordAxes,
} from "../derived/word_groups.js";
import { NumberTable } from "./numbers.js";
import { axisTitles, Plot } from "./plot.js";
import { drawRibbons, labelAt } from "./ribbons.js";
import { focusedQuery, countKnownRows, headsOf, isKnown } from "./state.js";
import { element } from "../ui/element.js";
import { pointerPosition, registerDraw } from "../ui/page.js";
import { fill, headsName, joinList } from "../ui/text.js";
import { formatDecimal } from "../ui/numbers.js";

export class HeadView {
  scene = null;
  key = "";
  piecesKey = "";
  pointed = null;

  constructor(root, settings, choose) {
    this.root = root;
    this.settings = settings;
    const part = (name) => root.querySelector(`.${name}`);
    this.part = { title: root.querySelector("h3") };
    for (const name of ["named", "axes", "scroll", "ribbons", "numbers", "readout"]) this.part[name] = part(name);
    this.table = new NumberTable(this.part.numbers, settings.text);
    this.plot = new Plot(part("plot"), settings, choose);
    for (const type of ["mousemove", "mouseleave"]) {
      this.part.ribbons.addEventListener(type, (event) => this.point(type === "mousemove" ? event : null));
    }
    registerDraw(this.part.ribbons, () => this.scene && this.drawRibbons());
    this.part.ribbons.addEventListener("click", () => this.pointed && choose.pin(this.pointed));
  }

  /**
   * Draws a scene { trace, map, view, heads, theme }. In a comparison each run has a `name`; `against`, the other run's
   * scene with `partner`, shows the difference. Only what has changed is drawn again.
   */
  draw(scene) {
    const { trace, map, view, heads, name } = scene;
    this.setWords(this.settings.texts[measureOf(map, heads)]);
    const isSame = this.updateContent(scene);
    if (!isSame || view.look !== "ribbon" || (this.pointed && !isKnown(this.pointed, view, map))) this.pointed = null;
    const { text } = this.settings;
    const { kinds: { [view.kind]: kind }, kindNames: { [view.kind]: short } } = this.settings;
    const names = { kind, short, heads: headsName(this.settings.heads, heads) };
    const { full, here } = headName(this.settings, trace.kinds[view.kind], heads);
    this.part.named.textContent = headLine(full, here);
    const plainTitle = fill(text.title, names);
    const title = name ? fill(text.compared.title, { name, title: plainTitle }) : plainTitle;
    const isRibbon = view.look === "ribbon", isTable = view.look === "table";
    this.part.title.textContent = name ? fill(text.compared.heading, { name, ...names }) : title;
    this.plot.node.hidden = isRibbon || isTable;
    this.part.scroll.hidden = !isRibbon;
    this.part.numbers.hidden = !isTable;
    this.part.axes.hidden = isRibbon || (!isTable && !this.plot.narrow);
    this.part.axes.textContent = this.axes();
    if (isRibbon) this.drawRibbons();
    else if (isTable) this.table.draw(scene, this.content, this.key, { title, axes: this.axes() });
    else this.plot.draw(scene, this.content, this.key, { title, axes: this.axes() });
    this.part.ribbons.setAttribute("aria-label", fill(text.ribbons, { title }));
    this.root.toggleAttribute("data-off", !scene.against && this.areAllOff);
    this.writeReadout();
  }

  /**
   * Computes the content: a row and a column for every piece, or for the known part of every word. Returns whether the
   * pieces are the same as before.
   */
  updateContent(scene) {
    const { trace, map, view, heads, against } = scene;
    const piecesKey = JSON.stringify([
      trace.submission,
      against?.trace.submission,
      view.level,
      view.kind,
      map.measure,
      heads,
      view.specials,
    ]);
    const rows = countKnownRows(view, map);
    const isSame = piecesKey === this.piecesKey;
    if (!isSame) {
      const pieces = (all) => contentOf(all, heads, view.specials);
      this.pieces = against ? computeDifference(pieces(map), pieces(against.map), against.partner) : pieces(map);
      const { text } = this.settings;
      const { pair } = view.level === "picture" ? text.plain : text;
      this.words = wordAxes(trace, view.kind, pair);
    }
    const part = view.words && hasPartialWord(this.words, rows, view.kind) ? rows : null;
    const key = JSON.stringify([piecesKey, view.words, part]);
    if (key !== this.key) this.content = view.words ? mergeIntoWords(this.pieces, this.words, rows) : this.pieces;
    this.content.signed = this.pieces.signed;
    this.scene = scene;
    this.key = key;
    this.piecesKey = piecesKey;
    return isSame;
  }

  /** Sets the words for weights, lengths or rollouts. */
  setWords(text) {
    if (text === this.settings.text) return;
    this.settings = this.plot.settings = { ...this.settings, text };
    this.table.text = text;
  }

  /** The titles of both axes in a line, for a figure that is too narrow for them. */
  axes() {
    const { yaxis, xaxis } = axisTitles(this.settings, this.scene.view);
    return fill(this.settings.text.axes, { rows: yaxis, columns: xaxis });
  }

  drawRibbons() {
    const { scroll, ribbons } = this.part;
    const { view, map, theme } = this.scene;
    const { [view.kind]: colour, text } = this.settings.colours[theme];
    drawRibbons(ribbons, this.content, {
      known: knownRows(this.content, countKnownRows(view, map)),
      lit: this.marked(this.lit),
      pin: this.marked(view.pin),
      colour,
      text,
      font: this.settings.monospace,
      room: [scroll.clientWidth, scroll.clientHeight],
    });
  }

  /**
   * The row or column that stands out: under the mouse, else pinned, else the current one; its index is null if there
   * is none.
   */
  get lit() {
    const { view, map } = this.scene;
    if (this.pointed) return this.pointed;
    if (view.pin?.axis === "key" && isKnown(view.pin, view, map)) return view.pin;
    return { axis: "query", index: focusedQuery(view, map) };
  }

  /** A mark with an index of the content: its row, or the first key of its column. */
  marked(mark) {
    if (!mark || mark.index === null) return mark;
    const index = rowOrColumnOf(this.content, mark);
    return { ...mark, index: mark.axis === "query" ? index : this.content.keys[index] };
  }

  /** Highlights the ribbons of the piece under the mouse. */
  point(event) {
    const { map, view } = this.scene;
    const label = event && labelAt(this.part.ribbons, this.content, pointerPosition(this.part.ribbons, event));
    const mark = label && { axis: label.axis, index: piecesAt(this.content, label)[0] };
    this.pointed = mark && isKnown(mark, view, map) ? mark : null;
    this.drawRibbons();
    this.writeReadout();
  }

  /** Says what stands out, and what a click does where nothing does; a picture that is saved has only the first. */
  writeReadout() {
    const { part: { readout }, scene: { view }, settings: { text }, content, lit } = this;
    readout.textContent = this.readout();
    const canPin = lit.index === null && view.look === "heatmap" && !content.signed && !view.parted;
    if (canPin) readout.append(element("span", { class: "how" }, ` ${text.howToPin}`));
  }

  /** A sentence with the sum and the strongest weights of the row or column that stands out. */
  readout() {
    const { view, heads } = this.scene;
    const { text } = this.settings;
    const { axis, index } = this.lit;
    const isMaximum = heads.layer === "max" || heads.head === "max";
    if (this.content.signed) return this.differences();
    const remarks = (view.specials ? "" : ` ${text.hidden}`) + (isMaximum ? ` ${text.maximum}` : "");
    if (index === null) {
      return view.parted && view.kind !== "encoder" ? text.compared.parted : this.rowsInWords() + remarks;
    }
    const shown = rowOrColumnOf(this.content, { axis, index });
    return (axis === "key" ? this.columnInWords(shown) : this.rowInWords(shown)) + remarks;
  }

  differences() {
    const { content, lit, scene: { map, view }, settings: { text } } = this;
    const index = lit.index === null ? null : rowOrColumnOf(content, lit);
    const sentence = describeDifference(
      content,
      { axis: lit.axis, index, known: knownRows(content, countKnownRows(view, map)) },
      text.compared,
    );
    return view.specials ? sentence : `${sentence} ${text.hidden}`;
  }

  /** A sentence about all rows, if none stands out. */
  rowsInWords() {
    const { text } = this.settings;
    const { sums } = this.content;
    const [least, most] = [formatDecimal(Math.min(...sums), 3), formatDecimal(Math.max(...sums), 3)];
    return least === most ? fill(text.rows, { sum: least }) : fill(text.rowsBetween, { least, most });
  }

  rowInWords(query) {
    const { text } = this.settings;
    const { rows: { [query]: row }, sums: { [query]: sum } } = this.content;
    if (sum === 0) return fill(this.areAllOff ? text.allOff : text.emptyRow, { query: this.content.queries[query] });
    return fill(text.row, {
      query: this.content.queries[query], sum: formatDecimal(sum, 3), keys: this.listed(row, this.content.labels),
    });
  }

  /** Whether no head that is shown is on: a mean or a maximum of none is 0. */
  get areAllOff() {
    const { map, heads } = this.scene;
    return headsOf({ kind: map.kind, ...heads }, map).every(([, layer, head]) => map.isOff(layer, head));
  }

  columnInWords(column) {
    const { scene: { map, view }, content } = this;
    const weights = content.rows.slice(0, knownRows(content, countKnownRows(view, map))).map((row) => row[column]);
    return fill(this.settings.text.column, {
      key: content.labels[column],
      queries: this.listed(weights, content.queries),
    });
  }

  listed(weights, names) {
    const entries = strongestWeights(weights, 3).map(([i, weight]) => `${names[i]} ${formatDecimal(weight, 3)}`);
    return joinList(entries) || this.settings.text.none;
  }
}
