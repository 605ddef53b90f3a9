// The heatmap on the page: a figure of Plotly. Another sentence or kind brings another layout, another head only
// values; a step moves shapes.

import { createSignedFrame } from "./comparison.js";
import { heatmapFigure, ROOM } from "./heatmap.js";
import { LabelRoom, measurersOf } from "./label_room.js";
import { marks } from "./marks.js";
import { PlotPointer } from "./plot_pointer.js";
import { downloadPlot } from "./saved_plot.js";
import { countKnownRows, currentQuery, focusedQuery } from "./state.js";
import { knownRows, rowOrColumnOf } from "../derived/word_groups.js";
import { glides, isProjector, MOVE_MS, pageFont } from "../ui/page.js";
import { loadPlotly } from "../ui/libraries.js";
import { localNumber } from "../ui/numbers.js";
import { fill } from "../ui/text.js";

const NARROW = 500; // pixels
const SIGNED = { fixed: "auto", row: "row", auto: "fixed" }; // differences are small: their own maximum comes first
const LARGEST_CELL = 56, LEAST_WIDTH = 40; // pixels, in the level "picture"
const KEPT = ["colorscale", "showscale", "xgap", "ygap"]; // what of the cells another head does not change

/** What a view's rows (yaxis) and columns (xaxis) are called. */
export function axisTitles({ axes, wordAxes, text }, { level, kind, words, transposed }) {
  const { query, key } = (!words ? axes : level === "picture" ? text.plain.axes : wordAxes)[kind];
  return transposed ? { yaxis: key, xaxis: query } : { yaxis: query, xaxis: key };
}

/** Width and height of a cell in the level "picture", within the room for each: not much wider than high. */
function cellSize(width, height) {
  const down = Math.min(height, LARGEST_CELL, 2 * width);
  return [Math.min(width, Math.max(2 * down, LEAST_WIDTH)), down];
}

export class Plot {
  Plotly = null;
  scene = null;
  roomKey = "";
  key = "";
  layout = null;
  layoutKey = "";
  marksKey = "";
  revealed = "";
  /** Is called when the picture has another layout. */ onLayout = () => {};

  /**
   * `choose` holds what clicks ask for: `pin` a row or column by its label, `cell` a cell, and `open` one, by a
   * double click. `settings` hold frames, texts and the width of a label.
   */
  constructor(node, settings, choose) {
    this.node = node;
    this.settings = settings;
    this.heatmap = node.querySelector(".heatmap");
    this.measurers = measurersOf(settings.widthOf);
    node.addEventListener("scroll", () => {
      this.heatmap.style.setProperty("--scrolled", `${node.scrollLeft}px`);
      this.heatmap.style.setProperty("--scrolled-down", `${node.scrollTop}px`);
      this.hideScrolledNames();
    });
    this.pointer = new PlotPointer(this, choose);
    loadPlotly(settings.plotly).then((Plotly) => {
      this.Plotly = Plotly;
      if (this.scene && node.offsetParent) this.show();
    });
  }

  get size() {
    return [this.heatmap.clientWidth, this.heatmap.clientHeight];
  }

  /** Whether labels need the space of the colour bar and of the titles: on a narrow or an enlarged page. */
  get narrow() {
    return this.node.clientWidth < NARROW || isProjector();
  }

  /**
   * Whether this is the one plain picture of the level "picture": without titles and colour bar, labels in the page's
   * font.
   */
  get plain() {
    return this.scene.view.level === "picture";
  }

  /** The room that the labels need. */
  get labelRoom() {
    const { content, scene: { view }, settings, narrow, plain, measurers } = this;
    return new LabelRoom({
      content, isTransposed: view.transposed, title: axisTitles(settings, view).yaxis, isNarrow: narrow, isPlain: plain,
      measurers,
    });
  }

  /** How far the labels of the first columns may reach over the last of these. */
  overhang(count) {
    const { labelRoom, size: [width, height] } = this;
    return labelRoom.overhang(count, labelRoom.sizeIn(width, height));
  }

  /** Makes the picture so large that all labels stand; what the page has no room for scrolls. */
  reserveRoom() {
    const { width, height } = this.labelRoom.leastPicture();
    Object.assign(this.heatmap.style, { minWidth: `${width}px`, minHeight: `${height}px` });
  }

