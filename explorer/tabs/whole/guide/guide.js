// The guided flight: its stops, its buttons, and the sentence about what is seen, which follows the stage whether one
// flies along or goes one's own way.

import { captionOf } from "./captions.js";
import { isSamePlace } from "../place.js";
import { plainText, segmentNodes } from "../../../ui/segments.js";
import { FLIGHT_MS, stopsOf } from "./stops.js";
import { button, element } from "../../../ui/element.js";
import { fill } from "../../../ui/text.js";
import { keepAwake } from "../../../ui/wake_lock.js";

export class Guide {
  /** @type {import("./stops.js").Stop[]} */ stops = [];
  at = 0;
  /** The translation that the stops are of. @type {Trace | null} */ trace = null;
  timer = null;

  /**
   * `part` are nodes by role; `captionContext()` is what captions are made from; `go(stop)` flies to a stop, `place()`
   * is where the stage is; `setOut()` is called where the flight begins.
   */
  constructor(part, { captions, tour, codes }, { captionContext, go, place, setOut }) {
    this.part = part;
    this.words = { captions, tour };
    this.codes = codes;
    this.captionContext = captionContext;
    this.flyTo = go;
    this.place = place;
    this.setOut = setOut;
    part.next.addEventListener("click", () => this.move(1));
    part.previous.addEventListener("click", () => this.move(-1));
    part.resume.addEventListener("click", () => this.show(this.at));
    part.film.addEventListener("click", () => this.toggleFilm());
  }

  get isPlaying() {
    return this.timer !== null;
  }

  /** Takes the stops of another translation: from the first on, or where it was if only the model was changed. */
  begin() {
    const context = this.captionContext();
    const isSameSentence = this.trace?.sentence === context.trace.sentence;
    this.trace = context.trace;
    clearTimeout(this.timer);
    this.timer = null;
    this.stops = stopsOf(context);
    this.at = isSameSentence ? Math.min(this.at, this.stops.length - 1) : 0;
    this.drawStops();
  }

  drawStops() {
    const { tour } = this.words;
    this.part.stops.replaceChildren(...this.stops.map(({ key }, i) => button(() => this.show(i), {
      title: fill(tour.stop, { number: i + 1, count: this.stops.length, title: tour.titles[key] }),
      "aria-label": fill(tour.stop, { number: i + 1, count: this.stops.length, title: tour.titles[key] }),
    })));
  }

  /** Whether the stage is where the flight is. */
  get isOnRoute() {
    const { place, step } = this.stops[this.at];
    return isSamePlace(place, this.place()) && step === this.captionContext().step;
  }

  /** The flight is about the step of now, but for its last stop, which is one step on. */
  update() {
    const context = this.captionContext();
    const { key, step } = this.stops[this.at];
    if (context.step === step || (key === "again" && context.step === step - 1)) return;
    const { length } = this.stops;
    this.stops = stopsOf(context);
    this.at = Math.min(this.at, this.stops.length - 1);
    if (this.stops.length !== length) this.drawStops();
  }

  /** To the next stop or back; from elsewhere back to the route. The last one is followed by the first. */
  move(by) {
    this.stopFilm();
    this.advance(by);
  }

  advance(by) {
    if (this.at === 0 && by > 0) this.setOut();
    this.update();
    const isLeaving = this.isOnRoute || by < 0;
    const to = this.at + (isLeaving ? by : 0);
    if (to === this.stops.length) return this.show(0);
    this.show(Math.max(0, to));
  }

  /** The first stop, at the step of now. */
  start() {
    this.stopFilm();
    this.setOut();
    this.show(0);
  }

  show(at) {
    this.update();
    // On the way more was loaded, by which a stop is chosen.
    this.stops = stopsOf({ ...this.captionContext(), step: this.stops[0].step });
    this.at = Math.min(at, this.stops.length - 1);
    this.flyTo(this.stops[this.at]);
  }

  toggleFilm() {
    if (this.isPlaying) return this.stopFilm();
    const tick = () => {
      const isEnd = this.at === this.stops.length - 1 && this.isOnRoute;
      if (isEnd) return this.stopFilm();
      this.advance(1);
      this.timer = setTimeout(tick, FLIGHT_MS / this.stops.length);
    };
    if (this.at === this.stops.length - 1) this.show(0);
    this.timer = setTimeout(tick, this.at === 0 ? FLIGHT_MS / this.stops.length / 2 : 0);
    this.draw();
  }

  stopFilm() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.trace) this.draw();
  }

  /** Draws the sentence and the buttons. */
  draw() {
    const context = this.captionContext();
    if (context.trace !== this.trace) this.begin();
    this.update();
    const { part, words: { captions, tour }, stops, at } = this;
    const stop = stops[at];
    const isAgain = stop?.key === "again" && this.isOnRoute;
    const isEnd = at === stops.length - 1 && this.isOnRoute;
    const segments = captionOf(this.place(), { ...context, again: isAgain }, captions);
    const text = plainText(segments);
    if (part.caption.dataset.text !== text) {
      part.caption.replaceChildren(...segmentNodes(segments, this.codes));
      part.caption.dataset.text = text;
    }
    keepAwake("flight", this.isPlaying);
    part.caption.setAttribute("aria-live", this.isPlaying ? "off" : "polite");
    part.resume.hidden = this.isOnRoute || (at === 0 && !this.isPlaying);
    part.previous.disabled = at === 0;
    part.next.textContent = isEnd ? tour.restart : tour.next;
    part.next.title = isEnd ? tour.restart_hint : tour.next_hint;
    const label = this.isPlaying ? tour.pause : tour.play;
    part.film.replaceChildren(this.isPlaying ? "❚❚" : "▶", element("span", {}, ` ${label}`));
    [...part.stops.children].forEach((node, i) => {
      if (i === at && this.isOnRoute) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    });
  }
}
