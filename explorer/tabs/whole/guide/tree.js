// The picture as nested lists, for eyes that do not see a canvas: every place with its sentence, and every head's
// weights as a table. What is focused here is shown there, and the list opens to the place that is shown.

import { shortCaptionOf } from "./captions.js";
import { BLOCKS, WHOLE, formatPlace, kindOf, parentOf, pathOf } from "../place.js";
import { placeName } from "../place_names.js";
import { fillSegments, plainText, segmentNodes, tokenSegments } from "../../../ui/segments.js";
import { axesOf } from "../../../derived/trace.js";
import { isOutOfReach } from "../../../derived/masks.js";
import { button, element, isVisible } from "../../../ui/element.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { registerWork } from "../../../ui/rest.js";

const DELAY_MS = 150; // before a flight, so that one can move on through the list

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./subject.js").CaptionContext} CaptionContext */

/**
 * An entry of the list: a place, or one of the two stacks, which are none.
 * @typedef {object} Entry
 * @property {string} key
 * @property {Place | null} place
 * @property {string} name
 * @property {() => Entry[]} inside
 */

/** What is drawn of an entry: `details` of one that has something inside, whose `content` is filled when it opens. */
class Item {
  isFilled = false;
  sentence = element("span", { class: "sentence" });

  /** @param {Entry} entry */
  constructor(entry, hasContent, choose) {
    this.entry = entry;
    const label = [element("b", {}, entry.name), " ", this.sentence];
    this.control = hasContent ? element("summary", {}, ...label) : button(() => choose(), {}, ...label);
    this.content = element("div");
    this.details = hasContent ? element("details", {}, this.control, this.content) : null;
    this.node = element("li", {}, this.details ?? this.control);
    this.control.addEventListener("focus", () => choose());
  }
}

export class Tree {
  /** @type {CaptionContext | null} */ context = null;
  /** @type {Place} */ place = WHOLE;
  /** Whether the list was opened at this place. */
  isOpened = false;
  /** What is drawn so far, by the texts of places. @type {Map<string, Item>} */ items = new Map();
  timer = null;

  /**
   * `root` is an empty <details>; `settings` those of the tab (tab.py), with the words `captions`, `tour` and `tree`.
   * A focused entry calls `go(place)`.
   */
  constructor(root, { config, text, context }, { go }) {
    this.root = root;
    this.config = config;
    this.text = text;
    this.codes = context.codes;
    this.go = go;
    this.list = element("ul");
    root.classList.add("tree");
    root.append(element("summary", {}, text.tree.title), this.list);
    root.addEventListener("toggle", () => this.update());
    registerWork("list", () => this.timer !== null);
  }

  /** Draws the sentences of what is open, and opens the list at another place than before. */
  draw(context, place) {
    if (context.trace !== this.context?.trace) this.forgetTables();
    const isElsewhere = formatPlace(place) !== formatPlace(this.place);
    this.context = context;
    this.place = place;
    if (isElsewhere) this.isOpened = false;
    this.update();
  }

  /** Nothing is drawn while the list is closed. */
  update() {
    if (!this.root.open || !this.context) return;
    if (!this.items.size) this.list.append(...this.topEntries().map((entry) => this.itemOf(entry).node));
    if (!this.isOpened) this.openTo(this.place);
    this.isOpened = true;
    for (const item of this.items.values()) {
      if (!isVisible(item.node)) continue;
      this.describe(item);
      if (item.details?.open) this.fill(item); // which adds items
    }
    this.mark();
  }

  /** @returns {Entry[]} */
  topEntries() {
    const stack = (name) => ({
      key: name, place: null, name: this.text.tour.names[name], inside: () => this.stackEntries(name),
    });
    const leaf = (name) => this.entryOf({ ...WHOLE, stack: name });
    return [this.entryOf(WHOLE), stack("encoder"), leaf("memory"), stack("decoder"), leaf("output")];
  }

  /** @param {Place} place */
  entryOf(place, inside = () => []) {
    return { key: formatPlace(place), place, name: placeName(place, this.text.tour.names), inside };
  }

  /** @returns {Entry[]} */
  stackEntries(stack) {
    const layers = countUp(this.config.layers[stack]).map((layer) => {
      const place = { ...WHOLE, stack, layer };
      return this.entryOf(place, () => this.layerEntries(place));
    });
    return [this.entryOf({ ...WHOLE, stack, block: "embedding" }), ...layers];
  }

  /** @returns {Entry[]} */
  layerEntries(layer) {
    return BLOCKS[layer.stack].map((block) => {
      const place = { ...layer, block };
      const heads = () => countUp(this.config.heads).map((head) => this.entryOf({ ...place, head }));
      return this.entryOf(place, block === "feed" ? undefined : heads);
    });
  }

  /** The item of an entry, which is made once. */
  itemOf(entry) {
    const { key, place } = entry;
    if (this.items.has(key)) return this.items.get(key);
    const hasContent = place === null || hasInside(place);
    const item = new Item(entry, hasContent, () => place && this.goLater(place));
    item.details?.addEventListener("toggle", () => this.update());
    this.items.set(key, item);
    return item;
  }

