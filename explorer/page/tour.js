// The tour: captions on the real picture and the real controls. Where a visitor is asked to do something, a caption waits
// for what then changes in Explore. The page stays usable all the time.

import { onView, onTabOpened, openTab, openTabId } from "../ui/page_events.js";
import { isEscape } from "../ui/keys.js";
import { store, readStored } from "../ui/storage.js";
import { loadScript } from "../ui/libraries.js";
import { fill } from "../ui/text.js";

const MEMORY = "tour", OVER = "over"; // what is remembered is the number of the stop, or that the tour is over
const NARROW = 700; // pixels
const LINE = "#viewer .plain";
const ROOM = 12; // pixels to the edges of the screen
const FOREIGN = ["aria-haspopup", "aria-expanded", "aria-controls"]; // the library's marks, wrong on what is no button

/**
 * Every stop marks the node `at`, in a level; `top` is what a phone shows right below the caption. `waits(now, then)` says
 * whether the visitor has done what the caption asks for; that is told, or the tour goes `on` at once.
 */
const STOPS = [
  { name: "sentence", level: "picture", at: LINE },
  { name: "row", level: "picture", at: "#viewer [data-pane=first] .mark", top: LINE },
  { name: "step", level: "picture", at: "#viewer [data-go=next]", top: LINE, waits: (now, then) => now.view.step > then.view.step },
  { name: "word", level: "picture", at: "#viewer [data-role=source]", waits: (now) => now.view.pin?.axis === "key" },
  { name: "ask", level: "picture", at: "#ask", waits: (now, then) => now.trace !== then.trace },
  { name: "level", level: "picture", at: "#viewer .levels", top: LINE, waits: (now) => now.view.level === "heads", on: true },
  { name: "heads", level: "heads", at: "#viewer .heads" },
];

export class Tour {
  /** `explore` is the label of Explore's tab, `url` where the library lies. */
  constructor(button, { explore, url, text }) {
    Object.assign(this, { button, tab: explore, url, text, explore: null, driver: null, at: 0, waiting: false, opening: false });
    button.addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => this.driver && this.press(event));
    onView((explore) => {
      this.explore = explore;
      if (this.driver) this.follow();
    });
    onTabOpened((id) => this.driver && id !== "explore" && this.close());
    this.label();
  }

  /** Who has never opened the tour is invited to it, once. */
  label() {
    const { button, text } = this, before = readStored(MEMORY);
    button.textContent = before === null ? text.invitation : text.tour;
    button.classList.toggle("inviting", before === null);
  }

  /** Begins, or goes on where it was left. */
  async open() {
    if (!this.explore?.trace || this.driver || this.opening) return;
    this.opening = true;
    if (![null, "explore"].includes(openTabId())) openTab(this.tab);
    await Promise.all([loadScript(this.url), this.seen()]).finally(() => { this.opening = false; });
    this.driver = globalThis.driver.js.driver({ animate: false, allowKeyboardControl: false, overlayOpacity: 0.25, stagePadding: 6 });
    const before = Number(readStored(MEMORY)); // not a number where the tour is over
    this.go(before < STOPS.length ? before : 0);
  }

  /** Promises that Explore is in sight. */
  seen() {
    return new Promise((done) => {
      const look = () => (this.explore.root.offsetParent ? done() : requestAnimationFrame(look));
      look();
    });
  }

  go(at) {
    if (at === STOPS.length) return this.close(OVER);
    const { explore } = this, stop = STOPS[at];
    store(MEMORY, at);
    this.label();
    const { trace, view } = explore, last = trace.steps.length - 1;
    const step = view.step === last ? trace.telling : view.step; // so that there is a next one
    Object.assign(this, { at, waiting: false });
    explore.set({ level: stop.level, kind: "cross", step, pin: null, cell: null });
    Object.assign(this, { waiting: stop.waits !== undefined, then: { trace: explore.trace, view: explore.view } });
    this.draw();
  }

  /** Explore has changed: perhaps that was what the caption waits for. */
  follow() {
    const { explore: { view, trace }, then } = this, stop = STOPS[this.at];
    this.driver.refresh();
    if (!this.waiting || !stop.waits({ view, trace }, then)) return;
    this.waiting = false;
    if (stop.on) this.go(this.at + 1);
    else this.draw();
  }

  draw() {
    const { at, waiting, text } = this, { name, at: place, top = place, waits } = STOPS[at], node = document.querySelector(place);
    const next = waiting ? text.without : at === STOPS.length - 1 ? text.finish : text.next;
    const popover = {
      title: fill(text.title, { number: at + 1, count: STOPS.length }),
      description: waits && !waiting ? text.done[name] : text.stops[name],
      popoverClass: innerWidth <= NARROW ? "above" : "", // below, a phone has the buttons of the steps
      showButtons: ["next", "close"],
      nextBtnText: next,
      onNextClick: () => this.go(at + 1),
      onCloseClick: () => this.close(),
      onPopoverRender: (rendered) => this.caption(rendered),
    };
    this.driver.highlight({ element: node, popover });
    for (const attribute of FOREIGN) node.removeAttribute(attribute);
    this.reveal(node, document.querySelector(top));
  }

  /** The caption gets the focus, not a button of it: so the keys that it asks for reach the picture. */
  caption({ wrapper, closeButton }) {
    this.wrapper = wrapper;
    wrapper.tabIndex = -1;
    closeButton.setAttribute("aria-label", this.text.close);
    queueMicrotask(() => wrapper.focus({ preventScroll: true }));
  }

  /** Scrolls what a caption is about out from under it; on a phone right below it, with the picture following. */
  reveal(node, first) {
    const caption = this.wrapper.getBoundingClientRect(), { bottom, right } = node.getBoundingClientRect();
    if (innerWidth <= NARROW) window.scrollBy(0, first.getBoundingClientRect().top - caption.bottom - ROOM);
    else if (bottom > caption.top && right > caption.left) window.scrollBy(0, bottom - caption.top + ROOM);
  }

  press(event) {
    if (event.key === "Tab") event.stopPropagation(); // the library would keep the focus in its caption
    if (isEscape(event)) this.close();
    if (event.key !== "Enter" || event.target !== this.wrapper) return;
    event.preventDefault(); // at the end the button gets the focus, which this key would press
    if (!this.waiting) this.go(this.at + 1);
  }

  /** What is remembered says where to go on; `over` that there is nothing left. */
  close(over) {
    if (over) store(MEMORY, over);
    this.driver.destroy();
    this.driver = null;
    this.label();
    this.button.focus();
  }
}
