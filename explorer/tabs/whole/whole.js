// The tab of the whole model: the stage, the sentence about what it shows, the guided flight, and the address.

import { BoardSet } from "./boards/board_set.js";
import { placeOfView } from "./from_attention.js";
import { Guide } from "./guide/guide.js";
import { Tree } from "./guide/tree.js";
import { Reel } from "./film/reel.js";
import { drawLegend } from "./legend.js";
import { Bitmaps } from "./picture/bitmaps.js";
import { LayerTensors } from "./picture/layer_tensors.js";
import { layoutOf, leastHeight } from "./picture/layout.js";
import { SmallMap } from "./picture/small_map.js";
import { Stage } from "./picture/stage.js";
import { WHOLE, formatPlace, isSamePlace, kindOf, levelOf, parsePlace, rowAt } from "./place.js";
import { trailOf } from "./place_names.js";
import { ModelSummary } from "./summary/summary.js";
import { Presentation } from "./presentation.js";
import { ShownRun } from "./shown_run.js";
import { StepWords } from "./step_words.js";
import { headName, switchLabel } from "../../attention_view/head_names.js";
import { cellChange } from "../../attention_view/state.js";
import { isAmong, withHeadsSwitched, withTokenSwitched } from "../../changes/experiments.js";
import { controlField, notifyChange, registerFields, reportInvalid } from "../../ui/address.js";
import { button, element } from "../../ui/element.js";
import { hasModifier, isEscape, isTaken } from "../../ui/keys.js";
import { onTabRequest, provideSnapshot } from "../../ui/page_events.js";
import { zoom } from "../../ui/page.js";
import { followView, nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill, plainPiece } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";
import { UserError } from "../../ui/user_error.js";

const SENTENCE_SECONDS = 10, MAX_SPEED = 8; // the time in which Play writes a sentence; steps a second
const TOUR_KEYS = { " ": 1, PageDown: 1, PageUp: -1 };

export function mount(element, settings, model) {
  new Whole(element.querySelector(".whole"), { ...settings, text: requireWords(settings.text) }, model);
}