  /** `contentKey` names the content, so that only another one is drawn; `title` and `axes` tell what it shows. */
  draw(scene, content, contentKey, { title, axes }) {
    this.scene = scene;
    this.content = content;
    this.contentKey = contentKey;
    this.title = title;
    this.axes = axes;
    if (this.Plotly) this.show();
  }

  show() {
    const { scene: { view, theme }, contentKey, node, heatmap } = this;
    const roomKey = JSON.stringify([contentKey, view.transposed, node.clientWidth, this.labelRoom.sizes]);
    if (roomKey !== this.roomKey) this.reserveRoom();
    this.roomKey = roomKey;
    const key = JSON.stringify([roomKey, view.scale, theme, this.size]);
    if (key !== this.key) this.redraw();
    else this.step();
    this.key = key;
    const isLarger = heatmap.clientWidth > node.clientWidth || heatmap.clientHeight > node.clientHeight;
    node.classList.toggle("scrolling", isLarger);
    node.tabIndex = isLarger ? 0 : -1; // scrolls by keys
    if (isLarger) this.reveal();
    this.hideScrolledNames();
  }

  /**
   * Hides the slanted names of columns that lie below the names of the rows, over which they would hang; Plotly draws
   * all of them again.
   */
  hideScrolledNames() {
    const { heatmap, node: { scrollLeft }, layout } = this;
    for (const name of heatmap.querySelectorAll(".xaxislayer-above .xtick text")) {
      const { transform: { baseVal: transforms } } = name;
      const moved = transforms.numberOfItems ? transforms.getItem(0).matrix.e : 0;
      const left = Number(name.getAttribute("x")) + moved;
      const isBelowRows = scrollLeft > 0 && left < scrollLeft + layout.margin.l;
      name.style.visibility = isBelowRows ? "hidden" : "";
    }
  }

  /** Labels and layout are left alone where only values are others. */
  redraw() {
    const { Plotly, heatmap } = this;
    const { data, layout } = this.figure();
    heatmap.classList.toggle("bare", this.labelRoom.isBare);
    const [cells, masked] = data;
    const layoutKey = JSON.stringify([layout, KEPT.map((name) => cells[name])]);
    if (layoutKey === this.layoutKey) {
      const { z, zmin, zmax, text, colorbar } = cells, { x, y } = masked;
      Plotly.restyle(heatmap, { z: [z], text: [text], zmin, zmax, colorbar: [colorbar] }, [0]);
      if (this.content.signed) Plotly.restyle(heatmap, { x: [x], y: [y] }, [1]);
      this.step();
    } else {
      const whole = structuredClone(layout);
      const again = this.layout !== null;
      this.layoutKey = layoutKey;
      this.layout = layout;
      if (again) Plotly.react(heatmap, data, { ...whole, shapes: this.marks() });
      else this.begin(data, { ...whole, shapes: this.marks() });
      this.onLayout();
    }
    this.dress();
  }

  /** The marks move; all else stays as it is. */
  step() {
    const before = this.marksKey;
    const shapes = this.marks();
    if (this.marksKey === before) return;
    const paths = glides(this.node) ? this.markPaths() : null;
    this.Plotly.relayout(this.heatmap, { shapes }); // all at once: a single one would draw everything again
    if (paths) this.glideFrom(paths);
  }

  /** The path of each mark that is shown. */
  markPaths() {
    const paths = [...this.heatmap.querySelectorAll(".shapelayer path")];
    return new Map(paths.map((path) => [path.dataset.index, path.getAttribute("d")]));
  }

  /** What follows the step moves from where it was, and a new row appears from under its cover; in Safari at once. */
  glideFrom(before) {
    for (const path of this.heatmap.querySelectorAll(".shapelayer path")) {
      const from = before.get(path.dataset.index);
      const to = path.getAttribute("d");
      const { name } = this.heatmap.layout.shapes[path.dataset.index];
      if (!from || from === to || name === "pinned" || name === "cell") continue;
      path.animate([{ d: `path("${from}")` }, { d: `path("${to}")` }], { duration: MOVE_MS, easing: "ease-out" });
    }
  }

