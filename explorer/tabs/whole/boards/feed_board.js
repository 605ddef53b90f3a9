// The feed-forward network of one layer at the present token: spread over many numbers, most of them zero, folded back
// and added. The other tokens' numbers stand below as a texture.

import { nameNodes } from "../../../atlas/name_words.js";
import { heldValue } from "../../../changes/experiments.js";
import { button, element, fillNodes, svg } from "../../../ui/element.js";
import { formatInteger, formatPercent } from "../../../ui/numbers.js";
import { keepFocus } from "../../../ui/page.js";
import { plainPiece } from "../../../ui/text.js";
import { formulaNodes } from "../../../ui/formula.js";
import { numberNode, shownNumber, wasNodes } from "./board_text.js";
import { layoutFeed } from "./feed_layout.js";
import { nameWidth } from "./head_layout.js";
import { isSamePaint } from "./matrix.js";
import { MatrixSheet, isSameSubject } from "./matrix_sheet.js";
import { NeuronDial } from "./neuron_dial.js";
import { alsoAt, countPositive, largestNear, strongestNeurons } from "./neurons.js";
import { RowTokens } from "./row_tokens.js";
import { spikeLabels, spikePaths } from "./spikes.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */
/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */

/** @typedef {"input" | "pre_activation" | "hidden" | "output" | "sum" | "stream"} FeedTensor */

/**
 * The matrices: the tensor of their numbers, of which all but "hidden" show the present token alone; and the part of
 * the places of these numbers, if they have any.
 * @type {Record<string, { tensor: FeedTensor, part?: "hidden" | "out" | "sum" | "norm" }>}
 */
const MATRICES = {
  x: { tensor: "input" },
  pre: { tensor: "pre_activation", part: "hidden" },
  hidden: { tensor: "hidden", part: "hidden" },
  input: { tensor: "input" },
  output: { tensor: "output", part: "out" },
  sum: { tensor: "sum", part: "sum" },
  stream: { tensor: "stream", part: "norm" },
};
const isOfNeurons = (/** @type {string} */ id) => MATRICES[id].part === "hidden";
const CHIPS = 5, OTHERS = 4;
const POINTER_REACH = 4; // pixels
const BRIGHT = 0.6; // the part of the largest number that has the full colour

/**
 * What a board shows: tensors of the layer's feed-forward network, [token d_model] and [token d_ff]. The row of the
 * place is the present token; after that of the step no token of the decoder is there yet. `before` are the numbers of
 * the unchanged run, where another one is shown.
 * @typedef {{ tensors: Record<FeedTensor, Tensor>,
 *   trace: Trace, experiment: Experiment, place: Place, step: number, paint: import("./matrix.js").Paint,
 *   before: import("./board_set.js").Before | null }} FeedContent
 */

export class FeedBoard {
  /** @type {HTMLElement} */ root;
  /** @type {Settings} */ settings;
  text;
  /** @type {(place: Place) => void} */ go;
  /** @type {MatrixSheet} */ sheet;
  chips = element("div", { class: "chips" });
  chipButtons = element("div", { class: "chip-buttons", role: "group" });
  chipWords = element("p", { "aria-live": "polite" });
  /** @type {FeedContent | null} */ content = null;
  /** @type {RowTokens} */ tokens;
  /** @type {import("./feed_layout.js").FeedLayout} */ layout;
  /** @type {number | null} The chosen neuron. */ neuron = null;
  /** @type {import("../../../atlas/layer.js").AtlasLayer | null} What the atlas knows. */ layer = null;
  /** @type {import("./matrix_sheet.js").Hovered | null} */ hovered = null;

