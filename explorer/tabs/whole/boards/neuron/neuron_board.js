// The board of one neuron of a feed-forward network: in which contexts it fires, how often, what it reads and writes,
// its number at every token of the sentence, and the dial that holds it.

import { NeuronContexts } from "./neuron_contexts.js";
import { hereRows, oftenNodes, weightNodes } from "./neuron_facts.js";
import { nameNodes } from "../../../../atlas/name_words.js";
import { button, element, fillNodes } from "../../../../ui/element.js";
import { formatInteger, formatPercent } from "../../../../ui/numbers.js";
import { keepFocus } from "../../../../ui/page.js";
import { NeuronDial } from "../neuron_dial.js";
import { RowTokens } from "../row_tokens.js";
import { signMore } from "../scroll_sign.js";

const NARROW = 0.1; // recall below which a name hides a condition (docs/atlas.md, "Judged by hand")

/** @typedef {import("../../place.js").Place} Place */

/**
 * What is shown: the tensors of the layer's network, and what the atlas knows of the layer, if there is one.
 * @typedef {{ tensors: Record<string, import("../../../../ui/tensor.js").Tensor>, trace: Trace, place: Place,
 *   step: number, experiment: Experiment, before: import("../board_set.js").Before | null,
 *   layer: import("../../../../atlas/layer.js").AtlasLayer | null }} NeuronContent
 */

export class NeuronBoard {
  /** @type {NeuronContent | null} */ content = null;
  name = element("p", { class: "neuron-name" });
  here = element("tbody");
  often = element("div");
  weights = element("div");

  /**
   * `missing` is what stands in place of an atlas; `open(text, position)` makes a sentence of it that of the page.
   * @param {HTMLElement} root
   * @param {Settings} settings
   * @param {{ go: (place: Place, options?: any) => void, hold: (neuron: any[], former?: any[]) => void,
   *   letGo: (neuron: any[]) => void, find: () => void,
   *   open: (text: string, position: number) => void, lines: import("./sentence_lines.js").SentenceLines,
   *   missing: () => (Node | string)[] }} options
   */
  constructor(root, settings, { go, open, lines, missing, hold, letGo, find }) {
    const { boards: { neuron: text, feed } } = settings;
    this.root = root;
    this.settings = settings;
    this.text = text;
    this.go = go;
    this.missing = missing;
    this.contexts = new NeuronContexts(text.contexts, { lines, open });
    this.dial = new NeuronDial(feed.dial, { hold, letGo, choose: (neuron) => this.goTo(neuron) });
    /** @param {string} name @param {string} title @param {Node} node */
    const section = (name, title, node) => element("section", { class: name }, element("h4", {}, title), node);
    this.known = element("div", { class: "known" }, this.contexts.node, section("often", text.often.title, this.often));
    this.stage = element("div", { class: "board-stage" }, this.name, element("div", { class: "sections" },
      this.known, section("here", text.here.title, element("table", {}, this.here)),
      section("weights", text.weights.title, this.weights)));
    root.classList.add("board", "neuron-board");
    root.append(this.stage, element("div", { class: "below" }, this.dial.node,
      button(find, { class: "open-number" }, feed.find)));
    this.lookBelow = signMore(this.stage, root);
  }

  /** @param {number} neuron of the same layer */
  goTo(neuron) {
    this.go({ ...this.content.place, row: null, neuron }, { isBeside: true });
  }

  /** @param {NeuronContent} content */
  draw(content) {
    const { place, layer } = content;
    this.content = content;
    this.root.dataset.kind = place.stack;
    const record = layer?.neuron(place.neuron) ?? null;
    this.known.hidden = record === null;
    this.name.replaceChildren(...(record ? this.nameSentence(record) : this.missing()));
    if (record) {
      this.contexts.draw(record, layer);
      this.often.replaceChildren(...oftenNodes(record, layer.positions.ids.length, this.text.often));
    }
    this.contexts.node.hidden = record?.count === 0;
    this.drawHere();
    this.lookBelow();
  }

  /** Its name, and how far it can be trusted. @param {import("../../../../atlas/layer.js").NeuronRecord} record */
  nameSentence(record) {
    const { text, settings: { atlas, context: { codes } }, content: { place } } = this;
    const code = place.stack === "encoder" ? codes.source : codes.target;
    const name = element("b", {}, ...nameNodes(record, atlas.text, code));
    const { name: found, count } = record;
    const isNarrow = found?.standing === "holds" && found.recall < NARROW;
    const sentence = text.standing[isNarrow ? "narrow" : found?.standing ?? (count ? "none" : "never")];
    return fillNodes(sentence, {
      neuron: place.neuron + 1, name,
      ...(found && {
        checked: formatInteger(found.checked), precision: formatPercent(found.precision),
        recall: formatPercent(found.recall),
      }),
    });
  }

  /** Its number at every token of the sentence, and the dial. */
  drawHere() {
    const { settings: { context: { codes }, config, text: { changes } }, text } = this;
    const { content: { trace, place, tensors: { hidden }, step, experiment, before } } = this;
    const tokens = new RowTokens(trace, /** @type {Kind} */ (place.stack), codes);
    const { row, neuron } = place;
    const known = place.stack === "encoder" ? hidden.rows.length : step + 1;
    keepFocus(this.here, () => this.here.replaceChildren(...hereRows({
      hidden, neuron, row, known, tokens, before,
      open: (at) => this.go({ ...place, neuron: null, part: "hidden", row: at, column: neuron }),
    }, { was: changes.was, arrow: text.here.arrow })));
    this.dial.draw({
      stack: /** @type {Stack} */ (place.stack), layer: place.layer, row, neuron, count: config.d_ff, experiment,
      tokenAt: (at) => tokens.text(at), value: hidden.row(row)[neuron],
      largest: Math.max(...hidden.rows.map((one) => one[neuron]), this.content.layer?.largest(neuron) ?? 0),
    });
  }

  /** What it reads and writes by its weights; null while that is not there. @param {any} directions */
  drawWeights(directions) {
    const { settings: { atlas, context: { codes } }, text, content: { place: { stack } } } = this;
    const code = stack === "encoder" ? codes.source : codes.target;
    const linkTo = (/** @type {number} */ neuron) => button(() => this.goTo(neuron), {}, `${neuron + 1}`);
    this.weights.replaceChildren(...(directions
      ? weightNodes(directions, { code, tokenNames: atlas.text.tokenNames }, text.weights, linkTo) : ["…"]));
    this.lookBelow();
  }
}
