// The tab Masks: a batch of the visitor's sentences, its masks, and what they do to one row of a softmax.
// Kind, layer and head are those of Explore; the numbers come from the server (explorer/tabs/masks/masks.py).

import { registerPart, notifyChange } from "../../ui/address.js";
import { RequestCache } from "../../ui/request_cache.js";
import { element } from "../../ui/element.js";
import { Grid } from "../../ui/grid.js";
import { selectedCell } from "../../attention_view/selected_cell.js";
import { addKindButtons, numberLabels, followExplore, labelColumns, nodesByAttribute, updateOptions, applyColours, markPressed, createSourceLine } from "../../ui/tab.js";
import { sum, decodeTensors } from "../../ui/tensor.js";
import { requireWords, fill } from "../../ui/text.js";

const GRIDS = ["padding", "causal", "combined", "on_queries"];
const ROWS = ["scores", "weights", "unmasked", "mistaken", "mistaken_finite"];
const PARTS = ["1", "2", "3", "sentence", "query"]; // in the address
const KEPT = 24; // batches
const LARGEST = 22, ROW = 22; // pixels: a cell of a mask, a row of numbers

export function mount(element, settings, server) {
  return new Masks(element.querySelector(".masks"), { ...settings, text: requireWords(settings.text) }, server);
}

