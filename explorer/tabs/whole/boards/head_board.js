// A head as one equation of matrices: what each token asks, offers and gives, how well they fit, and what comes of it.
// Hovering any matrix moves the frames through all of them.

import { element, svg } from "../../../ui/element.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fill } from "../../../ui/text.js";
import { formulaNodes } from "../../../ui/formula.js";
import { changedBy, equationOf, forbiddenCells, isSomeMasked, looksAhead } from "./equation.js";
import { strongestKey } from "../../../derived/head_looks.js";
import { focusOn, frameFocus } from "./head_focus.js";
import { layoutHead } from "./head_layout.js";
import { HEAD_MATRICES, tensorCell } from "./head_matrices.js";
import { HeadMistakes } from "./head_mistakes.js";
import { focusNodes } from "./head_sentences.js";
import { isSamePaint } from "./matrix.js";
import { MatrixSheet, isSameSubject } from "./matrix_sheet.js";
import { kindOf } from "../place.js";
import { RowTokens } from "./row_tokens.js";

const BELOW_WEIGHTS = 60; // pixels for what stands below them

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */
/** @typedef {import("./equation.js").HeadTensors} HeadTensors */
/** @typedef {import("./head_focus.js").Focus} Focus */

/**
 * What a board shows. The row of the place is the query that the caption is about; after that of the step no token of
 * the decoder is there yet. `before` are the numbers of the unchanged run, where another one is shown.
 * @typedef {{ head: HeadTensors, trace: Trace, place: Place, step: number,
 *   paint: import("./matrix.js").Paint, before: import("./board_set.js").Before | null }} HeadContent
 */

export class HeadBoard {
  /** @type {HTMLElement} */ root;
  /** @type {Settings} */ settings;
  text;
  /** @type {(place: Place) => void} */ go;
  /** @type {MatrixSheet} */ sheet;
  /** @type {HeadContent | null} */ content = null;
  /** @type {HeadMistakes} */ mistakes;
  /** @type {import("./equation.js").Equation} */ equation;
  /** @type {Record<string, import("./equation.js").Row[]>} */ rows;
  /** @type {RowTokens} */ tokens;
  /** @type {Kind} */ kind;
  /** Whether the head is off, so that its output counts as 0. */ isOff = false;
  /** @type {Focus} */ focus;
  /** @type {Focus} Where the frames are without a pointer. */ chosen;
  /** @type {import("./matrix_sheet.js").Hovered | null} */ hovered = null;

  /**
   * @param {HTMLElement} root
   * @param {Settings} settings `boards` are the words BOARDS
   * @param {{ go: (place: Place) => void, arrows: import("./head_arrows.js").HeadArrows }} options
   */
  constructor(root, settings, { go, arrows }) {
    const { boards: text, config: { dropout } } = settings;
    this.root = root;
    this.settings = settings;
    this.text = text;
    this.go = go;
    this.mistakes = new HeadMistakes(text, { dropout, onChange: () => this.showMistake() });
    const matrices = Object.entries(HEAD_MATRICES);
    this.sheet = new MatrixSheet(root, {
      symbols: Object.fromEntries(matrices.map(([id, { symbol }]) => [id, symbol ?? text.titles[id]])),
      opens: matrices.filter(([, { part }]) => part).map(([id]) => id),
      words: text,
      draw: () => this.content && this.drawAll(),
      onHover: (hovered) => this.hover(hovered),
      onChoose: (id, cell) => this.openCell(id, cell),
      onOpen: () => this.openCell(this.focus.matrix, this.focus.cell),
    });
    root.classList.add("head-board");
    this.sheet.says.after(this.mistakes.words);
    this.sheet.open.after(this.mistakes.select);
    this.arrows = arrows;
    this.sheet.stage.append(arrows.node);
  }

  /** @param {HeadContent} content */
  draw(content) {
    const before = this.content;
    this.content = content;
    if (!isSameSubject(before, content)) this.hovered = null;
    const { head, trace, place, paint } = content;
    const isSame = before?.head === head;
    if (isSame && before.trace === trace && isSamePaint(before.paint, paint)) {
      this.choose();
      this.showChosen(); // another row draws no matrix again
      return;
    }
    this.kind = kindOf(place);
    this.tokens = new RowTokens(trace, this.kind, this.settings.context.codes);
    this.root.dataset.kind = this.kind;
    this.isOff = trace.kinds[this.kind].isOff(place.layer, place.head);
    this.mistakes.offer(head, { kind: this.kind, isOff: this.isOff, isSame });
    this.compute();
  }

