// The focus heatmap on the page: drawn once for a head, the overlay follows the steps. Plotly draws what is saved.

import { createSignedFrame } from "./difference.js";
import { cut, heatmapFigure, LIMITS } from "./heatmap.js";
import { cellOf, knownRows, piecesAt, placeOf } from "./word_groups.js";
import { Overlay } from "./overlay.js";
import { Picture } from "./picture.js";
import { Pointing } from "./pointing.js";
import { focusedQuery, countKnownRows } from "./state.js";
import { isProjector } from "../ui/page.js";
import { loadPlotly } from "../ui/libraries.js";
import { fill } from "../ui/text.js";

const LABEL_HEIGHT = 11.5, LABEL_WIDTH = 12, NARROW = 500, NARROW_LETTERS = 16;
const SIGNED = { fixed: "auto", row: "row", auto: "fixed" }; // differences are small: their own maximum comes first
const SLANT = Math.sin(Math.PI / 3), TITLE = 30, SCALE = 74, GAP = 8;

/** What a view's rows (yaxis) and columns (xaxis) are called. */
export function axisTitles({ frames, wordAxes, text }, { level, kind, words, transposed }, theme) {
  const { xaxis, yaxis } = frames[theme][transposed ? "transposed" : "upright"][kind].layout;
  if (!words) return { yaxis: yaxis.title.text, xaxis: xaxis.title.text };
  const { query, key } = (level === "picture" ? text.plain.axes : wordAxes)[kind];
  return transposed ? { yaxis: key, xaxis: query } : { yaxis: query, xaxis: key };
}

export class Plot {
  /**
   * `choose` holds what clicks ask for: `pin` a row or column by its label, `cell` a cell, `inside` one by a double click.
   * `settings` hold frames, texts and the width of a label.
   */
  constructor(node, settings, choose) {
    Object.assign(this, { node, settings, key: "", revealed: "" });
    this.heatmap = node.querySelector(".heatmap");
    this.picture = new Picture(this.heatmap);
    this.overlay = new Overlay(this.picture, node.querySelector(".plane"));
    this.pointing = new Pointing(this.picture, settings.text, {
      cell: (found) => choose.cell(this.cell(found)),
      inside: (found) => choose.inside(this.cell(found)),
      save: () => this.save(),
      moved: () => this.place(),
    });
    node.addEventListener("scroll", () => this.heatmap.style.setProperty("--scrolled", `${node.scrollLeft}px`));
    node.addEventListener("click", (event) => {
      const found = event.target.closest(".tools") ? null : this.overlay.labelAt(event);
      if (found) choose.pin({ axis: found.axis, index: this.piece(found) });
    });
  }

  get size() {
    return [this.heatmap.clientWidth, this.heatmap.clientHeight];
  }

  /** On a narrow page, or an enlarged one, labels need the room of the colour scale and of the titles. */
  get narrow() {
    return this.node.clientWidth < NARROW || isProjector();
  }

  /** `contentKey` names the content, so that only another one is drawn; `title` and `axes` tell what it shows. */
  draw(scene, content, contentKey, { title, axes }) {
    Object.assign(this, { scene, content, title, axes });
    const { view, theme } = scene;
    const key = JSON.stringify([contentKey, view.scale, view.transposed, theme, this.size]);
    if (key !== this.key) this.redraw();
    this.key = key;
    this.place();
  }

  redraw() {
    this.picture.draw(this.figure());
    this.speak();
    this.pointing.allow(!this.narrow);
    const { text } = this.settings, { title, axes } = this;
    this.heatmap.setAttribute("aria-label", fill(text.heatmap, { title }));
    this.picture.part.cells.setAttribute("aria-label", fill(this.content.signed ? text.compared.shows : text.shows, { title, axes }));
  }

  /** The same letter may look otherwise in another language: Chinese and Japanese share some. */
  speak() {
    const { scene: { view: { kind, transposed } }, settings: { codes: { source, target } }, picture: { part } } = this;
    const query = kind === "encoder" ? source : target, key = kind === "decoder" ? target : source;
    const [rows, columns] = transposed ? [key, query] : [query, key];
    if (part.rows.lang !== rows) part.rows.lang = rows;
    if (part.columns.lang !== columns) part.columns.lang = columns;
  }

  /** The cell of the trace that a cell of the picture stands for; of a word's, the strongest. */
  cell({ row, column }) {
    const [query, key] = this.scene.view.transposed ? [column, row] : [row, column];
    return cellOf(this.content, query, key, countKnownRows(this.scene.view, this.scene.map));
  }

