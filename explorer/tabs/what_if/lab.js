// The What if tab: a panel describes an experiment, the server runs it, and the changed translation appears beside the unchanged one.

import { NAMES as VIEW_PARTS, decodeView, encodeView } from "../../attention_view/address.js";
import { createTrace } from "../../derived/trace.js";
import { createViewer } from "../../attention_view/viewer.js";
import { registerPart, notifyChange } from "../../ui/address.js";
import { RequestCache } from "../../ui/server.js";
import { provideSnapshot, onView, onTabRequest } from "../../ui/page_events.js";
import { button } from "../../ui/element.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { markPressed, nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { Compare } from "./compare/compare.js";
import { NAMES as EXPERIMENT_PARTS, decodeExperiment, encodeExperiment } from "./experiment.js";
import { Fork } from "./fork/fork.js";
import { Heads } from "./heads/heads.js";
import { Hide } from "./hide/hide.js";
import { drawOutcome } from "./outcome.js";
import { Patch } from "./patch/patch.js";
import { Positions } from "./positions/positions.js";
import { Score } from "./score/score.js";
import { Search } from "./search/search.js";

/** The class of each panel (panel.js) by the name of its folder. */
const PANELS = {
  fork: Fork, score: Score, compare: Compare, heads: Heads, hide: Hide, positions: Positions, patch: Patch, search: Search,
};
const MAX_CACHED_ANSWERS = 60;
const LAB_VIEW_PARTS = VIEW_PARTS.filter((name) => !["level", "measure", "beam"].includes(name)); // the tab has one level, and weights

export function mount(element, settings, server, model) {
  new Lab(element, settings, server, model);
}

/** Whether an experiment changes nothing. */
function isUnchanged(experiment) {
  return Object.values(experiment).every((value) => value === null || (Array.isArray(value) && !value.length));
}

class Lab {
  constructor(element, settings, server, model) {
    const root = element.querySelector(".lab"), { text, panels } = settings.lab;
    Object.assign(this, { root, settings, text: requireWords(text), explore: null, source: null, answer: null, visibleRun: null, runCount: 0 });
    this.part = nodesByAttribute(root, "lab");
    const ask = ([name, ...parameters]) => server[`lab.${name}`](parameters);
    this.requests = new RequestCache(ask, MAX_CACHED_ANSWERS, JSON.parse);
    // Uses the visible run, which differs from the chosen experiment while a request is pending.
    const weights = (trace, kind) => {
      const { source, experiment } = this.visibleRun;
      return model.weights(source.sentence, trace.isOwn ? {} : experiment, kind);
    };
    const viewerOptions = { inside: null, lab: null, forks: true, fork: (beginning) => this.fork(beginning), onChange: () => this.onViewerChange() };
    this.viewer = createViewer(element, { ...settings, ...viewerOptions }, { load: { weights }, model });
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
    part.panels.append(...Object.entries(panels).map(([value, { label, hint, advanced }]) => (
      button(() => this.open(value), { value, title: hint, class: advanced ? "advanced" : "" }, label))));
    part.more.addEventListener("click", () => part.panels.classList.add("all"));
    part.reset.addEventListener("click", () => this.set({}));
    dropPointerFocus(root);
    root.inert = true;
    onView((explore) => this.updateFromExplore(explore));
    onLookChange(root, () => this.explore && this.render());
    // Uses the visible run, which differs from the chosen experiment while a request is pending.
    provideSnapshot("lab", () => this.visibleRun && { viewer: this.viewer, experiment: this.answer ? this.visibleRun.experiment : null, panel: this.panel, panelName: panels[this.panel].label, changes: this.changedParts() });
    onTabRequest("lab", ({ panel, experiment }) => this.open(panel, experiment));
  }

  /** The visible experiment as URL parameters: ["off=cross.4.5"]. */
  changedParts() {
    const parts = this.answer ? Object.entries(encodeExperiment(this.visibleRun.experiment)) : [];
    return parts.filter(([, text]) => text !== null).map((part) => part.join("="));
  }

  /** The experiment of the open panel. */
  get experiment() {
    return this.experiments[this.panel];
  }

  get sentence() {
    return this.source.sentence;
  }

  /** Takes over the view of Explore, which may have another sentence. */
  updateFromExplore(explore) {
    const isFirst = this.explore === null;
    this.explore = explore;
    if (explore.trace !== this.source) {
      this.source = explore.trace;
      for (const [name, panel] of Object.entries(this.panels)) {
        this.experiments[name] = isFirst ? this.experiments[name] : panel.resetForSentence(this.experiments[name]);
      }
      this.isStale = true;
    }
    this.root.inert = false;
    if (isFirst) registerPart("lab", this);
    this.render();
  }

  /** The URL parameters of the tab: the panel, its experiment, its own state, and the view. */
  get names() {
    const panelEntries = Object.entries(PANELS).flatMap(([name, { names }]) => names.map((part) => `${name}-${part}`));
    return [...LAB_VIEW_PARTS, ...EXPERIMENT_PARTS, ...panelEntries, "station"];
  }

