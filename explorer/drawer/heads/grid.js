// The heads of one kind as a grid of buttons, layers down and heads across, with a button for every layer; and all
// heads by their drop, as a list of bars. Heads are zero-based places [kind, layer, head].

import { headLine } from "../../attention_view/head_names.js";
import { thumbnail } from "../../attention_view/overview.js";
import { isAmong, withEachSwitched, withHeadsSwitched } from "../../changes/experiments.js";
import { contextOf } from "../../ui/canvas.js";
import { parseHex } from "../../ui/contrast.js";
import { button, element } from "../../ui/element.js";
import { formatDecimal } from "../../ui/numbers.js";
import { fill, joinList } from "../../ui/text.js";

const MAX_COLOUR_PERCENT = 55; // of the kind's colour, so that the number stays readable
const MAP_PIXELS = 64; // of a head's map in its box, which CSS scales

/** The places of all heads of a kind, or of one of its layers; `layers` is the number of layers by kind. */
export function headsOfKind(kind, { layers, heads }, layer = null) {
  const rows = layer === null ? Array.from({ length: layers[kind] }, (_, i) => i) : [layer];
  return rows.flatMap((eachLayer) => Array.from({ length: heads }, (_, head) => [kind, eachLayer, head]));
}

/** What clicks on a grid do: they switch heads in the change of a drawer. */
export function gridActions(drawer, settings) {
  const switchHeads = (places) => drawer.change.set(withHeadsSwitched(drawer.experiment, places));
  return {
    toggle: (place) => switchHeads([place]),
    layer: (kind, layer) => switchHeads(headsOfKind(kind, settings, layer)),
    all: (kind) => switchHeads(headsOfKind(kind, settings)),
    invert: (kind) => drawer.change.set(withEachSwitched(drawer.experiment, headsOfKind(kind, settings))),
  };
}

/** A choice of what takes the place of a head that is off; `choose(way)` is called after every choice. */
export function waySelect({ by, by_hint: title, ways }, choose) {
  const select = element("select", {}, ...Object.entries(ways).map(([way, { label }]) => new Option(label, way)));
  select.addEventListener("change", () => choose(select.value));
  return { label: element("label", { title }, by, " ", select), select };
}

/** The drop of full colour: the largest drop or rise with its interval, but at least 0.1, so that noise stays pale. */
export function colourScale(drops) {
  return Math.max(0.1, ...drops.map(({ drop, high = 0 }) => Math.max(Math.abs(drop), high)));
}

/** Heads by their drop, the largest first; the sort is stable. */
export function sortByDrop(drops) {
  return [...drops].sort((first, other) => other.drop - first.drop);
}

/** How many heads to request at a time: the longer both sentences, the fewer. */
export function headsPerRequest(pieces) {
  return Math.max(4, Math.min(24, Math.floor(600 / pieces)));
}

export class HeadGrid {
  /** The buttons of the heads: { place, numbers, name, node, canvas }. */
  cells = [];

  /**
   * `actions` has the click handlers: toggle(place), layer(kind, layer), all(kind), invert(kind); `nameOf(map, head)`
   * has the name of a head (head_names.js).
   */
  constructor(kind, settings, actions, nameOf) {
    this.kind = kind;
    this.nameOf = nameOf;
    this.settings = settings;
    this.text = settings.grids;
    const { layers, heads, kindNames, kindTitles, grids: text } = settings;
    const title = kindTitles[kind];
    const columns = { "data-rove": "", "data-columns": heads + 1 };
    const table = element("div", { class: "switches", role: "group", "aria-label": title, ...columns });
    table.style.gridTemplateColumns = `34px repeat(${heads}, minmax(0, 1fr))`;
    for (let layer = 0; layer < layers[kind]; layer++) table.append(...this.row(layer, actions));
    const all = button(() => actions.all(kind), { title: fill(text.allHint, { kind: title }) }, text.all);
    const others = button(() => actions.invert(kind), { title: fill(text.othersHint, { kind: title }) }, text.others);
    const legend = element("legend", { title }, kindNames[kind], all, others);
    this.node = element("fieldset", { "data-kind": kind }, legend, table);
  }

