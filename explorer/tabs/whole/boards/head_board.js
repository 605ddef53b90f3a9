// A head as one equation of matrices: what each token asks, offers and gives, how well they fit, and what comes of it.
// Hovering any matrix moves the frames through all of them.

import { axesOf, plainLabel } from "../../../derived/trace.js";
import { button, element, svg } from "../../../ui/element.js";
import { formatPercent, localNumber } from "../../../ui/numbers.js";
import { onLookChange } from "../../../ui/page.js";
import { updateOptions } from "../../../ui/tab.js";
import { sum } from "../../../ui/tensor.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { fillNodes, numberNode, symbolNodes, tokenNode } from "./board_text.js";
import { changeOf, equationOf, forbiddenShare, mistakesOf, multiply, transpose } from "./equation.js";
import { strongestKey } from "../guide/head_looks.js";
import { layoutHead } from "./head_layout.js";
import { Matrix, isSamePaint } from "./matrix.js";
import { kindOf } from "../place.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */
/** @typedef {import("./equation.js").HeadTensors} HeadTensors */

/** The matrices in the order of the equation, with their names in formulas. */
const SYMBOLS = {
  x: "X", w_q: "W_Q", q: "Q", k: "K^T", products: "QK^T", scores: "", weights: "",
  v: "V", mix: "", w_o: "W_O", added: "",
};
/** The matrices with a number of their own, by the name of its place. */
const OPENS = { q: "q", k: "k", v: "v", products: "weights", scores: "weights", weights: "weights", mix: "mix" };
const VISIBLE_CHANGE = 0.005; // of a weight with two decimals
/** The matrices that a mistake changes. */
const MISTAKEN = ["scores", "weights", "mix", "added"];
const MISTAKEN_BY = { dropped: ["weights", "mix", "added"], mislabelled: ["weights"] };

/**
 * What the frames mark: a query and a key, and the cell of one matrix whose numbers the sentence tells.
 * @typedef {{ query: number, key: number, matrix: string, cell: MatrixCell | null }} Focus
 */

/**
 * What a board shows. `wO` are the rows of the output projection that belong to the head, [d_value d_model]; null
 * while they are loading. `before` gives a weight of the unchanged run, where another one is shown; null if a token is
 * new there.
 * @typedef {{ head: HeadTensors, wO: import("../../../ui/tensor.js").Tensor | null, trace: Trace, place: Place,
 *   step: number, paint: { colours: Record<string, string> },
 *   before?: ((query: number, key: number) => number | null) | null }} HeadScene
 */

export class HeadBoard {
  /** @type {HTMLElement} */ root;
  settings;
  text;
  /** @type {(place: Place) => void} */ go;
  /** @type {Record<string, Matrix>} */ matrices = {};
  stage = element("div", { class: "board-stage" });
  signs = element("div", { class: "signs", "aria-hidden": "true" });
  says = element("p", { class: "says", "aria-live": "polite" });
  /** @type {HTMLSelectElement} */ mistakes = element("select");
  mistakeWords = element("p", { class: "mistake-words", "aria-live": "polite" });
  open;
  /** @type {HeadScene | null} */ scene = null;
  /** @type {import("./equation.js").Equation} */ equation;
  /** @type {Record<string, import("./equation.js").Row[]>} */ rows;
  axes;
  /** @type {Kind} */ kind;
  /** @type {Focus} */ focus;
  /** @type {Focus} Where the frames are without a pointer. */ chosen;

