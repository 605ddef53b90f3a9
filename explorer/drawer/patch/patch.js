// The panel Patch: activations of another sentence's run replace those of this one; shows how far the German follows.

import { divergenceOf, sharesOf } from "../../derived/patching.js";
import { nameTokens } from "../../derived/token_names.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { button, element, onSubmit } from "../../ui/element.js";
import { theme } from "../../ui/page.js";
import { markPressed } from "../../ui/tab.js";
import { fill, plainPiece } from "../../ui/text.js";
import { HeatTable, paletteOf } from "../heat.js";
import { Panel } from "../panel.js";
import { PartLoader } from "../part_loader.js";
import { formatDecimal } from "../../ui/numbers.js";

const MIN_HEAD_SCALE = 0.1; // keeps tiny shares of heads pale
const MAX_CACHED_DONORS = 12;
const MAX_CACHED_PARTS = 60;
const KINDS = ["encoder", "decoder", "cross"];
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/**
 * The tables of a grid in the order of its sites (explorer/experiments/patching.py): one for each kind of head, or one
 * for a residual stream. `start` is the index of the first cell's site, rows are layers, columns heads or positions.
 * `kinds` are the maps of a trace, `sources` and `fed` the pieces of divergenceOf.
 */
export function gridBlocks(grid, kinds, { sources, fed }) {
  if (grid === "heads") {
    let start = 0;
    return KINDS.map((kind) => {
      const { layers, heads } = kinds[kind];
      const block = { kind, start, rows: range(0, layers), columns: range(0, heads) };
      start += layers * heads;
      return block;
    });
  }
  const positions = grid === "encoder" ? Math.min(...sources.map(({ length }) => length)) : fed.length;
  return [{ kind: grid, start: 0, rows: range(-1, kinds[grid].layers), columns: range(0, positions) }];
}

/** The places of a cell, or of its row if `column` is null, as an experiment names them. */
export function cellPlaces(grid, { kind, rows, columns }, row, column) {
  const selectedColumns = column === null ? columns : [columns[column]];
  return selectedColumns.map((place) => [kind, rows[row], place]);
}

/** Adds places to the previous ones; removes them instead if they are already there. */
function togglePlaces(previousPlaces, places, shownPlaces) {
  const placesKey = (list) => list.map(String).sort().join();
  const placeNames = new Set(places.map(String));
  if (!previousPlaces.length) return placesKey(shownPlaces) === placesKey(places) ? [] : places;
  const remaining = previousPlaces.filter((place) => !placeNames.has(String(place)));
  return remaining.length + places.length === previousPlaces.length ? remaining : [...remaining, ...places];
}

/** The label of a column: a head's number, or the piece at a position, or both sentences' pieces if they differ. */
export function columnLabel(grid, { sources: [first, second], fed }, column, text) {
  if (grid === "heads") return `${column + 1}`;
  if (grid === "decoder") return plainPiece(fed[column]);
  const [taken, own] = [plainPiece(first[column]), plainPiece(second[column])];
  return taken === own ? own : fill(text.changed, { own, taken });
}

export class Patch extends Panel {
  static names = ["sentence", "grid"];

  /** The chosen donor sentence; null for the prepared one. */
  sentence = null;

  /** "heads", or the stack whose streams are patched. */
  grid = "encoder";

  /** The donor's own translation. @type {Trace | null} */
  donorTrace = null;

  /** What the model's latest answer says of all sites, and the pieces at which both translations part. */
  result = null;

  drawnState = "";

