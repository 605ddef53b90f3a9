// The attention view: one trace, one view of it, one render. Stepping and choosing never ask the server. Of a sentence
// with a change there are two traces, of which one is shown.

import { notifyChange } from "../ui/address.js";
import { Comparison } from "./comparison.js";
import { Controls, chosenLevel } from "./controls.js";
import { Change } from "../changes/change.js";
import { isUnchanged, withTokenSwitched } from "../changes/experiments.js";
import { translateSentence } from "../ui/translation_request.js";
import { emitView, hasTab, openTab, requestTab } from "../ui/page_events.js";
import { onCandidateChoice } from "../ui/candidates.js";
import { fetchNumbers } from "../derived/attention_map.js";
import { mapOfMeasure } from "../derived/length_map.js";
import { createTrace } from "../derived/trace.js";
import { remarksOn } from "../derived/translation.js";
import { HeadSwitch } from "./head_switch.js";
import { HeadView } from "./head_view.js";
import { Overview } from "./overview.js";
import { explanation, textsByMeasure, drawStep } from "./explanation.js";
import { isEscape } from "../ui/keys.js";
import { enablePopover, onLookChange, theme, textMeasurer, positionDefinitions } from "../ui/page.js";
import { viewAtLevel, changeView, fitView, countKnownRows } from "./state.js";
import { Remarks } from "./remarks.js";
import { ReceivedAnswers } from "./received_answers.js";
import { RootStyle } from "./root_style.js";
import { Sentences } from "./sentences.js";
import { PictureSentence } from "./picture_sentence.js";
import { plainTrace } from "./plain.js";
import { WholeCard } from "./whole_card.js";
import { missingMap } from "../derived/rollout.js";
import { nodesByAttribute } from "../ui/tab.js";
import { fill, requireWords } from "../ui/text.js";
import { Transport } from "../ui/transport.js";

/** The attention view, which begins with the trace that came with the page. */
export function mount(element, settings, model) {
  const load = {
    weights: ({ sentence, run = { sentence, experiment: {} } }, kind) => (
      model.weights(run.sentence, run.experiment, kind)),
    norms: ({ sentence }, kind) => model.norms(sentence, kind),
  };
  const viewer = createViewer(element, settings, { load, model });
  if (!settings.trace) return;
  const { error, ...trace } = JSON.parse(settings.trace);
  const { subjects, tokenNames: names } = model.about;
  const subject = subjects[trace.sentence];
  viewer.answers.receive(error ? { error } : createTrace(trace, { isModelsChoice: true, subject, names }), 0);
}

/**
 * A view in an element. `load.weights(trace, kind)` promises the weights of a kind of a trace that was too large to
 * hold them, `load.norms(trace, kind)` what lengths are computed from. Without a `model` no remarks are made on traces.
 */
export function createViewer(element, settings, { load = {}, model = null } = {}) {
  const { family, size } = settings.frames.light.upright.cross.layout.xaxis.tickfont;
  const fonts = { monospace: family, widthOf: textMeasurer(() => `${size}px ${family}`) };
  const text = requireWords(settings.text);
  const words = { text, texts: textsByMeasure(text) };
  const root = element.querySelector(".viewer");
  return new Viewer(root, { ...settings, ...fonts, ...words }, settings.view, { load, model });
}

class Viewer {
  /** @type {Trace | null} */
  trace = null;
  /** @type {HTMLDetailsElement[]} */
  popovers = []; // a step closes them

  /** Whether the sentence of a link is still to come: until then nothing of another one is seen. */
  isAwaiting = false;

  constructor(root, settings, view, { load, model }) {
    this.root = root;
    this.settings = settings;
    this.loaders = load;
    this.model = model;
    this.first = { ...view, level: chosenLevel(view) };
    /** @type {View} */
    this.view = this.first;
    this.part = nodesByAttribute(root, "role");
    this.views = root.querySelector(".views");
    this.style = new RootStyle(root, this.views);
    this.answers = new ReceivedAnswers(this);
    this.change = settings.changes ? this.makeChange() : null;
    this.makePictures();
    this.makeControls();
    this.connectButtons();
    const { part, panes: [{ plot }], settings: { colours } } = this;
    this.card = new WholeCard(part, { plot, colours, open: () => this.playWhole() });
    part.card.hidden = part.whole.hidden;
    this.listen();
  }

