// The numbers of the boards: asks the model for the tensors of a head, a feed-forward network or another block, and
// returns what a blackboard says about one number of them.

import { nameToken } from "../../../derived/token_names.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { decodeTensors, Tensor } from "../../../ui/tensor.js";
import { inputOf } from "./arithmetic.js";
import { attentionOutputBoard, mixBoard, projectionBoard, weightsBoard } from "./attention_arithmetic.js";
import { SUBLAYERS, WHOLE, kindOf } from "../place.js";
import {
  embeddingBoard, feedOutputBoard, hiddenBoard, logitBoard, normBoard, sumBoard,
} from "./stream_arithmetic.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../place.js").BlockName} BlockName */
/** @typedef {import("./arithmetic.js").Board} Board */
/** @typedef {import("./arithmetic.js").NumberContext} NumberContext */

/** @typedef {[stack: Place["stack"], layer: number | null, sublayer: string | null, tensor: string]} SiteAt */
/** @typedef {[sentence: string, kind: Kind, layer: number, head: number, experiment: Experiment]} HeadRequest */
/** @typedef {[sentence: string, stack: Stack, layer: number, experiment: Experiment]} FeedRequest */
/** @typedef {[sentence: string, sites: Record<string, SiteAt>, experiment: Experiment]} TensorsRequest */

const MAX_CACHED = 24;
const MAX_CACHED_FEEDS = 4; // one takes 3 MB at 128 tokens, and a change needs two
const FEED_TENSORS = ["pre_activation", "hidden", "output", "sum", "stream"];

export class NumberData {
  /** @type {import("../../../ui/model.js").Model} */ model;
  /** The tensors by [sentence, kind, layer, head, experiment]. @type {AnswerCache} */ heads;
  /** The tensors by [sentence, stack, layer, experiment]. @type {AnswerCache} */ feeds;
  /** Other answers by the call's name and arguments. @type {AnswerCache} */ answers;

  /** @param {import("../../../ui/model.js").Model} model */
  constructor(model) {
    this.model = model;
    this.heads = new AnswerCache((/** @type {HeadRequest} */ request) => this.requestHead(request), MAX_CACHED);
    this.feeds = new AnswerCache((/** @type {FeedRequest} */ request) => this.requestFeed(request), MAX_CACHED_FEEDS);
    /** @type {(request: [name: string, ...args: any[]]) => Promise<any>} */
    const request = ([name, ...args]) => this.request(name, args);
    this.answers = new AnswerCache(request, MAX_CACHED);
  }

  /**
   * What the blackboard of a place says; { error } with a sentence if the model refuses, null if no answer comes.
   * @param {Place} place of a number
   * @param {{ trace: Trace, config: Record<string, any>, experiment: Experiment }} context of the run
   * @returns {Promise<Board | { error: string } | null>}
   */
  async boardOf(place, { trace, config, experiment }) {
    const { stack, part, head } = place;
    const context = { place, trace, config, experiment };
    if (head !== null) return this.headBoard(context);
    if (stack === "output") return this.outputBoard(context);
    if (place.block === "embedding") {
      return this.board(context, embeddingBoard, { tokens: "token_embedding", positions: "positions" });
    }
    switch (part) {
      case "sum": return this.board(context, sumBoard, { input: "input", output: "output", total: "sum" });
      case "norm": return this.board(context, normBoard, { total: "sum" }, "_norm.norm", null);
      case "hidden": {
        const names = { input: "input", preActivation: "pre_activation", hidden: "hidden" };
        return this.board(context, hiddenBoard, names, ".w_1");
      }
      default:
        return place.block === "feed" ? this.board(context, feedOutputBoard, { hidden: "hidden" }, ".w_2")
          : this.board(context, attentionOutputBoard, { concatenated: "concatenated" }, ".w_o");
    }
  }

  /** @param {NumberContext} context */
  async headBoard(context) {
    const { place, trace, experiment } = context;
    const { layer, head: index, part } = place;
    const head = await this.heads.get([sentenceOf(trace), kindOf(place), layer, index, experiment]);
    if (isMissing(head)) return head;
    if (part === "weights") return weightsBoard(context, head);
    return part === "mix" ? mixBoard(context, head) : projectionBoard(context, head);
  }

