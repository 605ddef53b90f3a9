// The controls for changes: what can be changed at a place, and chips for what is changed, each of which takes it back.

import { kindOf } from "../place.js";
import {
  changesOf, formatChange, isUnchanged, panelOf, parseChange, withHeadsOff, withPositionsOff, withTokenHidden,
  withTokenShown, withoutTokens,
} from "./change.js";
import { notifyChange } from "../../../ui/address.js";
import { button, element } from "../../../ui/element.js";
import { isEscape } from "../../../ui/keys.js";
import { hasTab, openPanel } from "../../../ui/page_events.js";
import { updateOptions } from "../../../ui/tab.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { changeSegments } from "./change_words.js";
import { fillSegments, plainText, segmentNodes } from "../guide/segments.js";

/** @typedef {import("../place.js").Place} Place */

export class ChangeBar {
  /** @type {Experiment} What is changed. */ experiment = {};
  /** Whether the run without the change is shown. */ isHeldBack = false;
  /** The sentence whose tokens are hidden. @type {string | null} */ sentence = null;
  /** @type {Record<string, any>} */ part;
  /** @type {HTMLSelectElement} */ heads = element("select");
  /** @type {HTMLSelectElement} */ tokens = element("select");

  /**
   * `part` are nodes by role: change, a <details> with an empty `choices`, and an empty `changed`. `config` are the
   * model's sizes, `words` CHANGES, `codes` those of both languages, `quotation` stands around a token. `onChange()` is
   * called after every choice.
   */
  constructor(part, { config, words, codes, quotation }, { onChange }) {
    this.part = part;
    this.config = config;
    this.words = words;
    this.codes = codes;
    this.quotation = quotation;
    this.onChange = onChange;
    this.tokens.addEventListener("change", () => this.set(withTokenHidden(this.experiment, Number(this.tokens.value))));
    this.tokens.setAttribute("aria-label", words.token);
    this.heads.addEventListener("change", () => (
      this.set(withHeadsOff(this.experiment, [JSON.parse(this.heads.value)]))));
    this.heads.setAttribute("aria-label", words.one);
    document.addEventListener("click", ({ target }) => {
      if (!part.change.contains(/** @type {Node} */ (target))) part.change.open = false;
    });
    part.change.addEventListener("keydown", (event) => {
      if (!isEscape(event) || !part.change.open) return;
      event.stopPropagation();
      part.change.open = false;
      part.change.firstElementChild.focus();
    });
  }

  /** The experiment whose run is shown. */
  get shown() {
    return this.isHeldBack ? {} : this.experiment;
  }

  /** The text in the address. */
  get text() {
    return formatChange(this.experiment);
  }

  /** Takes over a text about a sentence; returns whether it describes a change. */
  read(text, sizes, sentence) {
    const experiment = parseChange(text, sizes);
    if (experiment === null) return false;
    this.sentence = sentence;
    if (formatChange(experiment) !== this.text) this.take(experiment);
    return true;
  }

  /** Another sentence has other tokens. */
  follow(sentence) {
    if (this.sentence !== null && this.sentence !== sentence) this.experiment = withoutTokens(this.experiment);
    this.sentence = sentence;
  }

  /** What a visitor chooses. @param {Experiment} experiment */
  set(experiment) {
    this.take(experiment);
    notifyChange();
  }

  /** Hides a token of the source, or shows it again. */
  toggleToken(token) {
    const isHidden = this.experiment.hidden?.includes(token);
    this.set((isHidden ? withTokenShown : withTokenHidden)(this.experiment, token));
  }

  /** @param {Experiment} experiment */
  take(experiment) {
    this.experiment = experiment;
    this.isHeldBack = false;
    this.part.change.open = false;
    this.onChange();
  }

