// The stages of a cell's arithmetic: each with its formula, numbers, strips, shapes and source code.

import { button, element } from "../../ui/element.js";
import { NUMBER_WIDTH, Grid, ROTATED_NUMBER_WIDTH, formatNumber } from "../../ui/grid.js";
import { labelColumns, createSourceLine } from "../../ui/tab.js";
import { sum } from "../../ui/tensor.js";
import { fill } from "../../ui/text.js";
import { formatDecimal } from "../../ui/numbers.js";

const VECTOR_HEIGHT = 16, STREAM_HEIGHT = 9, MAX_MATRIX_HEIGHT = 170, ROW_HEIGHT = 16;

/**
 * What is drawn: a cell with its numbers, and where it is. `dimension` is that of the projections, null for the
 * strongest one; `mistaken` are the row's weights with the selected mistake, if there is one.
 * @typedef {object} Scene
 * @property {ReturnType<typeof import("./arithmetic.js").computeCell>} cell
 * @property {Record<string, any>} head all tensors of a head, and its index
 * @property {AttentionMap} map
 * @property {{ kind: Kind, layer: number, head: number, query: number, key: number }} place
 * @property {number | null} dimension
 * @property {number[] | null} mistaken
 * @property {Record<string, any>} paint
 */

export class Stages {
  /** @type {Settings} */ settings;
  /** @type {HTMLElement} */ tip;
  /** @type {() => void} */ onToggle;
  /** @type {Record<string, HTMLElement>} By stage. */ articles;
  /** @type {HTMLElement[]} The nodes of numbers in formulas. */ values;
  /** @type {Set<string>} The open stages. */ open = new Set();
  /** By stage and name. @type {Map<string, { node: HTMLElement, span: HTMLElement, grid: Grid }>} */
  strips = new Map();
  /** @type {HTMLElement[]} The labels above strips with one number per key. */ axes = [];
  /** @type {Scene} */ scene;
  /** @type {number} Of queries and keys. */ dimension;
  /** @type {number} Of values. */ valueDimension;
  /** @type {Record<string, string | number>} What the strips' labels name. */ labels;

  /** `onToggle()` is called when the visitor has opened or closed a stage. */
  constructor(root, settings, tip, onToggle) {
    this.settings = settings;
    this.tip = tip;
    this.onToggle = onToggle;
    const articles = [...root.querySelectorAll("[data-stage]")];
    this.articles = Object.fromEntries(articles.map((node) => [node.dataset.stage, node]));
    this.values = [...root.querySelectorAll("[data-value]")];
    articles.forEach((article, i) => this.addHeading(article, i + 1));
    for (const stage of ["scale", "softmax"]) this.axes.push(this.insert(stage, element("div", { class: "axis" })));
  }

  /** Adds the title, the text with an empty remark, and the empty footer of an article. */
  addHeading(article, number) {
    const { stage } = article.dataset;
    const { title, words } = this.settings.text.stages[stage];
    const wordsNode = element("span");
    wordsNode.innerHTML = words;
    const content = [element("i", {}, number), title, element("output")];
    const toggle = button(() => this.toggle(stage), { "aria-expanded": "false" }, ...content);
    article.prepend(element("h4", {}, toggle));
    const hint = element("p", { class: "words hint" }, wordsNode, " ", element("span"));
    article.append(hint, element("div", { class: "foot" }));
  }

  toggle(stage) {
    const others = [...this.open].filter((other) => other !== stage);
    this.setOpen(this.open.has(stage) ? others : [...others, stage]);
    this.onToggle();
  }

  /** Opens these stages and closes the others. */
  setOpen(stages) {
    this.open = new Set(stages);
    for (const [stage, article] of Object.entries(this.articles)) {
      article.toggleAttribute("data-open", this.open.has(stage));
      article.querySelector("h4 button").setAttribute("aria-expanded", `${this.open.has(stage)}`);
    }
  }

  get all() {
    return Object.keys(this.articles);
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.scene = scene;
    const { cell, map, head, place } = scene;
    this.dimension = scene.dimension ?? strongestDimension(cell.product);
    this.valueDimension = Math.min(this.dimension, head.w_v.shape[0] - 1);
    this.labels = {
      query: map.queries[cell.query], key: map.keys[cell.key],
      dimension: this.dimension + 1, valueDimension: this.valueDimension + 1,
    };
    this.drawFormulas();
    this.drawResults();
    this.drawProjections();
    this.drawRows();
    this.drawValues();
    this.drawOutputs();
    for (const stage of this.settings.stages[place.kind]) this.drawFoot(stage);
  }

  /** One of the row's numbers at the cell's key; after the softmax a masked one is exactly 0. */
  formatExact(row) {
    const { isAllowed, key } = this.scene.cell;
    return isAllowed[key] ? formatNumber(row[key]) : "0";
  }