  /** What a mistake does is seen in the weights: a phone shows them. */
  showMistake() {
    this.change();
    const { stage, matrices: { weights: { field } } } = this.sheet;
    const below = field.getBoundingClientRect().bottom + BELOW_WEIGHTS - stage.getBoundingClientRect().bottom;
    if (this.mistake !== null && below > 0) stage.scrollBy({ top: below });
  }

  /** Shows another mistake, which may not have what is hovered. */
  change() {
    this.hovered = null;
    this.compute();
  }

  /** Computes all matrices, with the mistake if there is one, and draws them. */
  compute() {
    const { content: { head }, settings: { config: { dropout } } } = this;
    this.equation = equationOf(head, this.mistake, dropout);
    this.rows = Object.fromEntries(
      Object.entries(HEAD_MATRICES).map(([id, { rowsOf }]) => [id, rowsOf(head, this.equation)]));
    this.drawAll();
  }

  drawAll() {
    if (!this.sheet.size.width) return;
    this.choose();
    this.drawMatrices();
    this.showChosen();
  }

  /** Chooses the query of the place, and a key: that of the place, or the strongest. */
  choose() {
    const { content: { place: { part, row, column } } } = this;
    const key = part === "weights" ? column : this.strongestOf(row);
    this.chosen = { query: row, key, matrix: "weights", cell: { row, column: key } };
  }

  /** Shows the tokens that are there, and frames and says what is chosen, or what the pointer is on. */
  showChosen() {
    const { content: { head }, equation, mistakes, tokens, root, chosen, known, sheet: { matrices } } = this;
    for (const [id, matrix] of Object.entries(matrices)) {
      const [rows, columns] = HEAD_MATRICES[id].axes;
      matrix.reveal({ rows: known[rows], columns: known[columns] });
    }
    root.classList.toggle("mistaken", this.mistake !== null);
    mistakes.draw({ head, equation, query: chosen.query, known: known.query, tokens });
    this.hover(this.hovered); // which a longer sentence may have moved
  }

  /** The mistake that is shown, or null. */
  get mistake() {
    return this.mistakes.chosen;
  }

  /**
   * How many queries and keys are there at the step; for some mistakes all of them, as in training.
   * @returns {Partial<Record<import("./head_matrices.js").Axis, number>>}
   */
  get known() {
    const { kind, mistake, content: { step } } = this;
    const written = looksAhead(mistake) ? Infinity : step + 1;
    return { query: kind === "encoder" ? Infinity : written, key: kind === "decoder" ? written : Infinity };
  }

  drawMatrices() {
    const { sheet: { size, matrices }, rows, content: { head, paint }, tokens, equation: { allowed }, mistake } = this;
    const layout = layoutHead({
      ...size, queries: tokens.queries.map(({ fed }) => fed.text), keys: tokens.keys.map(({ text }) => text),
    });
    this.root.classList.toggle("wide", layout.isWide);
    this.drawEquation(layout);
    const forbidden = forbiddenCells(head, allowed);
    for (const [id, matrix] of Object.entries(matrices)) {
      const { isMasked, isOutput, isShare } = HEAD_MATRICES[id];
      matrix.node.classList.toggle("mistaken", changedBy(mistake).includes(id));
      matrix.words.replaceChildren(...this.wordsOf(id));
      matrix.draw({
        rows: rows[id], box: layout.boxes[id], paint,
        ...(isShare ? { scale: 1, write: formatPercent } : {}),
        ...(isMasked ? { allowed, forbidden } : {}),
        isOff: this.isOff && Boolean(isOutput),
        rowNames: this.rowNamesOf(id, layout.isWide),
        columnNames: isShare ? tokens.keyNames() : null,
        describe: (cell) => this.describe(id, cell),
      });
    }
  }

