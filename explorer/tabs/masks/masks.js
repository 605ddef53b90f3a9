// The tab Masks: a batch of the user's sentences, its masks, and their effect on one row of a softmax. Kind, layer and
// head are those of Explore.

import { registerPart, notifyChange } from "../../ui/address.js";
import { masksOf } from "../../derived/masks.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { element, onSubmit } from "../../ui/element.js";
import { Grid } from "../../ui/grid.js";
import { selectedCell } from "../../attention_view/state.js";
import { addKindButtons, numberLabels, followExplore, labelColumns, nodesByAttribute, updateOptions, paintOf, markPressed, createSourceLine } from "../../ui/tab.js";
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

class Masks {
  constructor(root, settings, model) {
    Object.assign(this, { root, model, settings, explore: null, batch: null, sentence: 0, query: 0, pendingPlace: null });
    this.requests = new AnswerCache((request) => this.compute(request), MAX_CACHED_BATCHES);
    this.sentences = settings.sentences;
    Object.assign(this, { part: nodesByAttribute(root, "role"), choices: nodesByAttribute(root, "choice") });
    this.addControls();
    this.addGrids(root.querySelector(".tip"));
    followExplore(this);
    registerPart("masks", { names: URL_PARTS, write: () => this.encodeState(), restore: (texts) => this.restore(texts) });
  }

  fillFields(sentences) {
    this.fields.forEach((field, i) => { field.value = sentences[i] ?? ""; });
  }

  /** The batch, the sentence and the query as URL parameters. */
  encodeState() {
    const { sentences, pendingPlace, batch, settings } = this, { sentence, query } = pendingPlace ?? this;
    const isCustomBatch = this.fields.some((_, i) => (sentences[i] ?? "") !== (settings.sentences[i] ?? ""));
    const isPlaceEncoded = pendingPlace || (batch && (isCustomBatch || sentence !== mostPadded(batch) || query !== 0));
    return {
      ...Object.fromEntries(this.fields.map((_, i) => [`${i + 1}`, isCustomBatch ? sentences[i] ?? "" : null])),
      sentence: isPlaceEncoded ? `${sentence + 1}` : null,
      query: isPlaceEncoded ? `${query + 1}` : null,
    };
  }

