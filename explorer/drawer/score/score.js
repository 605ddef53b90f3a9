// The panel Your German: scores a translation that the user typed.

import { logProbability } from "../../derived/trace.js";
import { button, element, onSubmit } from "../../ui/element.js";
import { fill } from "../../ui/text.js";
import { formatDecimal, formatPercent, localNumber } from "../../ui/numbers.js";
import { Panel } from "../panel.js";
import { bleu, chrf, matchRuns, split, words } from "./metrics.js";

const SURPRISING_BITS = 6;
/** The runs that are marked in both texts, as a URL names them: w1 are single words, c6 six characters in a row. */
const RUNS = /^(?:w[1-4]|c[1-6])$/, FIRST_RUNS = "w1";

/** The words or characters of a text, each with the blank before it. */
function itemsOf(text, unit) {
  const parts = unit === "w" ? words(text).map((word) => [word]) : split(text).map((part) => [...part]);
  return parts.flatMap((part) => part.map((item, i) => ({ item, blank: i ? "" : " " })));
}

/** The nodes of both texts, in which the runs that they have in common are marked. */
function markedTexts(texts, runs) {
  const [unit, n] = runs;
  const sides = texts.map((text) => itemsOf(text, unit));
  const { marked } = matchRuns(...sides.map((items) => items.map(({ item }) => item)), Number(n));
  return sides.map((items, side) => {
    const parts = [];
    const isMarked = (i) => marked[side].has(i);
    const add = (text, marks) => {
      if (parts.at(-1)?.marks === marks) parts.at(-1).text += text;
      else parts.push({ text, marks });
    };
    items.forEach(({ item, blank }, i) => {
      if (i > 0) add(blank, isMarked(i - 1) && isMarked(i));
      add(item, isMarked(i));
    });
    return parts.map(({ text, marks }) => (marks ? element("mark", {}, text) : text));
  });
}

export class Score extends Panel {
  static names = ["marks"];

  /** The ids of the text in the box, as text. */
  boxIds = null;

  /** The runs that are marked in both texts. */
  runs = FIRST_RUNS;