  /** The piece that a row or column stands for: the pinned one, which is let go so, or the first. */
  piece(place) {
    const { pin } = this.scene.view, pieces = piecesAt(this.content, place);
    return pin?.axis === place.axis && pieces.includes(pin.index) ? pin.index : pieces[0];
  }

  /** The picture with its current step, over its title (above stand the labels) and on the page's ground. */
  async save() {
    const { view } = this.scene;
    const [width, height] = this.size;
    const figure = this.figure(view.whole ? null : placeOf(this.content, { axis: "query", index: view.step }));
    const { layout } = figure;
    layout.title = { text: this.title, font: { size: 14 }, x: 0.02, y: 0.015, yanchor: "bottom" };
    layout.margin = { ...layout.margin, b: layout.margin.b + TITLE };
    layout.paper_bgcolor = getComputedStyle(document.body).backgroundColor;
    const filename = this.title.replaceAll(" · ", " ");
    const options = { format: "png", scale: 2, width, height: height + TITLE, filename };
    const Plotly = await loadPlotly(this.settings.plotly);
    return Plotly.downloadImage(figure, options);
  }

  figure(step = null) {
    const { view, theme } = this.scene;
    const { narrow, size: [width, height] } = this;
    const weights = this.settings.frames[theme][view.transposed ? "transposed" : "upright"][view.kind];
    const frame = this.content.signed ? createSignedFrame(weights, this.settings.colours[theme], view.kind) : weights;
    const letters = { ...LIMITS, rowLetters: narrow ? NARROW_LETTERS : LIMITS.rowLetters };
    const margin = this.margin(letters, narrow);
    const most = (limit, room, each) => Math.max(2, Math.min(limit, Math.floor(room / each)));
    const mostRows = most(LIMITS.mostRows, height - margin.t - margin.b, LABEL_HEIGHT);
    const mostColumns = most(LIMITS.mostColumns, width - margin.l - margin.r, LABEL_WIDTH);
    const { transposed } = view, scale = this.content.signed ? SIGNED[view.scale] : view.scale;
    const labels = { ...letters, mostRows, mostColumns };
    const figure = heatmapFigure(frame, this.content, { step, scale, transposed, labels, text: this.settings.text });
    figure.layout.margin = margin;
    for (const [name, text] of Object.entries(axisTitles(this.settings, view, theme))) {
      const axis = figure.layout[name];
      // Titles go as far out as the margin lets them.
      Object.assign(axis, { automargin: false, title: narrow ? { text: "" } : { ...axis.title, text, standoff: 1000 } });
    }
    if (narrow) figure.data[0].showscale = false;
    return figure;
  }

  /** Room for the longest labels. Plotly would find it too, but by drawing everything twice. */
  margin({ rowLetters, columnLetters }, narrow) {
    const { queries, labels } = this.content.full ?? this.content;
    const [rows, columns] = this.scene.view.transposed ? [labels, queries] : [queries, labels];
    const room = (texts, letters) => Math.max(0, ...texts.map((text) => this.settings.widthOf(cut(text, letters))));
    const title = narrow ? 0 : TITLE;
    return {
      l: room(rows, rowLetters) + GAP + title,
      r: narrow ? GAP * 2 : SCALE + (this.content.signed ? GAP : 0), // for the sign
      t: room(columns, columnLetters) * SLANT + GAP * 2 + title,
      b: GAP,
    };
  }

  place() {
    const { content } = this;
    const { view, map } = this.scene;
    const rows = knownRows(content, countKnownRows(view, map));
    const at = (axis, index) => placeOf(content, { axis, index });
    this.overlay.place({
      rows,
      queries: content.queries.length,
      columns: content.reach[rows - 1],
      keys: content.keys.length,
      current: view.kind === "encoder" || view.parted ? null : at("query", view.step),
      pin: view.pin && { axis: view.pin.axis, index: at(view.pin.axis, view.pin.index) },
      cell: view.cell && { query: at("query", view.cell.query), key: at("key", view.cell.key) },
      transposed: view.transposed,
    });
    if (this.narrow && !view.transposed) this.reveal(at("query", focusedQuery(view, map)));
  }

  /** On a phone the picture is wider than its room: what a row looks at most is scrolled to, once. */
  reveal(row) {
    const { content: { rows: { [row]: weights } }, node, picture: { place: { l, w } } } = this, key = `${this.key} ${row}`;
    if (!weights || key === this.revealed) return;
    this.revealed = key;
    const cell = w / weights.length, left = l + weights.indexOf(Math.max(...weights)) * cell;
    const { scrollLeft, clientWidth } = node; // labels of rows stay at the left
    if (left < scrollLeft + l || left + cell > scrollLeft + clientWidth) node.scrollLeft = left - (l + clientWidth) / 2;
  }
}