  /**
   * @param {HTMLElement} root
   * @param {Settings} settings `boards` are the words BOARDS
   * @param {{ go: (place: Place) => void, hold: (neuron: any[], former?: any[]) => void,
   *   letGo: (neuron: any[]) => void, find: () => void }} options `hold` and `letGo` are those of the dial; `find()` is
   *   for who looks for other neurons
   */
  constructor(root, settings, { go, hold, letGo, find }) {
    const { boards } = settings;
    this.root = root;
    this.settings = settings;
    this.text = boards.feed;
    this.go = go;
    this.sheet = new MatrixSheet(root, {
      symbols: this.text.titles, opens: Object.keys(MATRICES).filter((id) => MATRICES[id].part), words: boards,
      draw: () => this.content && this.drawAll(),
      onHover: (hovered) => this.hover(hovered),
      onChoose: (id, cell) => this.openCell(id, cell),
      onOpen: () => this.openFocus(),
      meant: (id, cell) => this.meant(id, cell),
    });
    root.classList.add("feed-board");
    this.chipButtons.setAttribute("aria-label", this.text.strongest);
    this.find = button(find, {}, this.text.find);
    this.chips.append(this.chipButtons, this.chipWords);
    this.sheet.stage.append(this.chips);
    this.dial = new NeuronDial(this.text.dial, { hold, letGo, choose: (neuron) => this.chooseNeuron(neuron) });
    this.dial.where.hidden = true; // the neuron's own board has room for it
    this.more = button(() => this.go({ ...this.content.place, row: null, neuron: this.neuron }),
      { class: "open-number" }, this.text.more);
    this.sheet.open.before(this.dial.node, this.more);
  }

  /** @param {FeedContent} content */
  draw(content) {
    const { trace, place, tensors } = content;
    const before = this.content;
    const isSame = before?.tensors === tensors && before.trace === trace;
    const isOther = !isSame || place.row !== this.row;
    this.content = content;
    this.root.dataset.kind = place.stack;
    if (!isSame) this.tokens = new RowTokens(trace, /** @type {Kind} */ (place.stack), this.settings.context.codes);
    if (place.part === "hidden") this.neuron = place.column;
    else if (isOther && !this.isKept(before)) this.neuron = strongestNeurons(this.hidden, 1)[0]?.neuron ?? null;
    if (!isSameSubject(before, content)) this.hovered = null;
    this.drawAll(isSame && isSamePaint(before.paint, content.paint));
  }

  /**
   * Whether the chosen neuron is that of before: it is held, or was let go, in the same layer.
   * @param {FeedContent | null} before
   */
  isKept(before) {
    const { content: { experiment, place }, neuron } = this;
    if (neuron === null || before?.place.stack !== place.stack || before.place.layer !== place.layer) return false;
    return before.experiment !== experiment || heldValue(experiment, { ...place, column: neuron }) !== null;
  }

  /** The texture of all tokens stays as it is where only the present token is another. */
  drawAll(keepsTexture = false) {
    if (!this.sheet.size.width) return;
    this.drawMatrices(keepsTexture);
    this.sheet.matrices.hidden.reveal({ rows: this.known });
    keepFocus(this.chips, () => this.drawChips(strongestNeurons(this.hidden, CHIPS)));
    this.drawDial();
    this.setFrames();
  }

  /** The present token. @returns {number} */
  get row() {
    return this.content.place.row;
  }

  /** How many tokens are there at the step. */
  get known() {
    const { place: { stack }, step } = this.content;
    return stack === "encoder" ? this.tokens.queries.length : step + 1;
  }

  /**
   * Its numbers after the activation.
   * @returns {Float32Array}
   */
  get hidden() {
    return this.content.tensors.hidden.row(this.row);
  }

  /** @param {boolean} keepsTexture */
  drawMatrices(keepsTexture) {
    const { sheet: { size, matrices }, content: { tensors, paint }, row, text, tokens } = this;
    const names = tokens.queries.map(({ fed }) => plainPiece(fed.text));
    const layout = layoutFeed({ ...size, tokens: names.length, names: nameWidth(names) });
    this.layout = layout;
    this.root.classList.toggle("wide", layout.isWide);
    /** @type {Float32Array} */
    const all = tensors.hidden.data;
    const hiddenScale = BRIGHT * all.reduce((most, value) => Math.max(most, value), 1e-9);
    for (const [id, matrix] of Object.entries(matrices)) {
      const isTexture = id === "hidden";
      matrix.words.replaceChildren(...this.wordsOf(id));
      if (isTexture && keepsTexture && matrix.content) continue;
      matrix.draw({
        rows: isTexture ? tensors.hidden.rows : [tensors[MATRICES[id].tensor].row(row)],
        box: layout.boxes[id],
        paint,
        ...(isTexture ? { scale: hiddenScale, rowNames: { side: "left", nodes: tokens.queryNames() } } : {}),
        describe: (cell) => `${text.titles[id]}: ${this.plainSentence(id, cell)}`,
      });
    }
    matrices.hidden.title.style.marginBottom = `${layout.spikes.height}px`; // above the lines
    this.chips.style.top = `${layout.chips}px`;
    this.drawNetwork(layout);
  }

