// What a sentence is about: a place of the picture, its row and its tokens. Pure.

import { joinSentences, fillSegments, tokenSegments } from "../../../ui/segments.js";
import { kindOf } from "../place.js";

/**
 * What captions are made from. Weights that are not loaded yet, and `tensors`, are not needed: a sentence says less.
 * @typedef {object} CaptionContext
 * @property {Trace} trace
 * @property {number} step
 * @property {Record<string, any>} config settings.config of tab.py
 * @property {{ hidden?: import("../../../ui/tensor.js").Tensor }} [tensors] of the place's feed-forward block
 * @property {boolean} [isMistaken] whether the place's board shows a mistake instead of the model
 * @property {(map: AttentionMap, head: Heads) => HeadName} [nameOf] the name of a head
 * @property {Experiment} [experiment] what is changed
 * @property {Segments | null} [effect] what the change does, as a sentence
 * @property {(head: Place, query: number, key: number) => number} [largestProduct] the dimension in which a head's
 *   query and key fit most, 0 where its tensors are not loaded
 * @property {boolean} [again] whether the whole is shown once more, one step after the guided flight
 */

/** @typedef {import("../../../attention_view/head_names.js").HeadName} HeadName */
/** @typedef {import("../../../ui/segments.js").Segments} Segments */
/** @typedef {import("../place.js").Place} Place */

/**
 * The row that is meant at a place: its own, else that of the step, and in the encoder that of the source token which
 * the step looks at most in the last layer.
 * @param {Place} place
 * @param {Pick<CaptionContext, "trace" | "step">} context
 */
export function rowOf(place, { trace, step }) {
  if (place.row !== null) return place.row;
  if (place.stack !== "encoder") return step;
  const { cross } = trace.kinds;
  if (!cross.ready) return trace.defaultPiece;
  const row = cross.meanRows(cross.layers - 1)[step];
  const words = [...trace.source.keys()].filter((key) => !trace.source[key].special);
  return words.reduce((best, key) => (row[key] > row[best] ? key : best), words[0] ?? 0);
}

export class Subject {
  /** @type {Place} */ place;
  /** @type {CaptionContext} */ context;
  /** CAPTIONS. @type {any} */ words;
  /** @type {number} The row that is meant. */ row;

  constructor(place, context, words) {
    this.place = place;
    this.context = context;
    this.words = words;
    this.row = rowOf(place, context);
  }

  /** The map of the place's attention. */
  get map() {
    return this.context.trace.kinds[kindOf(this.place)];
  }

  source(index) {
    return tokenSegments(this.context.trace.source[index], "source", this.words.word);
  }

  target(piece) {
    return tokenSegments(piece, "target", this.words.word);
  }

  /** The token of a row of the place. */
  query(row = this.row) {
    return this.place.stack === "encoder" ? this.source(row) : this.target(this.context.trace.steps[row].fed);
  }

  /** The token of a column of the place's attention. */
  key(column) {
    return kindOf(this.place) === "decoder" ? this.query(column) : this.source(column);
  }

  /** Both tokens of a row of the decoder. */
  pair(step = this.row) {
    const { fed, predicted } = this.context.trace.steps[step];
    return {
      variant: predicted.special ? "end" : "word",
      values: { fed: this.target(fed), predicted: this.target(predicted) },
    };
  }

  /** "To write ... after ..." */
  aim() {
    const { variant, values } = this.pair();
    return fillSegments(this.words.aim[variant], values);
  }

  /** Who looks in the row: in the encoder its token, in the decoder what it is for. */
  looker() {
    return this.place.stack === "encoder" ? { query: this.query() } : { aim: this.aim() };
  }

  /** The lane of a row; in the decoder with both tokens. */
  lane() {
    if (this.place.stack === "encoder") return this.query();
    return fillSegments(this.words.lane, this.pair().values);
  }

  /** How the model marks positions, as the words call it. */
  get positions() {
    const { config: { positions }, experiment } = this.context;
    if (experiment?.[`${this.place.stack}_positions`] === "off") return "none";
    return positions === "learned" || positions === "none" ? positions : "waves";
  }

  /**
   * What is seen after the reason for it; under a change its effect is told instead of the reason.
   * @param {Segments} reason
   * @param {Segments[]} seen
   */
  explained(reason, ...seen) {
    return this.join(...(this.context.effect && seen.length ? [] : [reason]), ...seen);
  }

  join(...sentences) {
    return joinSentences(sentences, this.words.space);
  }
}
