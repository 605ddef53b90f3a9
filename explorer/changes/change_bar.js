// The bar above all views: what is changed, each with a × that takes it back, which run is shown, what the change did
// to the translation, and the button that opens the drawer.

import { changeSegments } from "./change_words.js";
import { changesOf, isUnchanged } from "./experiments.js";
import { countDiffering } from "../derived/differences.js";
import { logProbability } from "../derived/trace.js";
import { button, element } from "../ui/element.js";
import { formatDecimal } from "../ui/numbers.js";
import { keepFocus } from "../ui/page.js";
import { drawerPanel, onDrawer, onView, openDrawer } from "../ui/page_events.js";
import { fillSegments, plainText, segmentNodes } from "../ui/segments.js";
import { markPressed, nodesByAttribute } from "../ui/tab.js";
import { fill, requireWords } from "../ui/text.js";

export function mount(root, { text, codes }) {
  new ChangeBar(root, requireWords(text), codes);
}

class ChangeBar {
  /** The attention view, whose change this is. @type {any} */ viewer = null;
  /** What the chips are of. */ key = "";

  constructor(root, text, codes) {
    this.root = root;
    this.text = text;
    this.codes = codes;
    this.part = nodesByAttribute(root, "change");
    const { runs, undo, open } = this.part;
    runs.addEventListener("click", ({ target }) => {
      if (target.value) this.viewer.change.holdBack(target.value === "unchanged");
    });
    undo.addEventListener("click", () => this.viewer.change.set({}));
    open.addEventListener("click", () => openDrawer(drawerPanel() === null ? "" : null));
    onDrawer((panel) => open.setAttribute("aria-expanded", `${panel !== null}`));
    onView((viewer) => {
      this.viewer = viewer;
      this.draw();
    });
  }

  draw() {
    const { part, root, viewer: { change } } = this;
    const isChanged = !isUnchanged(change.experiment);
    document.body.toggleAttribute("data-changed", isChanged);
    root.setAttribute("aria-busy", `${change.isPending}`);
    for (const name of ["chips", "undo"]) part[name].hidden = !isChanged;
    part.runs.hidden = change.changed === null;
    markPressed(part.runs, change.isShown ? "changed" : "unchanged");
    const said = this.effect(change);
    if (part.told.textContent !== said) part.told.textContent = said;
    this.drawChips(change);
  }

  /** What a change did to the translation, in a line; "" without one. */
  effect({ changed, source, isPending }) {
    const { text: { told } } = this;
    if (isPending) return told.running;
    if (changed === null) return "";
    const isAsLong = source.steps.length === changed.steps.length;
    const [before, after] = [source, changed].map(({ steps }) => {
      const number = formatDecimal(logProbability(steps), 2);
      return isAsLong ? number : fill(told.over, { number, count: steps.length });
    });
    const count = countDiffering(source, changed);
    return fill(told[count === 0 ? "same" : count === 1 ? "one" : "several"], { count, before, after });
  }

  drawChips({ experiment, changed, source }) {
    const key = JSON.stringify([experiment, changed?.submission, source.submission]);
    if (key === this.key) return;
    this.key = key;
    const { heads } = source.kinds.cross;
    const chips = changesOf(experiment, heads).map((one) => this.chip(one, { experiment, changed, source }));
    keepFocus(this.part.chips, () => this.part.chips.replaceChildren(...chips));
  }

  /** What a change is called, and its × that takes it back. */
  chip(one, run) {
    const { codes, text } = this;
    const name = changeSegments(text.names, one, text, run);
    const label = plainText(fillSegments(text.undo, { change: name }));
    return button(() => this.viewer.change.set(one.without), { title: label, "aria-label": label },
      ...segmentNodes(name, codes), element("i", { "aria-hidden": "true" }));
  }
}
