// The heads by their drop, as a list of bars; a click switches a head as in the grids.

import { element } from "../../../ui/element.js";
import { isOff, toggled } from "./choice.js";
import { formatNats } from "../../../ui/numbers.js";

const percent = (value, scale) => `${Math.max(0, Math.min(100, (100 * value) / scale)).toFixed(1)}%`;

/** The line from one bound of an interval to the other. */
function interval({ low, high }, scale) {
  const line = element("b");
  const [from, to] = [low, high].map((bound) => Math.max(0, Math.min(bound, scale)));
  Object.assign(line.style, { left: percent(from, scale), width: percent(to - from, scale) });
  return line;
}

function item(panel, found, scale, off) {
  const { place, drop } = found, words = panel.barWords(found), pressed = isOff(off, place);
  const button = element("button", { type: "button", title: words, "aria-label": words, "aria-pressed": pressed }, panel.nameOf(place));
  button.addEventListener("click", () => panel.set(toggled(panel.off, place)));
  const bar = element("i"), track = element("span", { class: drop < 0 ? "track rise" : "track" }, bar);
  bar.style.width = percent(Math.abs(drop), scale);
  if (found.low !== undefined) track.append(interval(found, scale));
  const number = element("span", {}, formatNats(drop)), row = element("li", { "data-kind": place[0] }, button, track, number);
  if (found.names) {
    row.className = "averaged";
    row.append(element("small", { title: found.names.join(", ") }, found.names.join(", ")));
  }
  return row;
}

/** `drops` come largest first, of which the `first` are shown; a bar as long as the track is `scale` nats. */
export function drawDrops(panel, { drops, scale, off, first }) {
  panel.part.list.replaceChildren(...drops.slice(0, first).map((found) => item(panel, found, scale, off)));
}
