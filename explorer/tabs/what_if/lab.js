// What if: a panel says what to change, the server runs it, and the changed translation stands beside the unchanged one.

import { NAMES as VIEW, decodeView as readView, encodeView as writtenView } from "../../attention_view/address.js";
import { createTrace } from "../../attention_view/payload.js";
import { mount as mountViewer } from "../../attention_view/viewer.js";
import { registerPart, notifyChange } from "../../ui/address.js";
import { RequestCache } from "../../ui/request_cache.js";
import { provideSnapshot, onView, onTabRequest } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { dropPointerFocus, onLookChange, theme } from "../../ui/page.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { Compare } from "./compare/compare.js";
import { NAMES, read, written } from "./experiment.js";
import { Fork } from "./fork/fork.js";
import { Heads } from "./heads/heads.js";
import { Hide } from "./hide/hide.js";
import { drawOutcome } from "./outcome.js";
import { Patch } from "./patch/patch.js";
import { Positions } from "./positions/positions.js";
import { Score } from "./score/score.js";
import { Search } from "./search/search.js";

/** The class of each panel, by its folder's name. It is made with its node, the tab, and its settings. */
const PANELS = {
  fork: Fork, score: Score, compare: Compare, heads: Heads, hide: Hide, positions: Positions, patch: Patch, search: Search,
};
const KEPT = 60; // answers
const VIEW_NAMES = VIEW.filter((name) => !["level", "measure"].includes(name)); // the tab has one level, and weights

export function mount(element, settings, server) {
  new Lab(element, settings, server);
}

/** Whether an experiment changes nothing. */
function empty(experiment) {
  return Object.values(experiment).every((value) => value === null || (Array.isArray(value) && !value.length));
}

class Lab {
  constructor(element, settings, server) {
    const root = element.querySelector(".lab"), { text, panels } = settings.lab;
    Object.assign(this, { root, settings, text: requireWords(text), explore: null, source: null, shown: null, of: null, count: 0 });
    this.part = nodesByAttribute(root, "lab");
    const ask = ([name, ...given]) => server[`lab.${name}`](given);
    this.asked = new RequestCache(ask, KEPT, JSON.parse);
    // Of what is shown, which is not what is chosen while another experiment runs.
    const weightsOf = (experiment) => ([, kind]) => ask(["weights", this.of.source.sentence, experiment(), kind]);
    const weights = { weights: weightsOf(() => this.of.experiment), unchanged: weightsOf(() => ({})) };
    const follower = { inside: null, lab: null, forks: true, fork: (beginning) => this.fork(beginning), told: () => this.told() };
    this.viewer = mountViewer(element, { ...settings, ...follower }, weights);
    this.experiments = Object.fromEntries(Object.keys(PANELS).map((name) => [name, {}]));
    this.panel = Object.keys(PANELS)[0];
    this.panels = Object.fromEntries(Object.entries(PANELS).map(([name, Panel]) => {
      const node = root.querySelector(`[data-panel=${name}]`);
      return [name, new Panel(node, this, { ...panels[name], text: requireWords(panels[name].text) })];
    }));
    this.listen(panels);
  }

  listen(panels) {
    const { part, root } = this;
    part.panels.append(...Object.entries(panels).map(([value, { label, hint }]) => {
      const button = element("button", { type: "button", value, title: hint }, label);
      button.addEventListener("click", () => this.open(value));
      return button;
    }));
    part.reset.addEventListener("click", () => this.set({}));
    dropPointerFocus(root);
    root.inert = true;
    onView((explore) => this.follow(explore));
    onLookChange(root, () => this.explore && this.render());
    // What is shown, which is not what is chosen while another experiment runs.
    provideSnapshot("lab", () => this.of && { viewer: this.viewer, experiment: this.shown ? this.of.experiment : null, panel: this.panel, panelName: panels[this.panel].label, changes: this.changes() });
    onTabRequest("lab", ({ panel, experiment }) => this.open(panel, experiment));
  }

  /** What is changed in what is shown, as the address has it: ["off=cross.4.5"]. */
  changes() {
    const parts = this.shown ? Object.entries(written(this.of.experiment)) : [];
    return parts.filter(([, text]) => text !== null).map((part) => part.join("="));
  }

  /** What the open panel changes. */
  get experiment() {
    return this.experiments[this.panel];
  }

  get sentence() {
    return this.source.sentence;
  }

  /** Explore shows something, maybe another sentence. */
  follow(explore) {
    const begins = this.explore === null;
    this.explore = explore;
    if (explore.trace !== this.source) {
      this.source = explore.trace;
      for (const [name, panel] of Object.entries(this.panels)) {
        this.experiments[name] = begins ? this.experiments[name] : panel.renewed(this.experiments[name]);
      }
      this.stale = true;
    }
    this.root.inert = false;
    if (begins) registerPart("lab", this);
    this.render();
  }

  /** The parts of the address: the panel, its experiment, its own parts, and the view. */
  get names() {
    const own = Object.entries(PANELS).flatMap(([name, { names }]) => names.map((part) => `${name}-${part}`));
    return [...VIEW_NAMES, ...NAMES, ...own, "station"];
  }