class Whole {
  viewer = null;
  /** Whether nothing was drawn yet. */ isFirst = true;
  layoutKey = "";
  layout = null;
  bitmaps = new Bitmaps();
  /** What the address asked for before there was a trace. @type {string | null} */
  asked = null;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.part = nodesByAttribute(root, "role");
    const nodes = nodesByAttribute(root, "board");
    const go = (place) => this.go(place);
    this.shown = new ShownRun(model);
    this.presentation = new Presentation(root, settings, (map, head) => headName(this.viewer.settings, map, head));
    const { changes: { hide, show }, picture: { tokens } } = settings.text;
    this.stage = new Stage(this.part.stage, {
      canvas: this.part.canvas, tokens: this.part.tokens, boards: nodes, words: { tokens, hide, show },
    }, {
      prepare: (place) => this.prepare(place),
      go,
      goToStep: (step) => this.goToStep(step),
      toggle: (token) => this.switch(withTokenSwitched, token),
      onArrive: () => this.arrived(),
    });
    this.boards = new BoardSet(root, nodes, settings, {
      model,
      shown: this.shown,
      message: this.part.message,
      captionContext: () => this.captionContext(),
      place: () => this.stage.place,
      go,
      onChange: () => this.drawAround(),
    });
    this.tensors = new LayerTensors({
      model, shown: this.shown, message: this.part.message, failed: settings.text.failed,
    });
    this.tree = new Tree(this.part.tree, settings, { go });
    this.summary = new ModelSummary(this.part.summary, settings.summary, model, { go });
    const { text: { captions, tour }, context: { codes } } = settings;
    this.guide = new Guide(this.part, { captions, tour, codes }, {
      captionContext: () => this.captionContext(),
      go: ({ place, step }) => {
        this.goToStep(step);
        this.go(place);
      },
      place: () => this.stage.place,
      setOut: () => this.leaveEnd(),
    });
    this.map = new SmallMap(this.part.map);
    this.reel = new Reel(root.parentElement, nodes, settings, {
      model,
      presentation: this.presentation,
      take: () => this.takeStill(),
    });
    this.stepWords = new StepWords(this.part.step, codes.target, (step) => this.goToStep(step));
    this.connect();
    drawLegend(this.part.legend, settings.text.legend, settings.config);
    followView(this);
  }

  /** What the sentence about the place is made from. */
  captionContext() {
    return this.presentation.captionContext(this.shown, this.boards, this.stage.place);
  }

  get trace() {
    return this.shown.trace;
  }

  get step() {
    return this.shown.step;
  }

  goToStep(step) {
    this.shown.goToStep(step);
  }

  /** Switches a part of the model (explorer/changes/experiments.js) off, or on again. */
  switch(withSwitched, part) {
    const { change } = this.viewer;
    change.set(withSwitched(change.experiment, part));
  }

  /** The heads of the place: one, all of its block, or none. @returns {[Kind, number, number][]} */
  get headsHere() {
    const { stage: { place }, settings: { config: { heads } } } = this;
    const kind = kindOf(place);
    if (kind === null) return [];
    const indices = place.head === null ? [...Array(heads).keys()] : [place.head];
    return indices.map((head) => [kind, place.layer, head]);
  }

  connect() {
    const { root, part, stage } = this;
    this.transport = new Transport(root, {
      readPosition: () => {
        const { trace: { steps }, step } = this;
        const speed = Math.min(MAX_SPEED, Math.max(1, steps.length / SENTENCE_SECONDS));
        return { step, last: steps.length - 1, speed };
      },
      goTo: (step) => this.goToStep(Math.min(this.trace.steps.length - 1, Math.max(0, step))),
    });
    part.step.addEventListener("input", () => this.goToStep(Number(part.step.value) - 1));
    part.out.addEventListener("click", () => this.go(stage.outward()));
    part.in.addEventListener("click", () => {
      const place = stage.inward();
      if (place) this.go(place);
    });
    part.off.addEventListener("click", () => this.switch(withHeadsSwitched, this.headsHere));
    part.map.addEventListener("click", () => this.go(WHOLE));
    part.all.addEventListener("click", () => this.go(WHOLE));
    document.addEventListener("keydown", (event) => this.press(event), { capture: true }); // before the steps' keys
    registerFields("whole", {
      at: {
        get: () => this.asked ?? formatPlace(stage.place),
        set: (text) => this.show(text),
      },
      mistake: this.boards.mistakeField,
      shapes: this.summary.field,
      temperature: controlField(this.boards.output.slider, () => this.boards.output.drawDistribution()),
    });
    provideSnapshot("whole", () => ({
      viewer: this.viewer,
      title: this.trailNames().join(" › "),
      flight: this.layout && this.reel,
    }));
    onTabRequest("whole", (left) => {
      if (left === "tour") return this.startTour();
      const at = left ? formatPlace(placeOfView(left)) : "";
      this.boards.from = left && { left, at };
      this.show(at);
    });
  }

  /** The names of what leads to the place. */
  trailNames() {
    return trailOf(this.stage.place, this.settings.text.tour.names).map(({ name }) => name);
  }

  /** Goes to the place of a text, in a flight if one sees it, as on a class's pages; returns whether there is one. */
  show(text) {
    if (!this.layout) {
      this.asked = text;
      return true;
    }
    const place = parsePlace(text, this.sizes);
    if (place && !isSamePlace(place, this.stage.place)) {
      this.go(place, { isAtOnce: !this.root.offsetParent || this.isFirst });
    }
    return place !== null;
  }

  /** The tour begins at the whole model; its next stop is a press of Space or Enter away. */
  startTour() {
    if (this.layout) this.guide.start();
    else this.asked = "";
    this.part.next.focus({ preventScroll: true });
  }

  /** The end of a sentence is no good example: a flight that sets out there is about the telling step. */
  leaveEnd() {
    const { trace, step } = this;
    if (step === trace.steps.length - 1) this.goToStep(trace.defaultStep);
  }

  press(event) {
    if (!this.viewer || !this.root.offsetParent || hasModifier(event)) return;
    if (isEscape(event) && levelOf(this.stage.place) !== "whole") {
      event.preventDefault();
      return this.go(this.stage.outward());
    }
    if (isTaken(event)) return;
    const by = TOUR_KEYS[event.key];
    if (by) {
      event.preventDefault();
      this.guide.move(by);
    }
    const to = { "+": () => this.stage.inward(), "-": () => this.stage.outward(), 0: () => WHOLE }[event.key]?.();
    if (to) this.go(to);
  }

  get sizes() {
    const { trace, settings: { config } } = this;
    return { ...config, src: trace.source.length, tgt: trace.steps.length };
  }

  /** Flies to a place; a number of the decoder is one of the step. */
  go(place, options = {}) {
    if (rowAt(this.step, place) !== place.row) this.goToStep(place.row);
    this.stage.go(place, options);
    if (levelOf(place) !== "whole" && this.part.stage.getBoundingClientRect().top < 0) {
      this.part.stage.scrollIntoView({ block: "start" }); // on a phone it may be taller than the window
    }
    this.drawAround();
  }

  arrived() {
    notifyChange();
    this.drawAround();
    const kind = kindOf(this.stage.place);
    if (kind === null) return;
    const { layer, head, part, row, column } = this.stage.place;
    const { view } = this.viewer;
    const change = { kind, layer: layer ?? view.layer, head: head ?? "mean" };
    if (part === "weights") {
      this.viewer.set({ ...change, ...cellChange({ ...view, kind }, { query: row, key: column }) });
    } else if (Object.entries(change).some(([name, value]) => view[name] !== value)) {
      this.viewer.set(change);
    }
  }

  /** Promises what is shown now when all of it is there; rejects with a UserError if it cannot be loaded. */
  async takeStill() {
    const { shown, part, settings: { text } } = this;
    if (!shown.isComplete) await this.render();
    if (!shown.isComplete) throw new UserError(part.message.textContent || text.failed);
    return shown.still();
  }

  /** Draws everything for the sentence, step and size of now. */
  async render() {
    if (!this.viewer) return;
    this.shown.viewer = this.viewer;
    this.keepPlace();
    const { part, root, settings: { text } } = this;
    if (!root.offsetParent) return;
    root.setAttribute("aria-busy", "true");
    const loaded = await this.shown.load(part.message, text.failed);
    if (loaded === "late") return;
    root.removeAttribute("aria-busy");
    if (loaded === "failed") return;
    if (loaded === "new") this.bitmaps.clear();
    this.updateScene();
    if (await this.shown.loadWeights(part.message, text.failed)) this.updateScene();
  }

  /** A number of the decoder is one of the step; a place that the translation does not have gives way to the whole. */
  keepPlace() {
    const { stage, step, sizes } = this;
    stage.place = { ...stage.place, row: rowAt(step, stage.place) };
    if (!parsePlace(formatPlace(stage.place), sizes)) stage.stay(WHOLE);
  }

  updateScene() {
    const { part, settings, stage, shown, shown: { trace } } = this;
    this.root.style.setProperty("--stage-top", `${(part.stage.getBoundingClientRect().top + scrollY) / zoom()}px`);
    const counts = { src: trace.source.length, tgt: trace.steps.length };
    part.stage.style.minHeight = `${leastHeight(counts, part.stage.clientWidth) + part.legend.offsetHeight}px`;
    const size = { width: part.stage.clientWidth, height: part.stage.clientHeight - part.legend.offsetHeight };
    part.canvas.style.height = `${size.height}px`;
    const key = JSON.stringify([size, counts]);
    if (key !== this.layoutKey) this.layout = layoutOf(settings.config, counts, size);
    this.layoutKey = key;
    this.keepPlace();
    stage.setScene(this.presentation.pictureScene(shown, this.layout, this.bitmaps));
    this.drawAround();
    if (this.isFirst && this.asked !== null) {
      const text = this.asked;
      this.asked = null;
      if (!this.show(text)) reportInvalid(["whole.at"]);
    }
    this.isFirst = false;
    this.prepare(stage.place);
  }

  /** Loads and draws the boards of a place. */
  async prepare(place) {
    this.tensors.load(() => this.stage.place).then((isNew) => isNew && this.stage.draw());
    await this.boards.draw(place);
    if (this.stage.isFlying || !isSamePlace(place, this.stage.place)) return;
    this.stage.showBoard(place);
    this.stage.draw();
  }

  /** Draws what stands around the stage: the path, the slider, the sentence. */
  drawAround() {
    const { part, settings: { text }, trace, step, stage } = this;
    part.step.max = trace.steps.length;
    part.step.value = step + 1;
    const { fed, predicted } = trace.steps[step];
    const status = fill(text.status, {
      step: step + 1, steps: trace.steps.length, fed: plainPiece(fed.text), predicted: plainPiece(predicted.text),
    });
    this.stepWords.draw(trace, step);
    part.status.textContent = fill(text.count, { step: step + 1, steps: trace.steps.length });
    part.step.setAttribute("aria-valuetext", status);
    const { place } = stage;
    if (!stage.isFlying) this.root.dataset.at = formatPlace(place);
    this.root.dataset.level = levelOf(place);
    this.root.dataset.kind = kindOf(place) ?? (place.stack === "encoder" ? "encoder" : "decoder");
    part.out.disabled = part.all.disabled = levelOf(place) === "whole";
    part.in.disabled = stage.inward() === null;
    part.path.replaceChildren(...trailOf(place, text.tour.names).map(({ name, place: one }) => {
      if (one === null) return element("span", {}, name);
      const node = button(() => this.go(one), {}, name);
      if (isSamePlace(one, place)) node.setAttribute("aria-current", "true");
      return node;
    }));
    this.map.draw(stage.scene, place);
    this.drawSwitch();
    this.guide.draw();
    // On a phone the boards end above it.
    this.root.style.setProperty("--told", `${part.caption.parentElement.offsetHeight}px`);
    this.tree.draw(this.captionContext(), place);
    this.summary.draw(trace, place);
  }

  /** The switch of the heads of the place. */
  drawSwitch() {
    const { viewer: { change, settings: { text } }, headsHere, part } = this;
    part.off.hidden = !headsHere.length;
    if (part.off.hidden) return;
    const isOff = headsHere.every((head) => isAmong(change.experiment.off ?? [], head));
    part.off.textContent = switchLabel(this.stage.place, text.off, isOff);
    part.off.setAttribute("aria-pressed", `${isOff}`);
  }
}
