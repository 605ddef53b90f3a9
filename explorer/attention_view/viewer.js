// The attention view: one trace, one view of it, one render. Stepping and choosing never ask the server.

import { drawLikelihood, Warnings } from "./warnings.js";
import { notifyChange } from "../ui/address.js";
import { BeamOffer } from "./beam_offer.js";
import { Comparison } from "./comparison.js";
import { Controls, chosenLevel } from "./controls.js";
import { settle, onTranslationState, onTranslation, translateSentence } from "../ui/translation_request.js";
import { emitView, openTab, openPanel } from "../ui/page_events.js";
import { onCandidateChoice } from "../ui/candidates.js";
import { element } from "../ui/element.js";
import { fetchNumbers, mapOfMeasure } from "../derived/attention_map.js";
import { createTrace } from "../derived/trace.js";
import { remarksOn } from "../derived/translation.js";
import { HeadView } from "./head_view.js";
import { Overview } from "./overview.js";
import { explanation, textsByMeasure, drawStep } from "./explanation.js";
import { isEscape, isTyping } from "../ui/keys.js";
import { focusPicture, onLookChange, theme, textMeasurer, wantsStillness, positionDefinitions } from "../ui/page.js";
import { headsOf, viewAtLevel, carryView, changeView, fitView, countKnownRows } from "./state.js";
import { Sentences } from "./sentences.js";
import { plainSentence, plainTrace, splitNames } from "./plain.js";
import { missingMap } from "../derived/rollout.js";
import { readStored, store } from "../ui/storage.js";
import { fill, requireWords } from "../ui/text.js";
import { Transport } from "../ui/transport.js";
import { missingFontNotices } from "../ui/fonts.js";

/** The view of Explore, which begins with the trace that came with the page. */
export function mount(element, settings, server, model) {
  const load = {
    weights: ({ sentence }, kind) => model.weights(sentence, {}, kind),
    norms: ({ sentence }, kind) => model.norms(sentence, kind),
  };
  const viewer = createViewer(element, settings, { load, model });
  if (!settings.trace) return;
  const { error, ...trace } = JSON.parse(settings.trace);
  viewer.receive(error ? { error } : createTrace(trace, { isOwn: true, subject: model.about.subjects[trace.sentence] }), 0);
}

/**
 * A view in an element. `load.weights(trace, kind)` promises the weights of a kind of a trace that was too large to hold
 * them, `load.norms(trace, kind)` what lengths are computed from. Without a `model` no remarks are made on traces.
 */
export function createViewer(element, settings, { load = {}, model = null } = {}) {
  const { family, size } = settings.frames.light.upright.cross.layout.xaxis.tickfont;
  const fonts = { monospace: family, widthOf: textMeasurer(`${size}px ${family}`) };
  const text = requireWords(settings.text), words = { text, texts: textsByMeasure(text) };
  const viewer = new Viewer(element.querySelector(".viewer"), { ...settings, ...fonts, ...words }, settings.view, { load, model });
  return viewer;
}

const INTRODUCED_KEY = "introduced", INTRODUCTION_SECONDS = 4.5;
const LONG = 16; // pieces of a sentence; words of a longer one are written smaller

class Viewer {
  constructor(root, settings, view, { load, model }) {
    const first = { ...view, level: chosenLevel(view) };
    Object.assign(this, { root, settings, load, model, view: first, first, trace: null, submission: -1, expected: null });
    this.part = Object.fromEntries([...root.querySelectorAll("[data-role]")].map((node) => [node.dataset.role, node]));
    this.make();
    this.listen();
  }

