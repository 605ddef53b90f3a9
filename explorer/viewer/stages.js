// The stages of a cell's arithmetic on the page: for each its formula with the numbers, its strips, shapes and source.

import { ACROSS, Grid, UPWARDS, written } from "./grid.js";
import { labelColumns, node, sourceLine } from "./room.js";
import { sum } from "./cell.js";
import { fill } from "./text.js";

const VECTOR = 16, STREAM = 9, FIELD = 170, ROW = 16;

export class Stages {
  constructor(root, settings, tip) {
    Object.assign(this, { settings, tip, strips: new Map(), axes: [] });
    const articles = [...root.querySelectorAll("[data-stage]")];
    this.articles = Object.fromEntries(articles.map((node) => [node.dataset.stage, node]));
    this.values = [...root.querySelectorAll("[data-value]")];
    articles.forEach((article, i) => this.frame(article, i + 1));
    for (const stage of ["scale", "softmax"]) this.axes.push(this.insert(stage, Object.assign(node("div"), { className: "axis" })));
  }

  /** Title and words, with room for a remark, and a place for shapes and source. */
  frame(article, number) {
    const { title, words } = this.settings.text.stages[article.dataset.stage];
    const heading = document.createElement("h4");
    heading.append(Object.assign(document.createElement("i"), { textContent: number }), title);
    const said = Object.assign(node("p"), { className: "words hint" });
    said.append(Object.assign(node("span"), { innerHTML: words }), " ", node("span"));
    article.prepend(heading);
    article.append(said, Object.assign(document.createElement("div"), { className: "foot" }));
  }

  draw(scene) {
    Object.assign(this, scene);
    this.dimension = scene.dimension ?? strongest(scene.cell.product);
    this.drawValues();
    this.drawVectors();
    this.drawRows();
    this.drawOutputs();
    for (const stage of this.settings.stages[this.place.kind]) this.foot(stage);
  }

  drawValues() {
    const { cell, head } = this;
    const values = {
      firstProduct: summand(cell.product[0]), lastProduct: summand(cell.product.at(-1)), dot: written(cell.dot),
      dHead: cell.q.length, score: written(cell.score), exponential: cell.allowed[cell.key] ? written(cell.exponentials[cell.key]) : "0",
      exponentialSum: written(cell.exponentialSum), weight: cell.allowed[cell.key] ? written(cell.weights[cell.key]) : "0",
      maximum: written(cell.maximum), heads: head.heads.shape[1],
    };
    for (const node of this.values) node.textContent = values[node.dataset.value];
  }

  /** What belongs to the query and the key alone, one number above the other. */
  drawVectors() {
    const { cell, head, map, settings: { text } } = this;
    const query = map.queries[cell.query], key = map.keys[cell.key];
    const streams = [head.queries_from.row(cell.query), head.keys_from.row(cell.key)];
    const scale = largest(...streams), both = largest(cell.q, cell.k);
    const column = this.dimension, frame = { row: 0, column };
    const vector = (stage, name, piece, values, options) => {
      this.strip(stage, name, fill(text.strips[name], { piece }), [values], {
        scale: largest(values), height: VECTOR, room: ACROSS, ...options,
      });
    };
    vector("project", "queryStream", query, streams[0], { scale, height: STREAM });
    vector("project", "queryWeights", column + 1, head.w_q.row(column), { height: STREAM });
    vector("project", "q", query, cell.q, { scale: both, frame });
    vector("project", "keyStream", key, streams[1], { scale, height: STREAM });
    vector("project", "keyWeights", column + 1, head.w_k.row(column), { height: STREAM });
    vector("project", "k", key, cell.k, { scale: both, frame });
    vector("multiply", "product", "", cell.product, { frame });
    const sums = [this.projected("q", streams[0], head.w_q, head.w_q_bias), this.projected("k", streams[1], head.w_k, head.w_k_bias)];
    this.say("project", [text.from[this.place.kind], ...sums].join(" "));
  }

  /** One number of a projection, from the stream and the weights. */
  projected(name, stream, weights, biases) {
    const column = Math.min(this.dimension, biases.shape[0] - 1);
    const dot = sum(stream.map((number, j) => number * weights.row(column)[j])), bias = biases.data[column];
    const values = { name, number: column + 1, dot: written(dot), bias: summand(bias), value: written(dot + bias) };
    return fill(this.settings.text[this.settings.bias ? "projected" : "projectedWithoutBias"], values);
  }

