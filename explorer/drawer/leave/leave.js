// The panel Leave one out: the effect of hiding each token of the source in turn, beside the cross-attention to it.

import { agreementOf, neededPieces, piecesToHide } from "../../derived/leave_one_out.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { indexOr, record } from "../../ui/codecs.js";
import { formatDecimal, median } from "../../ui/numbers.js";
import { theme } from "../../ui/page.js";
import { numberLabels, updateOptions } from "../../ui/tab.js";
import { Tensor } from "../../ui/tensor.js";
import { fill, plainPiece } from "../../ui/text.js";
import { HeatTable, paletteOf } from "../heat.js";
import { Panel } from "../panel.js";
import { PartLoader } from "../part_loader.js";
import { Origin } from "./origin.js";

const FULL_COLOUR_NATS = 3; // as in the bars of rescored.js
const MAX_CACHED_PARTS = 60;
const headsCodec = record({ layer: indexOr("mean"), head: indexOr("mean") }); // in a URL, as "4.mean"

export class Leave extends Panel {
  static names = ["heads"];

  /** The chosen { layer, head } whose attention is compared; null for the default. */
  heads = null;

  /** The sentence whose effects are drawn: they are [piece step]. @type {Trace | null} */
  swept = null;

  /** The attention of the compared heads beside the complete effects (agreementOf); null before. */
  agreement = null;

  drawnState = "";

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part, text } = this;
    const onPoint = (row, column) => this.describeCell(row, column);
    this.effect = new HeatTable(part.effect, { onPoint });
    this.attention = new HeatTable(part.attention, { onPoint });
    this.origin = new Origin(part, drawer, text);
    this.effects = new AnswerCache(
      ([sentence, pieces]) => drawer.model.scores(sentence, [], "zero", pieces),
      MAX_CACHED_PARTS,
    );
    this.loader = new PartLoader({
      isSeen: () => this.isShown,
      total: () => this.swept.source.length,
      next: (request, done) => this.nextEffects(request, done),
      failed: drawer.text.noAnswer,
      draw: () => this.drawEffect(),
    });
    for (const name of ["layer", "head"]) part[name].addEventListener("change", () => this.selectHeads());
    for (const name of ["leave", "origin"]) part[name].addEventListener("toggle", () => drawer.render());
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
    const { layers, heads } = this.drawer.source.kinds.cross;
    const limitIndex = (choice, count) => (choice === "mean" ? choice : Math.min(choice, count - 1));
    const { layer, head } = this.heads ?? { layer: layers - 1, head: "mean" };
    return { layer: limitIndex(layer, layers), head: limitIndex(head, heads) };
  }

  selectHeads() {
    const { part, drawer } = this;
    const { layers, heads } = drawer.source.kinds.cross;
    const selectedIndex = (node, count) => (Number(node.value) === count ? "mean" : Number(node.value));
    this.heads = { layer: selectedIndex(part.layer, layers), head: selectedIndex(part.head, heads) };
    drawer.updatePanelState();
  }

  draw() {
    const { drawer, part, heads } = this;
    const state = JSON.stringify([drawer.sentence, heads, theme()]);
    if (this.drawnState !== state) {
      this.drawnState = state;
      this.agreement = null;
      this.drawSelects();
    }
    if (part.origin.open) this.origin.draw();
    if (this.isShown) this.loadEffects();
  }

  get isShown() {
    return this.drawer.isShown(this) && (this.part.leave.open || this.part.origin.open);
  }

  drawSelects() {
    const { drawer, part, text, comparedHeads } = this;
    const { layers, heads } = drawer.source.kinds.cross;
    for (const [name, count, mean] of [["layer", layers, text.meanLayer], ["head", heads, text.meanHead]]) {
      const selected = comparedHeads[name] === "mean" ? count : comparedHeads[name];
      updateOptions(part[name], [...numberLabels(count), mean], selected);
    }
  }

  /** Loads the effects of the sentence, then compares attention with them. */
  async loadEffects() {
    const { drawer: { source, sentence } } = this;
    const isNew = this.swept !== source;
    this.swept = source;
    if (isNew) this.agreement = null;
    const loading = this.loader.load([sentence, source.submission]);
    if (isNew) this.drawEffect();
    await loading;
    this.compareAttention();
  }

  async nextEffects([sentence], done) {
    const answer = await this.effects.get([sentence, piecesToHide(this.swept, done)]);
    return answer && !answer.error ? new Tensor(answer.changes).rows : answer;
  }

  /** Compares the attention of the selected heads with the complete effects. */
  compareAttention() {
    const { drawer, loader, swept } = this;
    if (this.agreement || !loader.isComplete || !this.isShown || swept !== drawer.source) return;
    this.agreement = agreementOf(swept, loader.items, this.comparedHeads);
    this.drawEffect();
    this.drawAttention();
  }

  drawEffect() {
    const { part, loader, text, swept: { source, steps } } = this;
    const rows = loader.items;
    part.message.textContent = loader.failure;
    part.progress.hidden = loader.isComplete || loader.failure !== "";
    part.progress.value = rows.length / source.length;
    this.effect.draw({
      ...this.tableLabels(),
      caption: text.effect,
      values: steps.map((_, step) => source.map((_, index) => rows[index]?.[step] ?? null)),
      scale: FULL_COLOUR_NATS,
      formatNumber: (change) => formatDecimal(change, 1),
      palette: this.palette,
    });
    part["effect-scale"].textContent = fill(text.effectScale, { scale: FULL_COLOUR_NATS });
    this.origin.drawLost(rows);
    part.tell.textContent = text.tell;
    part.needs.textContent = loader.isComplete ? this.describeNeeds() : "";
    if (this.agreement) return;
    part.overall.textContent = "";
    part["attention-scale"].textContent = "";
    part.attention.replaceChildren();
  }

  /** The words without which the translation as a whole loses most; "" if there are fewer than three. */
  describeNeeds() {
    const { loader: { items }, text, swept: { source } } = this;
    const losses = neededPieces(source, items);
    if (losses.length < 3 || losses[0].lost <= 0) return "";
    const [one, two, three] = losses.map(({ piece, lost }) => (
      { name: plainPiece(piece.text), lost: formatDecimal(lost, 1) }));
    return fill(text.needs, {
      first: one.name, lost: one.lost, second: two.name, then: two.lost, third: three.name, last: three.lost,
    });
  }

  get palette() {
    return paletteOf(this.drawer.settings.colours[theme()], "cross");
  }

  tableLabels() {
    const { agreement, swept: { source, steps }, text } = this;
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

  /** Puts a cell of either table in words; of the sentence that they show. */
  describeCell(step, index) {
    if (!this.swept) return;
    const { agreement, part, loader, text, swept: { source, steps } } = this;
    const change = loader.items[index]?.[step];
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
