// Ribbons between the words of the two sentences, as wide as the weights. They glide from step to step.

import { svg } from "../ui/element.js";
import { wantsStillness, zoom } from "../ui/page.js";

const GLIDE_MS = 200, MAX_WIDTH = 16, MIN_WEIGHT = 0.02, ARC = 26; // pixels that an arc within one sentence leaves its line
const LOOP = 8; // half the width of an arc from a word to itself

export class WordRibbons {
  /** `area` holds both sentences; the ribbons lie behind its words. */
  constructor(area) {
    this.layer = svg("svg", { class: "word-ribbons", "aria-hidden": "true" });
    Object.assign(this, { area, ribbons: [], shown: [], key: "", frame: null });
    area.prepend(this.layer);
    // A sentence scrolls on a phone; scroll events do not bubble.
    area.addEventListener("scroll", () => this.draw(this.ribbons, ""), { capture: true });
  }

  /**
   * `ribbons` are { from, to, weight, isSame, isUpper }: nodes of words, whether both are in the same sentence, and whether
   * `from` is in the upper one. Ribbons with the same `key` and place in the list glide into one another.
   */
  draw(ribbons, key) {
    cancelAnimationFrame(this.frame);
    this.ribbons = ribbons;
    const area = ribbons.length ? this.area.getBoundingClientRect() : null, scale = zoom();
    const goal = ribbons.map((ribbon) => placeOf(ribbon, area, scale));
    while (this.layer.children.length < goal.length) this.layer.append(svg("path"));
    while (this.layer.children.length > goal.length) this.layer.lastChild.remove();
    const glides = key === this.key && this.shown.length === goal.length && !wantsStillness() && goal.length > 0;
    this.key = key;
    if (glides) this.glide(this.shown, goal);
    else this.place(goal);
  }

  glide(from, to) {
    const start = performance.now();
    const tick = (now) => {
      const time = Math.min(1, Math.max(0, (now - start) / GLIDE_MS)), share = 1 - (1 - time) ** 3;
      this.place(to.map((goal, i) => between(from[i], goal, share)));
      if (time < 1) this.frame = requestAnimationFrame(tick);
    };
    tick(start);
  }

  place(places) {
    this.shown = places;
    places.forEach(({ x0, y0, bend0, x1, y1, bend1, width }, i) => {
      const path = this.layer.children[i];
      path.style.display = width < MIN_WEIGHT * MAX_WIDTH ? "none" : "";
      path.setAttribute("d", `M${x0} ${y0}C${x0} ${bend0} ${x1} ${bend1} ${x1} ${y1}`);
      path.setAttribute("stroke-width", width);
    });
  }
}

function between(from, to, share) {
  return Object.fromEntries(Object.keys(to).map((name) => [name, from[name] + share * (to[name] - from[name])]));
}

/** Where a ribbon begins, ends and bends, in pixels of the area. One within a sentence is an arc in the space between both. */
function placeOf({ from, to, weight, isSame, isUpper }, area, scale) {
  const end = (node, isBelow) => {
    const { left, width, top, bottom } = node.getBoundingClientRect();
    return [(left + width / 2 - area.left) / scale, ((isBelow ? bottom : top) - area.top) / scale];
  };
  const endsBelow = isSame ? isUpper : !isUpper, loop = from === to ? LOOP : 0;
  const [x0, y0] = end(from, isUpper), [x1, y1] = end(to, endsBelow);
  const depth = isSame ? ARC : Math.abs(y1 - y0) / 2, bend = (y, isBelow) => (isBelow ? y + depth : y - depth);
  return { x0: x0 - loop, y0, bend0: bend(y0, isUpper), x1: x1 + loop, y1, bend1: bend(y1, endsBelow), width: Math.max(0, weight) * MAX_WIDTH };
}
