// The tab Masks: a batch of the user's sentences, its masks, and their effect on one row of a softmax. Kind, layer and
// head are those of Explore.

import { registerPart, notifyChange } from "../../ui/address.js";
import { masksOf } from "../../derived/masks.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { element, onSubmit } from "../../ui/element.js";
import { Grid } from "../../ui/grid.js";
import { selectedCell } from "../../attention_view/state.js";
import {
  addKindButtons, createSourceLine, followExplore, labelColumns, markPressed, nodesByAttribute, numberLabels, paintOf,
  updateOptions,
} from "../../ui/tab.js";
import { sum } from "../../ui/tensor.js";
import { requireWords, fill } from "../../ui/text.js";
import { formatDecimal } from "../../ui/numbers.js";
import { UserError } from "../../ui/user_error.js";

const GRIDS = ["padding", "causal", "combined", "on_queries"];
const ROWS = ["scores", "weights", "unmasked", "mistaken", "mistaken_finite"];
const URL_PARTS = ["1", "2", "3", "sentence", "query"];
const MAX_CACHED_BATCHES = 24;
const MAX_CELL_SIZE = 22, ROW_HEIGHT = 22; // pixels: a cell of a mask, a row of numbers

export function mount(element, settings, model) {
  return new Masks(element.querySelector(".masks"), { ...settings, text: requireWords(settings.text) }, model);
}

/**
 * @typedef {ReturnType<typeof masksOf>} SentenceMasks
 * @typedef {{ sentence: number, query: number }} Selection of a sentence of the batch and one of its queries
 */