  /**
   * @param {HTMLElement} root
   * @param {Settings} settings `boards` are the words BOARDS
   * @param {{ go: (place: Place) => void }} options
   */
  constructor(root, settings, { go }) {
    this.root = root;
    this.settings = settings;
    this.text = settings.boards;
    this.go = go;
    root.classList.add("board", "head-board");
    for (const [id, symbol] of Object.entries(SYMBOLS)) {
      const onChoose = OPENS[id] ? (cell) => this.openCell(id, cell) : null;
      const matrix = new Matrix({
        id, symbol: symbol || this.text.titles[id], onHover: (cell) => this.hover(id, cell), onChoose,
      });
      this.matrices[id] = matrix;
    }
    this.open = button(() => this.openFocus(), { class: "open-number" }, this.text.open);
    this.mistakes.addEventListener("change", () => this.compute());
    this.stage.append(this.signs, ...Object.values(this.matrices).map(({ node }) => node));
    this.mistakes.setAttribute("aria-label", this.text.mistake);
    const words = element("div", {}, this.says, this.mistakeWords);
    root.append(this.stage, element("footer", {}, words, this.open, this.mistakes));
    onLookChange(this.stage, () => this.scene && this.drawAll());
  }

  /** @param {HeadScene} scene */
  draw(scene) {
    const { root, text } = this;
    const before = this.scene;
    this.scene = scene;
    const { head, wO, trace, place, paint } = scene;
    if (before?.head === head && before.wO === wO && before.trace === trace && isSamePaint(before.paint, paint)) {
      this.chosen = this.chosenFocus();
      this.showChosen(); // another row draws no matrix again
      return;
    }
    this.kind = kindOf(place);
    this.axes = axesOf(trace, this.kind);
    root.dataset.kind = this.kind;
    const mistakes = mistakesOf(head, { kind: this.kind, dropout: this.settings.config.dropout });
    updateOptions(this.mistakes, [["", text.mistake], ...mistakes.map((name) => [name, text.mistakes[name].title])],
      before?.head === head ? this.mistakes.value : "");
    this.compute();
  }

  /** Computes all matrices, with the mistake if there is one, and draws them. */
  compute() {
    const { head, wO } = this.scene;
    this.equation = equationOf(head, this.mistake, this.settings.config.dropout);
    const { products, scores, weights, mix } = this.equation;
    this.rows = {
      x: head.queries_from.rows, w_q: transpose(head.w_q.rows), q: head.q.rows, k: transpose(head.k.rows),
      products, scores, weights, v: head.v.rows, mix,
      ...(wO ? { w_o: wO.rows, added: multiply(mix, wO.rows) } : {}),
    };
    this.drawAll();
  }

  /** Draws everything; a board without a size is drawn when it gets one. */
  drawAll() {
    if (!this.stage.clientWidth) return;
    this.chosen = this.chosenFocus();
    this.drawMatrices();
    this.showChosen();
  }

  /**
   * The query and key of the place and the step.
   * @returns {Focus}
   */
  chosenFocus() {
    const { trace, place, step } = this.scene;
    const { weights } = this.equation;
    const isCell = place.part === "weights";
    const query = place.row ?? (this.kind === "encoder" ? trace.defaultPiece ?? 0 : step);
    const key = isCell ? place.column : strongestKey(weights[query], this.equation.allowed[query]) ?? 0;
    return { query, key, matrix: "weights", cell: { row: query, column: key } };
  }

  showChosen() {
    this.drawMistake();
    this.setFocus(this.chosen);
  }

  /** The mistake that is shown, or null. */
  get mistake() {
    return this.mistakes.value || null;
  }

  /** The axes of every matrix: what its rows and columns are. */
  drawMatrices() {
    const { stage, matrices, rows, scene: { paint }, axes, equation: { allowed } } = this;
    const names = { queries: axes.queries.map(({ fed }) => fed.text), keys: axes.keys.map((piece) => piece.text) };
    const { clientWidth, clientHeight } = stage;
    const layout = layoutHead({ width: clientWidth, height: clientHeight, ...names });
    this.root.classList.toggle("wide", layout.isWide);
    this.drawSigns(layout);
    const isMasked = allowed.some((row) => row.includes(false));
    const mistaken = this.mistake === null ? [] : MISTAKEN_BY[this.mistake] ?? MISTAKEN;
    for (const [id, matrix] of Object.entries(matrices)) {
      const box = layout.boxes[id];
      matrix.node.classList.toggle("mistaken", mistaken.includes(id));
      matrix.words.replaceChildren(...this.wordsOf(id, isMasked));
      if (!rows[id]) {
        matrix.drawEmpty(box);
        continue;
      }
      matrix.draw({
        rows: rows[id], box, paint,
        ...(id === "weights" ? { scale: 1 } : {}),
        allowed: isMasked && (id === "scores" || id === "weights") ? allowed : null,
        rowNames: this.rowNamesOf(id, layout.isWide, mistaken),
        columnNames: id === "weights" ? this.keyNames() : null,
        describe: (cell) => this.describe(id, cell),
      });
    }
  }