  /** The unchanged translation, which is shown unless a change is. */
  get source() {
    return this.change?.source ?? this.trace;
  }

  /** What is changed in what is shown. @returns {Experiment} */
  get experiment() {
    return this.change?.shownExperiment ?? {};
  }

  makeChange() {
    const { part: { message }, model, settings: { text: { noRun } } } = this;
    const show = (view) => this.showRun(view);
    return new Change(model, { show, notify: () => this.notify(), message, failed: noRun });
  }

  /** The two enlarged pictures, the overview, the sentences, and the other run of a comparison. */
  makePictures() {
    const { part, root, settings } = this;
    const makePane = (number, name) => {
      const choose = (position, act) => this.compared.choosePartner(this.panes[number], position, act);
      return new HeadView(root.querySelector(`[data-pane=${name}]`), settings, {
        pin: (position) => choose(position, (pin) => this.togglePin(pin)),
        cell: (position) => choose(position, (cell) => this.toggleCell(cell)),
        open: (cell) => {
          if (settings.hasTabs) this.openWhole({ cell, pin: { axis: "query", index: cell.query } });
        },
      });
    };
    this.panes = [makePane(0, "first"), makePane(1, "second")];
    this.overview = new Overview(part.overview, settings.text.overview, Boolean(settings.named));
    const choose = {
      go: (step) => this.set({ step }),
      pin: (piece) => this.pinSource(piece),
      preview: () => this.view.level === "picture" && this.summary.draw(this.view, this.sentences),
      hiding: this.change && {
        hide: (token) => this.change.set(withTokenSwitched(this.change.experiment, token)),
        isHidden: (token) => this.change.experiment.hidden?.includes(token) ?? false,
      },
    };
    this.sentences = new Sentences(part.source, part.target, settings, choose);
    this.summary = new PictureSentence(part, settings.text, () => this.style.measureTop());
    this.compared = new Comparison(root, part, settings, { set: (change) => this.set(change), choose });
    if (settings.hasTabs) positionDefinitions();
  }

  makeControls() {
    const { part, root, settings } = this;
    const set = (change) => this.set(change);
    part.measures.hidden = !settings.lengths;
    const force = this.change && ((beginning) => this.force(beginning));
    this.remarks = new Remarks(part, settings, { model: this.model, force, translate: translateSentence });
    this.popovers = [part.options, ...this.remarks.popovers];
    for (const popover of this.popovers) enablePopover(popover);
    const shownWeights = () => this.trace.kinds[this.view.kind];
    this.controls = new Controls(root, part, settings, { view: () => this.view, map: shownWeights, set });
    this.transport = new Transport(root, {
      readPosition: () => ({ step: this.view.step, last: this.trace.steps.length - 1, speed: this.view.speed }),
      goTo: (step) => set({ step }),
      takesKeys: settings.takesKeys,
      liveNodes: root.querySelectorAll(".readout, .plain"),
    });
  }

  connectButtons() {
    const { part } = this;
    this.switch = this.change && new HeadSwitch(part.off, this.change, this.settings.text.off);
    part.whole.hidden = !this.change || !hasTab("whole"); // elsewhere another translation is in it
    part.whole.addEventListener("click", () => this.openWhole());
    part.read.lastElementChild.addEventListener("click", () => translateSentence(this.trace.typed));
    part.slider.addEventListener("input", () => this.set({ step: Number(part.slider.value) - 1 }));
    const readStep = () => {
      const { trace: { steps }, view: { step } } = this;
      return this.change ? { steps, step, candidates: steps[step].candidates } : null;
    };
    onCandidateChoice(part.candidates, readStep, (beginning) => this.force(beginning));
  }

  /** Escape releases a pin; a change of theme or width redraws, also after the view was hidden. */
  listen() {
    document.addEventListener("keydown", (event) => {
      if (isEscape(event) && this.root.offsetParent && (this.view.pin || this.view.cell)) {
        this.set({ pin: null, cell: null });
      }
    });
    onLookChange(this.views, () => {
      if (!this.trace) return;
      this.sentences.measure();
      this.compared.measure();
      this.render();
    });
  }