  /** Fills an item once with what is inside it: a table of weights or a list. */
  fill(item) {
    if (item.isFilled) return;
    const { entry: { place, inside }, content } = item;
    const isHead = place !== null && place.head !== null;
    if (!isHead) content.append(element("ul", {}, ...inside().map((entry) => this.itemOf(entry).node)));
    item.isFilled = isHead ? this.fillTable(place, content) : true;
  }

  /** Writes the sentence of an item. */
  describe({ entry: { place }, sentence }) {
    if (place === null) return;
    const segments = shortCaptionOf(place, this.context, this.text.captions);
    const text = plainText(segments);
    if (sentence.dataset.text === text) return;
    sentence.dataset.text = text;
    sentence.replaceChildren(...segmentNodes(segments, this.codes));
  }

  /** Opens everything that a place is in. */
  openTo(place) {
    for (const key of [place.stack, ...pathOf(place).slice(1, -1).map(formatPlace)]) {
      const item = this.items.get(key);
      if (!item?.details) continue;
      this.fill(item);
      item.details.open = true;
    }
  }

  /** Marks the present place, or what it is in if it has no item. */
  mark() {
    for (const node of this.root.querySelectorAll("[aria-current]")) node.removeAttribute("aria-current");
    const keys = pathOf(this.place).map(formatPlace).reverse();
    const key = keys.find((one) => this.items.has(one));
    this.items.get(key)?.control.setAttribute("aria-current", "true");
    if (this.place.part === "weights") this.cellOf(this.place)?.setAttribute("aria-current", "true");
  }

  /** The button of a weight; undefined if its table is not drawn. @param {Place} place */
  cellOf(place) {
    const { row, column } = place;
    const head = this.items.get(formatPlace(parentOf(place)));
    return head?.content.querySelector(`tbody tr:nth-child(${row + 1}) td:nth-child(${column + 2}) button`);
  }

  /** Flies to a place, unless the focus moves on before. */
  goLater(place) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (formatPlace(place) === formatPlace(this.place)) return;
      this.isOpened = true; // the focus is there already
      this.place = place;
      this.go(place);
    }, DELAY_MS);
  }

  /** Empties the tables, which are of another translation. */
  forgetTables() {
    for (const item of this.items.values()) {
      const { place } = item.entry;
      if (place === null || place.head === null) continue;
      item.isFilled = false;
      item.content.replaceChildren();
    }
  }

  /** Writes the table of a head's weights; false while they are not loaded. */
  fillTable(place, content) {
    const { context: { trace }, text: { tree } } = this;
    const kind = kindOf(place);
    const map = trace.kinds[kind];
    if (!map.ready) {
      content.replaceChildren(element("p", {}, tree.waiting));
      return false;
    }
    const { queries, keys } = axesOf(trace, kind);
    const keySide = kind === "decoder" ? "target" : "source";
    const rows = queries.map((query) => this.rowLabel(query, kind === "encoder" ? "source" : "target"));
    const columns = keys.map((key) => tokenSegments(key, keySide, this.text.captions.word));
    const header = (scope) => (label) => element("th", { scope }, ...segmentNodes(label, this.codes));
    const body = rows.map((label, row) => element("tr", {}, header("row")(label), ...columns.map((column, key) => (
      element("td", {}, this.cell({ ...place, part: "weights", row, column: key }, map, [label, column]))))));
    content.replaceChildren(element("table", { "data-rove": "", "data-columns": `${columns.length}` },
      element("caption", {}, tree.caption),
      element("thead", {}, element("tr", {}, element("td"), ...columns.map(header("col")))),
      element("tbody", {}, ...body),
    ));
    return true;
  }

  /**
   * A row's token; in the decoder the one that is fed and the one that is written.
   * @param {{ fed: Piece, predicted?: Piece }} row
   * @param {"source" | "target"} side
   */
  rowLabel({ fed, predicted }, side) {
    const { word, lane } = this.text.captions;
    const token = (piece) => tokenSegments(piece, side, word);
    return predicted ? fillSegments(lane, { fed: token(fed), predicted: token(predicted) }) : token(fed);
  }

  /** The button of a weight. */
  cell(place, map, [query, key]) {
    const { tree } = this.text;
    const { layer, head, row, column } = place;
    const isMasked = isOutOfReach(map, row, column);
    const weight = map.weight(layer, head, row, column);
    const number = isMasked ? tree.masked : formatWeight(weight);
    const label = plainText(fillSegments(tree.cell, { query, key, weight: number }));
    const node = button(() => this.goLater(place), { "aria-label": label }, number);
    if (isMasked) node.classList.add("masked");
    else node.title = `${weight}`;
    node.addEventListener("focus", () => this.goLater(place));
    return node;
  }
}

/** A weight with two decimals; one that is not quite 0 never looks like it. */
function formatWeight(weight) {
  const text = formatDecimal(weight, 2);
  return weight > 0 && !/[1-9]/.test(text) ? "≈0" : text;
}

/** Whether a place has others inside it in the list, or a table. */
function hasInside({ layer, block, head }) {
  return head !== null || (layer !== null && block !== "feed");
}

function countUp(count) {
  return Array.from({ length: count }, (_, number) => number);
}
