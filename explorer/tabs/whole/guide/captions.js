// What is seen at a place of the picture, in one or two sentences that are true of this trace, step and model. Pure.

import { formatInteger, formatPercent } from "../../../ui/numbers.js";
import { joinList } from "../../../ui/text.js";
import { favouriteKey, headLook, layerLooks, restingToken, strongestOf } from "./head_looks.js";
import { kindOf, levelOf } from "../place.js";
import { fillSegments, joinSentences, tokenSegments } from "./segments.js";

/**
 * What captions are made from. Weights that are not loaded yet, and `tensors`, are not needed: a sentence says less.
 * @typedef {object} Scene
 * @property {Trace} trace
 * @property {number} step
 * @property {Record<string, any>} config settings.config of tab.py
 * @property {{ hidden?: import("../../../ui/tensor.js").Tensor }} [tensors] of the place's feed-forward block
 * @property {Experiment} [experiment] what is changed
 * @property {Segments | null} [effect] what the change does, as a sentence
 * @property {boolean} [again] whether the whole is shown once more, one step after the guided flight
 */

/** @typedef {import("./segments.js").Segments} Segments */
/** @typedef {import("../place.js").Place} Place */

const MOST_LOOKS = 3; // that one sentence names

/**
 * The row that is meant at a place: its own, else that of the step, and in the encoder that of the source token which
 * the step looks at most in the last layer.
 * @param {Place} place
 * @param {Scene} scene
 */
export function rowOf(place, { trace, step }) {
  if (place.row !== null) return place.row;
  if (place.stack !== "encoder") return step;
  const { cross } = trace.kinds;
  if (!cross.ready) return trace.defaultPiece;
  const row = cross.matrix(cross.layers - 1, "mean")[step];
  const words = [...trace.source.keys()].filter((key) => !trace.source[key].special);
  return words.reduce((best, key) => (row[key] > row[best] ? key : best), words[0] ?? 0);
}

/**
 * The caption of a place.
 * @param {Place} place
 * @param {Scene} scene
 * @param {any} words CAPTIONS
 * @returns {Segments}
 */
export function captionOf(place, scene, words) {
  const { effect } = scene;
  if (!effect) return new Caption(place, scene, words).sentences();
  const rest = levelOf(place) === "whole" ? fillSegments(words.changes.glow, {})
    : new Caption(place, scene, words).sentences();
  return joinSentences([effect, rest], words.space);
}

/**
 * The same in a list of all places, where a name stands before every caption, and what Q, K and V do is not repeated.
 * `tensors` are those of one place, and so are left out.
 * @param {Place} place
 * @param {Scene} scene
 * @param {any} words CAPTIONS
 * @returns {Segments}
 */
export function shortCaptionOf(place, scene, words) {
  const caption = new Caption(place, { ...scene, tensors: undefined }, words);
  const level = levelOf(place);
  if (level === "layer") return caption.layerInList();
  return level === "head" ? caption.headInList() : caption.sentences();
}

class Caption {
  /** @type {Place} */ place;
  /** @type {Scene} */ scene;
  /** @type {any} */ words;
  /** @type {number} The row that is meant. */ row;

  constructor(place, scene, words) {
    this.place = place;
    this.scene = scene;
    this.words = words;
    this.row = rowOf(place, scene);
  }

  /** @returns {Segments} */
  sentences() {
    const { place } = this;
    switch (levelOf(place)) {
      case "whole": return this.whole();
      case "layer": return this.layer();
      case "head": return this.head();
      case "number": return this.number();
      default: return this.block();
    }
  }

  /** The map of the place's attention. */
  get map() {
    return this.scene.trace.kinds[kindOf(this.place)];
  }

  source(index) {
    return tokenSegments(this.scene.trace.source[index], "source", this.words.word);
  }

  target(piece) {
    return tokenSegments(piece, "target", this.words.word);
  }

  /** The token of a row of the place. */
  query(row = this.row) {
    return this.place.stack === "encoder" ? this.source(row) : this.target(this.scene.trace.steps[row].fed);
  }

  /** The token of a column of the place's attention. */
  key(column) {
    return kindOf(this.place) === "decoder" ? this.query(column) : this.source(column);
  }

