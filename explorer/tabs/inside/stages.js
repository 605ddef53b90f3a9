// The stages of a cell's arithmetic on the page: for each its formula with the numbers, its strips, shapes and source.

import { element } from "../../ui/element.js";
import { NUMBER_WIDTH, Grid, ROTATED_NUMBER_WIDTH, formatNumber } from "../../ui/grid.js";
import { labelColumns, createSourceLine } from "../../ui/tab.js";
import { sum } from "../../ui/tensor.js";
import { fill } from "../../ui/text.js";

const VECTOR = 16, STREAM = 9, FIELD = 170, ROW = 16;

export class Stages {
  constructor(root, settings, tip) {
    Object.assign(this, { settings, tip, strips: new Map(), axes: [] });
    const articles = [...root.querySelectorAll("[data-stage]")];
    this.articles = Object.fromEntries(articles.map((node) => [node.dataset.stage, node]));
    this.values = [...root.querySelectorAll("[data-value]")];
    articles.forEach((article, i) => this.frame(article, i + 1));
    for (const stage of ["scale", "softmax"]) this.axes.push(this.insert(stage, element("div", { class: "axis" })));
  }

  /** Title and words, with room for a remark, and a place for shapes and source. */
  frame(article, number) {
    const { title, words } = this.settings.text.stages[article.dataset.stage];
    const said = element("span");
    said.innerHTML = words;
    article.prepend(element("h4", {}, element("i", {}, number), title));
    article.append(element("p", { class: "words hint" }, said, " ", element("span")), element("div", { class: "foot" }));
  }

  draw(scene) {
    Object.assign(this, scene);
    const { cell, map, head } = this;
    this.dimension = scene.dimension ?? strongest(cell.product);
    this.valueDimension = Math.min(this.dimension, head.w_v.shape[0] - 1);
    this.named = {
      query: map.queries[cell.query], key: map.keys[cell.key],
      dimension: this.dimension + 1, valueDimension: this.valueDimension + 1,
    };
    this.drawFormulas();
    this.drawProjections();
    this.drawRows();
    this.drawValues();
    this.drawOutputs();
    for (const stage of this.settings.stages[this.place.kind]) this.foot(stage);
  }

  drawFormulas() {
    const { cell, head } = this;
    const exact = (number) => (cell.allowed[cell.key] ? formatNumber(number) : "0"); // a masked weight is not merely small
    const values = {
      firstProduct: summand(cell.product[0]), lastProduct: summand(cell.product.at(-1)), dot: formatNumber(cell.dot),
      dHead: cell.q.length, score: formatNumber(cell.score), exponential: exact(cell.exponentials[cell.key]),
      exponentialSum: formatNumber(cell.exponentialSum), weight: exact(cell.weights[cell.key]),
      maximum: formatNumber(cell.maximum), heads: head.heads.shape[1],
    };
    for (const node of this.values) node.textContent = values[node.dataset.value];
  }

  /** Two streams, the weights to one dimension, the query and key that they make, and their products. */
  drawProjections() {
    const { cell, head, dimension } = this;
    const asking = head.queries_from.row(cell.query), asked = head.keys_from.row(cell.key);
    const streams = { scale: largest(asking, asked), height: STREAM };
    const vectors = { scale: largest(cell.q, cell.k), frame: { row: 0, column: dimension } };
    this.vector("project", "queryStream", asking, streams);
    this.vector("project", "queryWeights", head.w_q.row(dimension), { height: STREAM });
    this.vector("project", "q", cell.q, vectors);
    this.vector("project", "keyStream", asked, streams);
    this.vector("project", "keyWeights", head.w_k.row(dimension), { height: STREAM });
    this.vector("project", "k", cell.k, vectors);
    this.vector("multiply", "product", cell.product, { frame: vectors.frame });
    const q = this.projected("q", asking, dimension), k = this.projected("k", asked, dimension);
    this.say("project", `${this.settings.text.from[this.place.kind]} ${q} ${k}`);
  }

  /** In words: one number of a projection, from the stream and the weights. */
  projected(name, stream, dimension) {
    const { head, settings: { text, bias } } = this;
    const weights = head[`w_${name}`].row(dimension), added = head[`w_${name}_bias`].data[dimension];
    const dot = sum(stream.map((number, j) => number * weights[j]));
    const values = { name, number: dimension + 1, dot: formatNumber(dot), bias: summand(added), value: formatNumber(dot + added) };
    return fill(bias ? text.projected : text.projectedWithoutBias, values);
  }

  /** What has one number for every key. */
  drawRows() {
    const { cell, map, mistaken, settings: { text } } = this;
    for (const axis of this.axes) labelColumns(axis, map.keys);
    const scores = largest(cell.scores), masked = (_, column) => !cell.allowed[column];
    this.row("scale", "scores", cell.scores, { scale: scores });
    this.row("mask", "masked", cell.masked, { scale: scores, masked });
    this.row("softmax", "exponentials", cell.exponentials, { masked });
    this.row("softmax", "weights", cell.weights, { masked });
    const before = this.strips.get("softmax mistaken");
    if (before) before.node.hidden = !mistaken; // shown again before it is drawn, which needs its width
    if (mistaken) this.row("softmax", "mistaken", mistaken, { masked });
    const count = cell.allowed.filter((may) => !may).length;
    this.say("softmax", fill(count ? text.check : text.checkUnmasked, { sum: cell.rowSum.toFixed(6), count }));
    this.say("mask", fill(count ? text.someMasked : text.noneMasked[this.place.kind], { count, keys: cell.allowed.length }));
  }

