// The panel Patch: another sentence, which part of its run is put into this one's, and how far the German follows.

import { element } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { Heat, paletteOf, signed } from "../heat.js";
import { added, blocks, labelOf, placesOf } from "./grid.js";

const LEAST = 0.1; // a scale of heads is not finer than this, so that nothing looks like much


export class Patch {
  static names = ["sentence", "grid"];

  constructor(node, lab, { text, partners, kindNames }) {
    Object.assign(this, { node, lab, text, kindNames, partners: new Map(Object.entries(partners)), sentence: null, grid: "encoder", sweep: null, drawn: "", answer: null });
    const part = this.part = nodesByAttribute(node, "patch");
    part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.take(part.text.value.trim());
    });
    part.copy.addEventListener("click", () => {
      part.text.value = lab.sentence;
      part.text.focus();
    });
    part.grids.append(...Object.entries(text.grids).map(([value, label]) => {
      const button = element("button", { type: "button", value, title: text.gridHints[value] }, label);
      button.addEventListener("click", () => this.look(value));
      return button;
    }));
  }

  /** The sentence that is taken from; one that was never chosen is offered, where there is a good one. */
  get donor() {
    return this.sentence ?? this.partners.get(this.lab.sentence) ?? null;
  }

  /** Another sentence is compared with another one. */
  renewed() {
    Object.assign(this, { sentence: null });
    this.part.text.value = "";
    return {};
  }

  parts() {
    const { patch } = this.lab.experiment;
    return { sentence: patch ? null : this.sentence, grid: this.grid === "encoder" ? null : this.grid };
  }

  restore({ sentence, grid = "encoder" }, { patch }) {
    const good = Object.hasOwn(this.text.grids, grid);
    this.sentence = patch?.sentence ?? sentence ?? null;
    this.part.text.value = this.sentence ?? "";
    this.grid = good ? grid : "encoder";
    return good ? [] : ["grid"];
  }

  take(sentence) {
    this.sentence = sentence;
    this.lab.set({});
  }

  look(grid) {
    this.grid = grid;
    this.lab.kept();
  }

  draw() {
    const { lab, part } = this, { donor } = this;
    const state = JSON.stringify([lab.sentence, donor, this.grid, lab.experiment, theme()]);
    if (this.drawn === state && this.answer === lab.shown) return; // another step changes nothing here
    Object.assign(this, { drawn: state, answer: lab.shown });
    part.into.textContent = lab.sentence;
    if (document.activeElement !== part.text && !part.text.value) part.text.value = donor ?? "";
    for (const button of part.grids.children) button.setAttribute("aria-pressed", button.value === this.grid);
    const asked = donor === null ? null : [lab.sentence, donor, this.grid];
    if (JSON.stringify(asked) !== JSON.stringify(this.sweep?.asked ?? null)) this.run(asked);
    else this.drawSweep();
  }

  /** Asks for one part after the other, until all is there or something else was chosen. */
  async run(asked) {
    const { lab, part } = this;
    const sweep = this.sweep = asked && { asked, told: null, shares: [], preferences: [] };
    part.message.textContent = "";
    this.drawSweep();
    while (sweep && this.sweep === sweep && sweep.preferences.length < (sweep.told?.places ?? 1)) {
      const answer = await lab.ask(["patching", ...asked, sweep.preferences.length]);
      if (this.sweep !== sweep) return;
      if (!answer || answer.error) {
        part.message.textContent = answer ? answer.error : lab.text.noAnswer;
        this.sweep = { asked, told: null, shares: [], preferences: [] };
        return this.drawSweep();
      }
      sweep.told = answer;
      sweep.preferences.push(...answer.preferences);
      sweep.shares.push(...(answer.shares ?? answer.preferences.map(() => null)));
      this.drawSweep();
    }
  }

  drawSweep() {
    const { part, sweep } = this, told = sweep?.told ?? null;
    part.progress.hidden = !sweep || part.message.textContent !== "" || (told && sweep.preferences.length === told.places);
    if (told) part.progress.value = sweep.preferences.length / told.places;
    else part.progress.removeAttribute("value");
    for (const name of ["measured", "tell", "scale", "follows"]) part[name].textContent = "";
    if (!told) return part.grid.replaceChildren();
    this.tellMeasured(told);
    this.drawGrid(told);
    this.tellFollowed(told);
  }

  tellMeasured({ fed, translation, pieces: { toward: taken, away: own }, toward, away, shares, sources }) {
    const { part, text } = this, nats = { toward: signed(toward, 2), away: signed(away, 2) };
    const [first, second] = sources.map(({ length }) => length);
    const values = { step: fed.length, taken: plainPiece(taken), own: plainPiece(own), target: translation, ...nats };
    const said = [fill(shares ? text.measured : text.same, values)];
    if (first !== second) said.push(fill(text.unequal, { first, second }));
    part.measured.textContent = said.join(" ");
    part.tell.textContent = text.tell;
  }

  tellFollowed({ translation }) {
    const { lab, part, text } = this;
    const followed = lab.experiment.patch && lab.shown && lab.shown.shown.translation === translation;
    part.follows.textContent = followed ? fill(text.follows, { target: translation }) : "";
  }

  drawGrid(told) {
    const { lab, part, grid, sweep, text } = this, { settings } = lab;
    const largest = Math.max(...sweep.shares.map((share) => Math.abs(share ?? 0)));
    const scale = grid === "heads" ? Math.max(LEAST, Math.ceil(largest * 20) / 20) : 1;
    part.scale.textContent = told.shares ? fill(text.scale, { scale: scale.toFixed(2) }) : "";
    const found = blocks(grid, told);
    if (part.grid.children.length !== found.length) part.grid.replaceChildren(...found.map(() => element("div")));
    found.forEach((block, i) => this.drawBlock(part.grid.children[i], block, { told, scale, kind: grid === "heads" ? block.kind : grid, settings }));
  }

  drawBlock(node, block, { told, scale, kind, settings }) {
    const { grid, kindNames, sweep, text } = this;
    const at = (row, column) => block.start + row * block.columns.length + column;
    const called = (words) => block.rows.map((layer) => (layer < 0 ? words.embedding : fill(words.layer, { layer: layer + 1 })));
    const rows = called(text), after = called(text.after); // as a title, and in a sentence
    const columns = block.columns.map((column) => labelOf(grid, told, column, text));
    const name = (row, column) => {
      const place = fill(text.place[grid], { kind: kindNames[kind], row: after[row], column: columns[column], position: column + 1 });
      const share = sweep.shares[at(row, column)];
      if (share === undefined || share === null) return place;
      return fill(text.cell, { place, share: signed(share, 2), nats: signed(sweep.preferences[at(row, column)], 2) });
    };
    node.heat ??= new Heat(node, {
      tell: (row, column) => { this.part.tell.textContent = node.named(row, column); },
      choose: (cell) => node.choose(cell),
    });
    node.named = name;
    node.choose = ({ row, column, more }) => this.patch(placesOf(grid, block, row, column), more);
    const chosen = new Set((this.chosen ?? []).map(String));
    node.heat.draw({
      caption: grid === "heads" ? text.captions.heads[kind] : text.captions[grid], rows, columns, scale, name,
      palette: paletteOf(settings.colours[theme()], kind),
      values: rows.map((_, row) => columns.map((_, column) => sweep.shares[at(row, column)] ?? null)),
      written: (share) => signed(share, 2),
      rowName: (row) => fill(text.row[grid], { row: after[row] }),
      chosen: (row, column) => chosen.has(String(placesOf(grid, block, row, column)[0])),
    });
  }

  /** The places that are patched now, of the grid that is shown. */
  get chosen() {
    const { patch } = this.lab.experiment;
    return patch && (this.grid === "heads" ? patch.heads : patch.cells);
  }

  /** Patches these places, or with `more` these too; those that are patched already are let go. */
  patch(places, more) {
    const { lab, grid, sweep } = this, field = grid === "heads" ? "heads" : "cells";
    const before = more ? lab.experiment.patch ?? {} : {};
    const patch = { ...before, sentence: sweep.asked[1], [field]: added(before[field] ?? [], places, this.chosen ?? []) };
    this.sentence = patch.sentence;
    lab.set(patch.heads?.length || patch.cells?.length ? { patch } : {});
  }
}
