// The panel Patch: activations of another sentence's run replace those of this one; shows how far the German follows.

import { divergenceOf, sharesOf } from "../../../derived/patching.js";
import { nameTokens } from "../../../derived/token_names.js";
import { AnswerCache } from "../../../ui/answer_cache.js";
import { button, element, onSubmit } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { markPressed } from "../../../ui/tab.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { HeatTable, paletteOf } from "../heat.js";
import { Panel } from "../panel.js";
import { formatDecimal } from "../../../ui/numbers.js";

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

  /**
   * What is known of a map: { request: [sentence, donor, grid], source, donor, result, shares, preferences, isAsking }.
   * `source` and `donor` are both traces; `result` has the pieces at which they part, and the model's latest answer.
   */
  sweep = null;

  drawnState = "";

  /** The outcome that was last drawn. */
  answer = null;

  constructor(node, whatIf, settings) {
    super(node, whatIf, settings);
    const { part, text } = this;
    this.kindNames = settings.kindNames;
    this.partners = new Map(Object.entries(settings.partners));
    const { model } = whatIf;
    const translate = async (sentence) => nameTokens(await model.translate(sentence), model.about.tokenNames);
    this.donors = new AnswerCache(translate, MAX_CACHED_DONORS);
    this.results = new AnswerCache((request) => whatIf.model.patching(...request), MAX_CACHED_PARTS);
    onSubmit(part.form, () => this.setDonor(part.text.value.trim()));
    part.copy.addEventListener("click", () => {
      part.text.value = whatIf.sentence;
      part.text.focus();
    });
    part.grids.append(...Object.entries(text.grids).map(([value, label]) => (
      button(() => this.setGrid(value), { value, title: text.gridHints[value] }, label))));
  }

  /** The donor sentence; by default the prepared partner of the sentence, if there is one. */
  get donor() {
    return this.sentence ?? this.partners.get(this.whatIf.sentence) ?? null;
  }

  /** Another sentence has another donor. */
  resetForSentence() {
    this.sentence = null;
    this.part.text.value = "";
    return {};
  }

  encodeState() {
    const { patch } = this.whatIf.experiment;
    return { sentence: patch ? null : this.sentence, grid: this.grid === "encoder" ? null : this.grid };
  }

  restore({ sentence, grid = "encoder" }, { patch }) {
    const isKnown = Object.hasOwn(this.text.grids, grid);
    this.sentence = patch?.sentence ?? sentence ?? null;
    this.part.text.value = this.sentence ?? "";
    this.grid = isKnown ? grid : "encoder";
    return isKnown ? [] : ["grid"];
  }

  setDonor(sentence) {
    this.sentence = sentence;
    this.whatIf.set({});
  }

  setGrid(grid) {
    this.grid = grid;
    this.whatIf.updatePanelState();
  }

  draw() {
    const { whatIf, part, donor } = this;
    const state = JSON.stringify([whatIf.sentence, donor, this.grid, whatIf.experiment, theme()]);
    if (this.drawnState === state && this.answer === whatIf.answer) { // the viewer's step has no effect here
      this.requestShares();
      return;
    }
    this.drawnState = state;
    this.answer = whatIf.answer;
    part.into.textContent = whatIf.sentence;
    if (document.activeElement !== part.text && !part.text.value) part.text.value = donor ?? "";
    markPressed(part.grids, this.grid);
    const request = donor === null ? null : [whatIf.sentence, donor, this.grid];
    if (JSON.stringify(request) !== JSON.stringify(this.sweep?.request ?? null)) this.beginSweep(request);
    this.drawSweep();
    this.requestShares();
  }

  /** Begins another map; `request` is null without a donor. */
  beginSweep(request) {
    const { source } = this.whatIf;
    const isAsking = false;
    this.sweep = request && { request, source, donor: null, result: null, shares: [], preferences: [], isAsking };
    this.part.message.textContent = "";
  }

  /** Requests the shares part by part until they are complete or the request changes, as long as the panel is shown. */
  async requestShares() {
    const { whatIf, part, sweep } = this;
    if (!sweep || sweep.isAsking) return;
    sweep.isAsking = true;
    const isIncomplete = () => sweep.preferences.length < (sweep.result?.sites ?? 1);
    while (this.sweep === sweep && whatIf.isShown(this) && isIncomplete()) {
      const answer = await this.requestPart(sweep);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : whatIf.text.noAnswer;
        // It is still asking, so that only another request begins anew.
        Object.assign(sweep, { result: null, shares: [], preferences: [] });
        this.drawSweep();
        return;
      }
      sweep.result = { ...divergenceOf(sweep.donor, sweep.source, answer.step), ...answer };
      sweep.preferences.push(...answer.preferences);
      sweep.shares.push(...sharesOf(answer));
      this.drawSweep();
    }
    sweep.isAsking = false;
  }

  /** The next part of a map, after the donor's own run; { error } if one of them is refused, null if none comes. */
  async requestPart(sweep) {
    const [sentence, donorText, grid] = sweep.request;
    if (!sweep.donor) {
      const trace = await this.donors.get(donorText);
      if (!trace || trace.error) return trace && { error: fill(this.text.refused, { reason: trace.error }) };
      sweep.donor = trace;
    }
    return this.results.get([sentence, sweep.donor.sentence, grid, sweep.preferences.length]);
  }

  drawSweep() {
    const { part, sweep } = this;
    const result = sweep?.result ?? null;
    const isComplete = result && sweep.preferences.length === result.sites;
    part.progress.hidden = !sweep || part.message.textContent !== "" || isComplete;
    if (result) part.progress.value = sweep.preferences.length / result.sites;
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
    return this.sweep.shares[0] !== null;
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
    const { whatIf: { answer, experiment }, part, text } = this;
    const isSame = experiment.patch && answer && answer.trace.translation === translation;
    part.follows.textContent = isSame ? fill(text.follows, { target: translation }) : "";
  }

  drawGrid(result) {
    const { part, grid, sweep, text } = this;
    const largest = Math.max(...sweep.shares.map((share) => Math.abs(share ?? 0)));
    const scale = grid === "heads" ? Math.max(MIN_HEAD_SCALE, Math.ceil(largest * 20) / 20) : 1;
    part.scale.textContent = this.isMeasurable ? fill(text.scale, { scale: formatDecimal(scale, 2) }) : "";
    const blocks = gridBlocks(grid, sweep.source.kinds, result);
    if (part.grid.children.length !== blocks.length) part.grid.replaceChildren(...blocks.map(() => element("div")));
    blocks.forEach((block, i) => this.drawBlock(part.grid.children[i], block, { result, scale }));
  }

  drawBlock(node, block, { result, scale }) {
    const { grid, sweep, text, whatIf: { settings } } = this;
    const { kind } = block;
    const siteIndex = (row, column) => block.start + row * block.columns.length + column;
    const columns = block.columns.map((column) => columnLabel(grid, result, column, text));
    const names = layerNames(block.rows, text.after); // within a sentence
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
      values: block.rows.map((_, row) => columns.map((_, column) => sweep.shares[siteIndex(row, column)] ?? null)),
      formatNumber: (share) => formatDecimal(share, 2),
      rowName: (row) => fill(text.row[grid], { row: names[row] }),
      isChosen: (row, column) => patchedNames.has(String(cellPlaces(grid, block, row, column)[0])),
    });
  }

  /** A site in words, with its share where it is known. */
  describeSite(place, index) {
    const { sweep, text } = this;
    const share = sweep.shares[index];
    if (share === undefined || share === null) return place;
    const nats = formatDecimal(sweep.preferences[index], 2);
    return fill(text.cell, { place, share: formatDecimal(share, 2), nats });
  }

  /** The patched places of the visible grid. */
  get patchedPlaces() {
    const { patch } = this.whatIf.experiment;
    return patch && (this.grid === "heads" ? patch.heads : patch.cells);
  }

  /** Patches these places instead of, or with Shift in addition to, the others; already patched ones are removed. */
  togglePatch(places, isShiftHeld) {
    const { whatIf, grid, sweep } = this;
    const field = grid === "heads" ? "heads" : "cells";
    const previous = isShiftHeld ? whatIf.experiment.patch ?? {} : {};
    const chosen = togglePlaces(previous[field] ?? [], places, this.patchedPlaces ?? []);
    const patch = { ...previous, sentence: sweep.request[1], [field]: chosen };
    this.sentence = patch.sentence;
    whatIf.set(patch.heads?.length || patch.cells?.length ? { patch } : {});
  }
}

/** The names of some layers, of which -1 is the embedding. */
function layerNames(layers, words) {
  return layers.map((layer) => (layer < 0 ? words.embedding : fill(words.layer, { layer: layer + 1 })));
}