  /** The map of the current kind: weights, or lengths in their place. */
  get map() {
    const { level, kind, measure } = this.view;
    return mapOfMeasure(this.trace.kinds[kind], level === "picture" || !this.settings.lengths ? "weight" : measure);
  }

  /** Makes the translation begin with these tokens, and goes to the last of them. */
  force(beginning) {
    this.change.merge({ beginning }, { step: beginning.length - 1, pin: null, cell: null });
  }

  /**
   * Shows the unchanged translation of another sentence, and then what remains of the change, or the experiment that
   * comes with it.
   */
  showSource(trace, view, experiment = null) {
    const { change } = this;
    change?.begin(trace, experiment);
    this.showTrace(trace, view);
    if (change && !isUnchanged(change.experiment)) change.take(change.experiment);
  }

  /** Shows the run that the change names, in the present view changed by another; a step stays with its partner. */
  showRun(view) {
    const { change, change: { other, isShown }, settings: { text: { compared: { names } } } } = this;
    const present = { ...change.viewFrom(this.trace, this.view), ...view };
    // Side by side and in differences it is the changed run that is shown.
    const shown = other && !isShown ? { ...present, compared: "one" } : present;
    this.showTrace(change.trace, shown, other && change.comparison(names));
  }

  /** Shows a changed trace beside the unchanged one, as files do that hold both and have no switch. */
  compare(unchanged, changed, { pairs, view }) {
    const { settings: { text: { compared: { names } } } } = this;
    const shown = { ...view, level: "heads", compared: view.compared === "one" ? "beside" : view.compared };
    const both = { shown: names.changed, other: names.unchanged };
    this.showTrace(changed, shown, { trace: unchanged, pairs, names: both });
  }

  /** Hides what is shown, in whose place a link's sentence will come, or shows it again. */
  setAwaiting(isAwaiting) {
    this.isAwaiting = isAwaiting;
    this.root.toggleAttribute("data-awaiting", isAwaiting);
  }

  /** Shows another trace, in a view; `run` is one to compare it with (comparison.js). */
  showTrace(trace, view, run = null) {
    this.setAwaiting(false);
    this.transport.pause();
    this.trace = trace;
    this.compared.setRun(trace, run);
    this.plain = plainTrace(trace);
    this.root.dataset.sentence = trace.sentence;
    this.part.read.hidden = !trace.typed;
    const isRead = trace.typed ? fill(this.settings.text.read, { sentence: trace.sentence }) : "";
    this.part.read.firstElementChild.textContent = isRead;
    this.remarks.draw(trace);
    this.show(view);
    this.addRemarks(trace);
  }

  /** Adds what is remarked on a trace, as soon as it is known; the picture does not wait for it. */
  async addRemarks(trace) {
    if (!this.model || trace.notes || !trace.kinds.cross.ready) return; // they rest on cross-attention
    Object.assign(trace, await remarksOn(trace, this.model.about));
    if (trace !== this.trace) return;
    this.plain = plainTrace(trace);
    this.remarks.draw(trace);
    this.render();
  }

  /** Shows a view, fitted to the trace. */
  show(view) {
    this.view = this.trace ? fitView(view, this.trace) : view;
    if (this.trace) this.render();
  }

  /** Keeps an unchanged explanation, so that a definition stays open while stepping. */
  drawExplanation(html) {
    if (this.explained !== html) this.part.explanation.innerHTML = html;
    this.explained = html;
  }

  /** Applies a user's choice; nothing else changes the view. */
  set(change) {
    this.view = changeView(this.view, change, this.trace);
    if (this.view.compared !== "one" && this.change?.isHeldBack) return this.change.holdBack(false);
    this.render();
  }

  /** Pins a row or column; the same pin again releases it. */
  togglePin(pin) {
    const isSame = this.view.pin?.axis === pin.axis && this.view.pin.index === pin.index;
    this.set({ pin: isSame ? null : pin, cell: null });
  }

  /** Releases the pin that ended a film: a figure shows only what the visitor pinned. */
  releaseEnd() {
    if (this.view.pin?.ends) this.set({ pin: null });
  }

  /** Pins the row of a heatmap's cell and frames the cell; the same cell again releases both. */
  toggleCell(cell) {
    const isSame = this.view.cell?.query === cell.query && this.view.cell.key === cell.key;
    this.set(isSame ? { pin: null, cell: null } : { pin: { axis: "query", index: cell.query }, cell });
  }

