// The panel Hide a piece: the English pieces that nothing may attend to, and the effect of leaving each one out beside
// the cross-attention to it.

import { indexOr, record } from "../../../ui/codecs.js";
import { button } from "../../../ui/element.js";
import { formatDecimal, median } from "../../../ui/numbers.js";
import { theme } from "../../../ui/page.js";
import { numberLabels, updateOptions } from "../../../ui/tab.js";
import { Tensor } from "../../../ui/tensor.js";
import { fill, joinList, plainPiece } from "../../../ui/text.js";
import { HeatTable, paletteOf } from "../heat.js";
import { Panel } from "../panel.js";
import { Origin } from "./origin.js";

const FULL_COLOUR_NATS = 3; // as in the bars of outcome.js
const headsCodec = record({ layer: indexOr("mean"), head: indexOr("mean") }); // in a URL, as "4.mean"

export class Hide extends Panel {
  static names = ["heads"];

  constructor(node, lab, settings) {
    super(node, lab, settings);
    Object.assign(this, { heads: null, sweep: null, agreement: null, agreementKey: null, drawnState: "" });
    const { part, text } = this;
    const onPoint = (row, column) => this.describeCell(row, column);
    Object.assign(this, { effect: new HeatTable(part.effect, { onPoint }), attention: new HeatTable(part.attention, { onPoint }) });
    for (const name of ["layer", "head"]) part[name].addEventListener("change", () => this.selectHeads());
    this.origin = new Origin(part, lab, text);
    for (const name of ["leave", "origin"]) part[name].addEventListener("toggle", () => this.draw());
  }

  encodeState() {
    return { heads: this.heads && headsCodec.write(this.heads) };
  }

  restore({ heads }) {
    this.heads = heads === undefined ? null : headsCodec.read(heads) ?? null;
    return heads !== undefined && this.heads === null ? ["heads"] : [];
  }

  /** The layer and head whose attention is compared; by default the mean of the last layer. */
  get comparedHeads() {
    const { layers, heads } = this.lab.source.kinds.cross;
    const limitIndex = (choice, count) => (choice === "mean" ? choice : Math.min(choice, count - 1));
    const { layer, head } = this.heads ?? { layer: layers - 1, head: "mean" };
    return { layer: limitIndex(layer, layers), head: limitIndex(head, heads) };
  }

  selectHeads() {
    const { part, lab } = this, { layers, heads } = lab.source.kinds.cross;
    const selectedIndex = (node, count) => (Number(node.value) === count ? "mean" : Number(node.value));
    this.heads = { layer: selectedIndex(part.layer, layers), head: selectedIndex(part.head, heads) };
    lab.updatePanelState();
  }

  draw() {
    const { lab, part, heads } = this;
    this.drawResult();
    const state = JSON.stringify([lab.sentence, lab.experiment.hidden, heads, theme()]);
    if (this.drawnState !== state) {
      Object.assign(this, { drawnState: state, agreementKey: null });
      this.drawPieces();
      this.drawSelects();
    }
    if (part.origin.open) this.origin.draw();
    if (this.isShown) this.requestEffects();
  }

  get isShown() {
    return this.lab.isShown(this) && (this.part.leave.open || this.part.origin.open);
  }

  drawPieces() {
    const { lab, part, text } = this, hidden = new Set(lab.experiment.hidden ?? []);
    part.pieces.replaceChildren(...lab.source.source.map((piece, place) => {
      const isHidden = hidden.has(place), title = fill(isHidden ? text.show : text.hide, { piece: plainPiece(piece.text), place: place + 1 });
      const onClick = () => {
        const remaining = isHidden ? [...hidden].filter((other) => other !== place) : [...hidden, place].sort((a, b) => a - b);
        lab.set(remaining.length ? { hidden: remaining } : {});
      };
      return button(onClick, { title, "aria-pressed": isHidden }, plainPiece(piece.text));
    }));
  }

  /** Draws the German without the hidden pieces; the outcome is far below the tables. */
  drawResult() {
    const { lab: { experiment, answer, source }, part, text } = this, hidden = experiment.hidden ?? [];
    const pieceNames = () => joinList(hidden.map((place) => fill(text.piece, { piece: plainPiece(source.source[place].text) })));
    part.without.textContent = hidden.length && answer ? fill(text.without, { pieces: pieceNames(), target: answer.changedTrace.translation }) : "";
  }

  drawSelects() {
    const { lab, part, text, comparedHeads } = this, { layers, heads } = lab.source.kinds.cross;
    for (const [name, count, mean] of [["layer", layers, text.meanLayer], ["head", heads, text.meanHead]]) {
      updateOptions(part[name], [...numberLabels(count), mean], comparedHeads[name] === "mean" ? count : comparedHeads[name]);
    }
  }