  /** @param {NumberContext} context */
  async outputBoard(context) {
    const { place, trace, experiment } = context;
    const [lens, parameter] = await Promise.all([
      this.answers.get(["lens", sentenceOf(trace), place.row, experiment]),
      this.answers.get(["parameter", "projection", place.column]),
    ]);
    if (isMissing(lens) || isMissing(parameter)) return isMissing(lens) ? lens : parameter;
    return logitBoard(context, { ...lens, parameter });
  }

  /**
   * A board of a block's tensors: `names` are those in the board by those of the sites, of which "input" is the stream
   * that enters the block. `module` is the end of the path of the module whose weights it needs.
   * @param {NumberContext} context
   * @param {(context: NumberContext, tensors: any) => Board} create
   * @param {Record<string, string>} names
   * @param {string | null} [module]
   * @param {number} [row] of the module's weights
   */
  async board(context, create, names, module = null, row = context.place.column) {
    const { place, trace, config, experiment } = context;
    const { stack, layer, block } = place;
    const path = `${stack}.layers.${layer}.${SUBLAYERS[/** @type {BlockName} */ (block)]}${module}`;
    const [tensors, parameter] = await Promise.all([
      block === "feed" ? this.feeds.get([sentenceOf(trace), stack, layer, experiment])
        : this.answers.get(["tensors", sentenceOf(trace), sitesOf(place, Object.values(names), config), experiment]),
      module === null ? {} : this.answers.get(["parameter", path, row]),
    ]);
    if (isMissing(tensors) || isMissing(parameter)) return isMissing(tensors) ? tensors : parameter;
    const named = Object.fromEntries(Object.entries(names).map(([name, tensor]) => [name, tensors[tensor]]));
    return create(context, { ...named, parameter });
  }

  /** @param {HeadRequest} request */
  async requestHead([sentence, kind, layer, head, experiment]) {
    return { ...decodeTensors(await this.model.head(sentence, kind, layer, head, experiment)), index: head };
  }

  /** @param {FeedRequest} request */
  async requestFeed([sentence, stack, layer, experiment]) {
    /** @type {Place} */
    const place = { ...WHOLE, stack, layer, block: "feed" };
    return this.requestTensors([sentence, sitesOf(place, ["input", ...FEED_TENSORS]), experiment]);
  }

  /**
   * An answer of the model with its tensors decoded.
   * @param {string} name
   * @param {any[]} args of the call
   */
  async request(name, args) {
    const { model } = this;
    if (name === "tensors") return this.requestTensors(/** @type {TensorsRequest} */ (args));
    if (name === "parameter") return decodeTensors(await model.parameter(...args));
    const lens = decodeTensors(await model.lens(...args));
    /** @param {Candidate} candidate */
    const named = (candidate) => nameToken(candidate, model.about.tokenNames);
    return { ...lens, best: lens.best.map(named) };
  }

  /**
   * The tensors of some sites by the names of `sitesOf`, without the axis of the batch.
   * @param {TensorsRequest} request
   */
  async requestTensors([sentence, sites, experiment]) {
    /** @type {{ tensors: Site[] }} */
    const { tensors } = await this.model.tensors(sentence, Object.values(sites), experiment);
    return Object.fromEntries(Object.entries(sites).map(([name, site]) => {
      const [stack, layer, sublayer, tensor] = site;
      const found = tensors.find((one) => (
        one.stack === stack && one.layer === layer && one.sublayer === sublayer && one.tensor === tensor));
      return [name, new Tensor({ shape: found.shape.slice(-2), data: found.data })];
    }));
  }
}

/**
 * Whether an answer is a refusal, or none came.
 * @param {Record<string, any> | null} answer
 */
function isMissing(answer) {
  return answer === null || answer.error !== undefined;
}

/**
 * The sites of a block's tensors by name; "input" is the stream that enters it.
 * @param {Place} place
 * @param {string[]} names
 * @param {Record<string, any> | null} config
 */
function sitesOf(place, names, config = null) {
  return Object.fromEntries(names.map((name) => (
    [name, name === "input" ? siteOf(inputOf(place, config), "stream") : siteOf(place, name)])));
}

/**
 * The site of a tensor of a place's block.
 * @param {Place} place
 * @param {string} tensor
 * @returns {SiteAt}
 */
function siteOf({ stack, layer, block }, tensor) {
  return [stack, layer, SUBLAYERS[/** @type {BlockName} */ (block)] ?? null, tensor];
}

/**
 * The sentence of the requests about a translation; the changed model may have read another one.
 * @param {Trace} trace
 */
function sentenceOf({ run, sentence }) {
  return run?.sentence ?? sentence;
}
