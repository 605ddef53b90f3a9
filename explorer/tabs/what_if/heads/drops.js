// The heads by their drop, as a list of bars; a click switches a head, as in the grids.

import { button, element } from "../../../ui/element.js";
import { isOff, toggleHead } from "./choice.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { joinList } from "../../../ui/text.js";

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
