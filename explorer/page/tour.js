// The tour: captions on the real picture and controls of Explore. A caption with a task waits until the visitor has
// done it. The page stays usable throughout.

import { onView, onTabOpened, openTab, openTabId } from "../ui/page_events.js";
import { isEnter, isEscape } from "../ui/keys.js";
import { whenDrawn, zoom } from "../ui/page.js";
import { store, readStored } from "../ui/storage.js";
import { loadScript } from "../ui/libraries.js";
import { fill } from "../ui/text.js";

const STORAGE_KEY = "tour";
const FINISHED = "over"; // the stored value is the number of the stop, or FINISHED
const PHONE_WIDTH = 700; // pixels or less
const SENTENCE_LINE = "#viewer .plain";
const MARGIN_PX = 12; // to the edges of the screen
const STRIDE_PX = 8; // between places that are tried for a caption
/** What no caption lies over, beside the node that it is about. */
const KEPT_FREE = `${SENTENCE_LINE}, #viewer [data-role=target], #viewer .nsewdrag`;
const VIEW_PARTS = ["level", "kind", "step", "pin", "cell"]; // which the tour changes
// Set by the library, but wrong on nodes that are not buttons.
const FOREIGN_ATTRIBUTES = ["aria-haspopup", "aria-expanded", "aria-controls"];

/**
 * The stops. Each highlights the node `at`, in a level; a phone shows the node `top` right below the caption.
 * `waits(now, then)` returns whether the visitor has done the task; then the caption confirms it, or with `on` the tour
 * goes on at once.
 */
const STOPS = [
  { name: "sentence", level: "picture", at: SENTENCE_LINE },
  { name: "row", level: "picture", at: "#viewer [data-pane=first] .mark", top: SENTENCE_LINE },
  {
    name: "step",
    level: "picture",
    at: "#viewer [data-go=next]",
    top: SENTENCE_LINE,
    waits: (now, then) => now.view.step > then.view.step,
  },
  { name: "word", level: "picture", at: "#viewer [data-role=source]", waits: (now) => now.view.pin?.axis === "key" },
  { name: "ask", level: "picture", at: "#ask", waits: (now, then) => now.trace !== then.trace },
  {
    name: "level",
    level: "picture",
    at: "#viewer .levels",
    top: SENTENCE_LINE,
    waits: (now) => now.view.level === "heads",
    on: true,
  },
  { name: "heads", level: "heads", at: "#viewer .heads" },
];

/** The distance between two boxes; 0 if they touch or overlap. */
function gap(one, other) {
  const across = Math.max(0, other.left - one.right, one.left - other.right);
  const down = Math.max(0, other.top - one.bottom, one.top - other.bottom);
  return Math.hypot(across, down);
}

/** The distance between the middles of two boxes. */
function middleGap(one, other) {
  const across = one.left + one.right - other.left - other.right;
  const down = one.top + one.bottom - other.top - other.bottom;
  return Math.hypot(across, down) / 2;
}

/**
 * The box of a size that is nearest to the first of the boxes `taken` and clear of all of them; null if there is none.
 *
 * @param {{ width: number, height: number }} size
 * @param {{ left: number, top: number, right: number, bottom: number }[]} taken
 */
function nearestFreeBox({ width, height }, taken, screen) {
  const [target] = taken;
  let nearest = null;
  let least = Infinity;
  for (let left = MARGIN_PX; left + width + MARGIN_PX <= screen.width; left += STRIDE_PX) {
    for (let top = MARGIN_PX; top + height + MARGIN_PX <= screen.height; top += STRIDE_PX) {
      const box = { left, top, right: left + width, bottom: top + height };
      const distance = gap(box, target) + 0.1 * middleGap(box, target);
      if (distance >= least || taken.some((other) => gap(box, other) < STRIDE_PX)) continue;
      nearest = box;
      least = distance;
    }
  }
  return nearest;
}

export class Tour {
  explore = null;
  /** What the page showed before the tour. */ before = null;
  driver = null;
  at = 0;
  waiting = false;
  opening = false;
  isOpenedByKey = false;

