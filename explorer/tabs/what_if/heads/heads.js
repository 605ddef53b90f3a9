// The panel Heads off: grids that switch heads, and the ranking of all heads.

import { element } from "../../../ui/element.js";
import { markPressed } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { Panel } from "../panel.js";
import { HeadGrid, drawDrops, headsOf, invertHeads, requestRanges, sortByDrop, colourScale, toggleHead, toggleHeads } from "./grid.js";
import { formatDecimal } from "../../../ui/numbers.js";

const INITIAL_LIST_LENGTH = 12;
const AVERAGE = "average";

export class Heads extends Panel {
  static names = ["rank"];

  constructor(node, lab, settings) {
    super(node, lab, settings);
    Object.assign(this, { settings, ablation: "zero", selectedRanking: null, isListExpanded: false, rankings: new Map(), currentRequest: null, hasFailed: false, drawnState: null });
    this.kinds = Object.keys(settings.kindNames);
    this.addControls();
    const actions = { toggle: (place) => this.set(toggleHead(this.off, place)), layer: (kind, layer) => this.set(toggleHeads(this.off, headsOf(kind, settings, layer))),
      all: (kind) => this.set(toggleHeads(this.off, headsOf(kind, settings))), invert: (kind) => this.set(invertHeads(this.off, headsOf(kind, settings))) };
    this.grids = this.kinds.map((kind) => new HeadGrid(kind, settings, actions));
    this.part.grids.append(...this.grids.map(({ node: grid }) => grid));
  }

  addControls() {
    const { part, settings, text } = this;
    part.by.append(...Object.keys(settings.text.ways).map((way) => new Option(text.ways[way].label, way)));
    part.by.addEventListener("change", () => this.setAblation(part.by.value));
    part.none.addEventListener("click", () => this.set([]));
    part.rank.addEventListener("click", () => this.showRanking(this.ablation));
    for (const button of part.over.querySelectorAll("button")) {
      button.addEventListener("click", () => this.showRanking(button.value === AVERAGE ? AVERAGE : this.ablation));
    }
    part.more.addEventListener("click", () => {
      this.isListExpanded = !this.isListExpanded;
      this.draw();
    });
    part.findings.append(...(settings.average?.findings ?? []).map((sentence) => element("li", {}, sentence)));
    part.ours.hidden = !settings.average;
  }

  get off() {
    return this.lab.experiment.off ?? [];
  }

  set(off) {
    this.lab.set(off.length ? { off, off_by: this.ablation } : {});
  }

  /** Sets the ablation of the heads that are off and of this sentence's ranking. */
  setAblation(ablation) {
    this.ablation = ablation;
    if (this.selectedRanking !== null && this.selectedRanking !== AVERAGE) this.selectedRanking = ablation;
    this.cancelRequest();
    this.set(this.off);
  }

  /** Shows the sentence's ranking for an ablation, or the average; cancels the pending request. */
  showRanking(ranking) {
    this.selectedRanking = ranking;
    this.cancelRequest();
    this.lab.updatePanelState();
  }

  /** Ignores the pending request; `draw` may send another one, even after a failure. */
  cancelRequest() {
    if (this.hasFailed) this.lab.part.message.textContent = "";
    Object.assign(this, { currentRequest: null, hasFailed: false });
  }

  /** Another sentence keeps the heads that are off but has another ranking. */
  resetForSentence(experiment) {
    this.rankings.clear();
    this.cancelRequest();
    return experiment;
  }

  encodeState() {
    return { rank: this.selectedRanking };
  }

  restore({ rank = null }, experiment) {
    const isKnown = rank === null || rank === AVERAGE || rank in this.settings.text.ways;
    this.ablation = experiment.off_by ?? (isKnown && rank !== null && rank !== AVERAGE ? rank : "zero");
    this.selectedRanking = isKnown ? rank : null;
    this.cancelRequest();
    return isKnown ? [] : ["rank"];
  }

  /** The drops of the selected ranking that are known so far; null if no ranking is selected. */
  get drops() {
    if (this.selectedRanking === AVERAGE) return this.settings.average?.heads ?? [];
    return this.selectedRanking === null ? null : this.rankings.get(this.selectedRanking) ?? [];
  }

  get count() {
    return this.kinds.reduce((sum, kind) => sum + this.settings.layers[kind], 0) * this.settings.heads;
  }