  /** Applies URL parameters; sentence and query are selected once the batch has arrived. */
  restore({ sentence, query, ...sentences }) {
    const hasSentences = Object.keys(sentences).length > 0;
    this.sentences = this.fields.map((_, i) => (hasSentences ? sentences[i + 1] ?? "" : this.settings.sentences[i] ?? ""));
    this.fillFields(this.sentences);
    const place = { sentence, query }, damaged = Object.keys(place).filter((name) => place[name] !== undefined && !/^[1-9]\d{0,3}$/.test(place[name]));
    this.pendingPlace = damaged.length || sentence === undefined ? null : { sentence: sentence - 1, query: (query ?? 1) - 1 };
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
      const canvas = element("canvas", { role: "img", "aria-label": title }), wordsNode = element("span", {}, words);
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
      const canvas = element("canvas", { role: "img", "aria-label": title }), words = element("p", { class: "hint" });
      const strip = element("div", { class: "strip", "data-row": name }, element("span", {}, title), canvas, words);
      part.rows.append(strip);
      return { words, grid: new Grid(canvas, tip) };
    });
  }

  select(change) {
    Object.assign(this, change);
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
    const traces = await Promise.all(present.map((text) => model.translate(text).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(fill(settings.text.refused, { number: texts.indexOf(text) + 1, reason: error.message }));
    })));
    const { heads } = await model.head(traces.map(({ sentence }) => sentence), kind, layer, head);
    return heads.map((each, i) => masksOf(traces[i], kind, each, settings));
  }

  /** Requests and draws the batch; a refused batch leaves the previous one. */
  async render() {
    if (!this.explore || !this.root.offsetParent) return;
    const answer = await this.requests.latest(() => this.request(), this.part.message, this.settings.text.notLoaded);
    if (answer === undefined) return;
    const isRefused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", isRefused);
    if (!isRefused) {
      const [, kind, layer, head] = this.request();
      const isNewBatch = JSON.stringify(this.batch?.map((item) => item.sentence)) !== JSON.stringify(answer.map((item) => item.sentence));
      Object.assign(this, { place: { kind, layer, head }, batch: answer });
      if (isNewBatch || this.pendingPlace) Object.assign(this, this.pendingPlace ?? { sentence: mostPadded(answer), query: 0 });
      this.pendingPlace = null;
      notifyChange();
    }
    this.draw();
  }

  draw() {
    const { root, batch, settings, choices, explore } = this;
    if (!batch || !root.offsetParent) return;
    const { kind, layer, head } = this.place, map = explore.trace.kinds[kind];
    this.sentence = Math.min(this.sentence, batch.length - 1);
    const sentence = batch[this.sentence];
    this.query = Math.min(this.query, sentence.queries.length - 1);
    this.paint = { ...paintOf(root, settings, kind), numbers: false };
    Object.assign(root.dataset, { kind, layer, head, sentence: this.sentence, query: this.query });
    markPressed(this.part.kinds, kind);
    updateOptions(choices.layer, numberLabels(map.layers), layer);
    updateOptions(choices.head, numberLabels(map.heads), head);
    updateOptions(choices.sentence, batch.map(({ sentence }, i) => `${i + 1}  ${sentence}`), this.sentence);
    updateOptions(choices.query, sentence.queries.map((label, i) => `${i + 1}  ${label}`), this.query);
    this.drawIds();
    this.drawGrids(sentence);
    this.drawRows(sentence);
    this.part.code.replaceChildren(...settings.code[kind].map(createSourceLine));
  }

  /** Draws the ids of the keys and, for cross-attention, of the queries. */
  drawIds() {
    const { part, batch, place, settings: { text } } = this;
    const isCross = place.kind === "cross";
    this.drawTable(part.ids, ({ keys, ids, padding }) => [keys, ids, padding.data]);
    this.drawTable(part["query-ids"], ({ asking, query_ids: ids, query_padding: padding }) => (isCross ? [asking, ids, padding.data] : [[], [], []]));
    const sizes = (length) => ({ batch: batch.length, length });
    part["ids-words"].textContent = fill(text.idsWords[place.kind], sizes(batch[0].keys.length));
    part["query-ids-words"].textContent = isCross ? fill(text.queryIdsWords, sizes(batch[0].queries.length)) : "";
    part["query-ids"].hidden = !isCross;
  }

  /** Draws a table with a row per sentence, including its padding. */
  drawTable(table, columnsOf) {
    table.replaceChildren(...this.batch.map((sentence, index) => {
      const row = element("tr"), [labels, ids, isPiece] = columnsOf(sentence);
      row.setAttribute("aria-selected", index === this.sentence);
      row.append(element("th", {}, `${index + 1}`), ...labels.map((label, i) => {
        const cell = element("td", {}, label);
        cell.append(element("small", {}, ids[i]));
        cell.classList.toggle("padding", !isPiece[i]);
        return cell;
      }));
      row.addEventListener("click", () => this.select({ sentence: index }));
      return row;
    }));
  }

  drawGrids(sentence) {
    const { grids, paint, settings: { text } } = this;
    const label = (row, column) => `${sentence.queries[row]} ⟶ ${sentence.keys[column]}`;
    const { words } = text.grids.causal;
    const startsFromPadding = this.place.kind === "decoder" && this.settings.start === "pad";
    this.paddingWords.textContent = startsFromPadding ? text.startsFromPadding : text.grids.padding.words;
    this.causalWords.textContent = this.place.kind === "decoder" ? words : text.notCausal;
    GRIDS.forEach((name, i) => {
      const mask = sentence[name], isPadding = name === "padding";
      const rows = isPadding ? [mask.data] : mask.rows;
      const width = grids[i].canvas.clientWidth;
      grids[i].draw({
        ...paint, rows, scale: 2, hidden: text.masked, height: Math.min(MAX_CELL_SIZE, width / rows[0].length),
        masked: (row, column) => !rows[row][column],
        frame: isPadding ? null : { row: this.query, column: null },
        name: isPadding ? (_, column) => sentence.keys[column] : label,
      });
    });
  }

  drawRows(sentence) {
    const { paint, part, query, settings: { text } } = this;
    part["row-title"].textContent = fill(text.row, { query: sentence.queries[query], sentence: this.sentence + 1 });
    labelColumns(this.axis, sentence.keys);
    const largestScore = Math.max(...sentence.scores.row(query).map(Math.abs));
    ROWS.forEach((name, i) => {
      const row = sentence[name].row(query);
      const masks = { weights: sentence.combined, mistaken: sentence.on_queries, mistaken_finite: sentence.on_queries };
      const isAllowed = masks[name]?.row(query);
      this.rows[i].grid.draw({
        ...paint, rows: [row], scale: name === "scores" ? largestScore : 1, height: ROW_HEIGHT, room: 14,
        masked: (_, column) => Boolean(isAllowed) && !isAllowed[column], name: (_, column) => sentence.keys[column],
      });
      this.rows[i].words.textContent = this.describeRow(name, row, sentence);
    });
  }

  /** A text about a row: its sum, and the share of padding. */
  describeRow(name, row, sentence) {
    const { title, words, ...remarks } = this.settings.text.rows[name];
    if (name === "scores") return words;
    const total = sum(row), onPadding = sum(row.filter((_, key) => !sentence.padding.data[key]));
    if (Number.isNaN(total)) return remarks.empty;
    const isUniform = remarks.even && row.every((number) => Math.abs(number - row[0]) < 1e-6);
    return fill(isUniform ? remarks.even : words, { sum: formatDecimal(total, 3), padding: formatDecimal(onPadding, 3), each: formatDecimal(row[0], 3) });
  }
}

/** The index of the sentence with the most padding. */
function mostPadded(batch) {
  const padding = batch.map((item) => item.padding.data.filter((isPiece) => !isPiece).length);
  return padding.indexOf(Math.max(...padding));
}