  drawFormulas() {
    const { cell, head } = this.scene;
    const values = {
      firstProduct: formatSummand(cell.product[0]),
      lastProduct: formatSummand(cell.product.at(-1)),
      dot: formatNumber(cell.dot),
      dHead: cell.q.length,
      score: formatNumber(cell.score),
      exponential: this.formatExact(cell.exponentials),
      exponentialSum: formatNumber(cell.exponentialSum),
      weight: this.formatExact(cell.weights),
      maximum: formatNumber(cell.maximum),
      heads: head.heads.shape[1],
    };
    for (const node of this.values) node.textContent = values[node.dataset.value];
  }

  /** The result of each stage in its heading. */
  drawResults() {
    const { text } = this.settings;
    const { cell, head } = this.scene;
    const values = {
      size: cell.q.length,
      valueSize: cell.v.length,
      heads: head.heads.shape[1],
      model: cell.output.length,
      dot: formatNumber(cell.dot),
      score: formatNumber(cell.score),
      masked: formatNumber(cell.masked[cell.key]),
      weight: this.formatExact(cell.weights),
    };
    for (const [stage, article] of Object.entries(this.articles)) {
      article.querySelector("output").textContent = fill(text.stages[stage].result, values);
    }
  }

  /** Draws both streams, the weights to one dimension, query and key, and their products. */
  drawProjections() {
    const { dimension } = this;
    const { cell, head, place } = this.scene;
    const queryStream = head.queries_from.row(cell.query);
    const keyStream = head.keys_from.row(cell.key);
    const streams = { scale: largestAbsolute(queryStream, keyStream), height: STREAM_HEIGHT };
    const vectors = { scale: largestAbsolute(cell.q, cell.k), frame: { row: 0, column: dimension } };
    this.vector("project", "queryStream", queryStream, streams);
    this.vector("project", "queryWeights", head.w_q.row(dimension), { height: STREAM_HEIGHT });
    this.vector("project", "q", cell.q, vectors);
    this.vector("project", "keyStream", keyStream, streams);
    this.vector("project", "keyWeights", head.w_k.row(dimension), { height: STREAM_HEIGHT });
    this.vector("project", "k", cell.k, vectors);
    this.vector("multiply", "product", cell.product, { frame: vectors.frame });
    const q = this.describeProjection("q", queryStream, dimension);
    const k = this.describeProjection("k", keyStream, dimension);
    this.addRemark("project", `${this.settings.text.from[place.kind]} ${q} ${k}`);
  }

  /** The computation of one number of a projection in words. */
  describeProjection(name, stream, dimension) {
    const { scene: { head }, settings: { text, bias: hasBias } } = this;
    const weights = head[`w_${name}`].row(dimension);
    const bias = head[`w_${name}_bias`].data[dimension];
    const dot = sum(stream.map((number, j) => number * weights[j]));
    return fill(hasBias ? text.projected : text.projectedWithoutBias, {
      name,
      number: dimension + 1,
      dot: formatNumber(dot),
      bias: formatSummand(bias),
      value: formatNumber(dot + bias),
    });
  }

  /** Draws the strips with one number per key. */
  drawRows() {
    const { scene: { cell, map, mistaken, place }, settings: { text } } = this;
    for (const axis of this.axes) labelColumns(axis, map.keys);
    const scale = largestAbsolute(cell.scores);
    const isMasked = (_, column) => !cell.isAllowed[column];
    this.row("scale", "scores", cell.scores, { scale });
    this.row("mask", "masked", cell.masked, { scale, masked: isMasked });
    this.row("softmax", "exponentials", cell.exponentials, { masked: isMasked });
    this.row("softmax", "weights", cell.weights, { masked: isMasked });
    const previousStrip = this.strips.get("softmax mistaken");
    if (previousStrip) previousStrip.node.hidden = !mistaken; // before it is drawn, because drawing needs its width
    if (mistaken) this.row("softmax", "mistaken", mistaken, { masked: isMasked });
    const count = cell.isAllowed.filter((isAllowed) => !isAllowed).length;
    const check = count ? text.check : text.checkUnmasked;
    const masked = count ? text.someMasked : text.noneMasked[place.kind];
    this.addRemark("softmax", fill(check, { sum: formatDecimal(cell.rowSum, 6), count }));
    this.addRemark("mask", fill(masked, { count, keys: cell.isAllowed.length }));
  }