class Masks {
  /** @type {HTMLElement} */ root;
  settings;
  model;
  requests;
  part;
  choices;
  explore = null;
  /** @type {HTMLInputElement[]} */ fields;
  /** @type {string[]} As typed; some may be empty. */ sentences;
  /** @type {SentenceMasks[] | null} */ batch = null;
  /** @type {{ kind: Kind, layer: number, head: number }} That the batch was computed for. */ place;
  /** @type {Selection} */ selected = { sentence: 0, query: 0 };
  /** @type {Selection | null} What an address selects once the batch has arrived. */ pending = null;
  /** @type {Grid[]} In the order of GRIDS. */ grids;
  /** @type {HTMLElement} */ paddingWords;
  /** @type {HTMLElement} */ causalWords;
  /** @type {HTMLElement} The labels above the rows. */ axis;
  /** @type {{ words: HTMLElement, grid: Grid }[]} In the order of ROWS. */ rows;
  /** @type {Record<string, any>} */ paint;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.requests = new AnswerCache((request) => this.compute(request), MAX_CACHED_BATCHES);
    this.part = nodesByAttribute(root, "role");
    this.choices = nodesByAttribute(root, "choice");
    this.sentences = settings.sentences;
    this.addControls();
    this.addGrids(root.querySelector(".tip"));
    followExplore(this);
    registerPart("masks", {
      names: URL_PARTS,
      write: () => this.encodeState(),
      restore: (texts) => this.restore(texts),
    });
  }

  fillFields(sentences) {
    this.fields.forEach((field, i) => { field.value = sentences[i] ?? ""; });
  }

  /** The batch, the sentence and the query as URL parameters. */
  encodeState() {
    const { sentences, pending, batch, settings } = this;
    const { sentence, query } = pending ?? this.selected;
    const isCustomBatch = this.fields.some((_, i) => (sentences[i] ?? "") !== (settings.sentences[i] ?? ""));
    const isChosen = pending || (batch && (isCustomBatch || sentence !== mostPadded(batch) || query !== 0));
    return {
      ...Object.fromEntries(this.fields.map((_, i) => [`${i + 1}`, isCustomBatch ? sentences[i] ?? "" : null])),
      sentence: isChosen ? `${sentence + 1}` : null,
      query: isChosen ? `${query + 1}` : null,
    };
  }

  /**
   * Applies URL parameters; sentence and query are selected once the batch has arrived.
   *
   * @param {Record<string, string>} texts
   */
  restore({ sentence, query = "1", ...sentences }) {
    const { settings } = this;
    const hasSentences = Object.keys(sentences).length > 0;
    const texts = this.fields.map((_, i) => (hasSentences ? sentences[i + 1] : settings.sentences[i]));
    this.sentences = texts.map((text) => text ?? "");
    this.fillFields(this.sentences);
    const isNumber = (text) => /^[1-9]\d{0,3}$/.test(text);
    const damaged = [];
    if (sentence !== undefined && !isNumber(sentence)) damaged.push("sentence");
    if (!isNumber(query)) damaged.push("query");
    const isSelected = sentence !== undefined && damaged.length === 0;
    this.pending = isSelected ? { sentence: Number(sentence) - 1, query: Number(query) - 1 } : null;
    this.render();
    return damaged;
  }

  addControls() {
    const { part, choices, settings } = this;
    this.fields = [...part.form.querySelectorAll("input")];
    this.fillFields(settings.sentences);
    onSubmit(part.form, () => {
      this.sentences = this.fields.map((field) => field.value);
      this.render();
      notifyChange();
    });
    addKindButtons(part.kinds, settings, (kind) => this.explore.set({ kind }));
    for (const name of ["layer", "head"]) {
      choices[name].addEventListener("change", () => this.explore.set({ [name]: Number(choices[name].value) }));
    }
    for (const name of ["sentence", "query"]) {
      choices[name].addEventListener("change", () => this.select({ [name]: Number(choices[name].value) }));
    }
    part["ids-title"].textContent = settings.text.ids;
  }

  addGrids(tip) {
    const { part, settings: { text } } = this;
    this.grids = GRIDS.map((name) => {
      const { title, words } = text.grids[name];
      const canvas = createCanvas(title);
      const wordsNode = element("span", {}, words);
      const caption = element("figcaption", {}, element("b", {}, title), wordsNode);
      const figure = element("figure", { "data-grid": name }, caption, canvas);
      if (name === "causal") this.causalWords = wordsNode;
      if (name === "padding") this.paddingWords = wordsNode;
      part.grids.append(figure);
      return new Grid(canvas, tip, ({ row }) => name !== "padding" && this.select({ query: row }));
    });
    this.axis = element("div", { class: "axis" });
    part.rows.append(this.axis);
    this.rows = ROWS.map((name) => {
      const { title } = text.rows[name];
      const canvas = createCanvas(title);
      const words = element("p", { class: "hint" });
      const strip = element("div", { class: "strip", "data-row": name }, element("span", {}, title), canvas, words);
      part.rows.append(strip);
      return { words, grid: new Grid(canvas, tip) };
    });
  }

  /** @param {Partial<Selection>} change */
  select(change) {
    this.selected = { ...this.selected, ...change };
    notifyChange();
    this.draw();
  }

  request() {
    const { kind, layer, head } = selectedCell(this.explore.view, this.explore.trace);
    return [this.sentences, kind, layer, head];
  }

  /** The masks of the sentences as one batch. Rejects with a UserError. */
  async compute([texts, kind, layer, head]) {
    const { model, settings } = this;
    const present = texts.filter((text) => text.trim());
    if (present.length < 2 || present.length > 3) throw new UserError(settings.text.batchSize);
    const traces = await Promise.all(present.map((text) => this.translate(text, texts.indexOf(text) + 1)));
    const { heads } = await model.head(traces.map(({ sentence }) => sentence), kind, layer, head);
    return heads.map((each, i) => masksOf(traces[i], kind, each, settings));
  }

  /** The trace of a sentence; a refusal says which number the sentence has. */
  async translate(text, number) {
    try {
      return await this.model.translate(text);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(fill(this.settings.text.refused, { number, reason: error.message }));
    }
  }

  /** Requests and draws the batch; a refused batch leaves the previous one. */
  async render() {
    if (!this.explore || !this.root.offsetParent) return;
    const answer = await this.requests.latest(() => this.request(), this.part.message, this.settings.text.notLoaded);
    if (answer === undefined) return;
    const isRefused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", isRefused);
    if (!isRefused) this.receive(answer);
    this.draw();
  }

  /** @param {SentenceMasks[]} batch that the current request asked for */
  receive(batch) {
    const [, kind, layer, head] = this.request();
    const sentencesOf = (masks) => JSON.stringify(masks?.map(({ sentence }) => sentence));
    const isNewBatch = sentencesOf(this.batch) !== sentencesOf(batch);
    this.place = { kind, layer, head };
    this.batch = batch;
    if (isNewBatch) this.selected = { sentence: mostPadded(batch), query: 0 };
    if (this.pending) this.selected = this.pending;
    this.pending = null;
    notifyChange();
  }

  draw() {
    const { root, batch, settings, choices, explore } = this;
    if (!batch || !root.offsetParent) return;
    const { kind, layer, head } = this.place;
    const map = explore.trace.kinds[kind];
    const sentence = Math.min(this.selected.sentence, batch.length - 1);
    const masks = batch[sentence];
    const query = Math.min(this.selected.query, masks.queries.length - 1);
    this.selected = { sentence, query };
    this.paint = { ...paintOf(root, settings, kind), numbers: false };
    Object.assign(root.dataset, { kind, layer, head, sentence, query });
    markPressed(this.part.kinds, kind);
    const numbered = (labels) => labels.map((label, i) => `${i + 1}  ${label}`);
    updateOptions(choices.layer, numberLabels(map.layers), layer);
    updateOptions(choices.head, numberLabels(map.heads), head);
    updateOptions(choices.sentence, numbered(batch.map((each) => each.sentence)), sentence);
    updateOptions(choices.query, numbered(masks.queries), query);
    this.drawIds();
    this.drawGrids(masks);
    this.drawRows(masks);
    this.part.code.replaceChildren(...settings.code[kind].map(createSourceLine));
  }

  /** Draws the ids of the keys and, for cross-attention, of the queries. */
  drawIds() {
    const { part, batch, place, settings: { text } } = this;
    const isCross = place.kind === "cross";
    this.drawTable(part.ids, ({ keys, ids, padding }) => [keys, ids, padding.data]);
    if (isCross) {
      this.drawTable(part["query-ids"], ({ asking, query_ids: ids, query_padding: padding }) => (
        [asking, ids, padding.data]
      ));
    }
    const sizes = (length) => ({ batch: batch.length, length });
    part["ids-words"].textContent = fill(text.idsWords[place.kind], sizes(batch[0].keys.length));
    part["query-ids-words"].textContent = isCross ? fill(text.queryIdsWords, sizes(batch[0].queries.length)) : "";
    part["query-ids"].hidden = !isCross;
  }

  /** Draws a table with a row per sentence, including its padding. */
  drawTable(table, columnsOf) {
    table.replaceChildren(...this.batch.map((masks, sentence) => {
      const [labels, ids, isPiece] = columnsOf(masks);
      const cells = labels.map((label, i) => {
        const cell = element("td", {}, label, element("small", {}, ids[i]));
        cell.classList.toggle("padding", !isPiece[i]);
        return cell;
      });
      const heading = element("th", {}, `${sentence + 1}`);
      const row = element("tr", { "aria-selected": sentence === this.selected.sentence }, heading, ...cells);
      row.addEventListener("click", () => this.select({ sentence }));
      return row;
    }));
  }

  /** @param {SentenceMasks} masks */
  drawGrids(masks) {
    const { grids, paint, place, selected, settings: { text, start } } = this;
    const isDecoder = place.kind === "decoder";
    const startsFromPadding = isDecoder && start === "pad";
    this.paddingWords.textContent = startsFromPadding ? text.startsFromPadding : text.grids.padding.words;
    this.causalWords.textContent = isDecoder ? text.grids.causal.words : text.notCausal;
    const keyOf = (_, column) => masks.keys[column];
    const cellOf = (row, column) => `${masks.queries[row]} ⟶ ${masks.keys[column]}`;
    GRIDS.forEach((name, i) => {
      const isPadding = name === "padding";
      const rows = isPadding ? [masks.padding.data] : masks[name].rows;
      const width = grids[i].canvas.clientWidth;
      grids[i].draw({
        ...paint, rows, scale: 2, hidden: text.masked, height: Math.min(MAX_CELL_SIZE, width / rows[0].length),
        masked: (row, column) => !rows[row][column],
        frame: isPadding ? null : { row: selected.query, column: null },
        name: isPadding ? keyOf : cellOf,
      });
    });
  }

  /** @param {SentenceMasks} masks */
  drawRows(masks) {
    const { paint, part, selected: { sentence, query }, settings: { text } } = this;
    part["row-title"].textContent = fill(text.row, { query: masks.queries[query], sentence: sentence + 1 });
    labelColumns(this.axis, masks.keys);
    const largestScore = Math.max(...masks.scores.row(query).map(Math.abs));
    const maskOfRow = { weights: masks.combined, mistaken: masks.on_queries, mistaken_finite: masks.on_queries };
    ROWS.forEach((name, i) => {
      const row = masks[name].row(query);
      const isAllowed = maskOfRow[name]?.row(query);
      this.rows[i].grid.draw({
        ...paint, rows: [row], scale: name === "scores" ? largestScore : 1, height: ROW_HEIGHT, room: 14,
        masked: (_, column) => Boolean(isAllowed) && !isAllowed[column], name: (_, column) => masks.keys[column],
      });
      this.rows[i].words.textContent = this.describeRow(name, row, masks);
    });
  }

  /** A text about a row: its sum, and the share of padding. */
  describeRow(name, row, { padding }) {
    const { title, words, ...remarks } = this.settings.text.rows[name];
    if (name === "scores") return words;
    const total = sum(row);
    if (Number.isNaN(total)) return remarks.empty;
    const onPadding = sum(row.filter((_, key) => !padding.data[key]));
    const isUniform = remarks.even && row.every((number) => Math.abs(number - row[0]) < 1e-6);
    return fill(isUniform ? remarks.even : words, {
      sum: formatDecimal(total, 3),
      padding: formatDecimal(onPadding, 3),
      each: formatDecimal(row[0], 3),
    });
  }
}

function createCanvas(title) {
  return element("canvas", { role: "img", "aria-label": title });
}

/**
 * The index of the sentence with the most padding.
 *
 * @param {SentenceMasks[]} batch
 */
function mostPadded(batch) {
  const padding = batch.map((item) => item.padding.data.filter((isPiece) => !isPiece).length);
  return padding.indexOf(Math.max(...padding));
}
