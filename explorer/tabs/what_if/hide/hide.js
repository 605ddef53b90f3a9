// The panel Hide a token: the English pieces that nothing may attend to, and the effect of leaving each one out beside
// the cross-attention to it.

import { agreementOf, piecesToHide } from "../../../derived/leave_one_out.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
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
const MAX_CACHED_PARTS = 60;
const headsCodec = record({ layer: indexOr("mean"), head: indexOr("mean") }); // in a URL, as "4.mean"

export class Hide extends Panel {
  static names = ["heads"];

  /** The chosen { layer, head } whose attention is compared; null for the default. */
  heads = null;

  /** The effects of a sentence, as far as they are known: { source, rows [piece step], isAsking }; or null. */
  sweep = null;

  /** The attention of the compared heads beside the complete effects (agreementOf); null before. */
  agreement = null;

  drawnState = "";

  constructor(node, whatIf, settings) {
    super(node, whatIf, settings);
    const { part, text } = this;
    const onPoint = (row, column) => this.describeCell(row, column);
    this.effect = new HeatTable(part.effect, { onPoint });
    this.attention = new HeatTable(part.attention, { onPoint });
    this.origin = new Origin(part, whatIf, text);
    this.effects = new AnswerCache(
      ([sentence, pieces]) => whatIf.model.scores(sentence, [], "zero", pieces),
      MAX_CACHED_PARTS,
    );
    for (const name of ["layer", "head"]) part[name].addEventListener("change", () => this.selectHeads());
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
    const { layers, heads } = this.whatIf.source.kinds.cross;
    const limitIndex = (choice, count) => (choice === "mean" ? choice : Math.min(choice, count - 1));
    const { layer, head } = this.heads ?? { layer: layers - 1, head: "mean" };
    return { layer: limitIndex(layer, layers), head: limitIndex(head, heads) };
  }

  selectHeads() {
    const { part, whatIf } = this;
    const { layers, heads } = whatIf.source.kinds.cross;
    const selectedIndex = (node, count) => (Number(node.value) === count ? "mean" : Number(node.value));
    this.heads = { layer: selectedIndex(part.layer, layers), head: selectedIndex(part.head, heads) };
    whatIf.updatePanelState();
  }

  draw() {
    const { whatIf, part, heads } = this;
    this.drawResult();
    const state = JSON.stringify([whatIf.sentence, whatIf.experiment.hidden, heads, theme()]);
    if (this.drawnState !== state) {
      this.drawnState = state;
      this.agreement = null;
      this.drawPieces();
      this.drawSelects();
    }
    if (part.origin.open) this.origin.draw();
    if (this.isShown) this.requestEffects();
  }

  get isShown() {
    return this.whatIf.isShown(this) && (this.part.leave.open || this.part.origin.open);
  }

  drawPieces() {
    const { whatIf, part, text } = this;
    const hidden = new Set(whatIf.experiment.hidden ?? []);
    part.pieces.replaceChildren(...whatIf.source.source.map((piece, index) => {
      const isHidden = hidden.has(index);
      const name = plainPiece(piece.text);
      const title = fill(isHidden ? text.show : text.hide, { piece: name, place: index + 1 });
      return button(() => this.toggle(index), { title, "aria-pressed": isHidden }, name);
    }));
  }

  /** Hides a piece, or shows it again. */
  toggle(index) {
    const { whatIf } = this;
    const hidden = whatIf.experiment.hidden ?? [];
    const others = hidden.filter((other) => other !== index);
    const chosen = others.length < hidden.length ? others : [...hidden, index].sort((a, b) => a - b);
    whatIf.set(chosen.length ? { hidden: chosen } : {});
  }

  /** Draws the German without the hidden pieces; the outcome is far below the tables. */
  drawResult() {
    const { whatIf: { experiment: { hidden = [] }, answer, source }, part, text } = this;
    if (!hidden.length || !answer) {
      part.without.textContent = "";
      return;
    }
    const names = hidden.map((index) => fill(text.piece, { piece: plainPiece(source.source[index].text) }));
    part.without.textContent = fill(text.without, { pieces: joinList(names), target: answer.trace.translation });
  }

  drawSelects() {
    const { whatIf, part, text, comparedHeads } = this;
    const { layers, heads } = whatIf.source.kinds.cross;
    for (const [name, count, mean] of [["layer", layers, text.meanLayer], ["head", heads, text.meanHead]]) {
      const selected = comparedHeads[name] === "mean" ? count : comparedHeads[name];
      updateOptions(part[name], [...numberLabels(count), mean], selected);
    }
  }