  write() {
    const { panel, panels, viewer } = this, [first] = Object.keys(PANELS);
    const own = Object.entries(panels[panel].parts()).map(([name, text]) => [`${panel}-${name}`, text]);
    return {
      ...(viewer.trace ? writtenView(viewer.view, viewer.first, viewer.trace) : {}),
      ...written(this.experiment),
      ...Object.fromEntries(own),
      station: panel === first ? null : panel,
    };
  }

  restore({ station: panel = Object.keys(PANELS)[0], ...given }) {
    const of = (names) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
    const { view, damaged } = readView(of(VIEW_NAMES), this.viewer.first);
    const { experiment, damaged: wrong } = read(of(NAMES));
    if (!Object.hasOwn(PANELS, panel)) return [...damaged, ...wrong, "station"];
    this.panel = panel;
    this.experiments[panel] = experiment;
    const { names } = PANELS[panel];
    const own = Object.fromEntries(names.map((name) => [name, given[`${panel}-${name}`]]).filter(([, text]) => text !== undefined));
    const bad = this.panels[panel].restore(own, experiment).map((name) => `${panel}-${name}`);
    this.view = view;
    this.stale = true;
    this.render();
    return [...damaged, ...wrong, ...bad];
  }

  /** Opens a panel, with another experiment where one is given. */
  open(panel, experiment = this.experiments[panel]) {
    this.panel = panel;
    this.set(experiment);
  }

  /** The only way in which a choice changes the experiment of the open panel. */
  set(experiment) {
    this.experiments[this.panel] = experiment;
    this.stale = true;
    notifyChange();
    this.render();
  }

  /** The picture shows another step. */
  told() {
    if (this.viewer.trace) this.panels[this.panel].draw();
    notifyChange();
  }

  /** A piece of the picture's list was chosen: the German goes on from there. */
  fork(beginning) {
    this.view = { ...this.viewer.view, step: beginning.length - 1 };
    this.open("fork", { beginning });
  }

  /** What a panel's request to the server gives: an answer, one with an `error`, or null where none came. */
  ask(request) {
    return this.asked.get(request);
  }

  /** Reads a text in the target language and calls `go` with its ids and that of the end, unless something else was chosen meanwhile. */
  async target(text, go) {
    const { part: { message } } = this, turn = (this.reading = {});
    const chosen = () => JSON.stringify([this.sentence, this.panel, this.experiment]), before = chosen();
    const answer = await this.ask(["target", text]);
    if (turn !== this.reading || chosen() !== before) return;
    message.textContent = answer ? answer.error ?? "" : this.text.noAnswer;
    if (answer?.ids) go(answer);
  }

  /** A part of the panel that stands in the address has changed, and not the experiment. */
  kept() {
    notifyChange();
    this.render();
  }

  /** Draws what is chosen; what is hidden by another tab is drawn, and run, when it comes into sight. */
  render() {
    const { part, root, settings, panel, source } = this;
    if (!root.offsetParent || !source) return;
    const colours = settings.colours[theme()];
    Object.assign(root.dataset, { theme: theme(), panel, changed: !empty(this.experiment) });
    for (const [name, value] of Object.entries({ accent: colours.cross, soft: colours.text, mono: settings.monospace })) {
      root.style.setProperty(`--${name}`, value);
    }
    for (const button of part.panels.children) button.setAttribute("aria-pressed", button.value === panel);
    for (const [name, { node }] of Object.entries(this.panels)) node.hidden = name !== panel;
    part.reset.disabled = empty(this.experiment);
    if (this.stale) this.run();
    this.panels[panel].draw();
  }

  /** Runs the experiment, and shows what it gives unless another one was chosen meanwhile. */
  async run() {
    this.stale = false;
    const { part, root, text } = this;
    const request = () => (empty(this.experiment) ? null : ["run", this.sentence, this.experiment]);
    const { experiment } = this;
    if (request() === null) {
      part.message.textContent = "";
      root.removeAttribute("aria-busy");
      return this.show(null);
    }
    root.setAttribute("aria-busy", "true");
    const answer = await this.asked.latest(request, part.message, text.noAnswer);
    if (answer === undefined) return;
    root.removeAttribute("aria-busy");
    if (answer && !answer.error) this.show(answer, experiment);
    else if (this.of?.source !== this.source) this.show(null); // what is shown belongs to the sentence before
  }

  /** Shows an answer to an experiment, or with null the unchanged translation. */
  show(answer, experiment = {}) {
    const { viewer, source, panels, panel } = this;
    if (answer) answer.shown ??= createTrace(answer.trace);
    Object.assign(this, { shown: answer, of: { source, experiment } });
    const view = this.view ?? viewer.view, { names } = panels[panel].text;
    this.view = null;
    if (answer) viewer.compare(source, answer.shown, { pairs: answer.pairs, names: { unchanged: names.original, changed: names.changed }, view });
    else viewer.take(source, view);
    drawOutcome(this.part, { source, answer, text: this.text, names });
    notifyChange();
    this.root.dataset.runs = ++this.count;
  }
}
