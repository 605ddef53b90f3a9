// The drawer beside all views: a panel describes a change, which the attention view runs, or measures without one. What
// measures and is wide opens below the view.

import { outcomeOf } from "../changes/change_words.js";
import { notifyChange, registerPart } from "../ui/address.js";
import { AnswerCache } from "../ui/answer_cache.js";
import { button } from "../ui/element.js";
import { dropPointerFocus, onLookChange, zoom } from "../ui/page.js";
import {
  drawerPanel, foldDrawer, isDrawerFolded, onDrawer, onTabOpened, onView, openDrawer,
} from "../ui/page_events.js";
import { markPressed, nodesByAttribute } from "../ui/tab.js";
import { requireWords } from "../ui/text.js";
import { Branches } from "./branches/branches.js";
import { Compare } from "./compare/compare.js";
import { Fork } from "./fork/fork.js";
import { Heads } from "./heads/heads.js";
import { Hide } from "./hide/hide.js";
import { Leave } from "./leave/leave.js";
import { Neurons } from "./neurons/neurons.js";
import { Order } from "./order/order.js";
import { Patch } from "./patch/patch.js";
import { Positions } from "./positions/positions.js";
import { Ranking } from "./ranking/ranking.js";
import { drawRescored } from "./rescored.js";
import { Score } from "./score/score.js";
import { Search } from "./search/search.js";

/** The class of each panel (panel.js) by the name of its folder. */
const PANELS = {
  heads: Heads, hide: Hide, fork: Fork, positions: Positions, order: Order, patch: Patch,
  ranking: Ranking, neurons: Neurons, leave: Leave, score: Score, search: Search, compare: Compare, branches: Branches,
};
const MAX_CACHED_TEXTS = 60;
const SHEET_WIDTH = 1200; // pixels of a window that has no room beside the pictures (drawer.css)
const LEAST_SEEN = 240, LEAST_ABOVE = 8; // pixels of a picture above the sheet, and above the picture
const LOWEST = 0.6, ASKED_LOWEST = 0.25; // of the window's height, where a panel below the view begins at most

export function mount(element, settings, model) {
  new Drawer(element, settings, model);
}

class Drawer {
  /** The attention view; null before its first translation. @type {any} */ viewer = null;
  /** The unchanged translation. @type {Trace | null} */ source = null;
  /** The latest text that is tokenized. */ textRequest = null;
  /** The changed translation whose numbers are drawn. @type {Trace | null} */ drawn = null;
  /** Which of the two lists of panels is shown: "changes" or "measures". */ list = "changes";

  constructor(element, settings, model) {
    this.root = element;
    this.settings = settings;
    this.model = model;
    this.text = requireWords(settings.text);
    this.part = nodesByAttribute(element, "drawer");
    this.tokens = new AnswerCache((typed) => model.tokenize(typed), MAX_CACHED_TEXTS);
    /** @type {Record<string, any>} the panels by name */
    this.panels = Object.fromEntries(Object.entries(PANELS).map(([name, Panel]) => {
      const node = element.querySelector(`[data-panel=${name}]`);
      const { text, ...others } = settings.panels[name];
      return [name, new Panel(node, this, { ...others, text: requireWords(text) })];
    }));
    this.addButtons();
    onLookChange(element, () => this.render());
    onDrawer(() => this.open());
    onTabOpened(() => this.render());
    onView((viewer) => this.follow(viewer));
  }

  addButtons() {
    const { part, settings: { panels } } = this;
    for (const [name, { label, hint }] of Object.entries(panels)) {
      const node = button(() => openDrawer(name), { value: name, title: hint }, label);
      part[this.listOf(name)].append(node);
    }
    for (const node of part.lists.children) node.addEventListener("click", () => this.showList(node.value));
    part.close.addEventListener("click", () => (part.wide.hidden ? openDrawer(null) : foldDrawer()));
    part.end.addEventListener("click", () => openDrawer(null));
    dropPointerFocus(this.root);
  }

  /** The list of the open panel, or the other one, of which a visitor may choose. */
  showList(list) {
    this.list = list;
    this.render();
  }

  /** The list that a panel is in. */
  listOf(panel) {
    return this.settings.panels[panel].isChange ? "changes" : "measures";
  }

  /** The name of the open panel. */
  get panel() {
    return drawerPanel();
  }

  get change() {
    return this.viewer.change;
  }

  /** What is to be changed. @returns {Experiment} */
  get experiment() {
    return this.change.experiment;
  }

  /** The changed translation; null without a change. */
  get changed() {
    return this.change.changed;
  }

  /** The translation that is shown, and its step. */
  get trace() {
    return this.viewer.trace;
  }

  get step() {
    return this.viewer.view.step;
  }

  get sentence() {
    return this.source.sentence;
  }

  /** The tokens of the source as the changed model reads them, to which hidden ones belong. */
  get readSource() {
    return (this.experiment.source === undefined ? this.source : this.changed ?? this.source).source;
  }

  /** What a panel changes beside what is changed already. */
  set(part) {
    this.change.merge(part);
  }

  /** The same of a panel below the view, which shows the result below its question. */
  async ask(part) {
    this.set(part);
    await this.change.settled;
    this.showWide(ASKED_LOWEST);
  }

