// The panel Patch: activations of another sentence's run replace those of this one; shows how far the German follows.

import { button, element, onSubmit } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { markPressed } from "../../../ui/tab.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { HeatTable, paletteOf } from "../heat.js";
import { Panel } from "../panel.js";
import { formatDecimal } from "../../../ui/numbers.js";

const MIN_HEAD_SCALE = 0.1; // keeps tiny shares of heads pale

const KINDS = ["encoder", "decoder", "cross"];
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/**
 * The tables of a grid in the order of its places (explorer/experiments/patching.py): one for each kind of head, or one for
 * a residual stream. `start` is the index of the first cell's place, rows are layers, columns are heads or positions.
 * `layers` is the number of layers by kind of attention.
 */
export function gridBlocks(grid, { layers, heads, sources, fed }) {
  if (grid === "heads") {
    let start = 0;
    return KINDS.map((kind) => {
      const block = { kind, start, rows: range(0, layers[kind]), columns: range(0, heads) };
      start += layers[kind] * heads;
      return block;
    });
  }
  const positions = grid === "encoder" ? Math.min(...sources.map(({ length }) => length)) : fed.length;
  return [{ kind: grid, start: 0, rows: range(-1, layers[grid]), columns: range(0, positions) }];
}

/** The places of a cell, or of its row if `column` is null, as an experiment names them. */
export function cellPlaces(grid, { kind, rows, columns }, row, column) {
  const selectedColumns = column === null ? columns : [columns[column]];
  return selectedColumns.map((place) => [kind, rows[row], place]);
}

/** Adds places to the previous ones; removes them instead if they are already there. */
export function togglePlaces(previousPlaces, places, shownPlaces) {
  const placesKey = (list) => list.map(String).sort().join();
  const placeNames = new Set(places.map(String));
  if (!previousPlaces.length) return placesKey(shownPlaces) === placesKey(places) ? [] : places;
  const remaining = previousPlaces.filter((place) => !placeNames.has(String(place)));
  return remaining.length + places.length === previousPlaces.length ? remaining : [...remaining, ...places];
}

/** The label of a column: the number of a head, or the piece at a position, or both sentences' pieces if they differ. */
export function columnLabel(grid, { sources: [first, second], fed }, column, text) {
  if (grid === "heads") return `${column + 1}`;
  if (grid === "decoder") return plainPiece(fed[column]);
  const [donorPiece, ownPiece] = [plainPiece(first[column]), plainPiece(second[column])];
  return donorPiece === ownPiece ? ownPiece : fill(text.changed, { own: ownPiece, taken: donorPiece });
}

export class Patch extends Panel {
  static names = ["sentence", "grid"];

  constructor(node, lab, settings) {
    super(node, lab, settings);
    const { part, text } = this, { partners, kindNames } = settings;
    Object.assign(this, { kindNames, partners: new Map(Object.entries(partners)), sentence: null, grid: "encoder", sweep: null, drawnState: "", answer: null });
    onSubmit(part.form, () => this.setDonor(part.text.value.trim()));
    part.copy.addEventListener("click", () => {
      part.text.value = lab.sentence;
      part.text.focus();
    });
    part.grids.append(...Object.entries(text.grids).map(([value, label]) => button(() => this.setGrid(value), { value, title: text.gridHints[value] }, label)));
  }

  /** The donor sentence; by default the prepared partner of the sentence, if there is one. */
  get donor() {
    return this.sentence ?? this.partners.get(this.lab.sentence) ?? null;
  }

  /** Another sentence has another donor. */
  resetForSentence() {
    this.sentence = null;
    this.part.text.value = "";
    return {};
  }

  encodeState() {
    const { patch } = this.lab.experiment;
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
    this.lab.set({});
  }

  setGrid(grid) {
    this.grid = grid;
    this.lab.updatePanelState();
  }

  draw() {
    const { lab, part } = this, { donor } = this;
    const state = JSON.stringify([lab.sentence, donor, this.grid, lab.experiment, theme()]);
    if (this.drawnState === state && this.answer === lab.answer) return this.requestShares(); // the viewer's step has no effect here
    Object.assign(this, { drawnState: state, answer: lab.answer });
    part.into.textContent = lab.sentence;
    if (document.activeElement !== part.text && !part.text.value) part.text.value = donor ?? "";
    markPressed(part.grids, this.grid);
    const request = donor === null ? null : [lab.sentence, donor, this.grid];
    if (JSON.stringify(request) !== JSON.stringify(this.sweep?.request ?? null)) {
      this.sweep = request && { request, result: null, shares: [], preferences: [], isAsking: false };
      part.message.textContent = "";
    }
    this.drawSweep();
    this.requestShares();
  }