  /** The buttons are called in the page's language; the camera saves the picture as it is at the current step. */
  begin(data, layout) {
    const { Plotly, heatmap, settings: { text } } = this;
    const { camera, home } = Plotly.Icons;
    const [decimal, thousands] = localNumber(".,");
    const save = { name: "toImage", title: text.save, icon: camera, click: () => downloadPlot(this) };
    const reset = {
      name: "resetScale2d",
      title: text.reset,
      icon: home,
      attr: "zoom",
      val: "reset",
      click: () => this.unzoom(),
    };
    Plotly.newPlot(heatmap, data, layout, {
      doubleClick: false,
      showTips: false,
      showAxisDragHandles: false,
      displaylogo: false,
      modeBarButtons: [[save, "zoom2d", reset]],
      locale: "en",
      locales: { en: { dictionary: { Zoom: text.zoom }, format: { decimal, thousands } } },
      _baseUrl: "", // else what refers to a part of the figure names the page's address, which changes with the view
    });
    for (const type of ["plotly_afterplot", "plotly_relayout"]) heatmap.on(type, () => this.dress());
    heatmap.on("plotly_beforehover", (event) => this.pointer.allowHover(event));
    heatmap.on("plotly_click", ({ event }) => this.pointer.clickCell(event));
  }

  /** Plotly's own reset would restore the ranges of the first sentence. */
  unzoom() {
    const { xaxis, yaxis } = this.layout;
    this.Plotly.relayout(this.heatmap, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
  }

  /**
   * Gives Plotly's nodes what it has no words for: names of the marks, languages, and labels that cannot be seen yet.
   */
  dress() {
    const { heatmap, known, scene: { view: { kind, transposed } }, settings: { text, codes }, title, axes } = this;
    const focus = this.plain ? this.focus : null;
    const node = (selector) => heatmap.querySelector(selector);
    const { shapes } = heatmap.layout;
    for (const path of heatmap.querySelectorAll(".shapelayer path")) {
      path.classList.add(shapes[path.dataset.index].name);
    }
    const language = {
      query: kind === "encoder" ? codes.source : codes.target,
      key: kind === "decoder" ? codes.target : codes.source,
    };
    for (const [letter, axis] of [["x", transposed ? "query" : "key"], ["y", transposed ? "key" : "query"]]) {
      // The same letter may look otherwise in another language: Chinese and Japanese share some.
      node(`.${letter}axislayer-above`)?.setAttribute("lang", language[axis]);
      this.showLabels(letter, known[axis], focus?.[axis] ?? -1);
    }
    this.hideScrolledNames();
    heatmap.setAttribute("aria-label", fill(text.heatmap, { title }));
    const [picture, ...others] = heatmap.querySelectorAll(".main-svg");
    picture.setAttribute("role", "img");
    for (const other of others) other.setAttribute("aria-hidden", "true");
    picture.setAttribute("aria-label", fill(this.content.signed ? text.compared.shows : text.shows, { title, axes }));
  }

  /** Hides labels that are not known yet; in the plain picture those of the focused row and column are bold. */
  showLabels(letter, known, focused) {
    for (const tick of this.heatmap.querySelectorAll(`.${letter}tick`)) {
      const index = tick.__data__.x;
      tick.style.visibility = index < known ? "" : "hidden";
      tick.classList.toggle("focused", index === focused);
    }
  }

  /**
   * The current row and the column that it looks at most, or the pinned row or column; indices of rows and columns, -1
   * for none.
   */
  get focus() {
    const { content, scene: { view, map } } = this;
    const at = (axis, index) => (index === null ? -1 : rowOrColumnOf(content, { axis, index }));
    if (view.pin?.axis === "key") return { query: -1, key: at("key", view.pin.index) };
    const query = at("query", focusedQuery(view, map));
    const row = content.rows[query];
    return { query, key: row ? row.indexOf(Math.max(...row)) : -1 };
  }

  figure(step = null) {
    const { view, theme } = this.scene;
    const { narrow, labelRoom, size: [width, height] } = this;
    const { isBare } = labelRoom;
    const labelSize = labelRoom.sizeIn(width, height);
    const weights = this.settings.frames[theme][view.transposed ? "transposed" : "upright"][view.kind];
    const frame = this.content.signed ? createSignedFrame(weights, this.settings.colours[theme], view.kind) : weights;
    const margin = labelRoom.margin(labelSize);
    const { transposed } = view;
    const scale = this.content.signed ? SIGNED[view.scale] : view.scale;
    const labels = labelRoom.letters;
    const content = this.plain ? { ...this.content, special: { queries: new Set(), keys: new Set() } } : this.content;
    const figure = heatmapFigure(frame, content, { step, scale, transposed, labels, text: this.settings.text });
    Object.assign(figure.layout, {
      margin: { ...margin, autoexpand: false },
      width,
      height,
      dragmode: narrow ? false : "zoom",
    }); // a finger scrolls, until the button is pressed
    const { xaxis, yaxis, annotations: [corner] } = figure.layout;
    for (const axis of [xaxis, yaxis]) {
      axis.automargin = false;
      axis.tickfont = { ...axis.tickfont, size: labelSize };
    }
    // The title of the columns goes as far out as the margin lets it, that of the rows into the corner.
    const along = axisTitles(this.settings, view).xaxis;
    xaxis.title = isBare ? { text: "" } : { ...xaxis.title, text: along, standoff: 1000 };
    const lines = labelRoom.cornerLines(margin.l - ROOM.gap);
    figure.layout.annotations = isBare ? [] : [{ ...corner, text: lines.join("<br>") }];
    if (isBare) figure.data[0].showscale = false;
    if (this.plain) this.makePlain(figure.layout);
    return figure;
  }

  /** The level "picture": labels in the page's font, and square cells where they have room to be large. */
  makePlain(layout) {
    const { width, height, margin, xaxis, yaxis } = layout;
    const rows = yaxis.range[0] + 0.5, columns = xaxis.range[1] + 0.5;
    const [across, down] = cellSize((width - margin.l - margin.r) / columns, (height - margin.t - margin.b) / rows);
    for (const axis of [xaxis, yaxis]) axis.tickfont.family = pageFont();
    layout.margin = { ...margin, r: width - margin.l - across * columns, b: height - margin.t - down * rows };
  }

  /** The marks at the view's step; also updates `known`, the number of known rows and columns. */
  marks() {
    const { content, scene: { view, map, theme } } = this;
    const rows = knownRows(content, countKnownRows(view, map));
    const columns = content.reach[rows - 1];
    const at = (axis, index) => rowOrColumnOf(content, { axis, index });
    const current = currentQuery(view);
    this.known = { query: rows, key: columns };
    const state = {
      rows, queries: content.queries.length, columns, keys: content.keys.length,
      current: current === null ? null : at("query", current),
      pin: view.pin && { axis: view.pin.axis, index: at(view.pin.axis, view.pin.index) },
      cell: view.cell && { query: at("query", view.cell.query), key: at("key", view.cell.key) },
      transposed: view.transposed,
    };
    this.marksKey = JSON.stringify([state, theme]);
    return marks(this.settings.frames[theme].upright[view.kind].layout.shapes, state);
  }

  /** Scrolls the current row and its strongest cell into view, once, where the picture is larger than its container. */
  reveal() {
    const { content, node, scene: { view, map } } = this;
    const query = rowOrColumnOf(content, { axis: "query", index: focusedQuery(view, map) });
    const { rows: { [query]: weights } } = content;
    const key = `${this.key} ${query} ${node.clientHeight}`;
    if (!weights || key === this.revealed) return;
    this.revealed = key;
    const { width, height, margin: { l, r, t, b } } = this.layout;
    const strongest = weights.indexOf(Math.max(...weights));
    const [row, column] = view.transposed ? [strongest, query] : [query, strongest];
    const [rows, columns] = this.labelRoom.counts;
    const [left, top] = [node.scrollLeft, node.scrollTop];
    const across = { labels: l, cell: (width - l - r) / columns, index: column, room: node.clientWidth };
    const down = { labels: t, cell: (height - t - b) / rows, index: row, room: node.clientHeight };
    node.scrollTo({ left: scrollFor(left, across), top: scrollFor(top, down), behavior: "instant" });
  }
}

/** Where a container has to be scrolled so that a cell is seen beside labels that stay: as it is, or to the middle. */
function scrollFor(scrolled, { labels, cell, index, room }) {
  const start = labels + index * cell;
  const isSeen = start >= scrolled + labels && start + cell <= scrolled + room;
  return isSeen ? scrolled : start + cell / 2 - (labels + room) / 2;
}
