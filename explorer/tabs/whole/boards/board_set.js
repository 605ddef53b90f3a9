// The boards of places: asks the model for what they show, also in the unchanged run, and draws them.

import { placeBefore } from "../changes/differences.js";
import { remarksOn } from "../from_explore.js";
import { rowOf } from "../guide/captions.js";
import { boardOf, formatPlace, isSamePlace, kindOf, levelOf, parentOf } from "../place.js";
import { FeedBoard } from "./feed_board.js";
import { HeadBoard } from "./head_board.js";
import { NumberBoard } from "./number_board.js";
import { NumberData } from "./number_data.js";
import { OutputBoard } from "./output_board.js";
import { predictionOf } from "../../../derived/predictions.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { openPanel } from "../../../ui/page_events.js";
import { paintOf } from "../../../ui/tab.js";
import { Tensor, decodeTensors } from "../../../ui/tensor.js";

const MAX_CACHED = 24;
const MAX_CACHED_FEEDS = 2; // one takes 3 MB at 128 tokens
const FEED_TENSORS = ["pre_activation", "hidden", "output", "sum", "stream"];

export class BoardSet {
  /** The feed-forward network whose tensors are loaded. @type {any} */ hidden = null;
  /** The place to which a view of Explore has led. @type {{ at: string, left: any } | null} */ from = null;

  /**
   * `nodes` are those of the boards by name, `shown` is the run that is shown, `scene()` what captions are made from.
   * @param {HTMLElement} root of the tab
   * @param {Record<string, HTMLElement>} nodes
   * @param {any} settings
   * @param {{ model: any, shown: import("../shown_run.js").ShownRun, message: HTMLElement, scene: () => any,
   *   place: () => import("../place.js").Place, go: (place: any) => void, onFeed: () => void }} options
   */
  constructor(root, nodes, settings, { model, shown, message, scene, place, go, onFeed }) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.shown = shown;
    this.message = message;
    this.scene = scene;
    this.place = place;
    this.onFeed = onFeed;
    this.heads = new AnswerCache((request) => this.fetchHead(request), MAX_CACHED);
    this.feeds = new AnswerCache((request) => this.fetchFeed(request), MAX_CACHED_FEEDS);
    this.predictions = new AnswerCache(async (request) => (
      predictionOf(await model.lens(...request), model.about.tokenNames)), MAX_CACHED);
    this.numbers = new NumberData(model);
    this.head = new HeadBoard(nodes.head, settings, { go });
    this.feed = new FeedBoard(nodes.feed, settings, { go });
    this.output = new OutputBoard(nodes.output, settings, {
      go, fork: (beginning) => openPanel("fork", { beginning }),
    });
    this.number = new NumberBoard(nodes.number, settings, { go });
  }

  /** Loads and draws the boards of a place. */
  async draw(place) {
    const name = boardOf(place);
    if (name === "head") await this.drawHead(place);
    if (name === "feed") await this.drawFeed(place);
    if (name === "output") await this.drawOutput();
    if (levelOf(place) === "number") await this.drawNumber(place);
  }

  /** The newest answer to a request, which the tab's message tells of; null if there is none. */
  async latest(cache, request) {
    const answer = await cache.latest(request, this.message, this.settings.text.failed);
    return answer && !answer.error ? answer : null;
  }

  paint(kind) {
    return paintOf(this.root, this.settings, kind);
  }

  async fetchHead([sentence, kind, layer, head, experiment]) {
    return { ...decodeTensors(await this.model.head(sentence, kind, layer, head, experiment)), index: head };
  }

  async drawHead(place) {
    const { shown, shown: { trace } } = this;
    const kind = kindOf(place);
    const head = await this.latest(this.heads, () => (
      [shown.trace.sentence, kind, place.layer, place.head, shown.experiment]));
    const before = await this.weightsBefore(place);
    if (!head || trace !== shown.trace) return;
    const row = rowOf(place, this.scene()); // the one that the sentence is about
    this.head.draw({
      head, wO: head.w_o, trace, place: { ...place, row }, step: shown.step, paint: this.paint(kind), before,
    });
  }

  /** The weights of a head in the unchanged run as a function of rows and keys as shown; null without a change. */
  async weightsBefore(place) {
    const { shown: { comparison, trace, isChanged } } = this;
    if (!isChanged) return null;
    const unchanged = await this.heads.get([trace.sentence, kindOf(place), place.layer, place.head, {}]);
    if (!unchanged || unchanged.error) return null;
    return (row, column) => {
      const former = placeBefore({ ...place, part: "weights", row, column }, comparison.rows);
      return former && unchanged.weights.row(former.row)[former.column];
    };
  }

  async fetchFeed([sentence, stack, layer, experiment]) {
    const before = stack === "encoder" ? "self_attention" : "cross_attention";
    const own = FEED_TENSORS.map((name) => [stack, layer, "feed_forward", name]);
    const sites = [[stack, layer, before, "stream"], ...own];
    const { tensors } = await this.model.tensors(sentence, sites, experiment);
    const found = tensors.filter(({ data }) => data).map(({ sublayer, tensor, shape, data }) => (
      [sublayer === before ? "input" : tensor, new Tensor({ shape: shape.slice(-2), data })]));
    return Object.fromEntries(found);
  }

  async drawFeed(place) {
    const { shown } = this;
    const tensors = await this.latest(this.feeds, () => (
      [shown.trace.sentence, place.stack, place.layer, shown.experiment]));
    if (!tensors) return;
    const { trace, step } = shown;
    const row = rowOf(place, this.scene());
    this.feed.draw({ tensors, trace, place: { ...place, row }, step, paint: this.paint(place.stack) });
    this.hidden = { place: parentOf(place), trace, tensors };
    this.onFeed();
  }

  /** The tensors of a place's feed-forward network, if they are loaded. */
  tensorsOf(place) {
    const { hidden, shown: { trace } } = this;
    const isOfPlace = place.block === "feed" && hidden?.trace === trace && isSamePlace(parentOf(place), hidden.place);
    return isOfPlace ? { tensors: hidden.tensors } : {};
  }

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
    this.number.draw(board, this.paint(kind), { before, remarks: isFrom ? remarksOn(from.left, heads) : [] });
  }

  /** The result of a number in the unchanged run; null without a change, and for a new token. */
  async resultBefore(place) {
    const { shown: { comparison, explore: { trace }, isChanged }, settings: { config } } = this;
    const former = isChanged ? placeBefore(place, comparison.rows) : null;
    if (former === null) return null;
    /** @type {any} */
    const board = await this.numbers.boardOf(former, { trace, config, experiment: {} });
    return board?.result ?? null;
  }

  async drawOutput() {
    const { shown } = this;
    const prediction = await this.latest(this.predictions, () => (
      [shown.trace.sentence, shown.step, shown.experiment]));
    if (!prediction) return;
    const { trace, step, comparison, isChanged } = shown;
    const row = isChanged ? comparison.rows[step] : null;
    const before = row === null ? null : await this.predictions.get([trace.sentence, row, {}]);
    if (trace !== shown.trace || step !== shown.step) return;
    const paint = this.paint("decoder");
    this.output.draw({ prediction, trace, step, paint, before: before?.error ? null : before });
  }
}
