// The panel Rank neurons: the neurons that the translation loses most without, each switched off alone.

import { atlasOf } from "../../atlas/atlas.js";
import { nameNodes } from "../../atlas/name_words.js";
import { heldValue, withNeuron, withoutNeuron } from "../../changes/experiments.js";
import { firingNeurons } from "../../derived/firing_neurons.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { button, element } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { hasTab, openTab, requestTab } from "../../ui/page_events.js";
import { FileError } from "../../ui/packed_files.js";
import { Tensor, sum } from "../../ui/tensor.js";
import { fill } from "../../ui/text.js";
import { barPercent, colourScale, sortByDrop } from "../heads/grid.js";
import { Panel } from "../panel.js";
import { PartLoader } from "../part_loader.js";

const TRIED_AT_ONCE = 320; // takes the browser's engine five seconds for 16 tokens
const SHOWN = 20;
const MAX_CACHED_SENTENCES = 6, MAX_CACHED_PARTS = 240;
const OFF = 0;

/** How many neurons to request at a time: the longer both sentences, the fewer. */
export function neuronsPerRequest(pieces) {
  return Math.max(8, Math.min(64, Math.floor(1000 / pieces)));
}

export class Neurons extends Panel {
  /** How many neurons are to be tried. */ limit = TRIED_AT_ONCE;
  /** The neurons that fire in the sentence, as their order is known. @type {NeuronAt[] | null} */ firing = null;
  drawnState = "";

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { model } = drawer;
    this.stackNames = settings.stacks;
    this.codes = settings.codes;
    this.atlas = { files: atlasOf(settings.atlas.files), text: settings.atlas.text, layers: null, isAsked: false };
    const orderOf = async ([sentence]) => firingNeurons(await model.neurons(sentence));
    this.orders = new AnswerCache(orderOf, MAX_CACHED_SENTENCES);
    const scores = ([sentence, neurons]) => model.scores(sentence, [], "zero", [], neurons);
    this.scores = new AnswerCache(scores, MAX_CACHED_PARTS);
    this.loader = new PartLoader({
      isSeen: () => drawer.isShown(this),
      total: (_, items) => (items.length ? Math.min(this.limit, this.firing.length) : this.limit),
      next: (request, done) => this.nextDrops(request, done),
      failed: drawer.text.noAnswer,
      draw: () => this.draw(),
    });
    this.part.more.addEventListener("click", () => this.tryMore());
  }

  resetForSentence() {
    this.limit = TRIED_AT_ONCE;
  }

  tryMore() {
    this.limit += TRIED_AT_ONCE;
    this.loader.again();
    this.drawer.render();
  }

  /** The next drops of a sentence, after the order in which its neurons are tried. */
  async nextDrops([sentence], done) {
    const firing = await this.orders.get([sentence]);
    if (!Array.isArray(firing)) return firing;
    const { drawer: { source }, limit } = this;
    const size = neuronsPerRequest(source.source.length + source.steps.length);
    const part = firing.slice(done, Math.min(done + size, limit));
    const answer = await this.scores.get([sentence, part]);
    if (!answer || answer.error) return answer;
    this.firing = firing;
    const { rows } = new Tensor(answer.changes);
    return part.map((neuron, i) => ({ neuron, drop: -sum(rows[i]) }));
  }

  /** Loads what the atlas calls neurons, if there is one; without its files the list has no names. */
  async loadNames() {
    const { atlas } = this;
    if (!atlas.files || atlas.isAsked) return;
    atlas.isAsked = true;
    try {
      atlas.layers = await atlas.files.layers();
      this.drawList();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.part.message.textContent = fill(atlas.text.failed, { file: error.file });
    }
  }

  /** What the atlas calls a neuron. @param {NeuronAt} neuron */
  namedNodes([stack, layer, index]) {
    const found = this.atlas.layers?.find((one) => one.stack === stack && one.layer === layer);
    const code = this.codes[stack === "encoder" ? "source" : "target"];
    return found ? nameNodes(found.neuron(index), this.atlas.text, code) : [];
  }

  draw() {
    const { drawer: { sentence, experiment }, loader, limit } = this;
    loader.load([sentence]);
    const state = JSON.stringify([sentence, experiment.neurons, loader.items.length, loader.failure, limit]);
    if (state === this.drawnState) return; // the step of the view has no effect here
    this.drawnState = state;
    this.loadNames();
    this.drawProgress();
    this.drawList();
  }

  drawProgress() {
    const { firing, limit, loader, part, text } = this;
    const { items, failure, isComplete } = loader;
    part.message.textContent = failure;
    part.progress.hidden = isComplete || failure !== "";
    Object.assign(part.progress, { max: limit, value: items.length });
    part.more.hidden = !isComplete || items.length === firing.length;
    part.said.textContent = items.length ? this.summary(sortByDrop(items)[0]) : failure ? "" : text.begins;
  }

  summary({ neuron, drop }) {
    const { firing, loader: { items, isComplete }, text } = this;
    const tried = fill(text.tried, { tried: formatInteger(items.length), firing: formatInteger(firing.length) });
    if (!isComplete) return tried;
    return fill(text.ranked, { tried, neuron: this.nameOf(neuron), drop: formatDecimal(drop, 2) });
  }

  nameOf([stack, layer, index]) {
    return fill(this.text.name, { stack: this.stackNames[stack], layer: layer + 1, neuron: index + 1 });
  }

  /** The strongest so far; what had the focus keeps it. */
  drawList() {
    const { loader: { items }, part: { list } } = this;
    const scale = colourScale(items);
    const focused = document.activeElement?.closest?.("[data-key]")?.getAttribute("data-key");
    list.replaceChildren(...sortByDrop(items).slice(0, SHOWN).map((item) => this.row(item, scale)));
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-key="${focused}"]`))?.focus({ preventScroll: true });
  }

  row({ neuron, drop }, scale) {
    const { text } = this;
    const [stack, layer, index] = neuron;
    const place = `${stack}.${layer + 1}.feed.${index + 1}`;
    const name = this.nameOf(neuron);
    const title = fill(text.bar, { neuron: name, drop: formatDecimal(drop, 2) });
    const toggle = button(
      () => this.toggle(neuron),
      { title, "aria-label": title, "aria-pressed": this.isOff(neuron), "data-key": place },
      name,
    );
    const show = fill(text.showHint, { neuron: name });
    const link = button(
      () => this.show(place),
      { class: "place", title: show, "aria-label": show, "data-key": `${place}.show` },
      text.show,
    );
    link.hidden = !hasTab("whole");
    const bar = element("i");
    bar.style.width = barPercent(Math.abs(drop), scale);
    return element(
      "li",
      { "data-kind": stack },
      toggle,
      element("span", { class: drop < 0 ? "track rise" : "track" }, bar),
      element("span", {}, formatDecimal(drop, 2)),
      link,
      element("small", { class: "named" }, ...this.namedNodes(neuron)),
    );
  }

  isOff([stack, layer, column]) {
    return heldValue(this.drawer.experiment, { stack, layer, row: null, column }) === OFF;
  }

  toggle(neuron) {
    const { drawer: { change, experiment } } = this;
    change.set(this.isOff(neuron) ? withoutNeuron(experiment, neuron) : withNeuron(experiment, neuron));
  }

  /** Leads to a neuron in the picture of the whole model. */
  show(place) {
    requestTab("whole", { at: place });
    openTab("whole");
  }
}
