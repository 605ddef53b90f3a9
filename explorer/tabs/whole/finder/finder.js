// Finds neurons and heads: by a word that they fire on or write, or by a token of this sentence at which they fire.

import { firingsAt } from "./firing.js";
import { atlasOf } from "../../../atlas/atlas.js";
import { nameNodes } from "../../../atlas/name_words.js";
import { axesOf } from "../../../derived/trace.js";
import { notifyChange } from "../../../ui/address.js";
import { button, element } from "../../../ui/element.js";
import { formatInteger, formatPercent } from "../../../ui/numbers.js";
import { FileError } from "../../../ui/packed_files.js";
import { registerWork, trackWork } from "../../../ui/rest.js";
import { fill, headsName, plainPiece } from "../../../ui/text.js";
import { shownNumber } from "../boards/board_text.js";
import { WHOLE } from "../place.js";
import { placeName } from "../place_names.js";

/** @typedef {import("../../../atlas/search.js").Hit} Hit */

const PAUSE_MS = 150; // after a letter

export class Finder {
  /** @type {ReturnType<typeof setTimeout> | null} */ timer = null;
  /** Counts what was asked for, so that what comes late is not shown. */ asked = 0;

  /**
   * `root` is an empty <details>; `settings` are those of the tab. A result calls `go(place)`.
   * @param {HTMLDetailsElement} root
   * @param {any} settings
   * @param {{ numbers: import("../boards/number_data.js").NumberData, shown: import("../shown_run.js").ShownRun,
   *   go: (place: any) => void }} options
   */
  constructor(root, { text: { finder: text, tour }, atlas, heads, context }, { numbers, shown, go }) {
    this.root = root;
    this.text = text;
    this.words = { atlas: atlas.text, heads, places: tour.names };
    this.codes = context.codes;
    this.atlas = atlasOf(atlas.files);
    this.shown = shown;
    this.go = go;
    this.numbers = numbers;
    this.input = /** @type {HTMLInputElement} */ (element("input", {
      type: "search", placeholder: text.placeholder, "aria-label": text.word, autocomplete: "off", spellcheck: "false",
    }));
    this.tokens = element("p", { class: "finder-tokens" });
    this.results = element("div", { class: "finder-results", "aria-live": "polite" });
    root.classList.add("finder");
    root.append(element("summary", {}, text.title), ...(this.atlas
      ? [element("p", {}, element("label", {}, text.word, " ", this.input)), this.tokens, this.results]
      : [element("p", {}, atlas.fault, " ", atlas.text.missing, " ", element("code", {}, atlas.command))]));
    this.input.addEventListener("input", () => this.searchSoon());
    root.addEventListener("toggle", () => this.drawTokens());
    registerWork("finder", () => this.timer !== null);
  }

  /** The word as a part of the address. */
  get field() {
    return {
      get: () => this.input.value.trim(),
      set: (/** @type {string} */ word) => {
        if (word === this.input.value.trim()) return true;
        this.input.value = word;
        if (word) this.root.open = true;
        this.search();
        return true;
      },
    };
  }