class Masks {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, explore: null, batch: null, sentence: 0, query: 0, wanted: null });
    this.asked = new RequestCache(server.masks, KEPT, read);
    this.sentences = settings.sentences;
    Object.assign(this, { part: nodesByAttribute(root, "role"), choices: nodesByAttribute(root, "choice") });
    this.makeControls();
    this.makeGrids(root.querySelector(".tip"));
    followExplore(this);
    registerPart("masks", { names: PARTS, write: () => this.parts(), restore: (given) => this.restore(given) });
  }

  write(sentences) {
    this.fields.forEach((field, i) => { field.value = sentences[i] ?? ""; });
  }

  /** The batch and what of it is looked at, as parts of the address. */
  parts() {
    const { sentences, wanted, batch, settings } = this, { sentence, query } = wanted ?? this;
    const another = this.fields.some((_, i) => (sentences[i] ?? "") !== (settings.sentences[i] ?? ""));
    const looked = wanted || (batch && (another || sentence !== mostPadded(batch) || query !== 0));
    return {
      ...Object.fromEntries(this.fields.map((_, i) => [`${i + 1}`, another ? sentences[i] ?? "" : null])),
      sentence: looked ? `${sentence + 1}` : null,
      query: looked ? `${query + 1}` : null,
    };
  }

  /** A place in a batch that is not there yet is gone to when it is. */
  restore({ sentence, query, ...sentences }) {
    const given = Object.keys(sentences).length > 0;
    this.sentences = this.fields.map((_, i) => (given ? sentences[i + 1] ?? "" : this.settings.sentences[i] ?? ""));
    this.write(this.sentences);
    const place = { sentence, query }, damaged = Object.keys(place).filter((name) => place[name] !== undefined && !/^[1-9]\d{0,3}$/.test(place[name]));
    this.wanted = damaged.length || sentence === undefined ? null : { sentence: sentence - 1, query: (query ?? 1) - 1 };
    this.render();
    return damaged;
  }

  makeControls() {
    const { part, choices, settings } = this;
    this.fields = [...part.form.querySelectorAll("input")];
    this.write(settings.sentences);
    part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.sentences = this.fields.map((field) => field.value);
      this.render();
      notifyChange();
    });
    addKindButtons(part.kinds, settings, (kind) => this.explore.set({ kind }));
    for (const name of ["layer", "head"]) {
      choices[name].addEventListener("change", () => this.explore.set({ [name]: Number(choices[name].value) }));
    }
    for (const name of ["sentence", "query"]) {
      choices[name].addEventListener("change", () => this.choose({ [name]: Number(choices[name].value) }));
    }
    part["ids-title"].textContent = settings.text.ids;
  }

  makeGrids(tip) {
    const { part, settings: { text } } = this;
    this.grids = GRIDS.map((name) => {
      const { title, words } = text.grids[name];
      const canvas = element("canvas", { role: "img", "aria-label": title }), said = element("span", {}, words);
      const caption = element("figcaption", {}, element("b", {}, title), said);
      const figure = element("figure", { "data-grid": name }, caption, canvas);
      if (name === "causal") this.causalWords = said;
      if (name === "padding") this.paddingWords = said;
      part.grids.append(figure);
      return new Grid(canvas, tip, ({ row }) => name !== "padding" && this.choose({ query: row }));
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

  choose(change) {
    Object.assign(this, change);
    notifyChange();
    this.draw();
  }

  request() {
    const { kind, layer, head } = selectedCell(this.explore.view, this.explore.trace);
    return [this.sentences, kind, layer, head];
  }

  /** Shows the batch; where there is none, the last one stays. */
  async render() {
    if (!this.explore || !this.root.offsetParent) return;
    const answer = await this.asked.latest(() => this.request(), this.part.message, this.settings.text.notLoaded);
    if (answer === undefined) return;
    const refused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", refused);
    if (!refused) {
      const [, kind, layer, head] = this.request();
      const another = JSON.stringify(this.batch?.map((one) => one.sentence)) !== JSON.stringify(answer.map((one) => one.sentence));
      Object.assign(this, { place: { kind, layer, head }, batch: answer });
      if (another || this.wanted) Object.assign(this, this.wanted ?? { sentence: mostPadded(answer), query: 0 });
      this.wanted = null;
      notifyChange();
    }
    this.draw();
  }

  draw() {
    const { root, batch, settings, choices, explore } = this;
    if (!batch || !root.offsetParent) return;
    const { kind, layer, head } = this.place, map = explore.trace.kinds[kind];
    this.sentence = Math.min(this.sentence, batch.length - 1);
    const shown = batch[this.sentence];
    this.query = Math.min(this.query, shown.queries.length - 1);
    this.paint = { ...applyColours(root, settings, kind), numbers: false };
    root.style.setProperty("--masked", this.paint.colours.masked);
    Object.assign(root.dataset, { kind, layer, head, sentence: this.sentence, query: this.query });
    markPressed(this.part.kinds, kind);
    updateOptions(choices.layer, numberLabels(map.layers), layer);
    updateOptions(choices.head, numberLabels(map.heads), head);
    updateOptions(choices.sentence, batch.map(({ sentence }, i) => `${i + 1}  ${sentence}`), this.sentence);
    updateOptions(choices.query, shown.queries.map((label, i) => `${i + 1}  ${label}`), this.query);
    this.drawIds();
    this.drawGrids(shown);
    this.drawRows(shown);
    this.part.code.replaceChildren(...settings.code[kind].map(createSourceLine));
  }

  /** The batch as ids: keys, and where the queries are other pieces, queries. */
  drawIds() {
    const { part, batch, place, settings: { text } } = this;
    const cross = place.kind === "cross";
    this.table(part.ids, ({ keys, ids, padding }) => [keys, ids, padding.data]);
    this.table(part["query-ids"], ({ asking, query_ids: ids, query_padding: padding }) => (cross ? [asking, ids, padding.data] : [[], [], []]));
    const sizes = (length) => ({ batch: batch.length, length });
    part["ids-words"].textContent = fill(text.idsWords[place.kind], sizes(batch[0].keys.length));
    part["query-ids-words"].textContent = cross ? fill(text.queryIdsWords, sizes(batch[0].queries.length)) : "";
    part["query-ids"].hidden = !cross;
  }

  /** A row for every sentence, padding at its end. */
  table(table, labelled) {
    table.replaceChildren(...this.batch.map((shown, number) => {
      const row = element("tr"), [labels, ids, real] = labelled(shown);
      row.setAttribute("aria-selected", number === this.sentence);
      row.append(element("th", {}, `${number + 1}`), ...labels.map((label, i) => {
        const cell = element("td", {}, label);
        cell.append(element("small", {}, ids[i]));
        cell.classList.toggle("padding", !real[i]);
        return cell;
      }));
      row.addEventListener("click", () => this.choose({ sentence: number }));
      return row;
    }));
  }

  drawGrids(shown) {
    const { grids, paint, settings: { text } } = this;
    const label = (row, column) => `${shown.queries[row]} ⟶ ${shown.keys[column]}`;
    const { words } = text.grids.causal;
    const starts = this.place.kind === "decoder" && this.settings.start === "pad";
    this.paddingWords.textContent = starts ? text.startsFromPadding : text.grids.padding.words;
    this.causalWords.textContent = this.place.kind === "decoder" ? words : text.notCausal;
    GRIDS.forEach((name, i) => {
      const mask = shown[name], single = name === "padding";
      const rows = single ? [mask.data] : mask.rows;
      const width = grids[i].canvas.clientWidth;
      grids[i].draw({
        ...paint, rows, scale: 2, hidden: text.masked, height: Math.min(LARGEST, width / rows[0].length),
        masked: (row, column) => !rows[row][column],
        frame: single ? null : { row: this.query, column: null },
        name: single ? (_, column) => shown.keys[column] : label,
      });
    });
  }

  drawRows(shown) {
    const { paint, part, query, settings: { text } } = this;
    part["row-title"].textContent = fill(text.row, { query: shown.queries[query], sentence: this.sentence + 1 });
    labelColumns(this.axis, shown.keys);
    const largest = Math.max(...shown.scores.row(query).map(Math.abs));
    ROWS.forEach((name, i) => {
      const row = shown[name].row(query);
      const masks = { weights: shown.combined, mistaken: shown.on_queries, mistaken_finite: shown.on_queries };
      const allowed = masks[name]?.row(query);
      this.rows[i].grid.draw({
        ...paint, rows: [row], scale: name === "scores" ? largest : 1, height: ROW, room: 14,
        masked: (_, column) => Boolean(allowed) && !allowed[column], name: (_, column) => shown.keys[column],
      });
      this.rows[i].words.textContent = this.said(name, row, shown);
    });
  }

  /** What there is to notice in a row: its sum, and how much of it falls on padding. */
  said(name, row, shown) {
    const { title, words, ...other } = this.settings.text.rows[name];
    if (name === "scores") return words;
    const total = sum(row), onPadding = sum(row.filter((_, key) => !shown.padding.data[key]));
    if (Number.isNaN(total)) return other.empty;
    const even = other.even && row.every((number) => Math.abs(number - row[0]) < 1e-6);
    return fill(even ? other.even : words, { sum: total.toFixed(3), padding: onPadding.toFixed(3), each: row[0].toFixed(3) });
  }
}

/** The sentence of which the masks hide most. */
function mostPadded(batch) {
  const padding = batch.map((one) => one.padding.data.filter((real) => !real).length);
  return padding.indexOf(Math.max(...padding));
}

/** The sentences of a batch, or a refusal as it came. */
function read(text) {
  const answer = JSON.parse(text);
  return answer.error ? answer : answer.map(decodeTensors);
}