  row(layer, actions) {
    const { kind, settings, text } = this;
    const { heads } = settings;
    const layerName = fill(text.layer, { layer: layer + 1 });
    const attributes = { title: layerName, class: "layer", "aria-label": layerName };
    const first = button(() => actions.layer(kind, layer), attributes, fill(text.row, { layer: layer + 1 }));
    const cells = Array.from({ length: heads }, (_, head) => {
      const place = [kind, layer, head];
      const numbers = fill(text.cell, { kind: settings.kindNames[kind], layer: layer + 1, head: head + 1 });
      const canvas = element("canvas", { width: MAP_PIXELS, height: MAP_PIXELS, "aria-hidden": "true" });
      const number = element("b", {}, `${head + 1}`);
      const label = element("span");
      const node = button(() => actions.toggle(place), { class: "cell" }, canvas, number, label);
      this.cells.push({ place, numbers, name: numbers, node, canvas });
      return node;
    });
    return [first, ...cells];
  }

  /** Names every head by its weights and draws them into its box; without them where they are not loaded. */
  drawMaps({ kinds }) {
    const map = kinds[this.kind];
    const colour = parseHex(getComputedStyle(this.node).getPropertyValue("--kind").trim());
    const reach = map.queries.map((_, query) => map.reach(query));
    for (const cell of this.cells) {
      const { place: [, layer, head], canvas, numbers } = cell;
      const { full, here } = this.nameOf(map, { layer, head });
      cell.name = headLine(numbers, full, here);
      canvas.hidden = !map.ready;
      if (!map.ready) continue;
      const pixels = thumbnail(map.one(layer, head), reach, MAP_PIXELS, colour, map.ceiling);
      contextOf(canvas).putImageData(new ImageData(pixels, MAP_PIXELS, MAP_PIXELS), 0, 0);
    }
  }

  /** `measurements` has the measured drops by place as text; `describe(measurement)` puts one in words. */
  draw({ off, measurements, scale, describe }) {
    for (const { place, name, node } of this.cells) {
      const measurement = measurements.get(String(place));
      const title = headLine(name, measurement && describe(measurement));
      node.setAttribute("aria-pressed", isAmong(off, place));
      node.title = title;
      node.setAttribute("aria-label", title);
      node.classList.toggle("rise", measurement !== undefined && measurement.drop < 0);
      const share = measurement ? Math.abs(measurement.drop) / scale : 0;
      node.style.setProperty("--part", `${MAX_COLOUR_PERCENT * share}%`);
    }
  }
}

/** The width of a bar. */
export const barPercent = (value, scale) => `${Math.max(0, Math.min(100, (100 * value) / scale)).toFixed(1)}%`;

/** A line from the lower to the upper bound of an interval. */
function intervalLine({ low, high }, scale) {
  const line = element("b");
  const [from, to] = [low, high].map((bound) => Math.max(0, Math.min(bound, scale)));
  Object.assign(line.style, { left: barPercent(from, scale), width: barPercent(to - from, scale) });
  return line;
}

function headItem(panel, measurement, scale, off) {
  const { place, drop } = measurement;
  const description = panel.describeDrop(measurement);
  const attributes = { title: description, "aria-label": description, "aria-pressed": isAmong(off, place) };
  const toggle = button(() => panel.actions.toggle(place), attributes, panel.headName(place));
  const bar = element("i");
  const track = element("span", { class: drop < 0 ? "track rise" : "track" }, bar);
  bar.style.width = barPercent(Math.abs(drop), scale);
  if (measurement.low !== undefined) track.append(intervalLine(measurement, scale));
  const row = element("li", { "data-kind": place[0] }, toggle, track, element("span", {}, formatDecimal(drop, 2)));
  if (measurement.names) {
    row.className = "averaged";
    row.append(element("small", { title: joinList(measurement.names) }, joinList(measurement.names)));
  }
  return row;
}

/** Draws the first `visibleCount` of `drops`, which are sorted, the largest first; a full bar is `scale` nats. */
export function drawDrops(panel, { drops, scale, off, visibleCount }) {
  const visible = drops.slice(0, visibleCount);
  panel.part.list.replaceChildren(...visible.map((measurement) => headItem(panel, measurement, scale, off)));
}