  /** Opens the picture of the whole model at what is shown, after a change of it. */
  openWhole(change = {}) {
    this.set(change);
    const { view, trace } = this;
    requestTab("whole", view.level === "picture" ? null : { view, trace });
    openTab("whole");
  }

  /** Opens the picture of the whole model, which writes the sentence from its first token on. */
  playWhole() {
    openTab("whole");
    requestTab("whole", "play");
  }

  /** An English piece is a row of the encoder and a column of the cross-attention; the decoder does not see it. */
  pinSource(piece) {
    if (this.view.kind === "decoder") this.set({ kind: "cross" });
    this.togglePin({ axis: this.view.kind === "encoder" ? "query" : "key", index: piece });
  }

  /** Draws unless the view is hidden, which is drawn when it becomes visible; notifies the other tabs. */
  render() {
    if (this.root.offsetParent) this.draw();
    this.notify();
  }

  /** Tells the address and the other tabs of what is shown and changed. */
  notify() {
    notifyChange();
    if (this.settings.hasTabs) emitView(this);
    this.settings.onChange?.();
  }

  draw() {
    const { part, root, map, settings } = this;
    const view = viewAtLevel(this.view, this.trace);
    const colours = settings.colours[theme()];
    const { submission } = this.trace;
    if (root.dataset.step !== `${view.step + 1}`) for (const popover of this.popovers) popover.open = false;
    const maps = [map, this.compared.map(view.kind) ?? map];
    const isPair = this.compared.showsTwo(view);
    this.style.draw(view, { submission, maps, isPair });
    this.controls.draw(view);
    this.switch?.draw(view, this.trace.kinds[view.kind], this.panes[isPair ? 1 : 0].root);
    drawStep(part, this.trace, view, settings);
    this.drawExplanation(explanation(settings, view, map));
    this.style.measureTop();
    const missing = maps.map((one) => missingMap(view, one)).find(Boolean);
    if (missing) this.loadNumbers(missing);
    else this.renderWeights(view, colours);
  }

  /** Draws everything that shows weights: the enlarged heads, the overview, the shading of the sentences. */
  renderWeights(view, colours) {
    const { map } = this;
    const isPicture = view.level === "picture";
    const trace = isPicture ? this.plain : this.trace;
    const [first, second] = this.panes;
    const { submission } = trace;
    const scene = { trace, map, view, theme: theme() };
    if (this.compared.run) this.compared.draw(scene, this.panes, this.sentences);
    else {
      second.root.hidden = true;
      first.draw({ ...scene, heads: { layer: view.layer, head: view.head } });
      this.sentences.draw(trace, view, map, first.pieces);
    }
    if (isPicture) {
      this.card.draw(trace, theme());
      return this.summary.draw(this.view, this.sentences);
    }
    const { [view.kind]: colour, text, masked, changed } = colours;
    const moved = this.compared.movedHeads(view.kind, this.trace);
    const known = countKnownRows(view, map);
    this.overview.draw(map, { submission, known, colour, text, masked, changed, choice: view, moved });
  }

  /** Loads the weights of a trace that was too large to hold them; rejects as the model does. */
  async loadAllWeights(trace) {
    for (const [kind, map] of Object.entries(trace.kinds)) {
      if (!map.ready) map.receive(await this.loaders.weights(trace, kind));
    }
  }

  /** Fetches weights or lengths; until they come, only the sentences are drawn. */
  async loadNumbers(map) {
    const { trace, part, settings } = this;
    const view = viewAtLevel(this.view, trace);
    this.sentences.draw(view.level === "picture" ? this.plain : trace, view, this.map, null);
    const { run } = this.compared; // that stands beside it
    const owner = run?.trace.kinds[map.kind] === map ? run.trace : trace;
    const load = () => this.loaders[map.measure === "length" ? "norms" : "weights"](owner, map.kind);
    const isCurrent = () => trace === this.trace;
    const isNew = await fetchNumbers(map, load, { message: part.message, settings, isCurrent });
    if (!isNew) return;
    this.render(); // it may be one of several that a rollout needs
    this.addRemarks(trace);
  }
}
