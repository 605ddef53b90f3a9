// The board of the output: the step's vector becomes a probability for each token, at any temperature; what each layer
// would write; and the way to the translation with another token.

import { winningLayer } from "../../../derived/predictions.js";
import { drawExcluded } from "../../../ui/candidates.js";
import { contextOf } from "../../../ui/canvas.js";
import { button, element } from "../../../ui/element.js";
import { entropy, formatDecimal, formatExact, formatInteger, formatPercent, softmax } from "../../../ui/numbers.js";
import { keepFocus } from "../../../ui/page.js";
import { bitmapOf, fullScale, signedShades } from "../../../ui/pixels.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { wasNodes } from "./board_text.js";
import { WHOLE } from "../place.js";

const STRIP = 256; // numbers of the vector that are drawn at most

/** @typedef {{ id: number, text: string }} Token */

/**
 * What a step writes (derived/predictions.js): the best candidates, the token that would be written after each layer,
 * and the ranks of those that lead somewhere.
 * @typedef {{ best: Token[], logits: { data: Float32Array }, state: { data: Float32Array },
 *   layers: (Token & { probability: number })[], leaders: { piece: Token, ranks: number[] }[] }} Prediction
 */

export class OutputBoard {
  /** @type {{ prediction: Prediction, trace: Trace, step: number, before: Prediction | null } | null} */
  content = null;
  /** @type {Record<string, any>} The nodes of output_board.html. */ part;
  /** @type {Record<string, any>} */ text;
  /** @type {string} With "{percent}". */ percent;
  /** @type {string} The code of the target language. */ language;
  /** @type {Record<string, any>} */ config;
  /** @type {(place: import("../place.js").Place) => void} */ go;
  /** @type {(beginning: number[]) => void} */ fork;

  /**
   * `go(place)` is called for the logit of a candidate, `fork(ids)` for the beginning of a translation that goes on
   * with a candidate.
   * @param {HTMLElement} root
   * @param {Settings} settings
   * @param {{ go: (place: import("../place.js").Place) => void, fork: (beginning: number[]) => void }} options
   */
  constructor(root, { text, numbers, context, config }, { go, fork }) {
    this.part = nodesByAttribute(root, "output");
    this.text = text.output;
    this.changes = text.changes;
    this.percent = numbers.percent;
    this.language = context.codes.target;
    this.config = config;
    this.go = go;
    this.fork = fork;
    this.slider.addEventListener("input", () => this.drawDistribution());
    this.part.own.addEventListener("click", () => {
      this.slider.value = "0";
      this.slider.dispatchEvent(new Event("input", { bubbles: true }));
      this.slider.focus();
    });
  }

  /** Its value is the decimal logarithm of the temperature. @returns {HTMLInputElement} */
  get slider() {
    return this.part.temperature;
  }

  /**
   * Draws a step's prediction (derived/predictions.js); `before` is that of the unchanged run, where another one is
   * shown.
   * @param {{ prediction: Prediction, trace: Trace, step: number, paint: import("./matrix.js").Paint,
   *   before?: Prediction | null }} content
   */
  draw({ prediction, trace, step, paint, before = null }) {
    const { text, part, config } = this;
    this.content = { prediction, trace, step, before };
    const fed = plainPiece(trace.steps[step].fed.text);
    part.title.textContent = fill(text.title, { fed, vocabulary: formatInteger(config.vocabulary) });
    this.drawVector(prediction.state.data, paint.colours);
    keepFocus(part.candidates, () => this.drawDistribution());
    drawExcluded(part.excluded, text.excluded, trace.steps[step]);
    this.drawLens();
    this.drawRanks();
  }

  /**
   * @param {Float32Array} vector
   * @param {import("./matrix.js").Paint["colours"]} colours
   */
  drawVector(vector, colours) {
    const { part: { vector: canvas } } = this;
    const numbers = vector.slice(0, STRIP);
    canvas.width = numbers.length;
    const shadeOf = signedShades(colours, fullScale({ data: numbers }), true);
    contextOf(canvas).drawImage(bitmapOf([numbers], numbers.length, shadeOf), 0, 0);
  }

