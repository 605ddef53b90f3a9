// The panel Your German: scores a translation that the user typed.

import { element } from "../../../ui/element.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { formatDecimal } from "../../../ui/numbers.js";

const SURPRISING_BITS = 6;

export class Score {
  static names = [];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, boxIds: null, drawnAnswer: null }); // the ids of the text in the box, and the answer in the table
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

  /** Another sentence has another translation; the typed text stays in the box. */
  resetForSentence() {
    return {};
  }

  encodeState() {
    return {};
  }

  restore() {
    return [];
  }

  score(text) {
    this.lab.tokenizeTarget(text, ({ ids, end }) => {
      const beginning = [...ids, end];
      this.boxIds = String(beginning);
      this.lab.set({ beginning });
    });
  }

  draw() {
    const { lab: { visibleRun, answer }, part } = this, beginning = visibleRun?.experiment.beginning;
    part.found.hidden = !answer || !beginning;
    if (answer === this.drawnAnswer || part.found.hidden) return;
    this.drawnAnswer = answer;
    if (String(beginning) !== this.boxIds) part.text.value = answer.trace.translation; // from a link or the Back button
    this.boxIds = String(beginning);
    const { trace: { steps }, changed: { logs, ranks } } = answer;
    const rows = steps.map((step, i) => this.stepRow(step, i, logs[i], ranks[i]));
    part.rows.replaceChildren(...rows, this.sumRow(logs));
  }

  stepRow({ predicted, probability, candidates: [first] }, i, log, rank) {
    const { text } = this, bits = -log / Math.LN2;
    const best = fill(text.candidate, { piece: first.text, probability: formatDecimal(first.probability, 3) });
    const cells = [`${i + 1}`, predicted.text, formatDecimal(probability, 3), formatDecimal(log, 2), `${rank + 1}`, fill(text.bits, { bits: formatDecimal(bits, 1) }), rank === 0 ? "" : best];
    const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell.replace(/^-/, "−"))));
    row.classList.toggle("surprising", bits > SURPRISING_BITS);
    return row;
  }

  sumRow(logs) {
    const { text } = this, total = logs.reduce((a, b) => a + b, 0);
    const cells = ["", text.sum, "", formatDecimal(total, 2), "", fill(text.bits, { bits: formatDecimal(-total / Math.LN2, 1) }), ""];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  }
}
