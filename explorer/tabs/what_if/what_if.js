// The tab What if: a panel describes an experiment, the model runs it, and the changed translation appears beside the
// unchanged one.

import { viewAtLevel } from "../../attention_view/state.js";
import { NAMES as VIEW_PARTS, decodeView, encodeView } from "../../attention_view/view_parts.js";
import { createViewer } from "../../attention_view/viewer.js";
import { pairPieces } from "../../derived/differences.js";
import { createTrace } from "../../derived/trace.js";
import { withRemarks } from "../../derived/translation.js";
import { registerPart, notifyChange } from "../../ui/address.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { provideSnapshot, onView, onTabRequest } from "../../ui/page_events.js";
import { button } from "../../ui/element.js";
import { NAMES as EXPERIMENT_PARTS, decodeExperiment, encodeExperiment } from "../../ui/experiment_parts.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { markPressed, nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { Compare } from "./compare/compare.js";
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
  fork: Fork,
  score: Score,
  compare: Compare,
  heads: Heads,
  hide: Hide,
  positions: Positions,
  patch: Patch,
  search: Search,
};
const [FIRST_PANEL] = Object.keys(PANELS);
const MAX_CACHED_RUNS = 60;
// The tab has one level, and shows weights; its parameter of the open panel is named "station".
const TAB_VIEW_PARTS = VIEW_PARTS.filter((name) => !["level", "measure", "beam"].includes(name));

/**
 * What an experiment, the fields of explorer's Experiment that differ from its defaults, does to a translation: `trace`
 * is the changed one, `pairs` are the partners of its pieces in the unchanged one (pairPieces).
 * @typedef {{ trace: Record<string, any>, pairs: { source: (number | null)[], steps: (number | null)[] } }} Outcome
 */

export function mount(element, settings, model) {
  new WhatIf(element, settings, model);
}

/** Whether an experiment changes nothing. */
function isUnchanged(experiment) {
  return Object.values(experiment).every((value) => value === null || (Array.isArray(value) && !value.length));
}