  /** @param {string} id */
  wordsOf(id) {
    const { text, tokens, settings: { config }, row } = this;
    return fillNodes(text.words[id], {
      token: tokens.query(row), model: config.d_model, all: formatInteger(config.d_ff),
      activation: text.activations[config.activation],
    });
  }

  /**
   * The areas between vectors, the present token's spikes, and the signs of the equation.
   * @param {import("./feed_layout.js").FeedLayout} layout
   */
  drawNetwork({ signs, funnels, spikes, height }) {
    /** @type {Record<string, (Node | string)[]>} */
    const texts = {
      first: formulaNodes("× W_1 + b_1"), second: formulaNodes("× W_2 + b_2"),
      plus: ["+"], equals: ["="], norm: [`→ ${this.text.norm} →`],
    };
    const areas = funnels.map((points) => svg("path", { class: "funnel", d: `M${points.join("L")}Z` }));
    this.sheet.drawSigns(height, [...areas, ...spikePaths(this.hidden, spikes)], [
      ...signs.map(({ sign, x, y }) => ({ name: sign, x, y, text: texts[sign] })),
      ...spikeLabels(this.hidden, strongestNeurons(this.hidden, CHIPS), spikes),
    ]);
  }

  /** @param {import("./neurons.js").Neuron[]} strongest */
  drawChips(strongest) {
    const { text } = this;
    this.chipButtons.replaceChildren(element("span", {}, text.strongest), ...strongest.map(({ neuron }) => {
      const words = fillNodes(text.chip, { neuron: neuron + 1, value: this.numberOf("hidden", this.row, neuron) });
      return button(() => this.chooseNeuron(neuron), { value: neuron }, ...words);
    }), this.find);
    this.drawChipWords();
  }

  /** Where else in this sentence the chosen neuron lights up. */
  drawChipWords() {
    const { text, neuron, row, tokens, known, content: { tensors } } = this;
    for (const node of this.chipButtons.querySelectorAll("button[value]")) {
      node.setAttribute("aria-pressed", String(Number(node.value) === neuron));
    }
    if (neuron === null) return this.chipWords.replaceChildren(text.none);
    const others = alsoAt(tensors.hidden.rows.slice(0, known), neuron, row, OTHERS);
    const list = others.flatMap(({ token, value }, i) => [
      i ? text.separator : "", tokens.query(token), " ", shownNumber(value),
    ]);
    const isOn = this.hidden[neuron] > 0;
    const which = others.length ? (isOn ? "alsoAt" : "elsewhere") : (isOn ? "onlyHere" : "nowhere");
    const where = text[which][known < tokens.queries.length ? "soFar" : "whole"];
    const values = { neuron: neuron + 1, tokens: element("span", {}, ...list) };
    this.chipWords.replaceChildren(...fillNodes(where, values), " ", ...this.nameSentence());
  }

  /** What the atlas calls the chosen neuron, as far as it is known. */
  nameSentence() {
    const { text, neuron, layer, tokens, content: { place }, settings: { atlas } } = this;
    const isOfPlace = layer?.stack === place.stack && layer.layer === place.layer;
    if (!isOfPlace) return [];
    const name = nameNodes(layer.neuron(neuron), atlas.text, tokens.queryCode);
    return fillNodes(text.named, { name: element("span", {}, ...name) });
  }

  /** @param {import("../../../atlas/layer.js").AtlasLayer} layer */
  drawNames(layer) {
    this.layer = layer;
    if (this.sheet.size.width) keepFocus(this.chips, () => this.drawChipWords());
  }

  drawDial() {
    const { neuron, row, tokens, content: { place, tensors, experiment }, settings: { config } } = this;
    this.dial.draw(neuron === null ? null : {
      stack: /** @type {Stack} */ (place.stack), layer: place.layer, row, neuron, count: config.d_ff, experiment,
      tokenAt: (at) => tokens.text(at), value: this.hidden[neuron],
      largest: Math.max(...tensors.hidden.rows.map((one) => one[neuron])),
    });
  }

  /** @param {number | null} neuron */
  chooseNeuron(neuron) {
    this.neuron = neuron;
    this.hovered = null;
    this.drawDial();
    this.drawChipWords();
    this.setFrames();
  }