  write() {
    const { panel, panels, viewer } = this, [first] = Object.keys(PANELS);
    const panelEntries = Object.entries(panels[panel].encodeState()).map(([name, text]) => [`${panel}-${name}`, text]);
    return {
      ...(viewer.trace ? encodeView(viewer.view, viewer.first, viewer.trace) : {}),
      ...encodeExperiment(this.experiment),
      ...Object.fromEntries(panelEntries),
      station: panel === first ? null : panel,
    };
  }

  restore({ station: panel = Object.keys(PANELS)[0], ...parameters }) {
    const of = (names) => Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)));
    const { view, damaged } = decodeView(of(LAB_VIEW_PARTS), this.viewer.first);
    const { experiment, damaged: wrong } = decodeExperiment(of(EXPERIMENT_PARTS));
    if (!Object.hasOwn(PANELS, panel)) return [...damaged, ...wrong, "station"];
    this.panel = panel;
    this.experiments[panel] = experiment;
    const { names } = PANELS[panel];
    const panelEntries = Object.fromEntries(names.map((name) => [name, parameters[`${panel}-${name}`]]).filter(([, text]) => text !== undefined));
    const bad = this.panels[panel].restore(panelEntries, experiment).map((name) => `${panel}-${name}`);
    this.nextView = view;
    this.isStale = true;
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
    this.isStale = true;
    notifyChange();
    this.render();
  }

  /** The viewer shows another step. */
  onViewerChange() {
    if (this.viewer.trace) this.panels[this.panel].draw();
    notifyChange();
  }

  /** Continues the German translation from a piece that the user chose in the viewer's list. */
  fork(beginning) {
    this.nextView = { ...this.viewer.view, step: beginning.length - 1 };
    this.open("fork", { beginning });
  }

  /** Whether a visitor sees a panel: one that nobody sees asks nothing, and goes on when it is drawn again. */
  isShown(panel) {
    return this.root.offsetParent !== null && this.panels[this.panel] === panel;
  }

  /** The server's answer to a panel's request; it may have an `error`, and is null if no answer came. */
  ask(request) {
    return this.requests.get(request);
  }

  /** Tokenizes a text in the target language and calls `onIds` with its ids and the end id, unless the experiment changed meanwhile. */
  async tokenizeTarget(text, onIds) {
    const { part: { message } } = this, request = (this.targetRequest = {});
    const chosenState = () => JSON.stringify([this.sentence, this.panel, this.experiment]), chosenBefore = chosenState();
    const answer = await this.ask(["target", text]);
    if (request !== this.targetRequest || chosenState() !== chosenBefore) return;
    message.textContent = answer ? answer.error ?? "" : this.text.noAnswer;
    if (answer?.ids) onIds(answer);
  }

  /** Call after a panel's URL state changed but its experiment did not. */
  updatePanelState() {
    notifyChange();
    this.render();
  }

  /** Draws the open panel; a hidden tab is drawn, and its experiment run, when it becomes visible. */
  render() {
    const { part, root, panel, source } = this;
    if (!root.offsetParent || !source) return;
    Object.assign(root.dataset, { panel, changed: !isUnchanged(this.experiment) });
    markPressed(part.panels, panel);
    for (const [name, { node }] of Object.entries(this.panels)) node.hidden = name !== panel;
    root.closest("[role=tabpanel]").dataset.panel = panel; // the table of heads belongs to one of them (page.css)
    part.reset.disabled = isUnchanged(this.experiment);
    if (this.isStale) this.run();
    this.panels[panel].draw();
  }

  /** Runs the experiment and shows the answer, unless the user chose another one meanwhile. */
  async run() {
    this.isStale = false;
    const { part, root, text } = this;
    const request = () => (isUnchanged(this.experiment) ? null : ["run", this.sentence, this.experiment]);
    const { experiment } = this;
    if (request() === null) {
      part.message.textContent = "";
      root.removeAttribute("aria-busy");
      return this.show(null);
    }
    root.setAttribute("aria-busy", "true");
    const answer = await this.requests.latest(request, part.message, text.noAnswer);
    if (answer === undefined) return;
    root.removeAttribute("aria-busy");
    if (answer && !answer.error) this.show(answer, experiment);
    else if (this.visibleRun?.source !== this.source) this.show(null); // the visible run is of the previous sentence
  }

  /** Shows the answer to an experiment; null shows the unchanged translation. */
  show(answer, experiment = {}) {
    const { viewer, source, panels, panel } = this;
    if (answer) answer.changedTrace ??= createTrace(answer.trace);
    Object.assign(this, { answer, visibleRun: { source, experiment } });
    const view = this.nextView ?? viewer.view, { names } = panels[panel].text;
    this.nextView = null;
    if (answer) viewer.compare(source, answer.changedTrace, { pairs: answer.pairs, names: { unchanged: names.original, changed: names.changed }, view });
    else viewer.showTrace(source, view);
    drawOutcome(this.part, { source, answer, text: this.text, names });
    notifyChange();
    this.root.dataset.runs = ++this.runCount;
  }
}