  /** Requests the effects part by part, as long as the panel is shown with this sentence; then compares attention. */
  async requestEffects() {
    const { whatIf, part } = this;
    if (this.sweep?.source !== whatIf.source) this.beginSweep();
    const { sweep } = this;
    if (sweep.isAsking) return;
    sweep.isAsking = true;
    while (this.sweep === sweep && this.isShown && !this.isComplete) {
      const pieces = piecesToHide(sweep.source, sweep.rows.length);
      const answer = await this.effects.get([sweep.source.sentence, pieces]);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : whatIf.text.noAnswer;
        part.progress.hidden = true;
        this.sweep = null; // so that the next drawing tries again
        return;
      }
      sweep.rows.push(...new Tensor(answer.changes).rows);
      this.drawEffect();
    }
    sweep.isAsking = false;
    this.compareAttention();
  }

  beginSweep() {
    this.sweep = { source: this.whatIf.source, rows: [], isAsking: false };
    this.agreement = null;
    this.part.message.textContent = "";
    this.drawEffect();
  }

  get isComplete() {
    return this.sweep !== null && this.sweep.rows.length === this.sweep.source.source.length;
  }

  /** Compares the attention of the selected heads with the complete effects. */
  compareAttention() {
    const { whatIf, sweep } = this;
    if (this.agreement || !this.isComplete || !this.isShown || sweep.source !== whatIf.source) return;
    this.agreement = agreementOf(sweep.source, sweep.rows, this.comparedHeads);
    this.drawEffect();
    this.drawAttention();
  }

  drawEffect() {
    const { part, sweep, text } = this;
    const { source, steps } = sweep.source;
    part.progress.hidden = this.isComplete;
    part.progress.value = sweep.rows.length / source.length;
    this.effect.draw({
      ...this.tableLabels(),
      caption: text.effect,
      values: steps.map((_, step) => source.map((_, index) => sweep.rows[index]?.[step] ?? null)),
      scale: FULL_COLOUR_NATS,
      formatNumber: (change) => formatDecimal(change, 1),
      palette: this.palette,
    });
    part["effect-scale"].textContent = fill(text.effectScale, { scale: FULL_COLOUR_NATS });
    this.origin.drawLost(sweep.rows);
    part.tell.textContent = text.tell;
    if (this.agreement) return;
    part.overall.textContent = "";
    part["attention-scale"].textContent = "";
    part.attention.replaceChildren();
  }

  get palette() {
    return paletteOf(this.whatIf.settings.colours[theme()], "cross");
  }

  tableLabels() {
    const { agreement, sweep: { source: { source, steps } }, text } = this;
    const rows = steps.map(({ predicted }, i) => {
      const target = plainPiece(predicted.text);
      if (!agreement) return target;
      const rho = agreement.rows[i] === null ? "–" : formatDecimal(agreement.rows[i], 2);
      return fill(text.row, { target, rho });
    });
    return { rows, columns: source.map((piece) => plainPiece(piece.text)) };
  }

  drawAttention() {
    const { agreement, part, text } = this;
    const [layer, head] = [part.layer, part.head].map((node) => node.selectedOptions[0].textContent);
    this.attention.draw({
      ...this.tableLabels(),
      caption: fill(text.attention, { layer, head }),
      values: agreement.weights.map((row) => [...row]),
      scale: 1,
      formatNumber: (weight) => formatDecimal(weight, 2),
      palette: this.palette,
    });
    part["attention-scale"].textContent = `${text.attentionScale} ${text.rowHint}`;
    part.overall.textContent = this.describeAgreement();
  }

  /** How far attention and effects agree, over all and in the single steps. */
  describeAgreement() {
    const { agreement: { overall, rows }, text } = this;
    const correlations = rows.filter((rho) => rho !== null).sort((a, b) => a - b);
    if (overall === null || !correlations.length) return text.constant;
    const numbers = [overall, median(correlations), correlations[0], correlations.at(-1)];
    const [rho, middle, least, most] = numbers.map((number) => formatDecimal(number, 2));
    return fill(text.overall, { rho, median: middle, least, most });
  }

  /** Puts a cell of either table in words; after a failed sweep the tables show the previous one. */
  describeCell(step, index) {
    if (!this.sweep) return;
    const { agreement, part, sweep, text } = this;
    const { source, steps } = sweep.source;
    const change = sweep.rows[index]?.[step];
    if (change === undefined) return;
    const { predicted, probability } = steps[step];
    part.tell.textContent = fill(agreement ? text.cell : text.cellAlone, {
      source: plainPiece(source[index].text),
      target: plainPiece(predicted.text),
      before: formatDecimal(probability, 3),
      after: formatDecimal(probability * Math.exp(change), 3),
      change: formatDecimal(change, 2),
      weight: agreement ? formatDecimal(agreement.weights[step][index], 3) : "",
    });
  }
}
