// A heatmap's figure on the screen. The figure is what Plotly would draw, and draws into a saved picture; here it is
// drawn as Plotly would, at a tenth of the work: cells and hatching on one canvas, labels as text of the page.

import { pixelRatio } from "../ui/page.js";
import { registerDraw } from "../ui/svg_replay.js";

const LABEL = { row: 1, column: [1.4, 7.9] }; // pixels from the cells to where a label begins
const BAR = 10; // pixels that the colour scale is shorter at both ends

const PARTS = `
  <canvas class="cells" role="img"></canvas>
  <div class="rows" aria-hidden="true"></div><div class="columns" aria-hidden="true"></div>
  <span class="title down" aria-hidden="true"></span><span class="title along" aria-hidden="true"></span>
  <div class="scale" aria-hidden="true"><i></i></div>
`;

export class Picture {
  /** `node` is empty; it then holds the figure it shows as `data` and `layout`, as a node of Plotly does. */
  constructor(node) {
    node.innerHTML = PARTS;
    const part = (name) => node.querySelector(`.${name}`);
    Object.assign(this, { node, figure: null });
    this.part = Object.fromEntries(["cells", "rows", "columns", "down", "along", "scale"].map((name) => [name, part(name)]));
    registerDraw(this.part.cells, () => this.figure && this.paintCanvas());
  }

  /** Draws a figure in the size of its node; whatever was enlarged is whole again. */
  draw(figure) {
    const { layout, data: [{ z }] } = figure;
    const { l, t, r, b } = layout.margin;
    const { clientWidth, clientHeight } = this.node;
    this.place = { l, t, w: clientWidth - l - r, h: clientHeight - t - b };
    this.whole = { x: layout.xaxis.range, y: layout.yaxis.range };
    Object.assign(this, { figure, shape: [z.length, z[0]?.length ?? 0] });
    Object.assign(this.node, figure);
    this.node.style.color = layout.font.color;
    this.titles();
    this.scale();
    this.cells = cellsOf(figure);
    this.paint();
  }

  /** What each axis shows, from the top and from the left. */
  get ranges() {
    const { xaxis, yaxis } = this.figure.layout;
    return { x: xaxis.range, y: [yaxis.range[1], yaxis.range[0]] };
  }

  /** A picture that was never drawn, as a second one, is not enlarged. */
  get zoomed() {
    if (!this.figure) return false;
    const { xaxis, yaxis } = this.figure.layout;
    return xaxis.range !== this.whole.x || yaxis.range !== this.whole.y;
  }

  /** Shows a part, from the top and from the left; of an axis that is left out, what it shows already. */
  zoom({ x, y }) {
    const { xaxis, yaxis } = this.figure.layout;
    if (x) xaxis.range = x;
    if (y) yaxis.range = [y[1], y[0]];
    this.paint();
  }

  unzoom() {
    this.figure.layout.xaxis.range = this.whole.x;
    this.figure.layout.yaxis.range = this.whole.y;
    this.paint();
  }

  /** Where a column and a row lie among the cells, in pixels. */
  get ways() {
    const { place: { w, h }, ranges: { x, y } } = this;
    return { across: (column) => ((column - x[0]) * w) / (x[1] - x[0]), down: (row) => ((row - y[0]) * h) / (y[1] - y[0]) };
  }

  /** All that a zoom changes. */
  paint() {
    this.paintCanvas();
    const { part: { rows, columns }, place: { l, t }, ranges: { x, y }, ways: { across, down } } = this;
    const { xaxis, yaxis } = this.figure.layout;
    labels(rows, yaxis, "ytick", (row) => row >= y[0] && row <= y[1] && `right:calc(100% - ${l - LABEL.row}px);top:${t + down(row)}px`);
    const [aside, above] = LABEL.column;
    labels(columns, xaxis, "xtick", (column) => column >= x[0] && column <= x[1]
      && `left:${l + across(column) + aside}px;top:${t - above}px`);
  }

  /** Cells and hatching. */
  paintCanvas() {
    const { place: { l, t, w, h }, part: { cells }, ways: { across, down } } = this, ratio = pixelRatio();
    Object.assign(cells, { width: Math.max(0, w * ratio), height: Math.max(0, h * ratio) });
    Object.assign(cells.style, { left: `${l}px`, top: `${t}px`, width: `${w}px`, height: `${h}px` });
    const context = cells.getContext("2d");
    context.scale(ratio, ratio);
    this.paintCells(context, across, down);
    hatch(context, this.figure.data[1], across, down);
  }

