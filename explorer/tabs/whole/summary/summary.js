// What is computed at a place of the picture, in tables: the steps with their shapes and reasons, and the
// parameters of its modules. At the whole: the parameters of every layer, and how this model is built.

import { shapesOf } from "../../../derived/shapes.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { notifyChange } from "../../../ui/address.js";
import { button, element } from "../../../ui/element.js";
import { formatInteger, formatPercent, formatSignificant } from "../../../ui/numbers.js";
import { createSourceLine } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { WHOLE, kindOf, levelOf } from "../place.js";
import { formulaNodes } from "../../../ui/formula.js";
import { partsAt, placeOfLayer, stepsAt } from "./selection.js";

/** @typedef {import("../place.js").Place} Place */

const MAX_CACHED_SENTENCES = 4;
const INDENT_PX = 14; // of a module inside another

export class ModelSummary {
  message = element("p", { class: "message", role: "status" });
  content = element("div");
  /** @type {Trace | null} */ trace = null;
  /** @type {Place} */ place = WHOLE;
  /** What is drawn, so that stepping through a sentence draws nothing again. */
  drawn = "";

  /**
   * `root` is an empty <details>; `settings` are `summary` of the tab (tab.py). A chosen layer calls `go(place)`.
   * @param {HTMLDetailsElement} root
   * @param {Record<string, any>} settings
   * @param {import("../../../ui/model.js").Model} model
   * @param {{ go: (place: Place) => void }} options
   */
  constructor(root, settings, model, { go }) {
    this.root = root;
    this.settings = settings;
    this.go = go;
    this.shapes = new AnswerCache(async ([sentence]) => (
      shapesOf((await model.tensors(sentence, [])).tensors, this.trace)), MAX_CACHED_SENTENCES);
    root.classList.add("model-summary");
    root.append(element("summary", {}, settings.text.title), this.message, this.content);
    root.addEventListener("toggle", () => {
      notifyChange();
      this.update();
    });
  }

  /** Whether it is open, as a part of the address. */
  get field() {
    return {
      get: () => `${Number(this.root.open)}`,
      set: (text) => {
        this.root.open = text === "1";
        return text === "0" || text === "1";
      },
    };
  }

  /**
   * @param {Trace} trace
   * @param {Place} place
   */
  draw(trace, place) {
    this.trace = trace;
    this.place = place;
    this.update();
  }

  /** Draws what is not drawn yet; nothing while it is closed. */
  async update() {
    const { root, trace, settings: { text } } = this;
    if (!root.open || !trace) return;
    const key = () => {
      const { stack, layer, block } = this.place;
      return JSON.stringify([this.trace.sentence, stack, layer, block]);
    };
    const asked = key();
    if (asked === this.drawn) return;
    if (!this.drawn) this.message.textContent = text.loading;
    const steps = await this.shapes.latest(() => [this.trace.sentence], this.message, text.failed);
    if (!steps || steps.error || asked !== key()) return;
    this.drawn = asked;
    const { place } = this;
    this.content.replaceChildren(
      ...this.stepNodes(stepsAt(steps, place)),
      ...this.maskNodes(kindOf(place)),
      ...(levelOf(place) === "whole" ? this.wholeNodes() : this.parameterNodes(place)),
    );
  }

  stepNodes(steps) {
    const { text } = this.settings;
    if (!steps.length) return [];
    return [
      ...headed(text.steps, text.steps_words),
      table(text.columns, steps.flatMap((step, i) => this.stepRows(step, steps[i - 1]))),
    ];
  }

  /** The row of a step, below the name of its sub-layer where that begins. */
  stepRows({ key, before, after, size, sublayer }, previous) {
    const { steps, text } = this.settings;
    const [name, why] = steps[key];
    const row = element("tr", { "data-step": key },
      element("th", { scope: "row" }, ...formulaNodes(name)),
      element("td", { class: "shape" }, ...before.map((shape) => element("div", {}, shape))),
      element("td", { class: "shape after" }, after),
      element("td", { class: "number" }, size === null ? "–" : formatSignificant(size, 3)),
      linked("td", why, { class: "why" }),
    );
    if (!sublayer || sublayer === previous?.sublayer) return [row];
    const heading = element("th", { scope: "colgroup", colspan: text.columns.length }, text.sublayers[sublayer]);
    return [element("tr", { class: "sublayer" }, heading), row];
  }

  /** What the mask of a kind of attention hides, with the lines that build it. */
  maskNodes(kind) {
    if (kind === null) return [];
    const { words, code } = this.settings.masks[kind];
    return [
      ...headed(this.settings.text.mask, words),
      element("div", { class: "foot" }, ...code.map(createSourceLine)),
    ];
  }

  parameterNodes(place) {
    const { text, parameters } = this.settings;
    const parts = partsAt(parameters, place);
    if (!parts.length) return [element("h3", {}, text.parameters), element("p", { class: "hint" }, text.none)];
    const depth = ({ path }) => path.split(".").length;
    const least = Math.min(...parts.map(depth));
    const rows = parts.map((part) => {
      const indent = `padding-left: ${(depth(part) - least) * INDENT_PX + 6}px`;
      const name = element("th", { scope: "row", style: indent }, part.path.split(".").at(-1));
      return this.moduleRow(name, part);
    });
    return [...headed(text.parameters, text.parameters_words), table(text.modules, rows)];
  }

  /** The parameters by layer, and the choices by which models differ. */
  wholeNodes() {
    const { text, parameters, total, choices } = this.settings;
    const [whole] = parameters;
    const rows = partsAt(parameters, WHOLE).map((part) => {
      const place = placeOfLayer(part.path);
      const name = place.layer === null ? part.path
        : fill(text.place, { stack: text[place.stack], layer: place.layer + 1 });
      return this.moduleRow(element("th", { scope: "row" }, button(() => this.go(place), {}, name)), part);
    });
    const all = this.moduleRow(element("th", { scope: "row" }, text.whole), whole);
    all.classList.add("whole-model");
    return [
      ...headed(text.parameters, text.layers_words),
      table(text.modules, [all, ...rows]),
      element("p", { class: "total" }, total),
      ...headed(text.built, text.built_words),
      element("ul", {}, ...choices.map((choice) => linked("li", choice))),
    ];
  }

  moduleRow(name, { kind, own, parameters, share }) {
    const bar = element("i", { style: `width: ${100 * share}%` });
    const percent = fill(this.settings.text.percent, { number: formatPercent(share, { digits: 2 }) });
    return element("tr", {},
      name,
      element("td", {}, kind),
      element("td", { class: "shape" }, own),
      element("td", { class: "number" }, formatInteger(parameters)),
      element("td", { class: "number share" }, bar, element("span", {}, percent)),
    );
  }
}

function headed(title, words) {
  return [element("h3", {}, title), linked("p", words, { class: "hint" })];
}

/** An element with words in which terms are linked (explorer/ui/glossary). */
function linked(name, html, attributes = {}) {
  const node = element(name, attributes);
  node.innerHTML = html;
  return node;
}

function table(columns, rows) {
  const headings = columns.map((text) => element("th", { scope: "col" }, text));
  const whole = element("table", {},
    element("thead", {}, element("tr", {}, ...headings)), element("tbody", {}, ...rows));
  return element("div", { class: "wide" }, whole);
}