  /** Draws the key's value, the weights to one of its dimensions, all weighted values, and their sum. */
  drawValues() {
    const { scene: { cell, head, map }, valueDimension: column, settings: { text } } = this;
    const stream = head.keys_from.row(cell.key);
    const rows = cell.weighted;
    const scale = largestAbsolute(cell.v, cell.headOutput, ...rows); // one for all, so that steps can be compared
    this.vector("values", "keyStream", stream, { height: STREAM_HEIGHT });
    this.vector("values", "valueWeights", head.w_v.row(column), { height: STREAM_HEIGHT });
    this.vector("values", "value", cell.v, { scale, frame: { row: 0, column } });
    this.strip("values", "weighted", rows, {
      scale, height: Math.max(3, Math.min(ROW_HEIGHT, MAX_MATRIX_HEIGHT / rows.length)), room: NUMBER_WIDTH,
      frame: { row: cell.key, column: null }, masked: (row) => !cell.isAllowed[row],
      name: (row, column) => fill(text.element, { strip: map.keys[row], number: column + 1 }),
    });
    this.vector("values", "headOutput", cell.headOutput, { scale });
    this.addRemark("values", this.describeProjection("v", stream, column));
  }

  drawOutputs() {
    const { scene: { cell, head, place }, settings: { text } } = this;
    const width = head.heads.shape[2];
    this.vector("concatenate", "concatenated", cell.concatenated, {
      cuts: width, room: Infinity, frame: { row: 0, column: place.head * width, columns: width },
      name: (_, column) => fill(text.ofHead, { head: Math.floor(column / width) + 1, number: (column % width) + 1 }),
    });
    this.vector("output", "output", cell.output, { room: Infinity });
  }

  vector(stage, name, values, options) {
    const usual = { scale: largestAbsolute(values), height: VECTOR_HEIGHT, room: NUMBER_WIDTH };
    this.strip(stage, name, [values], { ...usual, ...options });
  }

  row(stage, name, values, options) {
    const { cell, map } = this.scene;
    this.strip(stage, name, [values], {
      scale: 1,
      height: ROW_HEIGHT + 4,
      room: ROTATED_NUMBER_WIDTH,
      frame: { row: 0, column: cell.key },
      name: (_, column) => map.keys[column],
      ...options,
    });
  }

  /** Draws a labelled strip of an open stage; creates it the first time. */
  strip(stage, name, rows, options) {
    if (!this.open.has(stage)) return;
    const { text } = this.settings;
    const id = `${stage} ${name}`;
    const label = fill(text.strips[name], this.labels);
    if (!this.strips.has(id)) this.strips.set(id, this.makeStrip(stage, name));
    const { span, grid } = this.strips.get(id);
    span.textContent = label;
    span.title = label;
    grid.canvas.setAttribute("aria-label", label);
    const nameOf = (_, column) => fill(text.element, { strip: label, number: column + 1 });
    grid.draw({ name: nameOf, ...this.scene.paint, rows, ...options });
  }

  makeStrip(stage, name) {
    const span = element("span");
    const canvas = element("canvas", { role: "img" });
    const node = element("div", { class: "strip", "data-strip": name }, span, canvas);
    return { node: this.insert(stage, node), span, grid: new Grid(canvas, this.tip) };
  }

  /** Inserts a node after the strips of a stage. */
  insert(stage, node) {
    const article = this.articles[stage];
    return article.insertBefore(node, article.querySelector(".mistake, .words"));
  }

  /** Sets the remark about this cell. */
  addRemark(stage, remark) {
    this.articles[stage].querySelector(".words").lastChild.textContent = remark;
  }

  /** Draws the shapes in symbols and numbers, and the lines of the model's source. */
  drawFoot({ name, shapes, excerpts }) {
    const { head, cell } = this.scene;
    const [queries, keys] = head.mask.shape;
    const [, heads, dValue] = head.heads.shape;
    const sizes = { batch: 1, head: heads, query: queries, key: keys, d_head: cell.q.length, d_value: dValue,
      d_model: cell.output.length, "head·d_value": heads * dValue };
    const shapeText = ([result, axes]) => {
      const names = axes.split(" ");
      return `${result} [${names.join(", ")}] = [${names.map((axis) => sizes[axis]).join(", ")}]`;
    };
    const shapeNodes = Object.entries(shapes).map((entry) => element("span", {}, shapeText(entry)));
    this.articles[name].querySelector(".foot").replaceChildren(...shapeNodes, ...excerpts.map(createSourceLine));
  }
}

/** The dimension with the largest absolute product. */
function strongestDimension(product) {
  return product.reduce((best, number, i) => (Math.abs(number) > Math.abs(product[best]) ? i : best), 0);
}

/** A number as a summand: negative ones in parentheses. */
function formatSummand(number) {
  return number < 0 ? `(${formatNumber(number)})` : formatNumber(number);
}

/** The largest finite absolute number of all rows. */
function largestAbsolute(...rows) {
  const size = (number) => (Number.isFinite(number) ? Math.abs(number) : 0);
  const largest = (start, row) => row.reduce((maximum, number) => Math.max(maximum, size(number)), start);
  return rows.reduce(largest, 1e-12);
}
