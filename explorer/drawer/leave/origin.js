// Source or prefix, in the panel Leave one out: how much of each German piece comes from the English and how much from
// the German before it, and ALTI+ beside leave-one-out for the English pieces of one step.

import { Pairing } from "../../changes/pairing.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { button, element } from "../../ui/element.js";
import { formatSigned, formatPercent, shownPercent } from "../../ui/numbers.js";
import { Tensor, sum } from "../../ui/tensor.js";
import { fill, plainPiece } from "../../ui/text.js";

const FULL_BAR_NATS = 3; // as in the bars of rescored.js
const MAX_CACHED_SENTENCES = 12;

export class Origin {
  /** The translation whose bars are drawn; null before the first. */
  source = null;

  /** The share of each English piece in each step, [step piece]. */
  shares = [];

  /** The changes of leave-one-out [piece step], as far as they are known. */
  lost = [];

  /** The step that was chosen here, and the one of the attention view that belongs to it: { step, seen }; or null. */
  chosen = null;

  /** `part` are the nodes of the panel. */
  constructor(part, drawer, text) {
    this.part = part;
    this.drawer = drawer;
    this.text = text;
    this.contributions = new AnswerCache((sentence) => drawer.model.contributions(sentence), MAX_CACHED_SENTENCES);
  }

  /** Requests the shares of the sentence and draws them for the step of the attention view, or for the chosen one. */
  async draw() {
    const { drawer, part } = this;
    const message = part["origin-message"];
    const answer = await this.contributions.latest(() => drawer.sentence, message, drawer.text.noAnswer);
    if (!answer || answer.error) return;
    if (this.source !== drawer.source) this.drawSteps(answer);
    this.drawStep();
  }

  /** The bars of all steps, once for each sentence, so that the chosen one keeps the focus. */
  drawSteps(answer) {
    const { drawer: { source }, part, text } = this;
    this.source = source;
    this.shares = new Tensor(answer.source).rows;
    this.chosen = null;
    part.steps.replaceChildren(...source.steps.map(({ predicted }, step) => {
      const percent = this.percent(step);
      const number = element("small", {}, fill(text.percent, { percent }));
      const title = this.sentence(step);
      return button(() => this.choose(step), { title }, bar(percent / 100), plainPiece(predicted.text), number);
    }));
  }

  /** The share of the English, in whole percent: the rest is that of the German. */
  percent(step) {
    return shownPercent(sum(this.shares[step]));
  }

  sentence(step) {
    const { source, text } = this;
    const percent = this.percent(step);
    const piece = plainPiece(source.steps[step].predicted.text);
    return fill(step ? text.share : text.shareFirst, { piece, source: percent, target: 100 - percent });
  }

  /** Goes to the step in the attention view, too, if the translation that it shows has it. */
  choose(step) {
    const { drawer: { viewer } } = this;
    const { run } = viewer.trace;
    const seen = run ? run.pairs.steps.indexOf(step) : step;
    this.chosen = { step, seen: seen < 0 ? viewer.view.step : seen };
    viewer.set({ step: this.chosen.seen }); // draws this, too
  }

  /** The chosen step, until the attention view shows another one. */
  get step() {
    const { chosen, drawer: { viewer: { trace: { run }, view }, source }, source: { steps } } = this;
    if (chosen?.seen === view.step) return chosen.step;
    return Math.min(run ? new Pairing(run.pairs, source).upTo(view.step) : view.step, steps.length - 1);
  }

  drawStep() {
    const { part, shares, source, step, text } = this;
    const values = { piece: plainPiece(source.steps[step].predicted.text), scale: FULL_BAR_NATS };
    [...part.steps.children].forEach((node, i) => node.setAttribute("aria-pressed", i === step));
    part.share.textContent = this.sentence(step);
    for (const name of ["contributed", "lost"]) part[`${name}-caption`].textContent = fill(text[name], values);
    part.contributed.replaceChildren(...[...shares[step]].map((share, index) => (
      this.pieceBar(index, share, fill(text.percent, { percent: formatPercent(share) })))));
    this.drawLost(this.lost);
  }

  /** The changes of leave-one-out [piece step], as far as they are known. */
  drawLost(rows) {
    const { drawer, part, source } = this;
    this.lost = rows;
    if (source !== drawer.source) return;
    part.lost.replaceChildren(...source.source.map((_, index) => {
      const change = rows[index]?.[this.step];
      return this.pieceBar(index, (change ?? 0) / FULL_BAR_NATS, change === undefined ? "" : formatSigned(change, 1));
    }));
  }

  pieceBar(index, height, number) {
    const name = plainPiece(this.source.source[index].text);
    const node = element("span", { role: "listitem" }, bar(Math.abs(height)), name, element("small", {}, number));
    node.classList.toggle("less", height < 0);
    return node;
  }
}

/** A bar; `height` 1 is full. */
function bar(height) {
  const filled = element("i");
  filled.style.height = `${100 * Math.min(1, height)}%`;
  return element("b", {}, filled);
}