  /** Takes over what the attention view shows, which may be another sentence. */
  follow(viewer) {
    const isFirst = this.viewer === null;
    this.viewer = viewer;
    if (viewer.source !== this.source) {
      this.source = viewer.source;
      if (!isFirst) for (const panel of Object.values(this.panels)) panel.resetForSentence();
    }
    if (isFirst) registerPart("drawer", this);
    this.panels.branches.follow();
    if (isFirst) this.open();
    else this.render();
  }

  /** The parts of the address: the open panel, and the own parts of each. */
  get names() {
    const ofPanels = Object.entries(PANELS).flatMap(([name, { names }]) => names.map((part) => `${name}-${part}`));
    return ["panel", ...ofPanels];
  }

  write() {
    const { panel } = this;
    if (panel === null) return { panel };
    const texts = Object.entries(this.panels[panel].encodeState()).map(([name, text]) => [`${panel}-${name}`, text]);
    return { panel, ...Object.fromEntries(texts) };
  }

  /** Takes over parts of the address; returns the names of damaged ones. */
  restore({ panel = null, ...texts }) {
    if (panel === null) return [];
    if (!Object.hasOwn(PANELS, panel)) {
      openDrawer(null);
      return ["panel"];
    }
    const given = PANELS[panel].names.map((name) => [name, texts[`${panel}-${name}`]]);
    const known = Object.fromEntries(given.filter(([, text]) => text !== undefined));
    const damaged = this.panels[panel].restore(known).map((name) => `${panel}-${name}`);
    this.render();
    return damaged;
  }

  /** A panel was opened: it comes into sight, and what failed before is asked for again. */
  open() {
    const { panel, panels } = this;
    if (panel === null || !panels[panel]) return;
    if (isDrawerFolded()) return this.render();
    this.list = this.listOf(panel);
    panels[panel].loader?.again();
    notifyChange();
    this.render();
    this.part.narrow.scrollTop = 0;
    if (document.body.hasAttribute("data-following")) return; // a class's page keeps its place
    if (innerWidth < SHEET_WIDTH) showAbove(this.part.narrow);
    this.showWide();
  }

  /** Scrolls to a panel below the view, of which the view above stays in sight as far as there is room. */
  showWide(share = LOWEST) {
    const { part: { wide } } = this;
    if (wide.hidden) return;
    const { top } = wide.getBoundingClientRect();
    const lowest = innerWidth < SHEET_WIDTH ? LEAST_ABOVE : innerHeight * share;
    if (top > lowest) scrollBy(0, top - lowest);
  }

  /** Whether a visitor sees a panel: one that nobody sees asks nothing, and goes on when it is drawn again. */
  isShown(panel) {
    return panel.node.offsetParent !== null && this.panels[this.panel] === panel;
  }

  /** Calls `onIds` with the ids of a text in the target language, unless the visitor does something else meanwhile. */
  async tokenizeTarget(text, onIds) {
    const { part: { message } } = this;
    const request = {};
    this.textRequest = request;
    const state = () => JSON.stringify([this.sentence, this.panel, this.experiment]);
    const before = state();
    const answer = await this.tokens.get(text);
    if (request !== this.textRequest || state() !== before) return;
    message.textContent = answer ? answer.error ?? "" : this.text.noAnswer;
    if (answer?.ids) onIds(answer);
  }

  /** Call after a panel's own part of the address changed. */
  updatePanelState() {
    notifyChange();
    this.render();
  }

  /** Says where the drawer begins: in the attention view below the words, which keep their width. */
  measureTop() {
    const view = document.querySelector("[role=tabpanel]:not([hidden])");
    const below = view.querySelector(".viewer .transport") ?? view;
    const top = below.getBoundingClientRect().top - this.root.closest("main").getBoundingClientRect().top;
    document.documentElement.style.setProperty("--drawer-top", `${Math.round(top / zoom())}px`);
  }

  /** What the change did, where a sheet covers the views' own line. */
  drawOutcome() {
    const { part, change, changed, settings: { told } } = this;
    part.told.textContent = outcomeOf(change, told.text);
    part.translation.textContent = changed && !change.isPending ? changed.translation : "";
  }

  /** Draws the open panel; a hidden drawer is drawn when it becomes visible. */
  render() {
    const { part, panel, panels, settings, source } = this;
    if (panel === null || !source || !panels[panel]) return;
    this.measureTop();
    const { isWide, label } = settings.panels[panel];
    part.narrow.hidden = isDrawerFolded();
    part.title.textContent = label;
    // Beside the other list a panel in the drawer would be one of it.
    for (const [name, { node }] of Object.entries(panels)) {
      node.hidden = name !== panel || !(isWide || this.list === this.listOf(panel));
    }
    part.wide.hidden = !isWide;
    this.root.closest("#drawer-panel").dataset.panel = panel; // the table of heads belongs to one of them
    markPressed(part.lists, this.list);
    for (const list of ["changes", "measures"]) {
      part[list].hidden = list !== this.list;
      markPressed(part[list], panel);
    }
    panels[panel].draw();
    this.drawOutcome();
    const { changed } = this;
    if (changed === this.drawn) return;
    this.drawn = changed;
    drawRescored(part, source, changed, this.text);
  }
}

/** Scrolls until the pictures of the open view begin at the top, where a sheet would cover them. */
function showAbove(sheet) {
  const view = document.querySelector("[role=tabpanel]:not([hidden])");
  const picture = view.querySelector(".views, .stage") ?? view;
  const { top } = picture.getBoundingClientRect();
  if (top > sheet.getBoundingClientRect().top - LEAST_SEEN) scrollBy(0, top - LEAST_ABOVE);
}