  /** Opens it, for who looks for another neuron. */
  open() {
    this.root.open = true;
    this.root.scrollIntoView({ block: "start" });
    this.input.focus({ preventScroll: true });
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), PAUSE_MS);
  }

  async search() {
    clearTimeout(this.timer);
    this.timer = null;
    notifyChange();
    const word = this.input.value.trim();
    await this.show(word && this.atlas ? async () => {
      const [{ neurons, heads }, layers] = await Promise.all([this.atlas.search(word), this.atlas.layers()]);
      if (!neurons.length && !heads.length) return [element("p", {}, fill(this.text.nothing, { word }))];
      const layerOf = (/** @type {Hit} */ { kind, layer }) => (
        layers.find((one) => one.stack === kind && one.layer === layer));
      return [
        ...this.listOf(this.text.neurons, neurons.map((hit) => this.neuronRow(hit, layerOf(hit)))),
        ...this.listOf(this.text.heads, heads.map((hit) => this.headRow(hit, word))),
      ];
    } : async () => []);
  }

  /** Shows what `make()` promises, unless something else was asked for by then. @param {() => Promise<Node[]>} make */
  async show(make) {
    const number = this.asked += 1;
    try {
      const nodes = await trackWork("finder", make());
      if (number === this.asked) this.results.replaceChildren(...nodes);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (number === this.asked) this.results.textContent = fill(this.words.atlas.failed, { file: error.file });
    }
  }

  /** @param {string} title @param {HTMLElement[]} rows */
  listOf(title, rows) {
    return rows.length ? [element("h4", {}, title), element("ol", {}, ...rows)] : [];
  }

  /**
   * A row of the results: where it leads, and what is known of it.
   * @param {any} place
   * @param {string} name
   * @param {(Node | string)[]} words
   */
  row(place, name, words) {
    return element("li", { "data-kind": place.block === "cross" ? "cross" : place.stack },
      button(() => this.go({ ...WHOLE, ...place }), {}, name), " ", ...words);
  }

  /** @param {{ stack: Stack, layer: number, neuron: number }} at */
  neuronName({ stack, layer, neuron }) {
    return fill(this.text.neuron[stack], { layer: layer + 1, neuron: neuron + 1 });
  }

  /** @param {Hit} hit @param {import("../../../atlas/layer.js").AtlasLayer} ofLayer */
  neuronRow({ kind, layer, number, relation, share, name }, ofLayer) {
    const stack = /** @type {Stack} */ (kind);
    const at = { stack, layer, neuron: number };
    const record = ofLayer.neuron(number);
    const evidence = name
      ? fill(this.text.checked, { precision: formatPercent(name.precision), checked: formatInteger(name.checked) })
      : fill(this.text.strongest[relation], { percent: formatPercent(share) });
    return this.row({ ...at, block: "feed" }, this.neuronName(at), [
      ...nameNodes(record, this.words.atlas, this.codeOf(stack)), " ", element("small", {}, evidence)]);
  }

  /** @param {Hit} hit @param {string} word */
  headRow({ kind, layer, number, relation, share }, word) {
    /** @type {import("../place.js").Place} */
    const place = {
      ...WHOLE, stack: kind === "encoder" ? "encoder" : "decoder", layer,
      block: kind === "cross" ? "cross" : "self", head: number,
    };
    const block = placeName({ ...place, head: null }, this.words.places);
    const name = fill(this.text.head, { block, heads: headsName(this.words.heads, { layer, head: number }) });
    return this.row(place, name, [fill(this.text.arrows[relation], { percent: formatPercent(share), word })]);
  }

  /** @param {Stack} stack */
  codeOf(stack) {
    return stack === "encoder" ? this.codes.source : this.codes.target;
  }

  /** The tokens of the sentence, each of which tells which neurons fire there. */
  drawTokens() {
    if (!this.root.open || !this.atlas || !this.shown.viewer) return;
    const { trace } = this.shown;
    if (this.trace === trace) return;
    this.trace = trace;
    this.tokens.replaceChildren(
      this.text.fires, ...this.tokenButtons("encoder"), this.text.arrow, ...this.tokenButtons("decoder"));
  }

  /** @param {Stack} stack */
  tokenButtons(stack) {
    const { queries } = axesOf(this.trace, stack);
    return queries.flatMap(({ fed }, row) => [" ", button(() => this.showFirings(stack, row),
      { lang: this.codeOf(stack), "data-stack": stack }, plainPiece(fed.text))]);
  }

  /** @param {Stack} stack @param {number} row */
  async showFirings(stack, row) {
    const { shown, atlas: { files } } = this;
    const sites = files[stack].map((_, layer) => [stack, layer, "feed_forward", "hidden"]);
    await this.show(async () => {
      const [answer, layers] = await Promise.all([
        this.numbers.answers.get(["tensors", shown.sentence, { ...sites }, shown.experiment]), this.atlas.layers()]);
      if (!answer || answer.error) return [element("p", {}, answer?.error ?? this.text.failed)];
      const own = layers.filter((layer) => layer.stack === stack);
      const token = plainPiece(axesOf(this.trace, stack).queries[row].fed.text);
      const firings = firingsAt(Object.values(answer), row, own);
      const rows = firings.map((firing) => this.firingRow(firing, own[firing.layer]));
      return this.listOf(fill(this.text.firing, { token }), rows);
    });
  }

  /** @param {import("./firing.js").Firing} firing @param {import("../../../atlas/layer.js").AtlasLayer} ofLayer */
  firingRow({ stack, layer, neuron, value, share }, ofLayer) {
    const at = { stack, layer, neuron };
    return this.row({ ...at, block: "feed" }, this.neuronName(at), [
      ...nameNodes(ofLayer.neuron(neuron), this.words.atlas, this.codeOf(stack)), " ",
      element("small", {}, fill(this.text.strength, { value: shownNumber(value), percent: formatPercent(share) }))]);
  }
}
