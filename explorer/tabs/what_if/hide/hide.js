// The panel Hide a piece: which English pieces nothing may attend to, and what leaving each one out does to the German,
// beside the cross-attention of the same pieces.

import { indexOr, record } from "../../../ui/codecs.js";
import { element } from "../../../ui/element.js";
import { median } from "../../../ui/numbers.js";
import { theme } from "../../../ui/page.js";
import { nodesByAttribute, updateOptions } from "../../../ui/tab.js";
import { Tensor } from "../../../ui/tensor.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { Heat, paletteOf, signed } from "../heat.js";

const FULL = 3; // nats: a change of full colour, as in the frame's bars
const HEADS = record({ layer: indexOr("mean"), head: indexOr("mean") }); // in the address, as "4.mean"

export class Hide {
  static names = ["heads"];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, heads: null, sweep: null, agreed: null, drawn: "" });
    const part = this.part = nodesByAttribute(node, "hide");
    const tell = (row, column) => this.tell(row, column);
    Object.assign(this, { effect: new Heat(part.effect, { tell }), attention: new Heat(part.attention, { tell }) });
    for (const name of ["layer", "head"]) part[name].addEventListener("change", () => this.choose());
    part.leave.addEventListener("toggle", () => this.draw());
  }

  /** Another sentence has other pieces. */
  renewed() {
    return {};
  }

  parts() {
    return { heads: this.heads && HEADS.write(this.heads) };
  }

  restore({ heads }) {
    this.heads = heads === undefined ? null : HEADS.read(heads) ?? null;
    return heads !== undefined && this.heads === null ? ["heads"] : [];
  }

  /** The heads whose attention is compared: the mean of the last layer unless others were chosen. */
  get shownHeads() {
    const { layers, heads } = this.lab.source.kinds.cross;
    const within = (choice, count) => (choice === "mean" ? choice : Math.min(choice, count - 1));
    const { layer, head } = this.heads ?? { layer: layers - 1, head: "mean" };
    return { layer: within(layer, layers), head: within(head, heads) };
  }

  choose() {
    const { part, lab } = this, { layers, heads } = lab.source.kinds.cross;
    const of = (node, count) => (Number(node.value) === count ? "mean" : Number(node.value));
    this.heads = { layer: of(part.layer, layers), head: of(part.head, heads) };
    lab.kept();
  }

  draw() {
    const { lab, part, heads } = this;
    this.drawWithout();
    const state = JSON.stringify([lab.sentence, lab.experiment.hidden, heads, theme(), part.leave.open]);
    if (this.drawn === state) return;
    this.drawn = state;
    this.drawPieces();
    this.drawChoice();
    if (!part.leave.open) return;
    if (this.sweep?.source !== lab.source) this.run();
    else this.agree();
  }

  drawPieces() {
    const { lab, part, text } = this, hidden = new Set(lab.experiment.hidden ?? []);
    part.pieces.replaceChildren(...lab.source.source.map((piece, place) => {
      const off = hidden.has(place), title = fill(off ? text.show : text.hide, { piece: plainPiece(piece.text), place: place + 1 });
      const button = element("button", { type: "button", title, "aria-pressed": off }, plainPiece(piece.text));
      button.addEventListener("click", () => {
        const left = off ? [...hidden].filter((other) => other !== place) : [...hidden, place].sort((a, b) => a - b);
        lab.set(left.length ? { hidden: left } : {});
      });
      return button;
    }));
  }

  /** What came of hiding them: the German stands far below the tables. */
  drawWithout() {
    const { lab: { experiment, shown, source }, part, text } = this, hidden = experiment.hidden ?? [];
    const named = () => hidden.map((place) => fill(text.piece, { piece: plainPiece(source.source[place].text) })).join(", ");
    part.without.textContent = hidden.length && shown ? fill(text.without, { pieces: named(), target: shown.shown.translation }) : "";
  }

  drawChoice() {
    const { lab, part, text, shownHeads } = this, { layers, heads } = lab.source.kinds.cross;
    for (const [name, count, words] of [["layer", layers, text.layers], ["head", heads, text.heads]]) {
      const numbers = Array.from({ length: count }, (_, i) => fill(words.one, { number: i + 1 }));
      updateOptions(part[name], [...numbers, words.mean], shownHeads[name] === "mean" ? count : shownHeads[name]);
    }
  }

  /** Asks for one part after the other, until all pieces were left out or another sentence was chosen. */
  async run() {
    const { lab, part } = this, { source } = lab;
    const sweep = this.sweep = { source, columns: [], parts: 1, done: 0 };
    this.agreed = null;
    part.message.textContent = "";
    this.drawEffect();
    while (this.sweep === sweep && sweep.done < sweep.parts) {
      const answer = await lab.ask(["omission", source.sentence, sweep.done]);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : lab.text.noAnswer;
        part.progress.hidden = true;
        Object.assign(this, { sweep: null, drawn: "" }); // to be tried again
        return;
      }
      sweep.parts = answer.parts;
      sweep.done += 1;
      sweep.columns.push(...new Tensor(answer.effect).rows);
      this.drawEffect();
    }
    this.agree();
  }

  get complete() {
    return this.sweep !== null && this.sweep.done === this.sweep.parts;
  }

  /** The attention of the chosen heads, and how far it agrees. */
  async agree() {
    if (!this.complete) return;
    const { lab, part, sweep } = this, { layer, head } = this.shownHeads;
    const answer = await lab.ask(["agreement", lab.sentence, layer, head]);
    const now = this.shownHeads;
    if (this.sweep !== sweep || now.layer !== layer || now.head !== head) return;
    part.message.textContent = answer ? answer.error ?? "" : lab.text.noAnswer;
    this.agreed = answer && !answer.error ? { ...answer, rows: answer.rows, weights: new Tensor(answer.weights).rows } : null;
    if (!this.agreed) this.drawn = "";
    this.drawEffect();
    this.drawAttention();
  }

  drawEffect() {
    const { lab: { settings }, part, sweep, text } = this;
    part.progress.hidden = this.complete;
    part.progress.value = sweep.done / sweep.parts;
    const { source, steps } = sweep.source;
    const values = steps.map((_, step) => source.map((_, place) => sweep.columns[place]?.[step] ?? null));
    this.effect.draw({ ...this.labels(), caption: text.effect, values, scale: FULL, written: (change) => signed(change, 1),
      palette: paletteOf(settings.colours[theme()], "cross") });
    part["effect-scale"].textContent = fill(text.effectScale, { scale: FULL });
    part.tell.textContent = text.tell;
    if (this.agreed) return;
    part.overall.textContent = part["attention-scale"].textContent = "";
    part.attention.replaceChildren();
  }

  labels() {
    const { agreed, sweep: { source: { source, steps } }, text } = this;
    const target = (i) => plainPiece(steps[i].predicted.text);
    const rho = (i) => (agreed.rows[i] === null ? "–" : signed(agreed.rows[i], 2));
    const rows = steps.map((_, i) => (agreed ? fill(text.row, { target: target(i), rho: rho(i) }) : target(i)));
    return { rows, columns: source.map((piece) => plainPiece(piece.text)) };
  }

  drawAttention() {
    const { agreed, lab: { settings }, part, text } = this;
    if (!agreed) return;
    const { layer, head } = part, chosen = [layer, head].map((node) => node.selectedOptions[0].textContent);
    const caption = fill(text.attention, { layer: chosen[0], head: chosen[1] });
    this.attention.draw({ ...this.labels(), caption, values: agreed.weights.map((row) => [...row]), scale: 1, written: (weight) => weight.toFixed(2),
      palette: paletteOf(settings.colours[theme()], "cross") });
    part["attention-scale"].textContent = `${text.attentionScale} ${text.rowHint}`;
    const known = agreed.rows.filter((rho) => rho !== null).sort((a, b) => a - b);
    const values = () => ({ rho: agreed.overall, median: median(known), least: known[0], most: known.at(-1) });
    const said = () => fill(text.overall, Object.fromEntries(Object.entries(values()).map(([name, rho]) => [name, signed(rho, 2)])));
    part.overall.textContent = agreed.overall === null || !known.length ? text.constant : said();
  }

  /** One cell of either table in words; where the last sweep failed, the tables of the one before still stand. */
  tell(step, place) {
    if (!this.sweep) return;
    const { agreed, part, sweep, text } = this, { source, steps } = sweep.source;
    const change = sweep.columns[place]?.[step];
    if (change === undefined) return;
    const { predicted, probability } = steps[step];
    part.tell.textContent = fill(agreed ? text.cell : text.cellAlone, {
      source: plainPiece(source[place].text), target: plainPiece(predicted.text), before: probability.toFixed(3),
      after: (probability * Math.exp(change)).toFixed(3), change: signed(change, 2), weight: agreed ? agreed.weights[step][place].toFixed(3) : "",
    });
  }
}