  /** Whether the sentence's ranking is selected but not complete. */
  get isRankingIncomplete() {
    return this.selectedRanking !== null && this.selectedRanking !== AVERAGE && this.drops.length < this.count;
  }

  /** Requests the ranking range by range until it is complete, cancelled, or a request fails, as long as the panel is shown. */
  async requestRanking() {
    const { lab, selectedRanking: ranking } = this, { sentence, source } = lab, request = (this.currentRequest = {}), measurements = [...this.drops];
    const ranges = requestRanges(this.count, source.source.length + source.steps.length);
    for (const [start, stop] of ranges.filter(([start]) => start >= measurements.length)) {
      if (!lab.isShown(this)) break;
      const answer = await lab.ask(["ranking", sentence, ranking, start, stop]);
      if (this.currentRequest !== request) return;
      if (!answer || answer.error) {
        lab.part.message.textContent = answer?.error ?? lab.text.noAnswer;
        Object.assign(this, { currentRequest: null, hasFailed: true });
        this.draw();
        return;
      }
      measurements.push(...answer.heads.map((place, i) => ({ place, drop: answer.drops[i] })));
      this.rankings.set(ranking, [...measurements]);
      this.draw();
    }
    this.currentRequest = null;
  }

  headName([kind, layer, head]) {
    return fill(this.text.place, { kind: this.settings.kindNames[kind], layer: layer + 1, head: head + 1 });
  }

  /** Redraws only if the state changed: the viewer's step has no effect here. */
  draw() {
    if (this.isRankingIncomplete && !this.currentRequest && !this.hasFailed) this.requestRanking();
    const key = [this.lab.sentence, this.ablation, this.selectedRanking, this.off, this.drops?.length, this.hasFailed, this.isListExpanded].join("|");
    if (key === this.drawnState) return;
    this.drawnState = key;
    this.drawGrids();
    this.drawRanking();
  }

  drawGrids() {
    const { drops, off, part, selectedRanking: ranking, text } = this;
    part.by.value = this.ablation;
    part.way.textContent = text.ways[this.ablation].words;
    part.none.disabled = !off.length;
    markPressed(part.over, ranking === AVERAGE ? AVERAGE : ranking === null ? null : "sentence");
    part.count.textContent = off.length ? fill(text.count, { off: off.length, all: this.count }) : text.noneOff;
    const measurements = new Map((drops ?? []).map((measurement) => [String(measurement.place), measurement]));
    for (const grid of this.grids) grid.draw({ off, measurements, scale: colourScale(drops ?? []), describe: (measurement) => this.describeDrop(measurement) });
  }

  drawRanking() {
    const { drops, off, part } = this, isComplete = drops?.length === this.count;
    part.progress.hidden = !this.isRankingIncomplete || this.hasFailed;
    Object.assign(part.progress, { max: this.count, value: drops?.length ?? 0 });
    part.said.textContent = this.rankingSummary(drops, isComplete);
    part.ranking.hidden = !isComplete;
    if (isComplete) drawDrops(this, { drops: sortByDrop(drops), scale: colourScale(drops), off, visibleCount: this.isListExpanded ? this.count : INITIAL_LIST_LENGTH });
    part.more.textContent = this.isListExpanded ? part.more.dataset.few : part.more.dataset.all;
  }

  /** A drop in words. */
  describeDrop(measurement) {
    const values = { head: this.headName(measurement.place), drop: formatDecimal(measurement.drop, 2) };
    const interval = measurement.low === undefined ? "" : ` (${fill(this.text.interval, { low: formatDecimal(measurement.low, 2), high: formatDecimal(measurement.high, 2) })})`;
    return `${fill(this.text.bar, values)}${interval}`;
  }

  rankingSummary(drops, isComplete) {
    const { settings, text } = this;
    if (drops === null) return text.notRanked;
    if (this.selectedRanking === AVERAGE) return settings.average ? `${settings.average.text} ${text.average}` : settings.missing;
    if (!isComplete) return fill(text.ranking, { done: drops.length, all: this.count });
    const [best] = sortByDrop(drops), better = drops.filter(({ drop }) => drop < 0).length;
    return fill(text.ranked, { head: this.headName(best.place), drop: formatDecimal(best.drop, 2), better, all: this.count });
  }
}