  /** Requests the shares part by part until they are complete or the request changes, as long as the panel is shown. */
  async requestShares() {
    const { lab, part, sweep } = this;
    if (!sweep || sweep.isAsking) return;
    sweep.isAsking = true;
    while (this.sweep === sweep && lab.isShown(this) && sweep.preferences.length < (sweep.result?.places ?? 1)) {
      const answer = await lab.ask(["patching", ...sweep.request, sweep.preferences.length]);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : lab.text.noAnswer;
        Object.assign(sweep, { result: null, shares: [], preferences: [] }); // still asking: only another request begins anew
        return this.drawSweep();
      }
      sweep.result = answer;
      sweep.preferences.push(...answer.preferences);
      sweep.shares.push(...(answer.shares ?? answer.preferences.map(() => null)));
      this.drawSweep();
    }
    sweep.isAsking = false;
  }

  drawSweep() {
    const { part, sweep } = this, result = sweep?.result ?? null;
    part.progress.hidden = !sweep || part.message.textContent !== "" || (result && sweep.preferences.length === result.places);
    if (result) part.progress.value = sweep.preferences.length / result.places;
    else part.progress.removeAttribute("value");
    for (const name of ["measured", "tell", "scale", "follows"]) part[name].textContent = "";
    if (!result) return part.grid.replaceChildren();
    this.drawMeasurement(result);
    this.drawGrid(result);
    this.drawAgreement(result);
  }

  drawMeasurement({ fed, translation, pieces: { toward: taken, away: own }, toward, away, shares, sources }) {
    const { part, text } = this, nats = { toward: formatDecimal(toward, 2), away: formatDecimal(away, 2) };
    const [first, second] = sources.map(({ length }) => length);
    const values = { step: fed.length, taken: plainPiece(taken), own: plainPiece(own), target: translation, ...nats };
    const sentences = [fill(shares ? text.measured : text.same, values)];
    if (first !== second) sentences.push(fill(text.unequal, { first, second }));
    part.measured.textContent = sentences.join(" ");
    part.tell.textContent = text.tell;
  }

  drawAgreement({ translation }) {
    const { lab, part, text } = this;
    const isSame = lab.experiment.patch && lab.answer && lab.answer.changedTrace.translation === translation;
    part.follows.textContent = isSame ? fill(text.follows, { target: translation }) : "";
  }

  drawGrid(result) {
    const { lab, part, grid, sweep, text } = this, { settings } = lab;
    const largest = Math.max(...sweep.shares.map((share) => Math.abs(share ?? 0)));
    const scale = grid === "heads" ? Math.max(MIN_HEAD_SCALE, Math.ceil(largest * 20) / 20) : 1;
    part.scale.textContent = result.shares ? fill(text.scale, { scale: formatDecimal(scale, 2) }) : "";
    const gridTables = gridBlocks(grid, result);
    if (part.grid.children.length !== gridTables.length) part.grid.replaceChildren(...gridTables.map(() => element("div")));
    gridTables.forEach((block, i) => this.drawBlock(part.grid.children[i], block, { result, scale, kind: grid === "heads" ? block.kind : grid, settings }));
  }

  drawBlock(node, block, { result, scale, kind, settings }) {
    const { grid, kindNames, sweep, text } = this;
    const cellIndex = (row, column) => block.start + row * block.columns.length + column;
    const layerNames = (words) => block.rows.map((layer) => (layer < 0 ? words.embedding : fill(words.layer, { layer: layer + 1 })));
    const rows = layerNames(text), layerNamesInSentence = layerNames(text.after); // as titles, and within a sentence
    const columns = block.columns.map((column) => columnLabel(grid, result, column, text));
    const describe = (row, column) => {
      const place = fill(text.place[grid], { kind: kindNames[kind], row: layerNamesInSentence[row], column: columns[column], position: column + 1 });
      const share = sweep.shares[cellIndex(row, column)];
      if (share === undefined || share === null) return place;
      return fill(text.cell, { place, share: formatDecimal(share, 2), nats: formatDecimal(sweep.preferences[cellIndex(row, column)], 2) });
    };
    node.heat ??= new HeatTable(node, {
      onPoint: (row, column) => { this.part.tell.textContent = node.describe(row, column); },
      onChoose: (cell) => node.onChoose(cell),
    });
    node.describe = describe;
    node.onChoose = ({ row, column, isShiftHeld }) => this.togglePatch(cellPlaces(grid, block, row, column), isShiftHeld);
    const patchedNames = new Set((this.patchedPlaces ?? []).map(String));
    node.heat.draw({
      caption: grid === "heads" ? text.captions.heads[kind] : text.captions[grid], rows, columns, scale, cellName: describe,
      palette: paletteOf(settings.colours[theme()], kind),
      values: rows.map((_, row) => columns.map((_, column) => sweep.shares[cellIndex(row, column)] ?? null)),
      formatNumber: (share) => formatDecimal(share, 2),
      rowName: (row) => fill(text.row[grid], { row: layerNamesInSentence[row] }),
      isChosen: (row, column) => patchedNames.has(String(cellPlaces(grid, block, row, column)[0])),
    });
  }

  /** The patched places of the visible grid. */
  get patchedPlaces() {
    const { patch } = this.lab.experiment;
    return patch && (this.grid === "heads" ? patch.heads : patch.cells);
  }

  /** Patches these places instead of, or with Shift in addition to, the others; already patched ones are removed. */
  togglePatch(places, isShiftHeld) {
    const { lab, grid, sweep } = this, field = grid === "heads" ? "heads" : "cells";
    const previous = isShiftHeld ? lab.experiment.patch ?? {} : {};
    const patch = { ...previous, sentence: sweep.request[1], [field]: togglePlaces(previous[field] ?? [], places, this.patchedPlaces ?? []) };
    this.sentence = patch.sentence;
    lab.set(patch.heads?.length || patch.cells?.length ? { patch } : {});
  }
}