  /** The key's value and the weights to one dimension of it; all values weighed, and their sum. */
  drawValues() {
    const { cell, head, map, valueDimension: column, settings: { text } } = this;
    const stream = head.keys_from.row(cell.key), rows = cell.weighted;
    const scale = largest(cell.v, cell.headOutput, ...rows); // one for all, so that weighing and adding up are seen
    this.vector("values", "keyStream", stream, { height: STREAM });
    this.vector("values", "valueWeights", head.w_v.row(column), { height: STREAM });
    this.vector("values", "value", cell.v, { scale, frame: { row: 0, column } });
    this.strip("values", "weighted", rows, {
      scale, height: Math.max(3, Math.min(ROW, FIELD / rows.length)), room: NUMBER_WIDTH,
      frame: { row: cell.key, column: null }, masked: (row) => !cell.allowed[row],
      name: (row, column) => fill(text.element, { strip: map.keys[row], number: column + 1 }),
    });
    this.vector("values", "headOutput", cell.headOutput, { scale });
    this.say("values", this.projected("v", stream, column));
  }

  drawOutputs() {
    const { cell, head, place, settings: { text } } = this;
    const width = head.heads.shape[2];
    this.vector("concatenate", "concatenated", cell.concatenated, {
      cuts: width, room: Infinity, frame: { row: 0, column: place.head * width, columns: width },
      name: (_, column) => fill(text.ofHead, { head: Math.floor(column / width) + 1, number: (column % width) + 1 }),
    });
    this.vector("output", "output", cell.output, { room: Infinity });
  }

  vector(stage, name, values, options) {
    this.strip(stage, name, [values], { scale: largest(values), height: VECTOR, room: NUMBER_WIDTH, ...options });
  }

  row(stage, name, values, options) {
    const { cell, map } = this;
    this.strip(stage, name, [values], {
      scale: 1, height: ROW + 4, room: ROTATED_NUMBER_WIDTH, frame: { row: 0, column: cell.key }, name: (_, column) => map.keys[column], ...options,
    });
  }

  /** A labelled strip of a stage, made when it is first drawn. */
  strip(stage, name, rows, scene) {
    const { strips, element } = this.settings.text;
    const id = `${stage} ${name}`, label = fill(strips[name], this.named);
    if (!this.strips.has(id)) this.strips.set(id, this.makeStrip(stage, name));
    const { span, grid } = this.strips.get(id);
    span.textContent = span.title = label;
    grid.canvas.setAttribute("aria-label", label);
    grid.draw({ name: (_, column) => fill(element, { strip: label, number: column + 1 }), ...this.paint, rows, ...scene });
  }

  makeStrip(stage, name) {
    const span = element("span"), canvas = element("canvas", { role: "img" });
    const node = element("div", { class: "strip", "data-strip": name }, span, canvas);
    return { node: this.insert(stage, node), span, grid: new Grid(canvas, this.tip) };
  }

  /** Puts a node after the strips that a stage has so far. */
  insert(stage, node) {
    const article = this.articles[stage];
    return article.insertBefore(node, article.querySelector(".mistake, .words"));
  }

  /** What there is to add about this very cell. */
  say(stage, remark) {
    this.articles[stage].querySelector(".words").lastChild.textContent = remark;
  }

  /** Shapes in symbols and numbers, and the lines of the model. */
  foot({ name, shapes, excerpts }) {
    const { head, cell, articles } = this;
    const [queries, keys] = head.mask.shape, [, heads, dValue] = head.heads.shape;
    const sizes = { batch: 1, head: heads, query: queries, key: keys, d_head: cell.q.length, d_value: dValue,
      d_model: cell.output.length, "head·d_value": heads * dValue };
    const shape = ([result, axes]) => {
      const names = axes.split(" ");
      return `${result} [${names.join(", ")}] = [${names.map((axis) => sizes[axis]).join(", ")}]`;
    };
    const shown = Object.entries(shapes).map((entry) => element("span", {}, shape(entry)));
    articles[name].querySelector(".foot").replaceChildren(...shown, ...excerpts.map(createSourceLine));
  }
}

/** The dimension that counts most in the dot product. */
function strongest(product) {
  return product.reduce((best, number, i) => (Math.abs(number) > Math.abs(product[best]) ? i : best), 0);
}

/** A number after a plus sign. */
function summand(number) {
  return number < 0 ? `(${formatNumber(number)})` : formatNumber(number);
}

/** The largest finite number of all rows, without its sign. */
function largest(...rows) {
  const size = (number) => (Number.isFinite(number) ? Math.abs(number) : 0);
  return rows.reduce((most, row) => row.reduce((so, number) => Math.max(so, size(number)), most), 1e-12);
}