  /**
   * Draws what can be changed at a place, and what is changed.
   * @param {Place} place
   * @param {Piece[]} source the tokens
   */
  draw(place, source) {
    const { part, experiment, config, words } = this;
    const key = JSON.stringify([place.stack, place.layer, place.block, place.head, experiment, this.isHeldBack,
      source.map(({ text }) => text)]);
    if (part.choices.dataset.key === key) return;
    part.choices.dataset.key = key;
    part.choices.replaceChildren(...this.headChoices(place), this.tokenChoice(source), ...this.positionChoices(),
      element("p", {}, words.sentence));
    const isChanged = !isUnchanged(experiment);
    part.changed.hidden = !isChanged;
    const chips = changesOf(experiment, config.heads).map((change) => this.chip(change, source));
    const nodes = isChanged ? [element("span", { class: "chip-list" }, ...chips), ...this.actions()] : [];
    part.changed.replaceChildren(...nodes);
  }

  headChoices(place) {
    const { experiment, words, config: { heads } } = this;
    const kind = kindOf(place);
    if (kind === null) return [element("p", {}, words.where)];
    const { layer, head } = place;
    /** @type {[Kind, number, number][]} */
    const all = Array.from({ length: heads }, (_, one) => [kind, layer, one]);
    const isOff = ([, , one]) => (experiment.off ?? []).some((other) => `${other}` === `${[kind, layer, one]}`);
    const choice = (list, text) => {
      const node = button(() => this.set(withHeadsOff(experiment, list)), {}, text);
      node.disabled = list.every(isOff);
      return node;
    };
    const on = all.filter((one) => !isOff(one));
    return [
      ...(head === null ? this.headChoice(on) : [choice([[kind, layer, head]], words.head)]),
      ...(head === null || heads > 1 ? [choice(all, words.block)] : []),
    ];
  }

  /** The choice of one of several heads of a block that are on. @param {[Kind, number, number][]} on */
  headChoice(on) {
    const { words } = this;
    if (on.length < 2) return [];
    const options = on.map((one) => (
      /** @type {[string, string]} */ ([JSON.stringify(one), fill(words.number, { head: one[2] + 1 })])));
    updateOptions(this.heads, [["", words.one], ...options], "");
    return [this.heads];
  }

  tokenChoice(source) {
    const { experiment: { hidden = [] }, words } = this;
    const free = source.map((token, i) => /** @type {[string, string]} */ ([`${i}`, plainPiece(token.text)]));
    updateOptions(this.tokens, [["", words.token], ...free.filter(([i]) => !hidden.includes(Number(i)))], "");
    return this.tokens;
  }

  positionChoices() {
    const { experiment, words, config: { positions } } = this;
    if (positions === "none") return [];
    return /** @type {Stack[]} */ (["encoder", "decoder"]).map((stack) => {
      const node = button(() => this.set(withPositionsOff(experiment, stack)), {}, words.positions[stack]);
      node.disabled = Boolean(experiment[`${stack}_positions`]);
      return node;
    });
  }

  /** What a change is called, and its × that takes it back. */
  chip(change, source) {
    const { codes, quotation, words } = this;
    const name = changeSegments(words.names, change, { words, quotation, source });
    const label = plainText(fillSegments(words.undo, { change: name }));
    return button(() => this.set(change.without), { class: "chip", title: label, "aria-label": label },
      ...segmentNodes(name, codes), element("i", { "aria-hidden": "true" }, "×"));
  }

  actions() {
    const { experiment, words } = this;
    const flip = button(() => {
      this.isHeldBack = !this.isHeldBack;
      this.onChange();
    }, { "aria-pressed": `${this.isHeldBack}` }, words.flip);
    const undo = button(() => this.set({}), {}, words.undoAll);
    const open = button(() => openPanel(panelOf(experiment), experiment), {}, words.open);
    const key = element("span", { class: "key" }, element("i", { "aria-hidden": "true" }), words.legend);
    return [flip, undo, ...(hasTab("lab") ? [open] : []), ...(this.isHeldBack ? [] : [key])];
  }
}