  /**
   * The cell that a pointer means: columns narrower than the pointer lead to the largest number near it.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  meant(id, { row, column }) {
    const { content: { tensors }, row: present, layout } = this;
    if (!isOfNeurons(id)) return { row, column };
    const token = id === "hidden" ? row : present;
    const hidden = tensors.hidden.row(token);
    const reach = Math.floor((POINTER_REACH * hidden.length) / layout.boxes[id].width);
    return { row, column: reach > 0 ? largestNear(hidden, column, reach) : column };
  }

  /** @param {import("./matrix_sheet.js").Hovered | null} hovered */
  hover(hovered) {
    this.hovered = hovered;
    this.setFrames();
  }

  /** Frames the present token, the chosen or hovered neuron, and says what is there. */
  setFrames() {
    const { sheet: { matrices, says, open }, row, hovered } = this;
    const { matrix, cell } = hovered ?? { matrix: "", cell: null };
    const isNeuron = hovered !== null && isOfNeurons(matrix);
    const neuron = isNeuron ? cell.column : this.neuron;
    matrices.hidden.frame({ row, column: neuron, cell: matrix === "hidden" ? cell : null });
    matrices.pre.frame({ column: neuron });
    const dimension = hovered && !isNeuron ? cell.column : null;
    for (const id of Object.keys(matrices)) if (!isOfNeurons(id)) matrices[id].frame({ column: dimension });
    says.replaceChildren(...(hovered ? this.sentenceNodes(matrix, cell) : this.summaryNodes()));
    this.more.hidden = this.neuron === null;
    open.hidden = hovered ? !MATRICES[matrix].part : this.neuron === null;
  }

  /** What the network does with the present token. */
  summaryNodes() {
    const { text, row, tokens, hidden, settings: { config } } = this;
    const count = countPositive(hidden);
    const former = this.countBefore();
    return fillNodes(text.summary, {
      token: tokens.query(row), model: config.d_model, all: formatInteger(config.d_ff),
      count: element("span", {}, element("b", {}, formatInteger(count)),
        ...wasNodes(this.was, former, formatInteger(count))),
      percent: element("b", {}, formatPercent(count / config.d_ff)),
    });
  }

  /**
   * The sentence about a cell of a matrix.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  sentenceNodes(id, { row: line, column }) {
    const { text, row, tokens, settings: { config } } = this;
    const at = id === "hidden" ? line : row;
    const token = tokens.query(at);
    const numberOf = (/** @type {FeedTensor} */ tensor) => this.numberOf(tensor, at, column);
    if (isOfNeurons(id)) {
      const { experiment, place } = this.content;
      const isHeld = heldValue(experiment, { ...place, row: at, column }) !== null;
      return fillNodes(text.says[isHeld ? "held" : "neuron"], {
        token, neuron: column + 1, before: numberOf("pre_activation"), after: numberOf("hidden"),
        activation: text.activations[config.activation],
      });
    }
    return fillNodes(text.says[id], {
      token, number: column + 1, input: numberOf("input"), output: numberOf("output"), sum: numberOf("sum"),
      stream: numberOf("stream"),
    });
  }

  /** How many numbers of the present token were above zero in the unchanged run, as a text; null without a change. */
  countBefore() {
    const { hidden, row, content: { before } } = this;
    const former = before && Array.from(hidden, (_, neuron) => before("hidden", row, neuron));
    return former === null || former.includes(null) ? null : formatInteger(countPositive(former));
  }

  /**
   * A number of a tensor, and that of the unchanged run.
   * @param {FeedTensor} tensor
   * @param {number} row
   * @param {number} column
   */
  numberOf(tensor, row, column) {
    const { tensors, before } = this.content;
    const number = tensors[tensor].row(row)[column];
    const former = before?.(tensor, row, column) ?? null;
    const was = wasNodes(this.was, former === null ? null : shownNumber(former), shownNumber(number));
    return element("span", {}, numberNode(number), ...was);
  }

  /** With "{number}": what stood there in the unchanged run. */
  get was() {
    return this.settings.text.changes.was;
  }

  /**
   * @param {string} id
   * @param {MatrixCell} cell
   */
  plainSentence(id, cell) {
    return element("p", {}, ...this.sentenceNodes(id, cell)).textContent;
  }

  openFocus() {
    const { hovered, row, neuron } = this;
    if (hovered) this.openCell(hovered.matrix, hovered.cell);
    else this.openCell("hidden", { row, column: neuron });
  }

  /**
   * Goes to the number of a cell.
   * @param {string} id
   * @param {MatrixCell} cell
   */
  openCell(id, { row, column }) {
    this.go({ ...this.content.place, part: MATRICES[id].part, row: id === "hidden" ? row : this.row, column });
  }
}
