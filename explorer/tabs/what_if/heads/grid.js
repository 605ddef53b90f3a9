// The heads of one kind as a grid of buttons, layers down and heads across, with a button for every layer; and all heads by
// their drop, as a list of bars.

import { button, element } from "../../../ui/element.js";
import { fill, joinList } from "../../../ui/text.js";
import { isOff, toggleHead } from "./choice.js";
import { formatDecimal } from "../../../ui/numbers.js";

const MAX_COLOUR_PERCENT = 55; // of the kind's colour, so that the number stays readable

export class HeadGrid {
  /** `actions` has the click handlers: toggle(place), layer(kind, layer), all(kind), invert(kind). */
  constructor(kind, settings, actions) {
    Object.assign(this, { kind, settings, text: settings.text });
    const { layers, heads, kindTitles, text } = settings;
    this.cells = [];
    const title = { kind: kindTitles[kind] };
    const table = element("div", { class: "switches", role: "group", "aria-label": kindTitles[kind], "data-rove": "", "data-columns": heads + 1 });
    table.style.gridTemplateColumns = `34px repeat(${heads}, minmax(0, 1fr))`;
    for (let layer = 0; layer < layers[kind]; layer++) table.append(...this.row(layer, actions));
    const legend = element("legend", { title: kindTitles[kind] }, settings.kindNames[kind], button(() => actions.all(kind), { title: fill(text.allHint, title) }, text.all),
      button(() => actions.invert(kind), { title: fill(text.othersHint, title) }, text.others));
    this.node = element("fieldset", { "data-kind": kind }, legend, table);
  }

  row(layer, actions) {
    const { kind, settings, text } = this, { heads } = settings;
    const layerName = fill(text.layer, { layer: layer + 1 });
    const first = button(() => actions.layer(kind, layer), { title: layerName, class: "layer", "aria-label": layerName }, fill(text.row, { layer: layer + 1 }));
    const cells = Array.from({ length: heads }, (_, head) => {
      const place = [kind, layer, head];
      const name = fill(text.cell, { kind: settings.kindNames[kind], layer: layer + 1, head: head + 1 });
      const node = button(() => actions.toggle(place), { title: name, class: "cell", "aria-label": name }, `${head + 1}`);
      this.cells.push({ place, name, node });
      return node;
    });
    return [first, ...cells];
  }

  /** `measurements` has the measured drops by place as text; `describe(measurement)` puts one in words. */
  draw({ off, measurements, scale, describe }) {
    for (const { place, name, node } of this.cells) {
      const measurement = measurements.get(String(place)), title = measurement ? describe(measurement) : name;
      node.setAttribute("aria-pressed", isOff(off, place));
      node.title = title;
      node.setAttribute("aria-label", title);
      node.classList.toggle("rise", measurement !== undefined && measurement.drop < 0);
      node.style.setProperty("--part", measurement ? `${(MAX_COLOUR_PERCENT * Math.abs(measurement.drop)) / scale}%` : "0%");
    }
  }
}

const percent = (value, scale) => `${Math.max(0, Math.min(100, (100 * value) / scale)).toFixed(1)}%`;

/** A line from the lower to the upper bound of an interval. */
function intervalLine({ low, high }, scale) {
  const line = element("b");
  const [from, to] = [low, high].map((bound) => Math.max(0, Math.min(bound, scale)));
  Object.assign(line.style, { left: percent(from, scale), width: percent(to - from, scale) });
  return line;
}

function headItem(panel, measurement, scale, off) {
  const { place, drop } = measurement, description = panel.describeDrop(measurement), isPressed = isOff(off, place);
  const toggle = button(() => panel.set(toggleHead(panel.off, place)), { title: description, "aria-label": description, "aria-pressed": isPressed }, panel.headName(place));
  const bar = element("i"), track = element("span", { class: drop < 0 ? "track rise" : "track" }, bar);
  bar.style.width = percent(Math.abs(drop), scale);
  if (measurement.low !== undefined) track.append(intervalLine(measurement, scale));
  const number = element("span", {}, formatDecimal(drop, 2)), row = element("li", { "data-kind": place[0] }, toggle, track, number);
  if (measurement.names) {
    row.className = "averaged";
    row.append(element("small", { title: joinList(measurement.names) }, joinList(measurement.names)));
  }
  return row;
}

/** Draws the first `visibleCount` of `drops`, which are sorted, the largest first; a full bar is `scale` nats. */
export function drawDrops(panel, { drops, scale, off, visibleCount }) {
  panel.part.list.replaceChildren(...drops.slice(0, visibleCount).map((measurement) => headItem(panel, measurement, scale, off)));
}
