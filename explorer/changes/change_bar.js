// The bar above all views: what is changed, each with a × that takes it back, which run is shown, what the change did
// to the translation, and the button that opens the drawer.

import { changeSegments, detailsOf, outcomeOf } from "./change_words.js";
import { changesOf, isUnchanged } from "./experiments.js";
import { button, element } from "../ui/element.js";
import { keepFocus } from "../ui/page.js";
import { drawerPanel, isDrawerFolded, onDrawer, onView, openDrawer } from "../ui/page_events.js";
import { fillSegments, plainText, segmentNodes } from "../ui/segments.js";
import { markPressed, nodesByAttribute } from "../ui/tab.js";
import { requireWords } from "../ui/text.js";

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
    const isOpen = () => drawerPanel() !== null && !isDrawerFolded();
    open.addEventListener("click", () => openDrawer(isOpen() ? null : drawerPanel() ?? ""));
    onDrawer(() => open.setAttribute("aria-expanded", `${isOpen()}`));
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
    const said = outcomeOf(change, this.text.told);
    if (part.told.textContent !== said) part.told.textContent = said;
    part.told.title = detailsOf(change, this.text.told);
    this.drawChips(change);
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
