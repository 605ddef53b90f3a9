// The tab Inside: one cell of an attention map, from the streams to the sub-layer's output. It shares its selection
// with Explore. The numbers of a head come from the model once; another cell of the head needs no request.

import { controlField, notifyChange, registerFields } from "../../ui/address.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import {
  Context, addKindButtons, followExplore, markPressed, nodesByAttribute, numberLabels, paintOf, updateOptions,
} from "../../ui/tab.js";
import { afterDropout, computeCell, strongestKey, withoutScaling } from "./arithmetic.js";
import { button, element } from "../../ui/element.js";
import { Grid, formatNumber } from "../../ui/grid.js";
import { isTaken, hasModifier } from "../../ui/keys.js";
import { selectedCell, viewChange, combinedWeight } from "../../attention_view/state.js";
import { missingMap, ROLLOUT } from "../../derived/rollout.js";
import { entropy, formatDecimal } from "../../ui/numbers.js";
import { Stages } from "./stages.js";
import { sum, decodeTensors } from "../../ui/tensor.js";
import { requireWords, fill, headsName } from "../../ui/text.js";

const MAX_CACHED_HEADS = 24;

export function mount(element, settings, model) {
  return new Inside(element.querySelector(".inside"), { ...settings, text: requireWords(settings.text) }, model);
}