  /** What has one number for every key. */
  drawRows() {
    const { cell, map, mistaken, settings: { text } } = this;
    const hidden = (_, column) => !cell.allowed[column];
    const frame = { row: 0, column: cell.key };
    const name = (_, column) => map.keys[column];
    const scores = largest(cell.scores);
    const row = (stage, strip, values, options) => {
      this.strip(stage, strip, text.strips[strip], [values], { frame, name, height: ROW + 4, room: UPWARDS, ...options });
    };
    for (const axis of this.axes) labelColumns(axis, map.keys);
    row("scale", "scores", cell.scores, { scale: scores });
    row("mask", "masked", cell.masked, { scale: scores, masked: hidden });
    row("softmax", "exponentials", cell.exponentials, { scale: 1, masked: hidden });
    row("softmax", "weights", cell.weights, { scale: 1, masked: hidden });
    const before = this.strips.get("softmax mistaken");
    if (before) before.node.hidden = !mistaken; // shown again before it is drawn, which needs its width
    if (mistaken) row("softmax", "mistaken", mistaken, { scale: 1, masked: hidden });
    const count = cell.allowed.filter((may) => !may).length;
    const check = count ? text.check : text.checkUnmasked;
    this.say("softmax", fill(check, { sum: cell.rowSum.toFixed(6), count }));
    this.say("mask", fill(count ? text.someMasked : text.noneMasked[this.place.kind], { count, keys: cell.allowed.length }));
  }

  drawOutputs() {
    const { cell, head, map, place, settings: { text } } = this;
    const rows = cell.weighted, width = head.heads.shape[2];
    const height = Math.max(3, Math.min(ROW, FIELD / rows.length));
    const column = Math.min(this.dimension, width - 1);
    const scale = largest(cell.v, cell.headOutput, ...rows); // one for all three, so that weighing and adding up are seen
    const stream = head.keys_from.row(cell.key), piece = map.keys[cell.key];
    const vector = (name, label, values, options) => {
      this.strip("values", name, label, [values], { scale, height: VECTOR, room: ACROSS, ...options });
    };
    vector("keyStream", fill(text.strips.keyStream, { piece }), stream, { scale: largest(stream), height: STREAM });
    const weights = head.w_v.row(column);
    vector("valueWeights", fill(text.strips.valueWeights, { piece: column + 1 }), weights, { scale: largest(weights), height: STREAM });
    vector("value", fill(text.strips.value, { piece }), cell.v, { frame: { row: 0, column } });
    this.strip("values", "weighted", text.strips.weighted, rows, {
      scale, height, frame: { row: cell.key, column: null }, room: ACROSS, masked: (row) => !cell.allowed[row],
      name: (row, column) => `${map.keys[row]} [${column + 1}]`,
    });
    vector("headOutput", text.strips.headOutput, cell.headOutput);
    this.say("values", this.projected("v", stream, head.w_v, head.w_v_bias));
    this.strip("concatenate", "concatenated", text.strips.concatenated, [cell.concatenated], {
      scale: largest(cell.concatenated), height: VECTOR, cuts: width,
      frame: { row: 0, column: place.head * width, columns: width },
      name: (_, column) => fill(text.ofHead, { head: Math.floor(column / width) + 1, number: (column % width) + 1 }),
    });
    this.strip("output", "output", fill(text.strips.output, { piece: map.queries[cell.query] }), [cell.output], {
      scale: largest(cell.output), height: VECTOR,
    });
  }

  /** A labelled strip of a stage, made when it is first drawn. */
  strip(stage, name, label, rows, scene) {
    const id = `${stage} ${name}`;
    if (!this.strips.has(id)) this.strips.set(id, this.makeStrip(stage, name));
    const { span, grid } = this.strips.get(id);
    span.textContent = span.title = label;
    grid.canvas.setAttribute("aria-label", label);
    grid.draw({ name: (_, column) => `${label} [${column + 1}]`, ...this.paint, rows, ...scene });
  }

  makeStrip(stage, name) {
    const node = document.createElement("div"), span = document.createElement("span");
    const canvas = document.createElement("canvas");
    node.className = "strip";
    node.dataset.strip = name;
    canvas.setAttribute("role", "img");
    node.append(span, canvas);
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
    const shown = Object.entries(shapes).map((entry) => node("span", shape(entry)));
    articles[name].querySelector(".foot").replaceChildren(...shown, ...excerpts.map(sourceLine));
  }
}

/** The dimension that counts most in the dot product. */
function strongest(product) {
  return product.reduce((best, number, i) => (Math.abs(number) > Math.abs(product[best]) ? i : best), 0);
}

/** A number after a plus sign. */
function summand(number) {
  return number < 0 ? `(${written(number)})` : written(number);
}

/** The largest finite number of all rows, without its sign. */
function largest(...rows) {
  const size = (number) => (Number.isFinite(number) ? Math.abs(number) : 0);
  return rows.reduce((most, row) => row.reduce((so, number) => Math.max(so, size(number)), most), 1e-12);
}