  /** What the tables and the marks show. */
  drawnTrace = null;
  drawnRuns = null;

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    onSubmit(this.part.form, () => this.score(this.part.text.value));
    this.part.own.addEventListener("click", () => {
      this.part.text.value = drawer.source.translation;
      this.part.text.focus();
    });
  }

  encodeState() {
    return { marks: this.runs === FIRST_RUNS ? null : this.runs };
  }

  restore({ marks = FIRST_RUNS }) {
    if (!RUNS.test(marks)) return ["marks"];
    this.runs = marks;
    if (marks !== FIRST_RUNS) this.part[marks.startsWith("w") ? "bleu" : "chrf"].open = true; // where it was chosen
    return [];
  }

  score(text) {
    this.drawer.tokenizeTarget(text, ({ ids, end }) => {
      const beginning = [...ids, end];
      this.boxIds = String(beginning);
      this.drawer.ask({ beginning });
    });
  }

  draw() {
    const { drawer: { changed, source }, part } = this, beginning = changed?.run.experiment.beginning;
    part.found.hidden = !beginning;
    if (part.found.hidden || (changed === this.drawnTrace && this.runs === this.drawnRuns)) return; // only another step
    const texts = [source.translation, changed.translation];
    if (changed !== this.drawnTrace) this.drawTrace(changed, String(beginning), texts);
    this.drawMarks(texts);
  }

  drawTrace(trace, ids, texts) {
    const { part } = this;
    this.drawnTrace = trace;
    if (ids !== this.boxIds) part.text.value = trace.translation; // from a link or the Back button
    this.boxIds = ids;
    const { steps } = trace;
    part.rows.replaceChildren(...steps.map((step, i) => this.stepRow(step, i)), this.sumRow(steps));
    this.drawBleu(bleu(...texts));
    this.drawChrf(chrf(...texts));
  }

  stepRow({ predicted, probability, candidates: [first], log_probability: log, rank }, i) {
    const { text } = this;
    const bits = -log / Math.LN2;
    const best = fill(text.candidate, { piece: first.text, probability: formatDecimal(first.probability, 3) });
    const cells = [
      `${i + 1}`,
      predicted.text,
      formatDecimal(probability, 3),
      formatDecimal(log, 2),
      `${rank + 1}`,
      fill(text.bits, { bits: formatDecimal(bits, 1) }),
      rank === 0 ? "" : best,
    ];
    const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell.replace(/^-/, "−"))));
    row.classList.toggle("surprising", bits > SURPRISING_BITS);
    return row;
  }

  sumRow(steps) {
    const { text } = this;
    const total = logProbability(steps);
    const bits = fill(text.bits, { bits: formatDecimal(-total / Math.LN2, 1) });
    const cells = ["", text.sum, "", formatDecimal(total, 2), "", bits, ""];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  }

  /** Marks the chosen runs in both texts, and their row in a table. */
  drawMarks(texts) {
    const { node, part, runs, text } = this;
    this.drawnRuns = runs;
    const [hypothesis, reference] = markedTexts(texts, runs);
    part.hypothesis.replaceChildren(...hypothesis);
    part.reference.replaceChildren(...reference);
    part.marked.textContent = this.runsSentence(text.marked, runs);
    for (const mark of node.querySelectorAll("[aria-pressed]")) mark.setAttribute("aria-pressed", mark.value === runs);
  }

  runsSentence(sentences, runs) {
    const [unit, n] = runs;
    return fill(sentences[n === "1" ? runs : unit], { n });
  }

  /** A row of runs of one length; its button marks them in both texts. */
  runsRow(runs, cells) {
    const onClick = () => {
      this.runs = runs;
      this.drawer.updatePanelState();
    };
    const title = this.runsSentence(this.text.mark, runs);
    const mark = button(onClick, { value: runs, "aria-pressed": false, title }, runs[1]);
    return element("tr", {}, element("td", {}, mark), ...cells.map((cell) => element("td", {}, cell)));
  }

  /** How many runs of a text are common to both, as a fraction and in percent. */
  fraction(matched, total, counted = matched) {
    const { text } = this;
    if (total === 0) return text.none;
    const percent = formatPercent(counted / total, { digits: 2 });
    const values = { matched, total, counted: localNumber(`${counted}`), percent };
    return fill(counted === matched ? text.fraction : text.smoothed, values);
  }

  /** @param {Record<string, any>} bleu */
  drawBleu({ score, penalty, mean, lengths: [own, other], orders, precisions }) {
    const { part, text } = this;
    const isSmoothed = orders.some(({ matched, counted }) => matched !== counted);
    part["bleu-score"].textContent = fill(text.bleu, { score: formatDecimal(score, 2) });
    part["bleu-orders"].replaceChildren(...orders.map(({ n, matched, counted, totals: [total] }) => (
      this.runsRow(`w${n}`, [this.fraction(matched, total, counted)])
    )));
    const factors = {
      mean: formatDecimal(mean, 3),
      penalty: penalty === 1 ? "1" : formatDecimal(penalty, 4),
      score: formatDecimal(score, 2),
    };
    const product = precisions.map((precision) => formatDecimal(precision, 2)).join(" · ");
    const steps = precisions.length ? [
      text.clipped,
      ...(isSmoothed ? [text.smoothing] : []),
      fill(text.mean, { ...factors, product, n: precisions.length }),
      fill(own < other ? text.penalty : text.noPenalty, { ...factors, own, other }),
      fill(text.product, factors),
    ] : [text.noWord];
    part["bleu-steps"].replaceChildren(...steps.map((step) => element("li", {}, step)));
  }

  drawChrf({ score, precision, recall, orders }) {
    const { part, text } = this;
    part["chrf-score"].textContent = fill(text.chrf, { score: formatDecimal(score, 2) });
    part["chrf-orders"].replaceChildren(...orders.map(({ n, matched, totals }) => (
      this.runsRow(`c${n}`, totals.map((total) => this.fraction(matched, total)))
    )));
    const [mean, recalled] = [precision, recall].map((share) => formatPercent(share, { digits: 2 }));
    const steps = [fill(text.means, { precision: mean, recall: recalled })];
    if (score) steps.push(fill(text.fScore, { score: formatDecimal(score, 2) }));
    part["chrf-steps"].replaceChildren(...steps.map((step) => element("li", {}, step)));
  }
}
