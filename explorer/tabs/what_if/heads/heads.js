// The panel Heads off: grids that switch heads, and the ranking of all heads.

import { headName } from "../../../attention_view/head_names.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { element } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { markPressed } from "../../../ui/tab.js";
import { Tensor, sum } from "../../../ui/tensor.js";
import { fill } from "../../../ui/text.js";
import { Panel } from "../panel.js";
import {
  HeadGrid, colourScale, drawDrops, firstHeadsOff, headsOfKind, headsPerRequest, invertHeads, sortByDrop, toggleHead,
  toggleHeads,
} from "./grid.js";
import { formatDecimal } from "../../../ui/numbers.js";

const INITIAL_LIST_LENGTH = 12;
const AVERAGE = "average";
const MAX_CACHED_PARTS = 60;

export class Heads extends Panel {
  static names = ["rank"];

  /** What replaces the output of a head that is off: the name of a way. */
  ablation = "zero";

  /** The ranking that is shown: the sentence's for a way, AVERAGE, or null, as by a link that names none. */
  selectedRanking = "zero";

  /** Whether nobody has asked for the ranking; then all others' requests come before it. */
  isUnasked = true;

  isListExpanded = false;

  /** The measurements { place, drop } of the sentence that are known so far, by way. */
  rankings = new Map();

  /** The ranking that is under way, an object of its own; null if none is. */
  currentRequest = null;

  hasFailed = false;
  drawnState = null;
  drawnMaps = [];

  constructor(node, whatIf, settings) {
    super(node, whatIf, settings);
    this.settings = settings;
    this.kinds = Object.keys(settings.kindNames);
    this.scores = new AnswerCache(
      ([sentence, heads, by]) => (
        (this.isUnasked ? whatIf.model.inBackground() : whatIf.model).scores(sentence, heads, by, [])
      ),
      MAX_CACHED_PARTS,
    );
    this.addControls();
    const actions = {
      toggle: (place) => this.set(toggleHead(this.off, place)),
      layer: (kind, layer) => this.set(toggleHeads(this.off, headsOfKind(kind, settings, layer))),
      all: (kind) => this.set(toggleHeads(this.off, headsOfKind(kind, settings))),
      invert: (kind) => this.set(invertHeads(this.off, headsOfKind(kind, settings))),
    };
    const words = { named: settings.named, text: whatIf.settings.text };
    const nameOf = (map, head) => headName(words, map, head);
    this.grids = this.kinds.map((kind) => new HeadGrid(kind, settings, actions, nameOf));
    this.part.grids.append(...this.grids.map(({ node: grid }) => grid));
  }