  make() {
    const { part, root, settings } = this;
    const set = (change) => this.set(change);
    const meant = (name, found, choose) => this.compared.meant(this.panes[name === "first" ? 0 : 1], found, choose);
    const pane = (name, heads) => new HeadView(root.querySelector(`[data-pane=${name}]`), settings, {
      pin: (found) => meant(name, found, (pin) => this.pin(pin)),
      cell: (found) => meant(name, found, (cell) => this.frame(cell)),
      inside: (cell) => settings.inside && this.inside({ ...heads(), cell, pin: { axis: "query", index: cell.query } }),
    });
    // A cell of the second picture belongs to the second heads.
    this.panes = [pane("first", () => ({})), pane("second", () => this.view.second)];
    if (settings.inside) positionDefinitions();
    if (settings.asking) {
      onTranslationState((state) => this.wait(state));
      onTranslation((answer, number) => this.receive(answer, number));
    }
    part.arithmetic.hidden = part.levels.hidden = !settings.inside; // the story of a training has one level
    part.measures.hidden = !settings.lengths;
    part.arithmetic.addEventListener("click", () => this.inside({}));
    part.off.hidden = !settings.lab;
    part.off.addEventListener("click", () => openPanel("heads", { off: headsOf(this.view, this.map) }));
    part.beamChoice.hidden = !settings.beam;
    const stepThrough = (beginning) => openPanel("score", { beginning });
    const offer = { text: settings.text.beam, target: settings.codes.target, stepThrough };
    this.beam = settings.beam ? new BeamOffer(part.beam, this.model, offer) : null;
    this.overview = new Overview(part.overview, settings.text.overview);
    const choose = { go: (step) => set({ step }), pin: (piece) => this.pinSource(piece) };
    this.sentences = new Sentences(part.source, part.target, settings, choose);
    this.compared = new Comparison(root, part, settings, { set, choose });
    part.read.lastElementChild.addEventListener("click", () => translateSentence(this.trace.typed));
    this.warned = new Warnings(part.warned, settings.text.warned, translateSentence);
    this.controls = new Controls(root, part, settings, { view: () => this.view, map: () => this.map, set });
    const readPosition = () => ({ step: this.view.step, last: this.trace.steps.length - 1, speed: this.view.speed });
    const liveNodes = root.querySelectorAll(".readout, .plain");
    this.transport = new Transport(root, { readPosition, goTo: (step) => set({ step }), keys: settings.keys, liveNodes });
    part.slider.addEventListener("input", () => set({ step: Number(part.slider.value) - 1 }));
    const chosen = () => {
      const { trace: { steps }, view: { step } } = this;
      return settings.forks ? { steps, step, candidates: steps[step].candidates } : null;
    };
    onCandidateChoice(part.candidates, chosen, (beginning) => (settings.fork ? settings.fork(beginning) : openPanel("fork", { beginning })));
  }

