// The panel Heads off: grids in which heads are switched, and the ranking of all of them.

import { element } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { nodesByAttribute, markPressed } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { HeadGrid } from "./grid.js";
import { headsOf, inverted, partsOf, ranked, scaleOf, toggled, toggledAll } from "./choice.js";
import { drawDrops } from "./drops.js";
import { formatNats } from "../../../ui/numbers.js";

const FIRST = 12; // heads of the list at first
const AVERAGE = "average";

export class Heads {
  static names = ["rank"];

  constructor(node, lab, settings) {
    Object.assign(this, { node, lab, settings, text: settings.text, by: "zero", rank: null, all: false, rankings: new Map(), turn: null, failed: false, drawn: null });
    this.part = nodesByAttribute(node, "heads");
    this.kinds = Object.keys(settings.kindNames);
    this.makeChoices();
    const act = { toggle: (place) => this.set(toggled(this.off, place)), layer: (kind, layer) => this.set(toggledAll(this.off, headsOf(kind, settings, layer))),
      all: (kind) => this.set(toggledAll(this.off, headsOf(kind, settings))), invert: (kind) => this.set(inverted(this.off, headsOf(kind, settings))) };
    this.grids = this.kinds.map((kind) => new HeadGrid(kind, settings, act));
    this.part.grids.append(...this.grids.map(({ node: grid }) => grid));
  }

  makeChoices() {
    const { part, settings, text } = this;
    part.by.append(...Object.keys(settings.text.ways).map((way) => new Option(text.ways[way].label, way)));
    part.by.addEventListener("change", () => this.choose(part.by.value));
    part.none.addEventListener("click", () => this.set([]));
    part.rank.addEventListener("click", () => this.show(this.by));
    for (const button of part.over.querySelectorAll("button")) {
      button.addEventListener("click", () => this.show(button.value === AVERAGE ? AVERAGE : this.by));
    }
    part.more.addEventListener("click", () => {
      this.all = !this.all;
      this.draw();
    });
    part.findings.append(...(settings.average?.findings ?? []).map((sentence) => element("li", {}, sentence)));
    part.ours.hidden = !settings.average;
  }

  get off() {
    return this.lab.experiment.off ?? [];
  }

  set(off) {
    this.lab.set(off.length ? { off, off_by: this.by } : {});
  }

  /** Another way of being off, for the heads that are off and for the ranking of this sentence. */
  choose(by) {
    this.by = by;
    if (this.rank !== null && this.rank !== AVERAGE) this.rank = by;
    this.stop();
    this.set(this.off);
  }

  /** Shows a ranking: that of this sentence for a way of being off, or the average. What was asked for before is not. */
  show(rank) {
    this.rank = rank;
    this.stop();
    this.lab.kept();
  }

  /** What was asked for is no longer waited for; what is wanted now may be asked for, even where it failed before. */
  stop() {
    if (this.failed) this.lab.part.message.textContent = "";
    Object.assign(this, { turn: null, failed: false });
  }

  /** Another sentence keeps the heads that are off, and has another ranking. */
  renewed(experiment) {
    this.rankings.clear();
    this.stop();
    return experiment;
  }

  parts() {
    return { rank: this.rank };
  }

  restore({ rank = null }, experiment) {
    const known = rank === null || rank === AVERAGE || rank in this.settings.text.ways;
    this.by = experiment.off_by ?? (known && rank !== null && rank !== AVERAGE ? rank : "zero");
    this.rank = known ? rank : null;
    this.stop();
    return known ? [] : ["rank"];
  }

  /** The drops that are shown, as far as they are known; null where none are asked for. */
  get drops() {
    if (this.rank === AVERAGE) return this.settings.average?.heads ?? [];
    return this.rank === null ? null : this.rankings.get(this.rank) ?? [];
  }

  get count() {
    return this.kinds.reduce((sum, kind) => sum + this.settings.layers[kind], 0) * this.settings.heads;
  }