  /** Both tokens of a row of the decoder. */
  pair(step = this.row) {
    const { fed, predicted } = this.scene.trace.steps[step];
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

  /** The lane of a row; in the decoder with both tokens. */
  lane() {
    if (this.place.stack === "encoder") return this.query();
    return fillSegments(this.words.lane, this.pair().values);
  }

  join(...sentences) {
    return joinSentences(sentences, this.words.space);
  }

  whole() {
    const { words, scene: { trace, step, again } } = this;
    const { variant, values } = this.pair(step);
    const percent = formatPercent(trace.steps[step].probability);
    if (again) return fillSegments(words.again[variant], { ...values, percent });
    return fillSegments(words.whole, { now: fillSegments(words.now[variant], { ...values, percent }) });
  }

  layer() {
    const { words: { layer: words }, place: { stack, layer }, scene: { config } } = this;
    const title = fillSegments(words.title, { layer: layer + 1, layers: config.layers[stack] });
    return this.join(title, this.layerInList());
  }

  layerInList() {
    return fillSegments(this.words.layer[this.place.stack], {});
  }

  block() {
    const { stack, block } = this.place;
    if (stack === "memory") return this.memory();
    if (stack === "output") return this.output();
    if (block === "embedding") return this.embedding();
    if (block === "feed") return this.feed();
    if (block === "cross") return this.cross();
    return stack === "encoder" ? this.self() : this.masked();
  }

  /** How the model marks places, as the words call it. */
  get positions() {
    const { config: { positions }, experiment } = this.scene;
    if (experiment?.[`${this.place.stack}_positions`] === "off") return "none";
    return positions === "learned" || positions === "none" ? positions : "waves";
  }

  embedding() {
    const { words, place: { stack }, scene: { config, step } } = this;
    const values = stack === "encoder" ? {} : this.pair(step).values;
    const positions = words.positions[this.positions];
    return fillSegments(words.embedding[stack], { width: formatInteger(config.d_model), positions, ...values });
  }

  /** That all heads of the place's block are off; what W_O makes of zeros is its bias. */
  allOff() {
    return fillSegments(this.words.changes.allOff[this.scene.config.bias ? "bias" : "none"], {});
  }

  get isAllOff() {
    return this.map.headsOn(this.place.layer).length === 0;
  }

  self() {
    const { words, map } = this;
    if (this.isAllOff) return this.allOff();
    const heads = map.headsOn(this.place.layer).length;
    const rule = fillSegments(words.self[heads === 1 ? "one" : "several"], { heads });
    if (!map.ready) return rule;
    const named = this.groupedLooks(layerLooks(map, this.place.layer));
    if (!named.length) return rule;
    const groups = named.flatMap(([look, numbers], i) => {
      const group = words.self.group[numbers.length === 1 ? "one" : "several"];
      const parts = fillSegments(group, { numbers: joinList(numbers), where: this.where(look) });
      return i ? [{ text: words.self.between }, ...parts] : parts;
    });
    return this.join(rule, fillSegments(words.self.looks, { groups }));
  }

  /** The looks of most heads with the heads' numbers; heads that look here and there are left out. */
  groupedLooks(looks) {
    const groups = new Map();
    for (const [head, { look }] of looks.entries()) {
      if (look === "mixed" || this.map.isOff(this.place.layer, head)) continue;
      groups.set(look, [...(groups.get(look) ?? []), `${head + 1}`]);
    }
    return [...groups].sort(([, one], [, other]) => other.length - one.length).slice(0, MOST_LOOKS);
  }

  /** @param {string} look */
  where(look) {
    const { words, scene: { trace } } = this;
    if (look !== "rest") return words.where[look];
    const kind = kindOf(this.place);
    const side = kind === "decoder" ? "target" : "source";
    return fillSegments(words.where.rest, { token: tokenSegments(restingToken(trace, kind), side, words.word) });
  }

  masked() {
    const { words: { masked }, map, row, place: { layer } } = this;
    const rule = fillSegments(masked.rule, {});
    if (this.isAllOff) return this.allOff();
    if (!map.ready) return rule;
    const aim = this.aim();
    const start = this.query(0);
    if (row === 0) return this.join(rule, fillSegments(masked.first, { aim, start }));
    const key = strongestOf(map, layer, "mean", row);
    const percent = formatPercent(map.weight(layer, "mean", row, key));
    const values = { aim, start, key: this.key(key), percent };
    return this.join(rule, fillSegments(key === 0 ? masked.rest : masked.moved, values));
  }

  cross() {
    const { words: { cross }, map, row, place: { layer } } = this;
    const aim = this.aim();
    if (this.isAllOff) return this.allOff();
    if (!map.ready) return fillSegments(cross.waiting, { aim });
    const heads = map.headsOn(layer).length;
    const { key, count } = favouriteKey(map, layer, row);
    const percent = formatPercent(map.weight(layer, "mean", row, key));
    return fillSegments(cross[agreement(count, heads)], { aim, heads, count, percent, key: this.key(key) });
  }

  feed() {
    const { words: { feed }, scene: { config, tensors }, place: { stack }, row } = this;
    const numbers = formatInteger(config.d_ff);
    const rule = fillSegments(feed.rule, { numbers, width: formatInteger(config.d_model) });
    if (!tensors?.hidden) return rule;
    const count = formatInteger(tensors.hidden.row(row).filter((number) => number > 0).length);
    const of = stack === "encoder" ? { query: this.query() } : { aim: this.aim() };
    return this.join(rule, fillSegments(feed[stack], { count, numbers, ...of }));
  }

  memory() {
    const { words: { memory }, scene: { config: { layers } } } = this;
    return fillSegments(memory[layers.encoder === 1 ? "one" : "several"], { layers: layers.encoder });
  }

  output() {
    const { words: { output }, scene: { trace, step, config } } = this;
    const { predicted, probability, candidates } = trace.steps[step];
    const { values } = this.pair(step);
    const other = candidates.find(({ id }) => id !== predicted.id);
    const variant = other && (other.probability > probability ? "overruled" : "chosen");
    const sentence = fillSegments(output[variant ?? "alone"], {
      ...values,
      width: formatInteger(config.d_model),
      vocabulary: formatInteger(config.vocabulary),
      percent: formatPercent(probability),
      other: other && this.target(other),
      share: other && formatPercent(other.probability),
    });
    const isLast = step === trace.steps.length - 1;
    const ending = isLast ? (predicted.special ? "end" : "stop") : "next";
    return this.join(sentence, fillSegments(output[ending], {}));
  }

  head() {
    const { words: { changes, head: words }, map, place: { layer, head } } = this;
    if (map.isOff(layer, head)) return fillSegments(changes.headOff, { head: head + 1 });
    if (!map.ready) {
      const title = fillSegments(words.waiting, { head: head + 1, heads: map.heads });
      return this.join(title, fillSegments(words.work, {}));
    }
    const { look, count, rows } = headLook(map, layer, head);
    const values = { head: head + 1, where: this.where(look), count, rows };
    const named = fillSegments(words[look === "mixed" ? "mixed" : "look"], values);
    return this.join(named, this.strongest(words.row));
  }

  headInList() {
    const { words: { changes, head: words }, map, place: { layer, head } } = this;
    if (map.isOff(layer, head)) return fillSegments(changes.headOff, { head: head + 1 });
    if (!map.ready) return fillSegments(words.work, {});
    const where = fillSegments(words.list, { where: this.where(headLook(map, layer, head).look) });
    return this.join(where, this.strongest(words.short));
  }

  /** What the meant row of a head takes most from; `templates` by stack. */
  strongest(templates) {
    const { map, row, place: { stack, layer, head } } = this;
    const key = strongestOf(map, layer, head, row);
    const percent = formatPercent(map.weight(layer, head, row, key));
    const of = stack === "encoder" ? { query: this.query() } : { aim: this.aim() };
    return fillSegments(templates[stack], { percent, key: this.key(key), ...of });
  }

  number() {
    const { place: { block, stack, head, part, column }, scene: { config } } = this;
    if (stack === "output") return this.logit();
    if (head !== null && part === "weights") return this.weight();
    const { number } = this.words;
    const isOfKey = part === "k" || part === "v";
    const values = {
      column: formatInteger(column + 1),
      width: formatInteger(config.d_model),
      size: formatInteger(part === "v" ? config.d_value : config.d_head),
      numbers: formatInteger(config.d_ff),
      activation: config.activation.toUpperCase(),
      bias: config.bias ? number.bias : "",
      head: (head ?? 0) + 1,
      query: isOfKey ? [] : this.lane(),
      key: isOfKey ? this.key(this.row) : [],
    };
    return fillSegments(this.numberWords(number, block, part), values);
  }

  /** The sentence of a number that is no weight and no score. */
  numberWords(number, block, part) {
    const { config } = this.scene;
    if (block === "embedding") return number.embedding[this.positions];
    if (part === "hidden") return number.hidden[config.activation === "relu" ? "relu" : "smooth"];
    if (part !== "out") return number[part];
    if (block === "feed") return number.feed_out;
    return number[config.heads === 1 ? "out_one" : "out"];
  }

  weight() {
    const { words: { changes, number: { weights } }, map, row, place: { stack, layer, head, column } } = this;
    const values = { query: this.query(), key: this.key(column), head: head + 1, heads: this.scene.config.heads };
    if (column >= map.reach(row)) return fillSegments(weights.masked, values);
    const isHidden = map.kind !== "decoder" && this.scene.experiment?.hidden?.includes(column);
    if (isHidden) return fillSegments(changes.hiddenKey, values);
    if (!map.ready) return fillSegments(weights.waiting, values);
    const percent = formatPercent(map.weight(layer, head, row, column));
    const of = stack === "encoder" ? {} : { aim: this.aim() };
    return fillSegments(weights[stack], { ...values, ...of, percent });
  }

  logit() {
    const { words: { number: { logit } }, row, place: { column }, scene: { trace, config } } = this;
    const { fed, predicted, probability, candidates, excluded } = trace.steps[row];
    const written = predicted.id === column ? { ...predicted, probability } : null;
    const possible = written ?? candidates.find(({ id }) => id === column);
    const known = possible ?? (excluded?.id === column ? excluded : undefined);
    return fillSegments(logit[possible ? "known" : known ? "excluded" : "unknown"], {
      fed: this.target(fed),
      width: formatInteger(config.d_model),
      id: `${column}`,
      token: known && this.target(known),
      percent: possible && formatPercent(possible.probability),
    });
  }
}

/** How far the heads of a layer agree, as the words call it: so many of them look most at the same key. */
function agreement(count, heads) {
  if (heads === 1) return "one";
  if (count === heads) return "all";
  if (count === 1) return "each";
  return 2 * count >= heads ? "some" : "few";
}