  /** The translation that was last drawn. */
  drawnTrace = null;

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part, text } = this;
    this.kindNames = settings.kindNames;
    this.partners = new Map(Object.entries(settings.partners));
    const { model } = drawer;
    const translate = async (sentence) => nameTokens(await model.translate(sentence), model.about.tokenNames);
    this.donors = new AnswerCache(translate, MAX_CACHED_DONORS);
    this.results = new AnswerCache((request) => drawer.model.patching(...request), MAX_CACHED_PARTS);
    // An item is { share, preference } of a site.
    this.loader = new PartLoader({
      isSeen: () => drawer.isShown(this),
      total: (_, items) => (items.length ? this.result.sites : 1),
      next: (request, done) => this.nextSites(request, done),
      failed: drawer.text.noAnswer,
      draw: () => this.drawSites(),
    });
    onSubmit(part.form, () => this.setDonor(part.text.value.trim()));
    part.copy.addEventListener("click", () => {
      part.text.value = drawer.sentence;
      part.text.focus();
    });
    part.grids.append(...Object.entries(text.grids).map(([value, label]) => (
      button(() => this.setGrid(value), { value, title: text.gridHints[value] }, label))));
  }

  /** The donor sentence; by default the prepared partner of the sentence, if there is one. */
  get donor() {
    return this.sentence ?? this.partners.get(this.drawer.sentence) ?? null;
  }

  /** Another sentence has another donor. */
  resetForSentence() {
    this.sentence = null;
    this.part.text.value = "";
  }

  encodeState() {
    const { patch } = this.drawer.experiment;
    return { sentence: patch ? null : this.sentence, grid: this.grid === "encoder" ? null : this.grid };
  }

  restore({ sentence, grid = "encoder" }) {
    const { patch } = this.drawer.experiment;
    const isKnown = Object.hasOwn(this.text.grids, grid);
    this.sentence = patch?.sentence ?? sentence ?? null;
    this.part.text.value = this.sentence ?? "";
    this.grid = isKnown ? grid : "encoder";
    return isKnown ? [] : ["grid"];
  }

  setDonor(sentence) {
    this.sentence = sentence;
    this.loader.again();
    this.drawer.set({ patch: undefined });
  }

  setGrid(grid) {
    this.grid = grid;
    this.drawer.updatePanelState();
  }

  draw() {
    const { drawer, part, donor } = this;
    const request = donor === null ? null : [drawer.sentence, donor, this.grid];
    this.loader.load(request);
    const state = JSON.stringify([request, drawer.experiment, theme()]);
    if (this.drawnState === state && this.drawnTrace === drawer.changed) return; // the step has no effect here
    this.drawnState = state;
    this.drawnTrace = drawer.changed;
    part.into.textContent = drawer.sentence;
    if (document.activeElement !== part.text && !part.text.value) part.text.value = donor ?? "";
    markPressed(part.grids, this.grid);
    this.drawSites();
  }

  /** The next sites of a map, after the donor's own run. */
  async nextSites([sentence, donorText, grid], done) {
    const donor = await this.donors.get(donorText);
    if (!donor || donor.error) return donor && { error: fill(this.text.refused, { reason: donor.error }) };
    const answer = await this.results.get([sentence, donor.sentence, grid, done]);
    if (!answer || answer.error) return answer;
    this.result = { ...divergenceOf(donor, this.drawer.source, answer.step), ...answer };
    const { preferences } = answer;
    return sharesOf(answer).map((share, i) => ({ share, preference: preferences[i] }));
  }

  drawSites() {
    const { loader, part } = this;
    const result = loader.items.length ? this.result : null;
    part.message.textContent = loader.failure;
    part.progress.hidden = loader.request === null || loader.failure !== "" || loader.isComplete;
    if (result) part.progress.value = loader.items.length / result.sites;
    else part.progress.removeAttribute("value");
    for (const name of ["measured", "tell", "scale", "follows"]) part[name].textContent = "";
    if (!result) {
      part.grid.replaceChildren();
      return;
    }
    this.drawMeasurement(result);
    this.drawGrid(result);
    this.drawAgreement(result);
  }

  /** Whether the two unpatched runs differ enough for shares. */
  get isMeasurable() {
    return this.loader.items[0].share !== null;
  }

  drawMeasurement(result) {
    const { part, text } = this;
    const { fed, translation, donorPiece, recipientPiece } = result;
    const [first, second] = result.sources.map(({ length }) => length);
    const values = {
      step: fed.length,
      taken: plainPiece(donorPiece),
      own: plainPiece(recipientPiece),
      target: translation,
      toward: formatDecimal(result.donor_preference, 2),
      away: formatDecimal(result.recipient_preference, 2),
    };
    const sentences = [fill(this.isMeasurable ? text.measured : text.same, values)];
    if (first !== second) sentences.push(fill(text.unequal, { first, second }));
    part.measured.textContent = sentences.join(" ");
    part.tell.textContent = text.tell;
  }

  drawAgreement({ translation }) {
    const { drawer: { changed }, part, text } = this;
    const isSame = changed?.run.experiment.patch && changed.translation === translation;
    part.follows.textContent = isSame ? fill(text.follows, { target: translation }) : "";
  }

  drawGrid(result) {
    const { part, grid, loader, text, drawer: { source } } = this;
    const largest = Math.max(...loader.items.map(({ share }) => Math.abs(share ?? 0)));
    const scale = grid === "heads" ? Math.max(MIN_HEAD_SCALE, Math.ceil(largest * 20) / 20) : 1;
    part.scale.textContent = this.isMeasurable ? fill(text.scale, { scale: formatDecimal(scale, 2) }) : "";
    const blocks = gridBlocks(grid, source.kinds, result);
    if (part.grid.children.length !== blocks.length) part.grid.replaceChildren(...blocks.map(() => element("div")));
    blocks.forEach((block, i) => this.drawBlock(part.grid.children[i], block, { result, scale }));
  }

  drawBlock(node, block, { result, scale }) {
    const { grid, loader, text, drawer: { settings } } = this;
    const { kind } = block;
    const siteIndex = (row, column) => block.start + row * block.columns.length + column;
    const columns = block.columns.map((column) => columnLabel(grid, result, column, text));
    const names = layerNames(block.rows, text.after); // within a sentence
    const shareAt = (row, column) => loader.items[siteIndex(row, column)]?.share ?? null;
    const describe = (row, column) => {
      const values = { kind: this.kindNames[kind], row: names[row], column: columns[column], position: column + 1 };
      return this.describeSite(fill(text.place[grid], values), siteIndex(row, column));
    };
    node.heat ??= new HeatTable(node, {
      onPoint: (row, column) => { this.part.tell.textContent = node.describe(row, column); },
      onChoose: (cell) => node.onChoose(cell),
    });
    node.describe = describe;
    node.onChoose = ({ row, column, isShiftHeld }) => {
      this.togglePatch(cellPlaces(grid, block, row, column), isShiftHeld);
    };
    const patchedNames = new Set((this.patchedPlaces ?? []).map(String));
    node.heat.draw({
      caption: grid === "heads" ? text.captions.heads[kind] : text.captions[grid],
      rows: layerNames(block.rows, text),
      columns,
      scale,
      cellName: describe,
      palette: paletteOf(settings.colours[theme()], kind),
      values: block.rows.map((_, row) => columns.map((_, column) => shareAt(row, column))),
      formatNumber: (share) => formatDecimal(share, 2),
      rowName: (row) => fill(text.row[grid], { row: names[row] }),
      isChosen: (row, column) => patchedNames.has(String(cellPlaces(grid, block, row, column)[0])),
    });
  }

  /** A site in words, with its share where it is known. */
  describeSite(place, index) {
    const { loader, text } = this;
    const { share = null, preference } = loader.items[index] ?? {};
    if (share === null) return place;
    const nats = formatDecimal(preference, 2);
    return fill(text.cell, { place, share: formatDecimal(share, 2), nats });
  }

  /** The patched places of the visible grid. */
  get patchedPlaces() {
    const { patch } = this.drawer.experiment;
    return patch && (this.grid === "heads" ? patch.heads : patch.cells);
  }

  /** Patches these places instead of, or with Shift in addition to, the others; already patched ones are removed. */
  togglePatch(places, isShiftHeld) {
    const { drawer, grid, donor } = this;
    const field = grid === "heads" ? "heads" : "cells";
    const previous = isShiftHeld ? drawer.experiment.patch ?? {} : {};
    const chosen = togglePlaces(previous[field] ?? [], places, this.patchedPlaces ?? []);
    const patch = { ...previous, sentence: donor, [field]: chosen };
    this.sentence = patch.sentence;
    drawer.set({ patch });
  }
}

/** The names of some layers, of which -1 is the embedding. */
function layerNames(layers, words) {
  return layers.map((layer) => (layer < 0 ? words.embedding : fill(words.layer, { layer: layer + 1 })));
}