  /** Whether the ranking of this sentence is wanted, and some of it not yet there. */
  get wanting() {
    return this.rank !== null && this.rank !== AVERAGE && this.drops.length < this.count;
  }

  /** Asks for the ranking part by part, and goes on no longer than it is wanted; where none comes, until asked again. */
  async begin() {
    const { lab, rank } = this, { sentence, source } = lab, turn = (this.turn = {}), found = [];
    for (const [start, stop] of partsOf(this.count, source.source.length + source.steps.length)) {
      const answer = await lab.ask(["ranking", sentence, rank, start, stop]);
      if (this.turn !== turn) return;
      if (!answer || answer.error) {
        lab.part.message.textContent = answer?.error ?? lab.text.noAnswer;
        Object.assign(this, { turn: null, failed: true });
        this.draw();
        return;
      }
      found.push(...answer.heads.map((place, i) => ({ place, drop: answer.drops[i] })));
      this.rankings.set(rank, [...found]);
      this.draw();
    }
    this.turn = null;
  }

  nameOf([kind, layer, head]) {
    return fill(this.text.place, { kind: this.settings.kindNames[kind], layer: layer + 1, head: head + 1 });
  }

  /** Draws what has changed since the last time: the picture's steps change nothing here. */
  draw() {
    if (this.wanting && !this.turn && !this.failed) this.begin();
    const key = [this.lab.sentence, this.by, this.rank, this.off, this.drops?.length, this.failed, this.all, theme()].join("|");
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawGrids();
    this.drawRanking();
  }

  drawGrids() {
    const { drops, off, part, rank, text } = this;
    this.paint();
    part.by.value = this.by;
    part.way.textContent = text.ways[this.by].words;
    part.none.disabled = !off.length;
    markPressed(part.over, rank === AVERAGE ? AVERAGE : rank === null ? null : "sentence");
    part.count.textContent = off.length ? fill(text.count, { off: off.length, all: this.count }) : text.noneOff;
    const known = new Map((drops ?? []).map((found) => [String(found.place), found]));
    for (const grid of this.grids) grid.draw({ off, known, scale: scaleOf(drops ?? []), words: (found) => this.barWords(found) });
  }

  drawRanking() {
    const { drops, off, part } = this, complete = drops?.length === this.count;
    part.progress.hidden = !this.wanting || this.failed;
    Object.assign(part.progress, { max: this.count, value: drops?.length ?? 0 });
    part.said.textContent = this.said(drops, complete);
    part.ranking.hidden = !complete;
    if (complete) drawDrops(this, { drops: ranked(drops), scale: scaleOf(drops), off, first: this.all ? this.count : FIRST });
    part.more.textContent = this.all ? part.more.dataset.few : part.more.dataset.all;
  }

  /** A drop in words. */
  barWords(found) {
    const values = { head: this.nameOf(found.place), drop: formatNats(found.drop) };
    const between = found.low === undefined ? "" : ` (${fill(this.text.interval, { low: formatNats(found.low), high: formatNats(found.high) })})`;
    return `${fill(this.text.bar, values)}${between}`;
  }

  said(drops, complete) {
    const { settings, text } = this;
    if (drops === null) return text.notRanked;
    if (this.rank === AVERAGE) return settings.average ? `${settings.average.text} ${text.average}` : settings.missing;
    if (!complete) return fill(text.ranking, { done: drops.length, all: this.count });
    const [best] = ranked(drops), better = drops.filter(({ drop }) => drop < 0).length;
    return fill(text.ranked, { head: this.nameOf(best.place), drop: formatNats(best.drop), better, all: this.count });
  }

  paint() {
    const colours = this.lab.settings.colours[theme()];
    for (const kind of this.kinds) {
      this.node.style.setProperty(`--${kind}`, colours[kind]);
      this.node.style.setProperty(`--${kind}-negative`, colours[`${kind}_negative`]);
    }
  }
}