class Inside {
  root;
  settings;
  model;
  heads;
  part;
  choices;
  stages;
  map;
  context;
  paint;
  explore = null;
  place = null;
  head = null;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.heads = new AnswerCache((request) => this.compute(request), MAX_CACHED_HEADS);
    this.part = nodesByAttribute(root, "role");
    this.choices = nodesByAttribute(root, "choice");
    root.classList.toggle("without-bias", !settings.bias);
    const tip = root.querySelector(".tip");
    this.stages = new Stages(root, settings, tip, () => this.toggled());
    this.map = new Grid(this.part.map, tip, ({ row, column }) => this.select({ query: row, key: column }));
    this.context = new Context(this.part.context, settings.context, (step) => this.selectStep(step));
    this.addControls();
    followExplore(this);
    const show = () => this.render();
    const { mistake, dimension, numbers } = this.part;
    const showMistake = () => { // of a link, in its stage
      if (mistake.value !== "none") this.stages.setOpen([...this.stages.open, "softmax"]);
      this.render();
    };
    registerFields("inside", {
      open: this.openField(),
      mistake: controlField(mistake, showMistake),
      dimension: this.dimensionField(dimension, show),
      numbers: controlField(numbers, show),
    });
  }

  /** The open stages as a URL field. */
  openField() {
    const { stages } = this;
    return {
      get: () => [...stages.open].join("."),
      set: (text) => {
        const names = text.split(".").filter(Boolean);
        const areKnown = names.every((name) => stages.all.includes(name));
        if (areKnown) stages.setOpen(names);
        this.render();
        return areKnown;
      },
    };
  }

  /** A stage was opened or closed: its strips are drawn once they are visible. */
  toggled() {
    notifyChange();
    this.render();
  }

  /** The dimension as a URL field, which also works before the number of dimensions is known. */
  dimensionField(node, show) {
    const { get, set } = controlField(node, show);
    return {
      get: () => get() || "0",
      set: (text) => {
        if (node.options.length === 0 && /^\d{1,4}$/.test(text)) node.add(new Option("", text));
        return set(text);
      },
    };
  }

  addControls() {
    const { part, choices, settings } = this;
    addKindButtons(part.kinds, settings, (kind) => this.select({ kind }));
    for (const [name, node] of Object.entries(choices)) {
      node.addEventListener("change", () => this.select({ [name]: Number(node.value) }));
    }
    part.mistake.append(...Object.entries(settings.text.mistakes).map(([name, { title }]) => new Option(title, name)));
    for (const select of [part.mistake, part.dimension]) select.addEventListener("change", () => this.render());
    part.numbers.addEventListener("change", () => this.render());
    part.all.addEventListener("click", () => {
      this.stages.setOpen(this.stages.open.size === this.stages.all.length ? [] : this.stages.all);
      this.toggled();
    });
    let openBefore = [];
    addEventListener("beforeprint", () => {
      openBefore = [...this.stages.open];
      this.stages.setOpen(this.stages.all);
      if (this.head && this.root.offsetParent) this.draw(this.head);
    });
    addEventListener("afterprint", () => this.stages.setOpen(openBefore));
    document.addEventListener("keydown", (event) => this.moveCell(event));
    part["map-words"].textContent = settings.text.map;
  }

  /** The arrow keys move the cell unless the focused control needs them. */
  moveCell(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!move || !this.explore || isTaken(event) || hasModifier(event) || !this.root.offsetParent) return;
    event.preventDefault();
    const { query, key } = this.selectedPlace;
    this.select({ query: query + move[0], key: key + move[1] });
  }

  /** Applies a user's choice to the view of Explore, which notifies this tab. */
  select(change) {
    const { trace, view } = this.explore;
    this.explore.set(viewChange(view, trace, this.selectedPlace, change));
  }

  /** The selected query and key; without a selected key, the key of the last drawing. */
  get selectedPlace() {
    const { query, key } = selectedCell(this.explore.view, this.explore.trace);
    return { query, key: key ?? this.place?.key ?? 0 };
  }

  request() {
    const { view, trace } = this.explore;
    const { kind, layer, head } = selectedCell(view, trace);
    return [trace.sentence, kind, layer, head];
  }

  /** All tensors of a head, and its index. Rejects with a UserError. */
  async compute([sentence, kind, layer, head]) {
    const { heads: [tensors] } = await this.model.head([sentence], kind, layer, head);
    return { ...decodeTensors(tensors), index: head };
  }

  async render() {
    if (!this.explore || !this.root.offsetParent) return;
    const head = await this.heads.latest(() => this.request(), this.part.message, this.settings.text.notLoaded);
    if (!head) return;
    const place = selectedCell(this.explore.view, this.explore.trace);
    this.place = { ...place, key: place.key ?? strongestKey(head.weights.row(place.query)) };
    this.head = head;
    this.draw(head);
  }

  draw(head) {
    const { root, place, settings, explore: { trace, view } } = this;
    const map = trace.kinds[place.kind];
    Object.assign(root.dataset, place);
    this.paint = { ...paintOf(root, settings, place.kind), numbers: this.part.numbers.checked };
    this.drawControls(map);
    const cell = computeCell(head, place.query, place.key);
    this.drawContext(trace, view);
    this.drawHeading(cell, map, view);
    this.drawMap(head, map);
    const [dimension, mistaken] = [this.drawDimensions(cell), this.mistakenRow(cell)];
    this.stages.draw({ cell, head, map, place, dimension, mistaken, paint: this.paint });
  }

  drawControls(map) {
    const { choices, place, stages, part, settings: { text } } = this;
    part.all.textContent = stages.open.size === stages.all.length ? text.closeAll : text.openAll;
    markPressed(this.part.kinds, place.kind);
    updateOptions(choices.layer, numberLabels(map.layers), place.layer);
    updateOptions(choices.head, numberLabels(map.heads), place.head);
    updateOptions(choices.query, map.queries.map((label, i) => `${i + 1}  ${label}`), place.query);
    updateOptions(choices.key, map.keys.map((label, i) => `${i + 1}  ${label}`), place.key);
  }

  /** The selected dimension of the projections; null for the strongest one. */
  drawDimensions({ q }) {
    const { dimension } = this.part;
    const selected = dimension.value && Number(dimension.value) <= q.length ? dimension.value : 0;
    updateOptions(dimension, [this.settings.text.dimension, ...numberLabels(q.length)], selected);
    return dimension.value === "0" ? null : Number(dimension.value) - 1;
  }

  /** Selects a step as the query; for the encoder, which has no steps, sets the step of Explore. */
  selectStep(step) {
    if (this.place.kind === "encoder") this.explore.set({ step });
    else this.select({ query: step });
  }

  /** Marks the key and the query, the latter as the piece predicted there. */
  drawContext(trace, view) {
    const { kind, query, key } = this.place;
    const isEncoder = kind === "encoder";
    this.context.draw(trace, isEncoder ? view.step : Math.max(query, view.step), {
      query: isEncoder ? { side: "source", place: query } : { side: "target", place: query + 1 },
      key: { side: kind === "decoder" ? "target" : "source", place: key },
    });
  }

  drawHeading({ weights, isAllowed, key }, map, view) {
    const { text } = this.settings;
    const { query, layer, head, kind } = this.place;
    const sentence = isAllowed[key] ? text.heading : text.maskedHeading;
    const values = { query: map.queries[query], key: map.keys[key], weight: formatNumber(weights[key]),
      kind: this.settings.kinds[kind], layer: layer + 1, head: head + 1 };
    this.part.heading.textContent = fill(sentence, values);
    this.drawDifference(view, map);
  }

  /** Explains why Explore shows another number: for several heads, for lengths, or without special pieces. */
  drawDifference(view, map) {
    const { part: { several }, settings: { text } } = this;
    const isRescaled = !view.specials && view.measure === "weight";
    const remarks = isRescaled ? [element("p", {}, text.specials)] : [];
    several.replaceChildren(...this.differenceNodes(view, map), ...remarks);
  }

  /** What Explore shows instead of one head's weight, if its data are loaded. */
  differenceNodes(view, map) {
    const { place: { query, key }, settings: { text, heads } } = this;
    if (view.measure === "length") return [element("p", {}, text.lengths)];
    if (missingMap(view, map) || (typeof view.layer === "number" && typeof view.head === "number")) return [];
    if (view.layer === ROLLOUT) {
      const weight = formatNumber(map.weight(ROLLOUT, view.head, query, key));
      return [element("p", {}, fill(text.rollout, { weight }))];
    }
    const { weight, heads: combinedHeads } = combinedWeight(view, map, { query, key });
    const buttons = element("div", { class: "selectable" }, ...combinedHeads.map((head) => this.headButton(head)));
    const sentence = fill(text.several, { heads: headsName(heads, view), weight: formatNumber(weight) });
    return [element("p", {}, sentence), buttons];
  }

  /** A button that selects one head. */
  headButton({ layer, head, weight }) {
    const words = fill(this.settings.text.head, { layer: layer + 1, head: head + 1, weight: formatNumber(weight) });
    const isSelected = layer === this.place.layer && head === this.place.head;
    return button(() => this.select({ layer, head }), { "aria-pressed": isSelected }, words);
  }

  drawMap(head, map) {
    const { query, key } = this.place;
    const { weights: { rows }, mask: { rows: isAllowed } } = head;
    const width = this.part.map.clientWidth;
    this.map.draw({
      ...this.paint, rows, scale: 1, numbers: false, height: Math.min(24, Math.max(3, width / rows.length)),
      masked: (row, column) => !isAllowed[row][column], frame: { row: query, column: key },
      name: (row, column) => `${map.queries[row]} ⟶ ${map.keys[column]}`,
    });
  }

  /** The row's weights with the selected mistake, which is also described; null without a mistake. */
  mistakenRow(cell) {
    const { text, dropout } = this.settings;
    const name = this.part.mistake.value;
    const row = {
      none: () => null,
      undivided: () => withoutScaling(cell),
      dropped: () => afterDropout(cell.weights, dropout, Math.random),
      mislabelled: () => cell.weights,
    }[name]();
    this.part["mistake-words"].textContent = row ? this.mistakeText(text.mistakes[name], cell, row) : "";
    return row;
  }

  /** The text about a mistake; some have another text for a kind of attention or a single allowed key. */
  mistakeText(mistake, cell, row) {
    const { place: { kind, query }, explore: { trace: { kinds } } } = this;
    const isAlone = cell.isAllowed.filter(Boolean).length === 1;
    const words = isAlone && "alone" in mistake ? "alone" : kind in mistake ? kind : "words";
    return fill(mistake[words], {
      sum: formatDecimal(sum(row), 3), p: this.settings.dropout,
      before: formatDecimal(entropy(cell.weights), 2), after: formatDecimal(entropy(row), 2),
      query: kinds[kind].queries[query],
      wrong: kinds.encoder.queries[query] ?? this.settings.text.mistakes.mislabelled.beyond,
    });
  }
}