/** The entries of an object with some names. */
function pick(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

class WhatIf {
  /** The view of Explore; null before its first translation. */
  explore = null;

  /** The unchanged translation, a trace. */
  source = null;

  /** The name of the open panel. */
  panel = FIRST_PANEL;

  /** The experiment of each panel. */
  experiments;

  /** What is shown, { source, experiment }: not the chosen experiment while its run is pending. */
  visibleRun = null;

  /** @type {Outcome | null} of the visible run; null if it changes nothing */
  answer = null;

  /** Whether the chosen experiment still has to be run. */
  isStale = false;

  /** The view in which the next outcome is shown; null for the present one. */
  nextView = null;

  /** The latest text that is tokenized. */
  targetRequest = null;

  runCount = 0;

  /** @type {Record<string, any>} the panels by name */
  panels = {};

  constructor(element, settings, model) {
    const { text, panels } = settings.lab;
    this.root = element.querySelector(".lab");
    this.settings = settings;
    this.model = model;
    this.text = requireWords(text);
    this.part = nodesByAttribute(this.root, "lab");
    this.runs = new AnswerCache((request) => this.compute(request), MAX_CACHED_RUNS);
    this.tokens = new AnswerCache((typed) => model.tokenize(typed), MAX_CACHED_RUNS);
    this.viewer = this.createViewer(element);
    this.panels = Object.fromEntries(Object.entries(PANELS).map(([name, Panel]) => {
      const node = this.root.querySelector(`[data-panel=${name}]`);
      return [name, new Panel(node, this, { ...panels[name], text: requireWords(panels[name].text) })];
    }));
    this.experiments = Object.fromEntries(
      Object.entries(this.panels).map(([name, { firstExperiment }]) => [name, firstExperiment]),
    );
    this.addControls(panels);
    this.listen(panels);
  }

  /** The attention view below the panels, which shows the visible run. */
  createViewer(element) {
    const weights = (trace, kind) => {
      const { source, experiment } = this.visibleRun;
      return this.model.weights(source.sentence, trace.isOwn ? {} : experiment, kind);
    };
    const options = {
      hasTabs: false,
      lab: null,
      forks: true,
      fork: (beginning) => this.fork(beginning),
      onChange: () => this.onViewerChange(),
    };
    return createViewer(element, { ...this.settings, ...options }, { load: { weights }, model: this.model });
  }

  addControls(panels) {
    const { part, root } = this;
    part.panels.append(...Object.entries(panels).map(([value, { label, hint, advanced }]) => (
      button(() => this.open(value), { value, title: hint, class: advanced ? "advanced" : "" }, label))));
    part.more.addEventListener("click", () => part.panels.classList.add("all"));
    part.reset.addEventListener("click", () => this.set({}));
    dropPointerFocus(root);
    root.inert = true;
  }

  listen(panels) {
    onView((explore) => this.updateFromExplore(explore));
    onLookChange(this.root, () => this.explore && this.render());
    provideSnapshot("lab", () => this.visibleRun && {
      viewer: this.viewer,
      experiment: this.answer ? this.visibleRun.experiment : null,
      panel: this.panel,
      panelName: panels[this.panel].label,
    });
    onTabRequest("lab", ({ panel, experiment, isFromOutside }) => {
      if (isFromOutside) this.nextView = this.viewAtExplore();
      this.open(panel, experiment);
    });
  }

  /** The tab's view at the kind, layer, head and step that Explore shows. */
  viewAtExplore() {
    const { explore, viewer } = this;
    const { kind, layer, head, step } = viewAtLevel(explore.view, explore.trace);
    return { ...(this.nextView ?? viewer.view), kind, layer, head, step, pin: null, cell: null };
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
      if (!isFirst) {
        for (const [name, panel] of Object.entries(this.panels)) {
          this.experiments[name] = panel.resetForSentence(this.experiments[name]);
        }
      }
      this.isStale = true;
    }
    this.root.inert = false;
    if (isFirst) registerPart("lab", this);
    this.render();
  }

  /** The URL parameters of the tab: the panel, its experiment, its own state, and the view. */
  get names() {
    const ofPanels = Object.entries(PANELS).flatMap(([name, { names }]) => names.map((part) => `${name}-${part}`));
    return [...TAB_VIEW_PARTS, ...EXPERIMENT_PARTS, ...ofPanels, "station"];
  }

  write() {
    const { nextView, panel, panels, source, viewer, visibleRun } = this;
    const ofPanel = Object.entries(panels[panel].encodeState()).map(([name, text]) => [`${panel}-${name}`, text]);
    const isPending = nextView !== null || visibleRun?.source !== source;
    return {
      ...encodeView(nextView ?? viewer.view, viewer.first, isPending ? null : viewer.trace),
      ...encodeExperiment(this.experiment),
      ...Object.fromEntries(ofPanel),
      station: panel === FIRST_PANEL ? null : panel,
    };
  }

  /** Takes over URL parameters; returns the names of damaged ones. */
  restore({ station: panel = FIRST_PANEL, ...parameters }) {
    const { view, damaged } = decodeView(pick(parameters, TAB_VIEW_PARTS), this.viewer.first);
    const { experiment, damaged: wrong } = decodeExperiment(pick(parameters, EXPERIMENT_PARTS));
    if (!Object.hasOwn(PANELS, panel)) return [...damaged, ...wrong, "station"];
    this.panel = panel;
    this.experiments[panel] = experiment;
    const { names } = PANELS[panel];
    const texts = names.map((name) => [name, parameters[`${panel}-${name}`]]);
    const ofPanel = texts.filter(([, text]) => text !== undefined);
    const bad = this.panels[panel].restore(Object.fromEntries(ofPanel), experiment).map((name) => `${panel}-${name}`);
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

  /**
   * The outcome of an experiment on the present sentence.
   * @returns {Promise<Outcome>} rejects with a UserError or NoAnswer
   */
  async compute([sentence, experiment]) {
    const { model, source } = this;
    const run = createTrace(await model.run(sentence, experiment), { names: model.about.tokenNames });
    const trace = await withRemarks(run, model.about);
    return { trace, pairs: pairPieces(source, trace) };
  }

  /** Calls `onIds` with the ids of a text in the target language, unless the user chooses something else meanwhile. */
  async tokenizeTarget(text, onIds) {
    const { part: { message } } = this;
    const request = {};
    this.targetRequest = request;
    const chosenState = () => JSON.stringify([this.sentence, this.panel, this.experiment]);
    const chosenBefore = chosenState();
    const answer = await this.tokens.get(text);
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
    root.dataset.panel = panel;
    root.dataset.changed = !isUnchanged(this.experiment);
    markPressed(part.panels, panel);
    for (const [name, { node }] of Object.entries(this.panels)) node.hidden = name !== panel;
    root.closest("[role=tabpanel]").dataset.panel = panel; // the table of heads belongs to one of them (page.css)
    part.reset.disabled = isUnchanged(this.experiment);
    if (this.isStale) this.run();
    this.panels[panel].draw();
  }

  /** Runs the experiment and shows its outcome, unless the user chose another one meanwhile. */
  async run() {
    this.isStale = false;
    const { experiment, part, root, text } = this;
    const request = () => (isUnchanged(this.experiment) ? null : [this.sentence, this.experiment]);
    if (request() === null) {
      part.message.textContent = "";
      root.removeAttribute("aria-busy");
      this.show(null);
      return;
    }
    root.setAttribute("aria-busy", "true");
    const answer = await this.runs.latest(request, part.message, text.noAnswer);
    if (answer === undefined) return;
    root.removeAttribute("aria-busy");
    if (answer && !answer.error) this.show(answer, experiment);
    else if (this.visibleRun?.source !== this.source) this.show(null); // the visible run is of the previous sentence
    else {
      this.nextView = null; // the visible run stays as it is
      notifyChange();
    }
  }

  /**
   * Shows the outcome of an experiment, or the unchanged translation.
   * @param {Outcome | null} answer
   */
  show(answer, experiment = {}) {
    const { viewer, source, panels, panel, text } = this;
    this.answer = answer;
    this.visibleRun = { source, experiment };
    const view = this.nextView ?? viewer.view;
    this.nextView = null;
    const { names } = panels[panel].text;
    if (answer) {
      const { trace, pairs } = answer;
      viewer.compare(source, trace, { pairs, names: { unchanged: names.original, changed: names.changed }, view });
    } else viewer.showTrace(source, view);
    drawOutcome(this.part, { source, answer, text, names });
    notifyChange();
    this.runCount += 1;
    this.root.dataset.runs = this.runCount;
  }
}
