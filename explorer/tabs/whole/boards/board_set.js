// The boards of places: asks the model for what they show, also in the unchanged run, and draws them.

import { placeBefore } from "../differences.js";
import { weightRemarks } from "../from_attention.js";
import { rowOf } from "../guide/subject.js";
import { boardOf, formatPlace, isRowOfKey, isSamePlace, kindOf, levelOf, parentOf } from "../place.js";
import { largestProduct } from "../telling.js";
import { FeedBoard } from "./feed_board.js";
import { HeadArrows } from "./head_arrows.js";
import { HeadBoard } from "./head_board.js";
import { NeuronBoard } from "./neuron/neuron_board.js";
import { SentenceLines } from "./neuron/sentence_lines.js";
import { NumberBoard } from "./number_board.js";
import { NumberData } from "./number_data.js";
import { OutputBoard } from "./output_board.js";
import { atlasOf } from "../../../atlas/atlas.js";
import { withNeuron, withoutNeuron } from "../../../changes/experiments.js";
import { predictionOf } from "../../../derived/predictions.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { notifyChange } from "../../../ui/address.js";
import { element } from "../../../ui/element.js";
import { FileError } from "../../../ui/packed_files.js";
import { paintOf } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { translateSentence } from "../../../ui/translation_request.js";
import { UserError } from "../../../ui/user_error.js";

const MAX_CACHED = 24;

/** @typedef {import("../place.js").Place} Place */

/**
 * A number of the unchanged run, at a row and column of what is shown; null for a token that is new there.
 * @typedef {(tensor: string, row: number, column: number) => number | null} Before
 */

export class BoardSet {
  /** The feed-forward network whose tensors are loaded. @type {any} */ hidden = null;
  /** The context that was opened as the sentence of the page. @type {{ sentence: string, position: number } | null} */
  opened = null;
  /** The place to which an attention view has led. @type {{ at: string, left: any } | null} */ from = null;