  /** Escape releases a pin; a change of theme or width redraws, also after the view was hidden. */
  listen() {
    document.addEventListener("keydown", (event) => {
      if (isEscape(event) && this.root.offsetParent && (this.view.pin || this.view.cell)) {
        this.set({ pin: null, cell: null });
      }
    });
    onLookChange(this.root.querySelector(".views"), () => {
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

  /**
   * Shows the answer to a submission, a trace or { error }. A refusal leaves the picture as it is; an answer overtaken by a
   * newer one is dropped.
   */
  receive(answer, submission) {
    settle(submission);
    if (submission < this.submission) return;
    this.submission = submission;
    this.part.message.textContent = answer.error ?? "";
    this.root.inert = answer.error !== undefined && !this.trace;
    const { view, done } = this.awaited(submission);
    if (!answer.error) this.take({ ...answer, submission }, view);
    done();
    if (!answer.error) this.arrive(answer);
  }

  /** Dims the old picture while a translation is pending, and shows a message if it fails. */
  wait({ busy, failed, stopped }) {
    this.root.setAttribute("aria-busy", busy);
    if (busy || failed) this.part.message.textContent = failed ? this.settings.text[stopped ? "stopped" : "noAnswer"] : "";
    if (!failed || !this.expected) return;
    this.expected.failed();
    this.expected = null;
  }

  /** The view for the next answer, and its callback. */
  awaited(submission) {
    const { expected, trace, view } = this;
    if (expected && submission >= expected.since) {
      this.expected = null;
      return expected;
    }
    return { view: trace ? { ...view, step: null, pin: null, cell: null } : view, done() {} };
  }

  /** Shows the next answer in this view, then calls `done`, also after a refusal; calls `failed` if there is no answer. */
  expect(view, { done, failed }) {
    this.expected = { view, done, failed, since: Math.floor(performance.timeOrigin + performance.now()) };
  }

  /** Ignores the answers to all requests so far. */
  ignore() {
    this.expected = null;
    this.submission = Math.ceil(performance.timeOrigin + performance.now());
    settle(this.submission);
  }

  /** Focus moves to the picture unless the user kept typing. */
  arrive({ sentence, typed }) {
    const { asking } = this.settings, asker = document.activeElement;
    if (!asking || !asker.closest(asking) || !this.root.offsetParent) return;
    if (!isTyping({ target: asker }) || asker.value.trim() === (typed ?? sentence)) focusPicture(this.root);
  }

  /**
   * Shows a changed trace and beside it the unchanged one, both as `createTrace` makes them.
   * `pairs` are { source, steps }: for every piece and step of the changed trace the index in the unchanged one, or null.
   * `names` { unchanged, changed } are the titles of the two; `view` is the new view, by default the current one.
   * Another `take` ends it.
   */
  compare(unchanged, changed, { pairs, names, view = this.trace ? carryView(this.view, this.trace, changed) : this.view }) {
    const { compared } = this;
    this.take(compared.known(changed), { ...view, level: "heads", second: null }, { trace: compared.known(unchanged), pairs, names });
  }

  /** Shows another trace, in a view; `run` is one to compare it with. */
  take(trace, view, run = null) {
    this.transport.pause();
    this.trace = trace;
    this.compared.take(trace, run);
    this.plain = plainTrace(trace, this.settings.text.plain);
    this.root.dataset.sentence = trace.sentence;
    this.part.read.hidden = !trace.typed;
    this.part.read.firstElementChild.textContent = trace.typed ? fill(this.settings.text.read, { sentence: trace.sentence }) : "";
    this.drawRemarks();
    this.show(view);
    this.remark(trace);
  }

  /** Adds what is remarked on a trace, as soon as it is known; the picture does not wait for it. */
  async remark(trace) {
    if (!this.model || trace.notes) return;
    Object.assign(trace, await remarksOn(trace, this.model.about));
    if (trace !== this.trace) return;
    this.drawRemarks();
    this.render();
  }

  drawRemarks() {
    const { part, trace, settings: { text } } = this;
    this.warned.draw(trace);
    drawLikelihood(part.likelihood, trace.likelihood, text.likelihood);
    this.fontless = drawNotes(part.notes, trace, text.noFont);
  }

  /** Shows a view, fitted to the trace. */
  show(view) {
    this.view = this.trace ? fitView(view, this.trace) : view;
    if (this.trace) this.render();
  }

  /** Keeps an unchanged explanation, so that a definition stays open while stepping. */
  explain(html) {
    if (this.explained !== html) this.part.explanation.innerHTML = html;
    this.explained = html;
  }

  /** Applies a user's choice; nothing else changes the view. */
  set(change) {
    this.view = changeView(this.view, change, this.trace);
    this.render();
  }

  /** On the first visit, plays the sentence once from its beginning to the default step; any input stops it. */
  introduce() {
    if (readStored(INTRODUCED_KEY) || wantsStillness()) return;
    store(INTRODUCED_KEY, "1");
    const { view: { step: end } } = this;
    this.set({ step: 0 });
    this.transport.play({ end, leastSpeed: end / INTRODUCTION_SECONDS });
    const over = new AbortController();
    const stop = ({ key, target }) => {
      over.abort();
      if (key !== " " && !target.closest?.("[data-go=play]")) this.transport.pause(); // these two pause by themselves
    };
    for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, stop, { capture: true, signal: over.signal });
    setTimeout(() => over.abort(), 1000 * (INTRODUCTION_SECONDS + 1));
  }

  /** Pins a row or column; the same pin again releases it. */
  pin(found) {
    const same = this.view.pin?.axis === found.axis && this.view.pin.index === found.index;
    this.set({ pin: same ? null : found, cell: null });
  }

  /** Pins the row of a heatmap's cell and frames the cell; the same cell again releases both. */
  frame(cell) {
    const same = this.view.cell?.query === cell.query && this.view.cell.key === cell.key;
    this.set(same ? { pin: null, cell: null } : { pin: { axis: "query", index: cell.query }, cell });
  }

  /** Opens the arithmetic of a cell in the tab Inside. */
  inside(change) {
    this.set(change);
    openTab("inside");
  }

  /** An English piece is a row of the encoder and a column of the cross-attention; the decoder does not see it. */
  pinSource(piece) {
    if (this.view.kind === "decoder") this.set({ kind: "cross" });
    this.pin({ axis: this.view.kind === "encoder" ? "query" : "key", index: piece });
  }

  /** Draws unless the view is hidden, which is drawn when it becomes visible; notifies the other tabs. */
  render() {
    if (this.root.offsetParent) this.draw();
    notifyChange();
    if (this.settings.inside) emitView(this); // which only Explore's view leads to
    this.settings.onChange?.();
  }

  draw() {
    const { part, root, map, settings } = this, view = viewAtLevel(this.view, this.trace);
    const colours = settings.colours[theme()];
    const { submission } = this.trace;
    Object.assign(root.dataset, { level: view.level, submission, kind: view.kind, step: view.step + 1, pair: view.second !== null || this.compared.two(view) });
    const maps = [map, this.compared.map(view.kind) ?? map], most = (axis) => Math.max(...maps.map((one) => one[axis].length));
    const [down, along] = view.transposed ? ["keys", "queries"] : ["queries", "keys"];
    root.style.setProperty("--rows", view.level === "picture" ? most(down) : Math.min(30, most(down)));
    if (view.level === "picture") root.style.setProperty("--top", `${root.getBoundingClientRect().top + scrollY}px`); // forces a layout
    root.style.setProperty("--columns", most(along));
    root.toggleAttribute("data-long", Math.max(...maps.map((one) => one.keys.length)) > LONG);
    this.controls.draw(view);
    part.off.textContent = ablationLabel(view, settings.text.off);
    this.beam?.draw(this.trace.sentence, view.beam);
    drawStep(part, this.trace, view, settings);
    this.explain(explanation(settings, view, map));
    const missing = maps.map((one) => missingMap(view, one)).find(Boolean);
    if (missing) this.load(missing);
    else this.renderWeights(view, colours);
  }

  /** Draws everything that shows weights: the enlarged heads, the overview, the shading of the sentences. */
  renderWeights(view, colours) {
    const { map } = this, picture = view.level === "picture", trace = picture ? this.plain : this.trace;
    const [first, second] = this.panes;
    const { submission } = trace;
    const scene = { trace, map, view, theme: theme() };
    if (this.compared.run) this.compared.draw(scene, this.panes, this.sentences);
    else {
      second.root.hidden = !view.second;
      first.draw({ ...scene, heads: { layer: view.layer, head: view.head } });
      if (view.second) second.draw({ ...scene, heads: view.second });
      this.sentences.draw(trace, view, map, first.pieces);
    }
    if (picture) return this.say();
    const choices = view.second ? [view, view.second] : [view];
    const { [view.kind]: colour, text } = colours;
    this.overview.draw(map, { submission, known: countKnownRows(view, map), colour, text, choices });
  }

  /** The sentence that sums up the picture in the level "picture". */
  say() {
    const { part, settings: { text }, view } = this;
    const said = plainSentence(text.plain, view.kind, this.sentences.reading);
    if (part.plain.textContent !== said) {
      part.plain.replaceChildren(...splitNames(said, text.plain).map((piece) => (piece.word ? element("strong", {}, piece.word) : piece)));
    }
    part.slider.setAttribute("aria-valuetext", said);
  }

  /** Fetches weights or lengths; until they come, only the sentences are drawn. */
  async load(map) {
    const { trace, part, settings } = this, view = viewAtLevel(this.view, trace);
    this.sentences.draw(view.level === "picture" ? this.plain : trace, view, this.map, null);
    const { run } = this.compared; // that stands beside it
    const owner = run?.trace.kinds[map.kind] === map ? run.trace : trace;
    const load = () => this.load[map.measure === "length" ? "norms" : "weights"](owner, map.kind);
    const came = await fetchNumbers(map, load, { message: part.message, settings, isCurrent: () => trace === this.trace });
    if (came) this.render(); // it may be one of several that a rollout needs
  }
}

/** The label of the button that switches the shown heads off in the tab What if. */
function ablationLabel({ layer, head }, text) {
  const isOne = [layer, head].map((choice) => typeof choice === "number");
  return fill(text[isOne[0] ? (isOne[1] ? "head" : "layer") : (isOne[1] ? "heads" : "all")], { layer: layer + 1, head: head + 1 });
}

/** Draws the notes on a trace as list items; returns those about fonts, which a saved picture also needs. */
function drawNotes(node, trace, template) {
  const fontNotices = missingFontNotices(trace, template);
  node.replaceChildren(...[...fontNotices, ...trace.notes ?? []].map((note) => element("li", {}, note)));
  return fontNotices;
}