  /** Requests the effects part by part, then the agreement, as long as the panel is shown with this sentence. */
  async requestEffects() {
    const { lab, part } = this;
    if (this.sweep?.source !== lab.source) this.beginSweep();
    const { sweep } = this;
    if (sweep.isAsking) return;
    sweep.isAsking = true;
    while (this.sweep === sweep && this.isShown && sweep.done < sweep.parts) {
      const answer = await lab.ask(["omission", sweep.source.sentence, sweep.done]);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : lab.text.noAnswer;
        part.progress.hidden = true;
        this.sweep = null; // so that the next drawing tries again
        return;
      }
      sweep.parts = answer.parts;
      sweep.done += 1;
      sweep.columns.push(...new Tensor(answer.effect).rows);
      this.drawEffect();
    }
    sweep.isAsking = false;
    await this.requestAgreement();
  }

  beginSweep() {
    Object.assign(this, { sweep: { source: this.lab.source, columns: [], parts: 1, done: 0, isAsking: false }, agreement: null, agreementKey: null });
    this.part.message.textContent = "";
    this.drawEffect();
  }

  get isComplete() {
    return this.sweep !== null && this.sweep.done === this.sweep.parts;
  }

  /** Requests, once, the attention of the selected heads and its correlation with the effects. */
  async requestAgreement() {
    const { lab, part, sweep } = this;
    if (!this.isComplete || !this.isShown || sweep.source !== lab.source) return;
    const { layer, head } = this.comparedHeads, key = JSON.stringify([layer, head]);
    if (this.agreementKey === key) return;
    this.agreementKey = key;
    const answer = await lab.ask(["agreement", sweep.source.sentence, layer, head]);
    if (this.sweep !== sweep || sweep.source !== lab.source || this.agreementKey !== key) return;
    part.message.textContent = answer ? answer.error ?? "" : lab.text.noAnswer;
    this.agreement = answer && !answer.error ? { ...answer, weights: new Tensor(answer.weights).rows } : null;
    if (!this.agreement) this.agreementKey = null;
    this.drawEffect();
    this.drawAttention();
  }

  drawEffect() {
    const { lab: { settings }, part, sweep, text } = this;
    part.progress.hidden = this.isComplete;
    part.progress.value = sweep.done / sweep.parts;
    const { source, steps } = sweep.source;
    const values = steps.map((_, step) => source.map((_, place) => sweep.columns[place]?.[step] ?? null));
    this.effect.draw({ ...this.tableLabels(), caption: text.effect, values, scale: FULL_COLOUR_NATS, formatNumber: (change) => formatDecimal(change, 1),
      palette: paletteOf(settings.colours[theme()], "cross") });
    part["effect-scale"].textContent = fill(text.effectScale, { scale: FULL_COLOUR_NATS });
    this.origin.drawLost(sweep.columns);
    part.tell.textContent = text.tell;
    if (this.agreement) return;
    part.overall.textContent = part["attention-scale"].textContent = "";
    part.attention.replaceChildren();
  }

  tableLabels() {
    const { agreement, sweep: { source: { source, steps } }, text } = this;
    const target = (i) => plainPiece(steps[i].predicted.text);
    const rho = (i) => (agreement.rows[i] === null ? "–" : formatDecimal(agreement.rows[i], 2));
    const rows = steps.map((_, i) => (agreement ? fill(text.row, { target: target(i), rho: rho(i) }) : target(i)));
    return { rows, columns: source.map((piece) => plainPiece(piece.text)) };
  }

  drawAttention() {
    const { agreement, lab: { settings }, part, text } = this;
    if (!agreement) return;
    const { layer, head } = part, choiceNames = [layer, head].map((node) => node.selectedOptions[0].textContent);
    const caption = fill(text.attention, { layer: choiceNames[0], head: choiceNames[1] });
    this.attention.draw({ ...this.tableLabels(), caption, values: agreement.weights.map((row) => [...row]), scale: 1, formatNumber: (weight) => formatDecimal(weight, 2),
      palette: paletteOf(settings.colours[theme()], "cross") });
    part["attention-scale"].textContent = `${text.attentionScale} ${text.rowHint}`;
    const correlations = agreement.rows.filter((rho) => rho !== null).sort((a, b) => a - b);
    const values = () => ({ rho: agreement.overall, median: median(correlations), least: correlations[0], most: correlations.at(-1) });
    const summary = () => fill(text.overall, Object.fromEntries(Object.entries(values()).map(([name, rho]) => [name, formatDecimal(rho, 2)])));
    part.overall.textContent = agreement.overall === null || !correlations.length ? text.constant : summary();
  }

  /** Puts a cell of either table in words; after a failed sweep the tables show the previous one. */
  describeCell(step, place) {
    if (!this.sweep) return;
    const { agreement, part, sweep, text } = this, { source, steps } = sweep.source;
    const change = sweep.columns[place]?.[step];
    if (change === undefined) return;
    const { predicted, probability } = steps[step];
    part.tell.textContent = fill(agreement ? text.cell : text.cellAlone, {
      source: plainPiece(source[place].text), target: plainPiece(predicted.text), before: formatDecimal(probability, 3),
      after: formatDecimal(probability * Math.exp(change), 3), change: formatDecimal(change, 2), weight: agreement ? formatDecimal(agreement.weights[step][place], 3) : "",
    });
  }
}