  /** `url` is that of the library. */
  constructor(button, { url, text }) {
    this.button = button;
    this.url = url;
    this.text = text;
    button.addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => this.driver && this.press(event));
    onView((explore) => {
      this.explore = explore;
      if (this.driver) this.follow();
    });
    onTabOpened((id) => this.driver && id !== "explore" && this.close());
    this.label();
  }

  /** Sets the label of the button: an invitation until the visitor opens the tour for the first time. */
  label() {
    const { button, text } = this;
    const stored = readStored(STORAGE_KEY);
    button.textContent = stored === null ? text.invitation : text.tour;
    button.classList.toggle("inviting", stored === null);
  }

  /** Starts the tour, or continues at the stored stop. */
  async open() {
    if (!this.explore?.trace || this.driver || this.opening) return;
    this.opening = true;
    this.isOpenedByKey = document.activeElement === this.button;
    const { trace, view } = this.explore;
    this.before = { tab: openTabId(), trace, view, scroll: scrollY };
    if (openTabId() !== "explore") openTab("explore");
    await loadScript(this.url).finally(() => {
      this.opening = false;
    });
    this.driver = globalThis.driver.js.driver({
      animate: false,
      allowKeyboardControl: false,
      overlayOpacity: 0.25,
      stagePadding: 6,
    });
    const stored = Number(readStored(STORAGE_KEY)); // NaN after the end of the tour
    this.go(stored < STOPS.length ? stored : 0);
  }

  go(at) {
    if (at === STOPS.length) return this.close(FINISHED);
    const { explore } = this, stop = STOPS[at];
    store(STORAGE_KEY, at);
    this.label();
    const { trace, view } = explore, last = trace.steps.length - 1;
    const step = view.step === last ? trace.defaultStep : view.step; // the tour needs a next step
    this.at = at;
    this.waiting = false;
    explore.set({ level: stop.level, kind: "cross", step, pin: null, cell: null });
    this.waiting = stop.waits !== undefined;
    this.then = { trace: explore.trace, view: explore.view };
    this.draw();
  }

  /** Checks after a change of Explore whether the task of the caption is done. */
  follow() {
    const { explore: { view, trace }, then } = this, stop = STOPS[this.at];
    this.driver.refresh();
    if (!this.waiting || !stop.waits({ view, trace }, then)) return;
    this.waiting = false;
    if (stop.on) this.go(this.at + 1);
    else this.draw();
  }

  /** Draws the caption as soon as its node is there: the picture is drawn later than the page. */
  async draw() {
    const { at } = this;
    const { name, at: selector, top = selector, waits } = STOPS[at];
    const node = await whenDrawn(selector);
    if (!this.driver || this.at !== at) return;
    const { waiting, text } = this;
    const next = waiting ? text.without : at === STOPS.length - 1 ? text.finish : text.next;
    const popover = {
      title: fill(text.title, { number: at + 1, count: STOPS.length }),
      description: waits && !waiting ? text.done[name] : text.stops[name],
      popoverClass: innerWidth <= PHONE_WIDTH ? "above" : "", // a phone has the step buttons below
      showButtons: ["next", "close"],
      nextBtnText: next,
      onNextClick: () => this.go(at + 1),
      onCloseClick: () => this.close(),
      onPopoverRender: (rendered) => this.caption(rendered),
    };
    this.driver.highlight({ element: node, popover });
    for (const attribute of FOREIGN_ATTRIBUTES) node.removeAttribute(attribute);
    this.reveal(node, document.querySelector(top));
  }

  /** Focuses the caption instead of one of its buttons, so that keys reach the picture. */
  caption({ wrapper, closeButton }) {
    this.wrapper = wrapper;
    wrapper.tabIndex = -1;
    closeButton.setAttribute("aria-label", this.text.close);
    queueMicrotask(() => wrapper.focus({ preventScroll: true }));
  }

  /** Puts the caption beside the highlighted node; on a phone `first` is scrolled to right below it. */
  reveal(node, first) {
    const { wrapper } = this;
    wrapper.style.translate = "none";
    const caption = wrapper.getBoundingClientRect();
    if (innerWidth <= PHONE_WIDTH) window.scrollBy(0, first.getBoundingClientRect().top - caption.bottom - MARGIN_PX);
    const target = node.getBoundingClientRect();
    const isNarrow = innerWidth <= PHONE_WIDTH;
    const kept = isNarrow ? [] : [...document.querySelectorAll(KEPT_FREE)].filter((one) => one.checkVisibility());
    const taken = [target, ...kept.map((one) => one.getBoundingClientRect())];
    const below = { left: caption.left, top: target.bottom + MARGIN_PX }; // the page cannot be scrolled that far
    const covers = gap(caption, target) === 0;
    const screen = { width: innerWidth, height: innerHeight };
    const place = isNarrow ? covers && below : nearestFreeBox(caption, taken, screen);
    if (!place) return;
    const [right, down] = [place.left - caption.left, place.top - caption.top].map((pixels) => pixels / zoom());
    wrapper.style.translate = `${right}px ${down}px`;
  }

  press(event) {
    if (event.key === "Tab") event.stopPropagation(); // otherwise the library traps the focus
    if (isEscape(event)) this.close();
    if (!isEnter(event) || event.target !== this.wrapper) return;
    event.preventDefault(); // otherwise the key presses the button that gets the focus at the end
    if (!this.waiting) this.go(this.at + 1);
  }

  /** Closes the tour; the stored stop stays, unless the tour is finished. */
  close(finished) {
    if (finished) store(STORAGE_KEY, finished);
    this.driver.destroy();
    this.driver = null;
    this.label();
    if (openTabId() === "explore") this.giveBack();
    if (this.isOpenedByKey) this.button.focus({ preventScroll: true });
  }

  /** Shows again what the page showed before the tour; a sentence that the visitor translated since stays. */
  giveBack() {
    const { explore, before: { tab, trace, view, scroll } } = this;
    const names = explore.trace === trace ? VIEW_PARTS : ["level", "kind"];
    explore.set(Object.fromEntries(names.map((name) => [name, view[name]])));
    if (tab !== "explore") openTab(tab);
    window.scrollTo(0, scroll);
  }
}