  queryNames() {
    const { axes, settings: { context: { codes } }, kind } = this;
    return axes.queries.map((query) => {
      const title = { title: plainLabel(query) };
      return element("span", { ...title, lang: kind === "encoder" ? codes.source : codes.target, dir: "auto" },
        plainPiece(query.fed.text));
    });
  }

  /** The names of the source's tokens at the rows, as many as there are. */
  sourceNames() {
    const { axes, scene: { trace: { source } }, settings: { context: { codes } } } = this;
    return axes.queries.map((_, i) => (
      element("span", { lang: codes.source, dir: "auto" }, source[i] ? plainPiece(source[i].text) : "")));
  }

  keyNames() {
    const { axes, settings: { context: { codes } }, kind } = this;
    const lang = kind === "decoder" ? codes.target : codes.source;
    return axes.keys.map(({ text }) => element("span", { title: text, lang, dir: "auto" }, plainPiece(text)));
  }

  /** @returns {import("./matrix.js").MatrixScene["rowNames"]} */
  rowNamesOf(id, isWide, mistaken) {
    if (id === "v") return { side: isWide ? "right" : "left", nodes: this.keyNames() };
    const withNames = isWide ? ["q", "scores", "weights", "mix"] : ["q", "weights"];
    if (!withNames.includes(id)) return null;
    const isMislabelled = this.mistake === "mislabelled" && mistaken.includes(id);
    return { side: "left", nodes: isMislabelled ? this.sourceNames() : this.queryNames() };
  }

  wordsOf(id, isMasked) {
    const { text: { words }, kind } = this;
    if (id === "weights" && this.mistake === "columns") return [words.weightsOfColumns];
    if (id === "scores") return [isMasked ? words.scores : words.scoresUnmasked];
    return symbolNodes(typeof words[id] === "string" ? words[id] : words[id][kind]);
  }

  /** @param {import("./head_layout.js").HeadLayout} layout */
  drawSigns({ signs, arrow, height }) {
    const { text, scene: { head } } = this;
    this.signs.style.height = `${height}px`;
    const nodes = signs.map(({ sign, x, y }) => {
      const isRoot = sign === "divided" && this.mistake !== "undivided";
      const shown = sign === "divided" ? (isRoot ? `÷√${head.q.shape[1]}` : "→") : { times: "×", equals: "=" }[sign];
      const node = element("span", { class: sign }, shown);
      node.style.left = `${x}px`;
      node.style.top = `${y}px`;
      return node;
    });
    const { from, top, middle, to, bottom } = arrow;
    const turn = Math.sign(to - from) * 6;
    const d = `M${from},${top}V${middle - 6}q0,6 ${turn},6H${to - turn}q${turn},0 ${turn},6V${bottom}`;
    const tip = `M${to - 5},${bottom - 6}l5,6l5,-6`;
    const softmaxOf = this.mistake === "columns" ? "columns" : "rows";
    const softmax = element("span", { class: "softmax" }, text.softmax[softmaxOf]);
    softmax.style.left = `${(from + to) / 2}px`;
    softmax.style.top = `${middle}px`;
    this.signs.replaceChildren(svg("svg", { class: "arrow" }, svg("path", { d }), svg("path", { d: tip })), softmax,
      ...nodes);
  }