  paintCells(context, across, down) {
    const { place: { w, h }, shape: [rows, columns], figure: { data: [{ xgap }] } } = this;
    context.imageSmoothingEnabled = false;
    const [left, top] = [across(-0.5), down(-0.5)];
    context.drawImage(this.cells, left, top, across(columns - 0.5) - left, down(rows - 0.5) - top);
    if (!xgap) return;
    const ratio = pixelRatio(), whole = (place) => Math.round(place * ratio) / ratio; // pixels of the screen
    const gap = whole(xgap);
    for (let i = 0; i < columns; i++) context.clearRect(whole(across(i + 0.5)) - gap, 0, gap, h);
    for (let i = 0; i < rows; i++) context.clearRect(0, whole(down(i + 0.5)) - gap, w, gap);
  }

  titles() {
    const { place: { l, t, w, h }, part: { down, along }, figure: { layout: { xaxis, yaxis } } } = this;
    down.textContent = yaxis.title.text;
    along.textContent = xaxis.title.text;
    down.style.top = `${t + h / 2}px`;
    along.style.left = `${l + w / 2}px`;
  }

  scale() {
    const { place: { l, t, w, h }, part: { scale }, figure: { data: [{ showscale, colorscale, colorbar, zmin = 0, zmax }] } } = this;
    scale.hidden = showscale === false;
    if (scale.hidden) return;
    Object.assign(scale.style, { left: `${l + w + 20}px`, top: `${t + BAR}px`, height: `${h - 2 * BAR}px` });
    const ground = document.createElement("i");
    ground.style.background = `linear-gradient(to top, ${colorscale.map(([at, colour]) => `${colour} ${100 * at}%`).join(", ")})`;
    const marks = colorbar.tickvals.map((value, i) => {
      const mark = Object.assign(document.createElement("span"), { textContent: colorbar.ticktext?.[i] ?? value });
      mark.style.bottom = `${(100 * (value - zmin)) / (zmax - zmin)}%`;
      return mark;
    });
    scale.replaceChildren(ground, ...marks);
  }

  /** The row and column of the figure under a point of the screen, or null where no cell is. */
  cellAt({ clientX, clientY }) {
    const { left, top, width, height } = this.part.cells.getBoundingClientRect();
    const { x, y } = this.ranges;
    const column = Math.round(x[0] + ((clientX - left) / width) * (x[1] - x[0]));
    const row = Math.round(y[0] + ((clientY - top) / height) * (y[1] - y[0]));
    const weight = this.figure.data[0].z[row]?.[column];
    return weight === undefined || Number.isNaN(weight) ? null : { row, column };
  }

  /** Where a cell lies in the node, in pixels. */
  placeOf({ row, column }) {
    const { place: { l, t, w, h }, ranges: { x, y } } = this;
    const across = w / (x[1] - x[0]), down = h / (y[1] - y[0]);
    return { left: l + (column - 0.5 - x[0]) * across, top: t + (row - 0.5 - y[0]) * down, width: across, height: down };
  }
}

/** One pixel for every cell, as opaque as its colour is strong: the scale goes from nothing to one colour, or below zero to another. */
function cellsOf({ data: [{ z, zmax, colorscale }] }) {
  const [below, above] = [colorscale[0], colorscale.at(-1)].map(([, css]) => css.match(/\d+/g).map(Number))
    .map(([red, green, blue]) => red | (green << 8) | (blue << 16));
  const width = Math.max(1, z[0]?.length ?? 0), height = Math.max(1, z.length);
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  z.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      const share = (row[x] || 0) / zmax;
      pixels[y * width + x] = (share < 0 ? below : above) | (Math.round(255 * Math.min(1, Math.abs(share))) << 24);
    }
  });
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** Slanted lines inside an outline, or several with a null between them, as Plotly's pattern has them. */
function hatch(context, { x, y, fillpattern: { size, solidity, fgcolor } }, across, down) {
  if (!x.length) return;
  context.save();
  context.beginPath();
  let draw = "moveTo";
  x.forEach((column, i) => {
    if (column !== null) context[draw](across(column), down(y[i]));
    draw = column === null ? "moveTo" : "lineTo";
  });
  context.clip();
  context.beginPath();
  const { width, height } = context.canvas;
  for (let at = 0; at < width + height; at += size * Math.SQRT2) {
    context.moveTo(at, 0);
    context.lineTo(0, at);
  }
  Object.assign(context, { strokeStyle: fgcolor, lineWidth: size * solidity });
  context.stroke();
  context.restore();
}

/** The texts of an axis; `styleOf` says where one stands, or false. Plotly's texts are HTML, a visitor's in it escaped. */
function labels(node, { tickvals, ticktext, tickfont }, name, styleOf) {
  const shown = tickvals.map((at, i) => [at, styleOf(at), ticktext[i]]).filter(([, style]) => style);
  node.style.font = `${tickfont.size}px/13px ${tickfont.family}`;
  node.innerHTML = shown.map(([at, style, text]) => `<span class="${name}" data-at="${at}" style="${style}">${text}</span>`).join("");
}
