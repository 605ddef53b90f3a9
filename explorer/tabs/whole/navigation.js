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
    this.drawPath();
    this.map.draw(stage.scene, place);
  }

  /** Where there is no room for all of the path, its beginning gives way to a link to what lies just above. */
  drawPath() {
    const { part: { path }, trail } = this;
    const links = trail.map((one) => this.linkTo(one));
    path.replaceChildren(...links);
    const isCut = () => path.scrollWidth > path.clientWidth;
    for (let from = 1; isCut() && from < trail.length; from++) {
      const above = trail.slice(0, from).findLast(({ place }) => place !== null);
      path.replaceChildren(this.linkTo({ ...above, name: "…", title: above.name }), ...links.slice(from));
    }
  }

  /** A link, with another `title` for who hears it where the name is none. */
  linkTo({ name, place, title = "" }) {
    if (place === null) return element("span", {}, name);
    const node = button(() => this.go(place), title ? { "aria-label": title } : {}, name);
    if (isSamePlace(place, this.stage.place)) node.setAttribute("aria-current", "true");
    return node;
  }
}