  drawMistake() {
    const { mistake, root, mistakeWords, text } = this;
    root.classList.toggle("mistaken", mistake !== null);
    const stamp = element("b", { class: "stamp" }, text.stamp);
    mistakeWords.replaceChildren(...(mistake ? [stamp, " ", ...this.mistakeNodes(mistake)] : []));
  }

  /** What a mistake does to the chosen row, or, where it hardly changes, to the one that changes most. */
  mistakeNodes(mistake) {
    const { text, scene: { head }, equation: { weights }, chosen } = this;
    if (mistake === "mislabelled") return this.mislabelledNodes(chosen.query);
    const changes = weights.map((row, i) => changeOf(row, head.weights.row(i)));
    if (changes[chosen.query] >= VISIBLE_CHANGE) return this.changeNodes(mistake, chosen.query);
    const most = changes.indexOf(Math.max(...changes));
    const unchanged = fillNodes(text.unchanged, { query: this.queryNode(chosen.query) });
    return changes[most] < VISIBLE_CHANGE ? unchanged : [...unchanged, " ", ...this.changeNodes(mistake, most)];
  }

  mislabelledNodes(query) {
    const { scene: { trace: { source } }, settings: { context: { codes } } } = this;
    const { mislabelled } = this.text.mistakes;
    const own = { query: this.queryNode(query) };
    if (!source[query]) return fillNodes(mislabelled.beyond, own);
    return fillNodes(mislabelled.words, { ...own, wrong: tokenNode(source[query], codes.source) });
  }

  changeNodes(mistake, query) {
    const { text, scene: { head }, equation: { weights } } = this;
    const right = head.weights.row(query);
    const allowed = head.mask.row(query);
    const key = strongestKey(right, allowed);
    return fillNodes(text.mistakes[mistake].words, {
      query: this.queryNode(query), key: this.keyNode(key), root: head.q.shape[1],
      before: formatPercent(right[key]), after: formatPercent(weights[query][key]),
      forbidden: formatPercent(forbiddenShare(weights[query], allowed)),
      sum: formatPercent(sum(weights[query])),
      p: localNumber(`${this.settings.config.dropout}`),
    });
  }

  queryNode(query) {
    const { axes, kind, settings: { context: { codes } } } = this;
    return tokenNode(axes.queries[query].fed, kind === "encoder" ? codes.source : codes.target);
  }

  keyNode(key) {
    const { axes, kind, settings: { context: { codes } } } = this;
    return tokenNode(axes.keys[key], kind === "decoder" ? codes.target : codes.source);
  }

  /** The query and key of a cell of a matrix; what it does not tell stays as chosen. */
  focusOf(id, { row, column }) {
    const { query, key } = this.chosen;
    const focus = { matrix: id, cell: { row, column } };
    if (id === "k") return { ...focus, query, key: column };
    if (id === "v") return { ...focus, query, key: row };
    if (id === "w_q" || id === "w_o") return { ...focus, query, key };
    const isMap = ["products", "scores", "weights"].includes(id);
    return { ...focus, query: row, key: isMap ? column : this.strongestOf(row) };
  }

  strongestOf(query) {
    const { weights, allowed } = this.equation;
    return query === this.chosen.query ? this.chosen.key : strongestKey(weights[query], allowed[query]) ?? 0;
  }

  hover(id, cell) {
    if (this.scene) this.setFocus(cell ? this.focusOf(id, cell) : this.chosen);
  }