  /**
   * `nodes` are those of the boards by name, `shown` is the run that is shown; `onChange()` is called when a board
   * gives captions more or something else to say.
   * @param {HTMLElement} root of the tab
   * @param {Record<string, HTMLElement>} nodes
   * @param {any} settings
   * @param {{ model: any, shown: import("../shown_run.js").ShownRun, message: HTMLElement,
   *   place: () => import("../place.js").Place, go: (place: any) => void, onChange: () => void,
   *   find: () => void }} options `find()` opens the finder
   */
  constructor(root, nodes, settings, { model, shown, message, place, go, onChange, find }) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.shown = shown;
    this.message = message;
    this.place = place;
    this.onChange = onChange;
    this.predictions = new AnswerCache(async (/** @type {any[]} */ request) => (
      predictionOf(await model.lens(...request), model.about.tokenNames)), MAX_CACHED);
    this.numbers = new NumberData(model);
    this.atlas = atlasOf(settings.atlas.files);
    this.layers = new AnswerCache((/** @type {[Stack, number]} */ place) => this.loadLayer(...place), MAX_CACHED);
    this.directions = new AnswerCache((/** @type {any} */ request) => model.directions(...request), MAX_CACHED);
    const lines = new SentenceLines(settings.context.codes, model.about.tokenNames);
    const open = (/** @type {string} */ sentence, /** @type {number} */ position) => {
      this.opened = { sentence, position };
      translateSentence(sentence);
    };
    const arrows = new HeadArrows(settings.boards.arrows, { lines, open });
    this.head = new HeadBoard(nodes.head, settings, { go, arrows });
    nodes.head.addEventListener("change", () => { // of the mistake
      onChange();
      notifyChange();
    });
    const dial = {
      find,
      hold: (/** @type {any[]} */ neuron, /** @type {any[] | null} */ former = null) => shown.switch(
        (/** @type {Experiment} */ experiment) => (
          withNeuron(former ? withoutNeuron(experiment, former) : experiment, neuron)), neuron),
      letGo: (/** @type {any[]} */ neuron) => shown.switch(withoutNeuron, neuron),
    };
    this.feed = new FeedBoard(nodes.feed, settings, { go, ...dial });
    this.neuron = new NeuronBoard(nodes.neuron, settings, {
      go, ...dial, open, lines, missing: () => this.missingAtlas(),
    });
    this.output = new OutputBoard(nodes.output, settings, {
      go, fork: (beginning) => this.shown.viewer.force(beginning),
    });
    this.number = new NumberBoard(nodes.number, settings, { go });
  }

  /**
   * Loads and draws the boards of a place.
   * @param {Place} place
   */
  async draw(place) {
    const name = boardOf(place);
    if (name === "head") await this.drawHead(place);
    else this.head.mistakes.asked = null; // it was for a place without mistakes
    if (name === "feed") await this.drawFeed(place);
    if (name === "neuron") await this.drawNeuron(place);
    if (name === "output") await this.drawOutput();
    if (levelOf(place) === "number") await this.drawNumber(place);
  }

  /**
   * The newest answer to a request, which the tab's message tells of; null if there is none.
   * @param {AnswerCache} cache
   * @param {() => any[]} request
   */
  async latest(cache, request) {
    const answer = await cache.latest(request, this.message, this.settings.text.failed);
    return answer && !answer.error ? answer : null;
  }

  /** @param {Kind} kind */
  paint(kind) {
    return paintOf(this.root, this.settings, kind);
  }

  /** The tensors of the head of a place; null if no answer comes. @param {Place} place */
  headOf(place) {
    const { shown } = this;
    return this.latest(this.numbers.heads, () => (
      [shown.sentence, kindOf(place), place.layer, place.head, shown.experiment]));
  }

  /** @param {Place} place */
  async drawHead(place) {
    const { shown, shown: { trace } } = this;
    const kind = kindOf(place);
    const head = await this.headOf(place);
    const before = await this.numbersBefore(place, this.numbers.heads, [kind, place.layer, place.head]);
    if (!head || trace !== shown.trace || this.goToOpened(place)) return;
    const subject = isRowOfKey(place) ? parentOf(place) : place; // that of the sentence, which is about a head
    const row = rowOf(subject, shown);
    this.head.draw({
      head, trace, place: { ...place, row }, step: shown.step, paint: this.paint(kind), before,
    });
    this.head.arrows.draw(await this.layerOf(place), kind, place.head);
  }

  /**
   * The numbers of the unchanged run, of which `cache` answers `request`; null without a change.
   * @param {Place} place
   * @param {AnswerCache} cache
   * @param {any[]} request
   * @returns {Promise<Before | null>}
   */
  async numbersBefore(place, cache, request) {
    const { shown, shown: { comparison, isChanged } } = this;
    const tensors = isChanged && comparison ? await cache.get([shown.sentence, ...request, {}]) : null;
    if (!tensors || tensors.error) return null;
    return (tensor, row, column) => {
      const former = placeBefore({ ...place, part: tensor, row, column }, comparison);
      return former && tensors[tensor].row(former.row)[former.column];
    };
  }

  /** @param {Place} place */
  async drawFeed(place) {
    const content = await this.feedContent(place);
    if (!content) return;
    this.feed.draw({ ...content, paint: this.paint(/** @type {Stack} */ (place.stack)) });
    this.onChange();
    const layer = await this.layerOf(place);
    if (layer) this.feed.drawNames(layer);
  }

  /** The board of a neuron; what its weights say may come later. @param {Place} place */
  async drawNeuron(place) {
    const { stack, layer, neuron } = place;
    const [content, ofAtlas] = await Promise.all([this.feedContent(place), this.layerOf(place)]);
    if (!content || this.goToOpened(place)) return;
    const isOther = !this.neuron.content || !isSamePlace({ ...this.neuron.content.place, row: null }, place);
    this.neuron.draw({ ...content, layer: ofAtlas });
    if (isOther) this.neuron.drawWeights(null);
    this.onChange();
    this.directions.get([stack, layer, neuron]).then((directions) => {
      const isShown = isSamePlace({ ...this.neuron.content.place, row: null }, place);
      if (isShown && directions && !directions.error) this.neuron.drawWeights(directions);
    });
  }

  /**
   * Goes to the step of a context that was opened, as soon as it is shown; returns whether that is another one.
   * @param {Place} place
   */
  goToOpened({ stack }) {
    const { opened, shown } = this;
    if (opened?.sentence !== shown.sentence) return false;
    this.opened = null;
    const isOther = stack === "decoder" && opened.position !== shown.step && opened.position < shown.trace.steps.length;
    if (isOther) shown.goToStep(opened.position);
    return isOther;
  }

  /**
   * What the boards of a feed-forward network and of its neurons show; null if it does not come, or late.
   * @param {Place} place
   */
  async feedContent(place) {
    const { shown } = this;
    const { trace, experiment } = shown;
    const tensors = await this.latest(this.numbers.feeds, () => (
      [shown.sentence, place.stack, place.layer, experiment]));
    const before = await this.numbersBefore(place, this.numbers.feeds, [place.stack, place.layer]);
    if (!tensors || trace !== shown.trace) return null;
    this.hidden = { stack: place.stack, layer: place.layer, trace, tensors };
    return { tensors, trace, experiment, place: { ...place, row: rowOf(place, shown) }, step: shown.step, before };
  }

  /**
   * What the atlas knows of the layer of a place; null without one, and if its file does not come.
   * @param {Place} place
   */
  layerOf({ stack, layer }) {
    return this.atlas ? this.latest(this.layers, () => [stack, layer]) : null;
  }

  /** @param {Stack} stack @param {number} layer */
  async loadLayer(stack, layer) {
    try {
      return await this.atlas.layer(stack, layer);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      throw new UserError(fill(this.settings.atlas.text.failed, { file: error.file }));
    }
  }

  /** What stands in place of an atlas: why there is none, and the command that makes one. */
  missingAtlas() {
    const { text, command = "", fault = "" } = this.settings.atlas;
    if (this.atlas) return [];
    return [fault, " ", text.missing, " ", element("code", {}, command)];
  }

  /**
   * The tensors of a place's feed-forward network, if they are loaded.
   * @param {Place} place
   */
  tensorsOf(place) {
    const { hidden, shown: { trace } } = this;
    const isOfPlace = place.block === "feed" && hidden?.trace === trace && hidden.stack === place.stack
      && hidden.layer === place.layer;
    return isOfPlace ? { tensors: hidden.tensors } : {};
  }

  /**
   * Whether a place's board shows a mistake.
   * @param {Place} place
   */
  isMistaken(place) {
    return this.head.mistake !== null && this.isOfHead(place);
  }

  /**
   * Whether a place is the head whose board was drawn last.
   * @param {Place} place
   */
  isOfHead(place) {
    const { head: { content }, shown } = this;
    if (content === null || boardOf(place) !== "head" || content.trace !== shown.trace) return false;
    return isSamePlace(place, { ...content.place, row: null });
  }

  /**
   * The dimension with the largest product of a query and a key of a head; 0 unless its board was drawn last.
   * @param {Place} head
   * @param {number} query
   * @param {number} key
   */
  largestProduct(head, query, key) {
    return this.isOfHead(head) ? largestProduct(this.head.content.head, query, key) : 0;
  }

  /** The mistake as a part of the address. */
  get mistakeField() {
    return {
      get: () => this.head.mistakes.asked ?? (this.isMistaken(this.place()) ? this.head.mistake : ""),
      set: (/** @type {string} */ name) => this.head.mistakes.ask(name, this.isOfHead(this.place())),
    };
  }

  /** @param {Place} place */
  async drawNumber(place) {
    const { shown, shown: { trace, experiment }, settings: { config, text, heads }, from } = this;
    const isOver = () => !isSamePlace(place, this.place()) || trace !== shown.trace;
    /** @type {any} */
    const board = await this.numbers.boardOf(place, { trace, config, experiment });
    if (isOver()) return;
    this.message.textContent = board ? board.error ?? "" : text.failed;
    if (!board || board.error) return;
    const before = await this.resultBefore(place);
    if (isOver()) return;
    const isFrom = from?.at === formatPlace(place) && from.left.trace === trace && place.part === "weights";
    const kind = kindOf(place) ?? (place.stack === "encoder" ? "encoder" : "decoder");
    this.number.draw(board, this.paint(kind), { before, remarks: isFrom ? weightRemarks(from.left, heads) : [] });
  }

  /**
   * The result of a number in the unchanged run; null without a change, and for a new token.
   * @param {Place} place
   */
  async resultBefore(place) {
    const { shown: { comparison, viewer: { source } }, settings: { config } } = this;
    const former = comparison && placeBefore(place, comparison);
    if (former === null) return null;
    /** @type {any} */
    const board = await this.numbers.boardOf(former, { trace: source, config, experiment: {} });
    return board?.result ?? null;
  }

  async drawOutput() {
    const { shown } = this;
    const prediction = await this.latest(this.predictions, () => (
      [shown.sentence, shown.step, shown.experiment]));
    if (!prediction) return;
    const { trace, step, comparison } = shown;
    const row = comparison ? comparison.rows[step] : null;
    const before = row === null ? null : await this.predictions.get([shown.sentence, row, {}]);
    if (trace !== shown.trace || step !== shown.step) return;
    const paint = this.paint("decoder");
    this.output.draw({ prediction, trace, step, paint, before: before?.error ? null : before });
  }
}