  /**
   * @param {string} id
   * @param {boolean} isWide
   * @returns {import("./matrix.js").MatrixContent["rowNames"]}
   */
  rowNamesOf(id, isWide) {
    const { tokens, mistake } = this;
    const { axes: [rows], wide, narrow } = HEAD_MATRICES[id];
    const { names: side } = isWide ? wide : narrow;
    if (!side) return null;
    if (rows === "key") return { side, nodes: tokens.keyNames() };
    const isMislabelled = mistake === "mislabelled" && id === "weights";
    return { side, nodes: isMislabelled ? tokens.wrongNames() : tokens.queryNames() };
  }

  /** @param {string} id */
  wordsOf(id) {
    const { text: { words }, kind, mistakes, equation: { allowed }, isOff, settings: { config } } = this;
    const mistaken = mistakes.wordsOf(id);
    if (mistaken) return [mistaken];
    if (isOff && words.headOff[id]) return [words.headOff[id]];
    if (id === "scores" && !isSomeMasked(allowed)) return [words.scoresUnmasked];
    const bias = config.bias ? " + b" : "";
    return formulaNodes(fill(typeof words[id] === "string" ? words[id] : words[id][kind], { bias }));
  }

  /**
   * The signs of the equation, and the arrow from the scores to the weights.
   * @param {import("./head_layout.js").HeadLayout} layout
   */
  drawEquation({ signs, arrow: { from, top, middle, to, bottom }, height }) {
    const { text, content: { head }, mistakes } = this;
    const divided = this.mistake === "undivided" ? "→" : `÷√${head.q.shape[1]}`;
    /** @type {Record<string, string>} */
    const texts = { times: "×", equals: "=", divided };
    const turn = Math.sign(to - from) * 6;
    const d = `M${from},${top}V${middle - 6}q0,6 ${turn},6H${to - turn}q${turn},0 ${turn},6V${bottom}`;
    const tip = `M${to - 5},${bottom - 6}l5,6l5,-6`;
    const softmax = mistakes.wordsOf("softmax") ?? text.softmax;
    this.sheet.drawSigns(height, [svg("path", { d }), svg("path", { d: tip })], [
      { name: "softmax", x: (from + to) / 2, y: middle, text: [softmax] },
      ...signs.map(({ sign, x, y }) => ({ name: sign, x, y, text: [texts[sign]] })),
    ]);
  }

  /**
   * The focus on a cell of a matrix.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  focusOf(id, cell) {
    const { chosen } = this;
    /** @param {number} query */
    const strongestOf = (query) => (query === chosen.query ? chosen.key : this.strongestOf(query));
    return focusOn(id, cell, { chosen, strongestOf });
  }

  /** @param {number} query */
  strongestOf(query) {
    const { weights, allowed } = this.equation;
    return strongestKey(weights[query], allowed[query]) ?? 0;
  }

  /** @param {import("./matrix_sheet.js").Hovered | null} hovered */
  hover(hovered) {
    this.hovered = hovered;
    this.setFocus(hovered ? this.focusOf(hovered.matrix, hovered.cell) : this.chosen);
  }

  /** Frames a focus in all matrices and says it. @param {Focus} focus */
  setFocus(focus) {
    const { matrices, says, open } = this.sheet;
    this.focus = focus;
    frameFocus(matrices, focus);
    says.replaceChildren(...this.sentenceNodes(focus));
    open.hidden = !this.isOpening(focus.matrix);
  }

  /**
   * What a cell of a matrix says, as plain text.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  describe(id, cell) {
    const text = element("p", {}, ...this.sentenceNodes(this.focusOf(id, cell))).textContent;
    return `${this.text.titles[id]}: ${text}`;
  }

  /** @param {Focus} focus */
  sentenceNodes(focus) {
    const { content: { head, before }, equation, rows, tokens, kind, mistake, text: { says }, settings } = this;
    const given = { head, equation, rows, tokens, kind, mistake, before };
    return focusNodes(focus, given, { says, was: settings.text.changes.was });
  }

  /**
   * Whether a matrix shows numbers of the model that have a place.
   * @param {string} id
   */
  isOpening(id) {
    return Boolean(HEAD_MATRICES[id].part) && !changedBy(this.mistake).includes(id);
  }

  /**
   * Goes to the number of a cell.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  openCell(id, cell) {
    if (!this.isOpening(id)) return;
    this.go({ ...this.content.place, part: HEAD_MATRICES[id].part, ...tensorCell(id, cell) });
  }
}