  /** Frames a focus in all matrices and says it. @param {Focus} focus */
  setFocus(focus) {
    this.focus = focus;
    const { matrices } = this;
    const { query, key } = focus;
    const dimension = this.dimensionsOf(focus);
    const cell = { row: query, column: key };
    const at = (row, column) => (column === undefined ? null : { row, column });
    matrices.x.frame({ row: query, cell: at(query, dimension.x) });
    matrices.w_q.frame({ column: dimension.q ?? null, cell: focus.matrix === "w_q" ? focus.cell : null });
    matrices.q.frame({ row: query, cell: at(query, dimension.q) });
    matrices.k.frame({ column: key, cell: dimension.q === undefined ? null : { row: dimension.q, column: key } });
    for (const id of ["products", "scores"]) matrices[id].frame({ cell });
    matrices.weights.frame({ row: query, column: null, cell });
    matrices.v.frame({ row: key, cell: at(key, dimension.v) });
    matrices.mix.frame({ row: query, cell: at(query, dimension.v) });
    matrices.w_o.frame({ column: dimension.added ?? null, cell: focus.matrix === "w_o" ? focus.cell : null });
    matrices.added.frame({ row: query, cell: at(query, dimension.added) });
    this.says.replaceChildren(...this.sentenceNodes(focus));
    this.open.hidden = !OPENS[focus.matrix];
  }

  /** The dimensions that a focus names: of the stream, of queries and keys, of values, of what is added. */
  dimensionsOf({ matrix, cell: { row, column } }) {
    return {
      x: { x: column }, w_q: { x: row, q: column }, q: { q: column }, k: { q: row }, v: { v: column },
      mix: { v: column }, w_o: { v: row, added: column }, added: { added: column },
    }[matrix] || {};
  }

  /** What a cell of a matrix says, as plain text. */
  describe(id, cell) {
    const text = element("p", {}, ...this.sentenceNodes(this.focusOf(id, cell))).textContent;
    return `${this.text.titles[id]}: ${text}`;
  }

  /** The sentence about a focus, with its numbers. @param {Focus} focus */
  sentenceNodes({ matrix, cell, query, key }) {
    const { text, rows, equation: { allowed, scores, weights, products }, kind, axes, scene: { head } } = this;
    const isMap = ["products", "scores", "weights"].includes(matrix);
    const { row, column } = cell;
    const { predicted } = axes.queries[query];
    const shared = {
      query: this.queryNode(query), key: this.keyNode(key), root: head.q.shape[1],
      weight: this.weightNode(weights[query][key], query, key),
      to: predicted ? element("span", {}, ...fillNodes(text.says.to, {
        predicted: tokenNode(predicted, this.settings.context.codes.target) })) : "",
    };
    if (isMap && !allowed[query][key]) {
      const isLater = kind === "decoder" && key > query;
      return fillNodes(text.says.masked[isLater ? "later" : "other"], shared);
    }
    if (isMap) {
      const sentence = this.mistake === "undivided" ? text.says.undivided : text.says.looks;
      return fillNodes(sentence, {
        ...shared, product: numberNode(products[query][key]), score: numberNode(scores[query][key]),
      });
    }
    const other = matrix === "q" ? head.k.row(key)[column] : head.q.row(query)[row];
    return fillNodes(text.says[matrix], {
      ...shared, row: row + 1, column: column + 1, number: numberNode(rows[matrix][row][column]),
      other: matrix === "q" || matrix === "k" ? numberNode(other) : "",
    });
  }

  /** A weight, and that of the unchanged run if it looks different. */
  weightNode(weight, query, key) {
    const { scene: { before = null }, settings: { text } } = this;
    const node = numberNode(weight, formatPercent(weight));
    const former = before && before(query, key);
    if (former === null || formatPercent(former) === formatPercent(weight)) return node;
    const was = fill(text.changes.was, { number: formatPercent(former) });
    return element("span", {}, node, element("small", { class: "was" }, was));
  }

  openFocus() {
    this.openCell(this.focus.matrix, this.focus.cell);
  }

  /**
   * Goes to the number of a cell; K is drawn transposed.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  openCell(id, { row, column }) {
    const { place } = this.scene;
    const at = id === "k" ? { row: column, column: row } : { row, column };
    this.go({ ...place, part: OPENS[id], ...at });
  }
}