  /** Draws everything that depends on the temperature. */
  drawDistribution() {
    if (!this.content) return;
    const { text, part, slider, content: { prediction: { best, logits: { data: logits } }, before } } = this;
    const temperature = 10 ** Number(slider.value);
    const probabilities = softmax(logits, temperature);
    const shown = formatDecimal(temperature, 2);
    const value = temperature === 1 ? fill(text.ownTemperature, { temperature: shown }) : shown;
    part.value.textContent = value;
    slider.setAttribute("aria-valuetext", value);
    part.own.hidden = temperature === 1;
    const former = before && softmax(before.logits.data, temperature);
    part.candidates.replaceChildren(...best.map((candidate) => (
      this.candidateRow(candidate, { logits, probabilities, former }))));
    const rest = best.reduce((left, { id }) => left - probabilities[id], 1);
    part.others.textContent = fill(temperature === 1 ? text.others : text.othersAtOne, {
      count: formatInteger(logits.length - best.length),
      percent: this.percentText(Math.max(0, rest)), // rounded probabilities may add up to a little more than 1
      bits: formatDecimal(entropy(probabilities), 2),
      bitsAtOne: formatDecimal(entropy(softmax(logits)), 2),
    });
  }

  /**
   * @param {Token} candidate
   * @param {{ logits: Float32Array, probabilities: ArrayLike<number>,
   *   former: ArrayLike<number> | null }} numbers
   */
  candidateRow({ id, text: token }, { logits, probabilities, former }) {
    const { text, content: { trace: { steps }, step } } = this;
    const piece = plainPiece(token);
    const isChosen = id === steps[step].predicted.id;
    const place = { ...WHOLE, stack: /** @type {const} */ ("output"), part: "logit", row: step, column: id };
    const open = button(() => this.go(place), { lang: this.language, title: text.open }, piece);
    const beginning = [...steps.slice(0, step).map(({ predicted }) => predicted.id), id];
    const title = fill(text.fork, { piece });
    const fork = button(() => this.fork(beginning), { title, "aria-label": title, class: "fork" }, "→");
    const logit = element("td", {}, formatDecimal(logits[id], 2));
    const shares = this.shareCells(probabilities[id], former?.[id]);
    const last = element("td", {}, ...(isChosen ? [] : [fork]));
    const row = element("tr", {}, element("th", { scope: "row" }, open), logit, ...shares, last);
    row.classList.toggle("chosen", isChosen);
    return row;
  }

  /** What the lane would write if it ended after each layer. */
  drawLens() {
    const { text, part, content: { prediction: { layers, leaders }, trace: { steps }, step } } = this;
    const { predicted } = steps[step];
    part.lens.replaceChildren(...layers.map(({ id, text: token, probability }, layer) => {
      const row = element("tr", {}, element("th", { scope: "row" }, this.stageName(layer)),
        element("td", { lang: this.language }, plainPiece(token)), ...this.shareCells(probability));
      row.classList.toggle("chosen", id === predicted.id);
      return row;
    }));
    const wins = winningLayer(leaders.find(({ piece }) => piece.id === predicted.id).ranks);
    const sentence = wins === null ? "" : wins === 0 ? text.winsAtOnce : text.wins;
    part.wins.textContent = fill(sentence, { token: plainPiece(predicted.text), layer: wins });
  }

  /** The rank of each token that leads after some layer, after every layer. */
  drawRanks() {
    const { text, part, content: { prediction: { leaders }, trace: { steps }, step } } = this;
    const { predicted } = steps[step];
    part.stages.replaceChildren(element("th", { scope: "col" }, text.token), ...leaders[0].ranks.map((_, layer) => (
      element("th", { scope: "col" }, this.stageName(layer)))));
    part.ranks.replaceChildren(...leaders.map(({ piece, ranks }) => {
      const name = element("th", { scope: "row", lang: this.language }, plainPiece(piece.text));
      const row = element("tr", {}, name, ...ranks.map((rank) => (
        element("td", rank === 1 ? { class: "first" } : {}, formatInteger(rank)))));
      row.classList.toggle("chosen", piece.id === predicted.id);
      return row;
    }));
  }

  /** @param {number} layer */
  stageName(layer) {
    return layer === 0 ? this.text.embedding : fill(this.text.layer, { layer });
  }

  /** @param {number} share */
  percentText(share) {
    return fill(this.percent, { percent: formatPercent(share) });
  }

  /**
   * The cells of a probability: a bar, and its percent with the exact number where it is almost 0.
   * @param {number} share
   * @param {number | null} [former]
   */
  shareCells(share, former = null) {
    const bar = element("i", { style: `width: ${100 * share}%` });
    const exact = formatPercent(share) === "≈0" ? { title: formatExact(share) } : {};
    const text = this.percentText(share);
    const was = wasNodes(this.changes.was, former === null ? null : this.percentText(former), text);
    return [element("td", { class: "bar" }, bar), element("td", exact, ...was, " ", text)];
  }
}
