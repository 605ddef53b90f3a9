// The station Your German: a translation of the visitor's own, forced upon the model.

import { element } from "../../../shared/element.js";
import { named } from "../../../shared/room.js";
import { fill } from "../../../shared/text.js";

const SURPRISING = 6; // bits

export class Score {
  static names = [];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text });
    this.part = named(node, "score");
    this.part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.score(this.part.text.value);
    });
    this.part.own.addEventListener("click", () => {
      this.part.text.value = lab.source.translation;
      this.part.text.focus();
    });
  }

  /** Another sentence has another German; what was typed stays in the box. */
  renewed() {
    return {};
  }

  parts() {
    return {};
  }

  restore() {
    return [];
  }

  async score(text) {
    const { lab } = this, answer = await lab.ask(["german", text]);
    lab.part.message.textContent = answer?.error ?? (answer ? "" : lab.text.noAnswer);
    if (answer?.ids) lab.open("score", { beginning: [...answer.ids, answer.end] });
  }

  draw() {
    const { lab: { experiment, shown }, part } = this;
    part.found.hidden = !shown || !experiment.beginning;
    if (part.found.hidden) return;
    if (!part.text.value) part.text.value = shown.trace.translation;
    const { trace: { steps }, changed: { logs, ranks } } = shown;
    const rows = steps.map((step, i) => this.row(step, i, logs[i], ranks[i]));
    part.rows.replaceChildren(...rows, this.sum(logs));
  }

  row({ predicted, probability, candidates: [first] }, i, log, rank) {
    const { text } = this, bits = -log / Math.LN2;
    const best = fill(text.candidate, { piece: first.text, probability: first.probability.toFixed(3) });
    const cells = [`${i + 1}`, predicted.text, probability.toFixed(3), log.toFixed(2), `${rank + 1}`, fill(text.bits, { bits: bits.toFixed(1) }), rank === 0 ? "" : best];
    const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell.replace(/^-/, "−"))));
    row.classList.toggle("surprising", bits > SURPRISING);
    return row;
  }

  sum(logs) {
    const { text } = this, all = logs.reduce((a, b) => a + b, 0);
    const cells = ["", text.sum, "", all.toFixed(2).replace("-", "−"), "", fill(text.bits, { bits: (-all / Math.LN2).toFixed(1) }), ""];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  }
}
