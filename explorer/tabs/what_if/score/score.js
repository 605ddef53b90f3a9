// The panel Your German: a translation of the visitor's own, forced upon the model.

import { element } from "../../../ui/element.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { formatNats } from "../../../ui/numbers.js";

const SURPRISING = 6; // bits

export class Score {
  static names = [];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, boxed: null, drawn: null }); // the pieces of what stands in the box, and the answer in the table
    this.part = nodesByAttribute(node, "score");
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

  score(text) {
    this.lab.target(text, ({ ids, end }) => {
      const beginning = [...ids, end];
      this.boxed = String(beginning);
      this.lab.set({ beginning });
    });
  }

  draw() {
    const { lab: { of, shown }, part } = this, beginning = of?.experiment.beginning;
    part.found.hidden = !shown || !beginning;
    if (shown === this.drawn || part.found.hidden) return;
    this.drawn = shown;
    if (String(beginning) !== this.boxed) part.text.value = shown.trace.translation; // of a link, or of Back
    this.boxed = String(beginning);
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
    const cells = ["", text.sum, "", formatNats(all), "", fill(text.bits, { bits: (-all / Math.LN2).toFixed(1) }), ""];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  }
}
