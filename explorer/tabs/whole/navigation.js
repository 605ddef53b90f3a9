// The way through the picture, above the stage: the path to the place as links, the whole in small, and the buttons and
// keys that zoom.

import { SmallMap } from "./picture/small_map.js";
import { WHOLE, isSamePlace, levelOf } from "./place.js";
import { trailOf } from "./place_names.js";
import { button, element } from "../../ui/element.js";

export class Navigation {
  /**
   * `part` are nodes by role; `names` are those of places (TOUR.names). `go(place)` flies to a place.
   * @param {Record<string, any>} part
   * @param {any} names
   * @param {{ stage: import("./picture/stage.js").Stage, go: (place: import("./place.js").Place) => void }} options
   */
  constructor(part, names, { stage, go }) {
    this.part = part;
    this.names = names;
    this.stage = stage;
    this.go = go;
    this.map = new SmallMap(part.map);
    part.out.addEventListener("click", () => go(stage.outward()));
    part.in.addEventListener("click", () => {
      const place = stage.inward();
      if (place) go(place);
    });
    part.map.addEventListener("click", () => go(WHOLE));
    part.all.addEventListener("click", () => go(WHOLE));
  }

  /** What leads to the place, with names (place_names.js). */
  get trail() {
    return trailOf(this.stage.place, this.names);
  }

  /** The place that a key leads to; null if it leads nowhere. */
  placeOfKey(key) {
    switch (key) {
      case "+": return this.stage.inward();
      case "-": return this.stage.outward();
      case "0": return WHOLE;
      default: return null;
    }
  }

  draw() {
    const { part, stage, stage: { place } } = this;
    part.out.disabled = part.all.disabled = levelOf(place) === "whole";
    part.in.disabled = stage.inward() === null;
    part.path.replaceChildren(...this.trail.map((one) => this.linkTo(one)));
    part.path.scrollLeft = part.path.scrollWidth; // where there is no room for all of it, its end is seen
    part.path.toggleAttribute("data-cut", part.path.scrollLeft > 0);
    this.map.draw(stage.scene, place);
  }

  linkTo({ name, place }) {
    if (place === null) return element("span", {}, name);
    const node = button(() => this.go(place), {}, name);
    if (isSamePlace(place, this.stage.place)) node.setAttribute("aria-current", "true");
    return node;
  }
}
