// The panel Rank heads: all heads by what the translation loses when each alone is off.

import { headName } from "../../attention_view/head_names.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { element } from "../../ui/element.js";
import { formatDecimal } from "../../ui/numbers.js";
import { theme } from "../../ui/page.js";
import { markPressed } from "../../ui/tab.js";
import { Tensor, sum } from "../../ui/tensor.js";
import { fill } from "../../ui/text.js";
import { Panel } from "../panel.js";
import { PartLoader } from "../part_loader.js";
import {
  HeadGrid, colourScale, drawDrops, gridActions, headsOfKind, headsPerRequest, sortByDrop, waySelect,
} from "../heads/grid.js";

const INITIAL_LIST_LENGTH = 12;
const AVERAGE = "average", FIRST_WAY = "zero";
const MAX_CACHED_PARTS = 120;

export class Ranking extends Panel {
  static names = ["rank"];

  /** What is ranked by: AVERAGE, or the name of a way in which a head of this sentence is off. */
  rank = FIRST_WAY;

  isListExpanded = false;
  drawnState = null;
  drawnMaps = [];

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part } = this;
    this.settings = settings;
    this.kinds = Object.keys(settings.kindNames);
    this.places = this.kinds.flatMap((kind) => headsOfKind(kind, settings));
    const scores = ([sentence, heads, by]) => drawer.model.scores(sentence, heads, by, []);
    this.scores = new AnswerCache(scores, MAX_CACHED_PARTS);
    this.loader = new PartLoader({
      isSeen: () => this.rank !== AVERAGE && drawer.isShown(this),
      total: () => this.places.length,
      next: (request, done) => this.nextDrops(request, done),
      failed: drawer.text.noAnswer,
      draw: () => this.draw(),
    });
    this.actions = gridActions(drawer, settings);
    const nameOf = (map, head) => headName({ ...drawer.settings.named, named: settings.named }, map, head);
    this.grids = this.kinds.map((kind) => new HeadGrid(kind, settings, this.actions, nameOf));
    part.grids.append(...this.grids.map(({ node: grid }) => grid));
    part.grids.setAttribute("aria-label", settings.grids.grids);
    this.addControls();
  }

  addControls() {
    const { part, settings } = this;
    this.way = waySelect(settings.grids, (way) => this.choose(way));
    part.by.append(this.way.label);
    for (const button of part.over.querySelectorAll("button")) {
      button.addEventListener("click", () => this.choose(button.value === AVERAGE ? AVERAGE : this.way.select.value));
    }
    part.more.addEventListener("click", () => {
      this.isListExpanded = !this.isListExpanded;
      this.draw();
    });
    part.findings.append(...(settings.average?.findings ?? []).map((sentence) => element("li", {}, sentence)));
    part.ours.hidden = !settings.average;
  }

  /** Ranks by a way, or by the average; after a failure once more. */
  choose(rank) {
    this.rank = rank;
    this.loader.again();
    this.drawer.updatePanelState();
  }

  encodeState() {
    return { rank: this.rank === FIRST_WAY ? null : this.rank };
  }

  restore({ rank = FIRST_WAY }) {
    const isKnown = rank === AVERAGE || rank in this.settings.grids.ways;
    this.rank = isKnown ? rank : FIRST_WAY;
    return isKnown ? [] : ["rank"];
  }

  /** The drops that are known so far. */
  get drops() {
    return this.rank === AVERAGE ? this.settings.average?.heads ?? [] : this.loader.items;
  }

  async nextDrops([sentence, way], done) {
    const { source } = this.drawer;
    const size = headsPerRequest(source.source.length + source.steps.length);
    const part = this.places.slice(done, done + size);
    const answer = await this.scores.get([sentence, part, way]);
    if (!answer || answer.error) return answer;
    const { rows } = new Tensor(answer.changes);
    return part.map((place, i) => ({ place, drop: -sum(rows[i]) }));
  }

  headName([kind, layer, head]) {
    return fill(this.text.place, { kind: this.settings.kindNames[kind], layer: layer + 1, head: head + 1 });
  }

  /** Redraws only if the state changed: the step of the view has no effect here. */
  draw() {
    const { drawer: { sentence, experiment }, loader, rank } = this;
    if (rank !== AVERAGE) loader.load([sentence, rank]);
    if (this.drawMaps()) this.drawnState = null; // heads have other names
    const { drops, isListExpanded } = this;
    const key = JSON.stringify([sentence, rank, experiment.off, drops.length, loader.failure, isListExpanded]);
    if (key === this.drawnState) return;
    this.drawnState = key;
    this.drawGrids();
    this.drawRanking();
  }

  /** Draws the maps of the unchanged translation, if it or the theme is another; returns whether it is. */
  drawMaps() {
    const { source } = this.drawer;
    const state = [source, theme(), source.kinds.cross.ready];
    if (state.every((part, i) => part === this.drawnMaps[i])) return false;
    this.drawnMaps = state;
    for (const grid of this.grids) grid.drawMaps(source);
    return true;
  }

  drawGrids() {
    const { drawer: { experiment: { off = [] } }, drops, part, rank, settings, way } = this;
    if (rank !== AVERAGE) way.select.value = rank;
    way.label.hidden = rank === AVERAGE;
    part.way.textContent = rank === AVERAGE ? "" : settings.grids.ways[rank].words;
    markPressed(part.over, rank === AVERAGE ? AVERAGE : "sentence");
    const measurements = new Map(drops.map((measurement) => [String(measurement.place), measurement]));
    const scale = colourScale(drops);
    const describe = (measurement) => this.describeDrop(measurement);
    for (const grid of this.grids) grid.draw({ off, measurements, scale, describe });
  }

  drawRanking() {
    const { drawer: { experiment: { off = [] } }, drops, loader, part, places, rank } = this;
    const isComplete = drops.length === places.length;
    part.message.textContent = rank === AVERAGE ? "" : loader.failure;
    part.progress.hidden = rank === AVERAGE || isComplete || loader.failure !== "";
    Object.assign(part.progress, { max: places.length, value: drops.length });
    part.said.textContent = this.rankingSummary(drops, isComplete);
    part.ranking.hidden = !isComplete;
    const visibleCount = this.isListExpanded ? places.length : INITIAL_LIST_LENGTH;
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
    const { places, settings, text } = this;
    if (this.rank === AVERAGE) return settings.average ? `${settings.average.text} ${text.average}` : settings.missing;
    if (!isComplete) return fill(text.ranking, { done: drops.length, all: places.length });
    const [best] = sortByDrop(drops);
    const better = drops.filter(({ drop }) => drop < 0).length;
    const values = { head: this.headName(best.place), drop: formatDecimal(best.drop, 2) };
    return fill(text.ranked, { ...values, better, all: places.length });
  }
}