  addControls() {
    const { part, settings, text } = this;
    part.by.append(...Object.keys(settings.text.ways).map((way) => new Option(text.ways[way].label, way)));
    part.by.addEventListener("change", () => this.setAblation(part.by.value));
    part.none.addEventListener("click", () => this.set([]));
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

  get firstExperiment() {
    return { off: firstHeadsOff(this.settings), off_by: this.ablation };
  }

  get off() {
    return this.whatIf.experiment.off ?? [];
  }

  set(off) {
    this.whatIf.set(off.length ? { off, off_by: this.ablation } : {});
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
    this.isUnasked = false;
    this.cancelRequest();
    this.whatIf.updatePanelState();
  }

  /** Ignores the pending request; `draw` may send another one, even after a failure. */
  cancelRequest() {
    if (this.hasFailed) this.whatIf.part.message.textContent = "";
    this.currentRequest = null;
    this.hasFailed = false;
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
    this.isUnasked = false;
    this.cancelRequest();
    return isKnown ? [] : ["rank"];
  }

  /** The drops of the selected ranking that are known so far; null if no ranking is selected. */
  get drops() {
    if (this.selectedRanking === AVERAGE) return this.settings.average?.heads ?? [];
    return this.selectedRanking === null ? null : this.rankings.get(this.selectedRanking) ?? [];
  }

  /** The places of all heads of the model. */
  get places() {
    return this.kinds.flatMap((kind) => headsOfKind(kind, this.settings));
  }

  get count() {
    return this.places.length;
  }

  /** Whether the sentence's ranking is selected but not complete. */
  get isRankingIncomplete() {
    return this.selectedRanking !== null && this.selectedRanking !== AVERAGE && this.drops.length < this.count;
  }

  /** Requests the ranking part by part until it is complete, cancelled, or refused, as long as the panel is shown. */
  async requestRanking() {
    const { whatIf, places, selectedRanking: ranking } = this;
    const { sentence, source } = whatIf;
    const request = {};
    this.currentRequest = request;
    const measurements = [...this.drops];
    const size = headsPerRequest(source.source.length + source.steps.length);
    while (measurements.length < places.length && whatIf.isShown(this)) {
      const part = places.slice(measurements.length, measurements.length + size);
      const answer = await this.scores.get([sentence, part, ranking]);
      if (this.currentRequest !== request) return;
      if (!answer || answer.error) {
        whatIf.part.message.textContent = answer?.error ?? whatIf.text.noAnswer;
        this.currentRequest = null;
        this.hasFailed = true;
        this.draw();
        return;
      }
      const { rows } = new Tensor(answer.changes);
      measurements.push(...part.map((place, i) => ({ place, drop: -sum(rows[i]) })));
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
    if (this.drawMaps()) this.drawnState = null; // heads have other names
    const { ablation, drops, hasFailed, isListExpanded, off, selectedRanking, whatIf: { sentence } } = this;
    const key = [sentence, ablation, selectedRanking, off, drops?.length, hasFailed, isListExpanded].join("|");
    if (key === this.drawnState) return;
    this.drawnState = key;
    this.drawGrids();
    this.drawRanking();
  }

  /** Draws the maps of the unchanged translation, if it or the theme is another; returns whether it is. */
  drawMaps() {
    const { source } = this.whatIf;
    const state = [source, theme(), source.kinds.cross.ready];
    if (state.every((part, i) => part === this.drawnMaps[i])) return false;
    this.drawnMaps = state;
    for (const grid of this.grids) grid.drawMaps(source);
    return true;
  }

  drawGrids() {
    const { drops, off, part, selectedRanking: ranking, text } = this;
    part.by.value = this.ablation;
    part.way.textContent = text.ways[this.ablation].words;
    part.none.disabled = !off.length;
    markPressed(part.over, ranking === AVERAGE ? AVERAGE : ranking === null ? null : "sentence");
    part.count.textContent = off.length ? fill(text.count, { off: off.length, all: this.count }) : text.noneOff;
    const measurements = new Map((drops ?? []).map((measurement) => [String(measurement.place), measurement]));
    const scale = colourScale(drops ?? []);
    const describe = (measurement) => this.describeDrop(measurement);
    for (const grid of this.grids) grid.draw({ off, measurements, scale, describe });
  }

  drawRanking() {
    const { drops, off, part } = this;
    const isComplete = drops?.length === this.count;
    part.progress.hidden = !this.isRankingIncomplete || this.hasFailed;
    part.progress.max = this.count;
    part.progress.value = drops?.length ?? 0;
    part.said.textContent = this.rankingSummary(drops, isComplete);
    part.ranking.hidden = !isComplete;
    const visibleCount = this.isListExpanded ? this.count : INITIAL_LIST_LENGTH;
    if (isComplete) drawDrops(this, { drops: sortByDrop(drops), scale: colourScale(drops), off, visibleCount });
    part.more.textContent = this.isListExpanded ? part.more.dataset.few : part.more.dataset.all;
  }

  /** A drop in words, with its interval where it has one. */
  describeDrop({ place, drop, low, high }) {
    const { text } = this;
    const sentence = fill(text.bar, { head: this.headName(place), drop: formatDecimal(drop, 2) });
    if (low === undefined) return sentence;
    return `${sentence} (${fill(text.interval, { low: formatDecimal(low, 2), high: formatDecimal(high, 2) })})`;
  }

  rankingSummary(drops, isComplete) {
    const { settings, text } = this;
    if (drops === null) return text.notRanked;
    if (this.selectedRanking === AVERAGE) {
      return settings.average ? `${settings.average.text} ${text.average}` : settings.missing;
    }
    if (!isComplete) return fill(text.ranking, { done: drops.length, all: this.count });
    const [best] = sortByDrop(drops);
    const better = drops.filter(({ drop }) => drop < 0).length;
    const values = { head: this.headName(best.place), drop: formatDecimal(best.drop, 2) };
    return fill(text.ranked, { ...values, better, all: this.count });
  }
}
