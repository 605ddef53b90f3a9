// The panel Heads off: the heads of one kind as a grid that switches them.

import { headName } from "../../attention_view/head_names.js";
import { button } from "../../ui/element.js";
import { theme } from "../../ui/page.js";
import { markPressed } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { Panel } from "../panel.js";
import { HeadGrid, gridActions, headsOfKind, waySelect } from "./grid.js";

export class Heads extends Panel {
  /** The kind that was chosen here; null for that of the view. @type {Kind | null} */ kind = null;
  drawnMaps = [];

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part } = this;
    this.settings = settings;
    const actions = gridActions(drawer, settings);
    const nameOf = (map, head) => headName({ ...drawer.settings.named, named: settings.named }, map, head);
    this.grids = Object.keys(settings.kindNames).map((kind) => new HeadGrid(kind, settings, actions, nameOf));
    part.grids.append(...this.grids.map(({ node: grid }) => grid));
    part.grids.setAttribute("aria-label", settings.grids.grids);
    part.kinds.append(...Object.entries(settings.kindNames).map(([value, name]) => (
      button(() => this.choose(value), { value, title: settings.kindTitles[value], "data-hue": value }, name))));
    this.way = waySelect(settings.grids, (way) => drawer.set({ off_by: way }));
    part.by.append(this.way.label);
    part.none.addEventListener("click", () => drawer.set({ off: [] }));
  }

  choose(kind) {
    this.kind = kind;
    this.draw();
  }

  draw() {
    const { drawer: { experiment, viewer }, part, settings, text, grids } = this;
    const kind = this.kind ?? viewer.view.kind;
    const off = experiment.off ?? [];
    markPressed(part.kinds, kind);
    for (const grid of grids) grid.node.hidden = grid.kind !== kind;
    this.drawMaps();
    for (const grid of grids) grid.draw({ off, measurements: new Map(), scale: 1, describe: () => "" });
    const all = Object.keys(settings.kindNames).flatMap((each) => headsOfKind(each, settings)).length;
    this.way.select.value = experiment.off_by ?? "zero";
    this.way.label.hidden = part.none.hidden = !off.length;
    part.way.textContent = off.length ? settings.grids.ways[this.way.select.value].words : "";
    part.count.textContent = off.length ? fill(text.count, { off: off.length, all }) : text.noneOff;
  }

  /** Draws the maps of the unchanged translation, if it or the theme is another. */
  drawMaps() {
    const { source } = this.drawer;
    const state = [source, theme(), source.kinds.cross.ready];
    if (state.every((one, i) => one === this.drawnMaps[i])) return;
    this.drawnMaps = state;
    for (const grid of this.grids) grid.drawMaps(source);
  }
}
