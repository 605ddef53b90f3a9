// The heads of one kind as a grid of buttons, layers down and heads across, with a button for every layer.

import { element } from "../../../ui/element.js";
import { fill } from "../../../ui/text.js";
import { isOff } from "./choice.js";

const DARKEST = 55; // percent of the kind's colour, so that the number stays readable

export class HeadGrid {
  /** `act` has what the buttons do: toggle(place), layer(kind, layer), all(kind), invert(kind). */
  constructor(kind, settings, act) {
    Object.assign(this, { kind, settings, text: settings.text });
    const { layers, heads, kindTitles, text } = settings;
    this.cells = [];
    const title = { kind: kindTitles[kind] };
    const table = element("div", { class: "switches", role: "group", "aria-label": kindTitles[kind], "data-rove": "", "data-columns": heads + 1 });
    table.style.gridTemplateColumns = `34px repeat(${heads}, minmax(0, 1fr))`;
    for (let layer = 0; layer < layers[kind]; layer++) table.append(...this.row(layer, act));
    const legend = element("legend", { title: kindTitles[kind] }, settings.kindNames[kind], this.button(text.all, fill(text.allHint, title), () => act.all(kind)),
      this.button(text.others, fill(text.othersHint, title), () => act.invert(kind)));
    this.node = element("fieldset", { "data-kind": kind }, legend, table);
  }

  button(label, title, go, attributes = {}) {
    const button = element("button", { type: "button", title, ...attributes }, label);
    button.addEventListener("click", go);
    return button;
  }

  row(layer, act) {
    const { kind, settings, text } = this, { heads } = settings;
    const words = fill(text.layer, { layer: layer + 1 });
    const first = this.button(fill(text.row, { layer: layer + 1 }), words, () => act.layer(kind, layer), { class: "layer", "aria-label": words });
    const cells = Array.from({ length: heads }, (_, head) => {
      const place = [kind, layer, head];
      const name = fill(text.cell, { kind: settings.kindNames[kind], layer: layer + 1, head: head + 1 });
      const button = this.button(`${head + 1}`, name, () => act.toggle(place), { class: "cell", "aria-label": name });
      this.cells.push({ place, name, button });
      return button;
    });
    return [first, ...cells];
  }

  /** `known` has what is known of a head's drop, by its place as text; `words` says it. */
  draw({ off, known, scale, words }) {
    for (const { place, name, button } of this.cells) {
      const found = known.get(String(place)), title = found ? words(found) : name;
      button.setAttribute("aria-pressed", isOff(off, place));
      button.title = title;
      button.setAttribute("aria-label", found ? title : name);
      button.classList.toggle("rise", found !== undefined && found.drop < 0);
      button.style.setProperty("--part", found ? `${(DARKEST * Math.abs(found.drop)) / scale}%` : "0%");
    }
  }
}
