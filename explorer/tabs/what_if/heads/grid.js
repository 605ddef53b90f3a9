// The heads of one kind as a grid of buttons, layers down and heads across, with a button for every layer.

import { element } from "../../../ui/element.js";
import { fill } from "../../../ui/text.js";
import { isOff } from "./choice.js";

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
    const legend = element("legend", { title: kindTitles[kind] }, settings.kindNames[kind], this.button(text.all, fill(text.allHint, title), () => actions.all(kind)),
      this.button(text.others, fill(text.othersHint, title), () => actions.invert(kind)));
    this.node = element("fieldset", { "data-kind": kind }, legend, table);
  }

  button(label, title, onClick, attributes = {}) {
    const button = element("button", { type: "button", title, ...attributes }, label);
    button.addEventListener("click", onClick);
    return button;
  }

  row(layer, actions) {
    const { kind, settings, text } = this, { heads } = settings;
    const layerName = fill(text.layer, { layer: layer + 1 });
    const first = this.button(fill(text.row, { layer: layer + 1 }), layerName, () => actions.layer(kind, layer), { class: "layer", "aria-label": layerName });
    const cells = Array.from({ length: heads }, (_, head) => {
      const place = [kind, layer, head];
      const name = fill(text.cell, { kind: settings.kindNames[kind], layer: layer + 1, head: head + 1 });
      const button = this.button(`${head + 1}`, name, () => actions.toggle(place), { class: "cell", "aria-label": name });
      this.cells.push({ place, name, button });
      return button;
    });
    return [first, ...cells];
  }

  /** `measurements` has the measured drops by place as text; `describe(measurement)` puts one in words. */
  draw({ off, measurements, scale, describe }) {
    for (const { place, name, button } of this.cells) {
      const measurement = measurements.get(String(place)), title = measurement ? describe(measurement) : name;
      button.setAttribute("aria-pressed", isOff(off, place));
      button.title = title;
      button.setAttribute("aria-label", measurement ? title : name);
      button.classList.toggle("rise", measurement !== undefined && measurement.drop < 0);
      button.style.setProperty("--part", measurement ? `${(MAX_COLOUR_PERCENT * Math.abs(measurement.drop)) / scale}%` : "0%");
    }
  }
}
