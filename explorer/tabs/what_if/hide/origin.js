// Source or prefix, in the panel Hide a piece: how much of each German piece comes from the English and how much from the
// German before it, and ALTI+ beside leave-one-out for the English pieces of one step.

import { button, element } from "../../../ui/element.js";
import { formatChange, formatDecimal } from "../../../ui/numbers.js";
import { Tensor, sum } from "../../../ui/tensor.js";
import { fill, plainPiece } from "../../../ui/text.js";

const FULL_BAR_NATS = 3; // as in the bars of outcome.js

export class Origin {
  /** `part` are the nodes of the panel. */
  constructor(part, lab, text) {
    Object.assign(this, { part, lab, text, source: null, shares: [], columns: [], chosen: null });
  }

  /** Requests the shares of the sentence and draws them for the step of the attention view, or for the chosen one. */
  async draw() {
    const { lab, part } = this;
    const answer = await lab.requests.latest(() => ["contributions", lab.sentence], part["origin-message"], lab.text.noAnswer);
    if (!answer || answer.error) return;
    if (this.source !== lab.source) this.drawSteps(answer);
    this.drawStep();
  }

  /** The bars of all steps, once for each sentence, so that the chosen one keeps the focus. */
  drawSteps(answer) {
    const { lab: { source }, part, text } = this;
    Object.assign(this, { source, shares: new Tensor(answer.source).rows, chosen: null });
    part.steps.replaceChildren(...source.steps.map(({ predicted }, step) => {
      const percent = this.percent(step), number = element("small", {}, fill(text.percent, { percent }));
      return button(() => this.choose(step), { title: this.sentence(step) }, bar(percent / 100), plainPiece(predicted.text), number);
    }));
  }

  /** The share of the English, in whole percent: the rest is that of the German. */
  percent(step) {
    return Math.round(100 * sum(this.shares[step]));
  }

  sentence(step) {
    const { source, text } = this, percent = this.percent(step);
    return fill(step ? text.share : text.shareFirst, { piece: plainPiece(source.steps[step].predicted.text), source: percent, target: 100 - percent });
  }

  /** Goes to the step in the attention view, too, if the translation that it shows has it. */
  choose(step) {
    const { lab: { viewer } } = this, { run } = viewer.compared, seen = run ? run.pairing.origin("cross", "query", step) : step;
    this.chosen = { step, seen: seen ?? viewer.view.step };
    if (viewer.trace) viewer.set({ step: this.chosen.seen }); // draws this, too
  }

  /** The chosen step, until the attention view shows another one. */
  get step() {
    const { chosen, lab: { viewer: { compared, view } }, source: { steps } } = this;
    if (chosen?.seen === view.step) return chosen.step;
    return Math.min(compared.run ? compared.run.pairing.upTo(view.step) : view.step ?? 0, steps.length - 1);
  }

  drawStep() {
    const { part, shares, source, step, text } = this, piece = plainPiece(source.steps[step].predicted.text);
    [...part.steps.children].forEach((node, i) => node.setAttribute("aria-pressed", i === step));
    part.share.textContent = this.sentence(step);
    for (const name of ["contributed", "lost"]) part[`${name}-caption`].textContent = fill(text[name], { piece, scale: FULL_BAR_NATS });
    part.contributed.replaceChildren(...[...shares[step]].map((share, place) => this.pieceBar(place, share, fill(text.percent, { percent: formatDecimal(100 * share, 0) }))));
    this.drawLost(this.columns);
  }

  /** The changes [place][step] of leave-one-out, as far as they are known. */
  drawLost(columns) {
    const { lab, part, source } = this;
    this.columns = columns;
    if (source !== lab.source) return;
    part.lost.replaceChildren(...source.source.map((_, place) => {
      const change = columns[place]?.[this.step];
      return this.pieceBar(place, (change ?? 0) / FULL_BAR_NATS, change === undefined ? "" : formatChange(change, 1));
    }));
  }

  pieceBar(place, height, number) {
    const node = element("span", { role: "listitem" }, bar(Math.abs(height)), plainPiece(this.source.source[place].text), element("small", {}, number));
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
