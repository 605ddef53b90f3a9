// The tab of the whole model: the stage, the sentence about what it shows, the guided flight, and the address.

import { BoardSet } from "./boards/board_set.js";
import { placeOfView } from "./from_attention.js";
import { Guide } from "./guide/guide.js";
import { Tree } from "./guide/tree.js";
import { Finder } from "./finder/finder.js";
import { Reel } from "./film/reel.js";
import { Writing } from "./film/writing.js";
import { drawLegend } from "./legend.js";
import { Navigation } from "./navigation.js";
import { neighbourOf } from "./neighbours.js";
import { Bitmaps } from "./picture/bitmaps.js";
import { Gestures } from "./picture/gestures.js";
import { LayerTensors } from "./picture/layer_tensors.js";
import { layoutOf } from "./picture/layout.js";
import { Stage } from "./picture/stage.js";
import { WHOLE, boardOf, formatPlace, isSamePlace, kindOf, levelOf, parsePlace, pathOf, rowAt } from "./place.js";
import { Poster } from "./poster.js";
import { PlaceSwitch } from "./place_switch.js";
import { Presentation } from "./presentation.js";
import { ShownRun } from "./shown_run.js";
import { StageRoom } from "./stage_room.js";
import { StepControls } from "./step_controls.js";
import { ModelSummary } from "./summary/summary.js";
import { headName } from "../../attention_view/head_names.js";
import { cellChange } from "../../attention_view/state.js";
import { withTokenSwitched } from "../../changes/experiments.js";
import { controlField, notifyChange, registerFields, reportInvalid } from "../../ui/address.js";
import { hasModifier, isEscape, isTaken } from "../../ui/keys.js";
import { onTabOpened, onTabRequest, provideSnapshot } from "../../ui/page_events.js";
import { followView, nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { UserError } from "../../ui/user_error.js";

const TOUR_KEYS = { " ": 1, PageDown: 1, PageUp: -1 };
const CAPTION_PX = 72; // of a sentence's room (whole.css)

export function mount(element, settings, model) {
  new Whole(element.querySelector(".whole"), { ...settings, text: requireWords(settings.text) }, model);
}

class Whole {
  viewer = null;
  /** Whether nothing was drawn yet. */ isFirst = true;
  layoutKey = "";
  layout = null;
  bitmaps = new Bitmaps();
  /** Whether to play as soon as all is drawn. */ isToPlay = false;
  /** Whether the tour was asked for before there was anything to tour. */ isToTour = false;
  /** What the address asked for before there was a trace. @type {string | null} */
  asked = null;

  constructor(root, settings, model) {
    const { text, config, context: { codes } } = settings;
    const nodes = nodesByAttribute(root, "board");
    this.root = root;
    this.settings = settings;
    this.part = nodesByAttribute(root, "role");
    this.shown = new ShownRun(model);
    this.presentation = new Presentation(root, settings, (map, head) => headName(this.viewer.settings, map, head));
    this.stage = this.makeStage(nodes);
    const { part, shown, presentation, stage } = this;
    const go = (place) => this.go(place);
    this.boards = new BoardSet(root, nodes, settings, {
      model, shown, message: part.message, place: () => stage.place, go, onChange: () => this.drawAround(),
      find: () => this.finder.open(),
    });
    this.room = new StageRoom(root, part);
    this.tensors = new LayerTensors({ model, shown, message: part.message, failed: text.failed });
    this.gestures = this.makeGestures();
    this.navigation = new Navigation(part, text.tour.names, { stage, go });
    this.headSwitch = new PlaceSwitch(part.off, config.heads, { stage, shown });
    this.steps = new StepControls(root, part, { text, language: codes.target, shown });
    this.guide = this.makeGuide();
    this.finder = new Finder(part.finder, settings, { numbers: this.boards.numbers, shown, go });
    this.tree = new Tree(part.tree, settings, { go });
    this.summary = new ModelSummary(part.summary, settings.summary, model, { go });
    this.reel = new Reel(root.parentElement, nodes, settings, { model, presentation, take: () => this.takeStill() });
    this.writing = new Writing(settings, { presentation, take: () => this.takeStill() });
    this.poster = new Poster(settings, {
      presentation, boards: this.boards, take: async () => ({ ...await this.takeStill(), step: this.step }),
    });
    drawLegend(part.legend, text.legend, config);
    this.connect();
    followView(this);
  }

  makeStage(boards) {
    const { part: { stage, canvas, tokens }, shown, settings: { text: { picture, changes: { hide, show } } } } = this;
    return new Stage(stage, { canvas, tokens, boards, words: { tokens: picture.tokens, hide, show } }, {
      prepare: (place) => this.prepare(place),
      go: (place) => this.go(place),
      goToStep: (step) => shown.goToStep(step),
      toggle: (token) => shown.switch(withTokenSwitched, token),
      onArrive: () => this.arrived(),
    });
  }

  makeGestures() {
    const { stage, part } = this;
    return new Gestures(part.stage, part.hint, {
      zoom: (direction, position, target) => this.zoom(direction, position, target),
      drag: (by) => stage.drag(by),
      move: (direction) => this.move(direction),
      canDrag: () => levelOf(stage.place) !== "whole" && boardOf(stage.place) === null && stage.place.part === null,
      isFree: () => stage.scene !== null && !stage.isFlying,
    });
  }

  makeGuide() {
    const { part, stage, shown, settings: { text: { captions, tour }, context: { codes } } } = this;
    return new Guide(part, { captions, tour, codes }, {
      captionContext: () => this.captionContext(),
      place: () => stage.place,
      go: ({ place, step }) => {
        shown.goToStep(step);
        this.go(place);
      },
      setOut: () => shown.leaveEnd(),
    });
  }

  /** Joins the tab to the page: its keys, its fields of the address, and what others ask of it. */
  connect() {
    document.addEventListener("keydown", (event) => this.press(event), { capture: true }); // before the steps' keys
    registerFields("whole", {
      at: {
        get: () => this.asked ?? formatPlace(this.stage.place),
        set: (text) => this.show(text),
      },
      mistake: this.boards.mistakeField,
      shapes: this.summary.field,
      find: this.finder.field,
      temperature: controlField(this.boards.output.slider, () => this.boards.output.drawDistribution()),
    }, ({ at: before = "" }, { at: after = "" }) => this.isDeeper(after, before)); // Back leads out again
    provideSnapshot("whole", () => ({
      viewer: this.viewer,
      title: this.navigation.trail.map(({ name }) => name).join(" › "),
      flight: this.layout && this.reel,
      writing: this.layout && this.writing,
      poster: this.layout && this.poster,
    }));
    onTabOpened((tab) => tab === "whole" && this.takePinned());
    onTabRequest("whole", (left) => {
      if (left === "tour") return this.startTour();
      if (left === "play") return this.startPlay();
      const at = left ? left.at ?? formatPlace(placeOfView(left)) : "";
      this.boards.from = left?.view ? { left, at } : null;
      this.show(at);
    });
  }

  get trace() {
    return this.shown.trace;
  }

  get step() {
    return this.shown.step;
  }

  get sizes() {
    const { trace, settings: { config } } = this;
    return { ...config, src: trace.source.length, tgt: trace.steps.length };
  }

  /** What the caption of the place is made from. */
  captionContext() {
    return this.presentation.captionContext(this.shown, this.boards, this.stage.place);
  }

  /** Whether a place is on a deeper level than another, by their texts. */
  isDeeper(text, other) {
    if (!this.layout) return false;
    const [level, otherLevel] = [text, other].map((one) => pathOf(parsePlace(one, this.sizes) ?? WHOLE).length);
    return level > otherLevel;
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

  /** One level out, or in at a position, on a board at the cell there; returns whether there is one. */
  zoom(direction, position, target) {
    const { stage } = this;
    const cell = direction > 0 ? target.closest(".field.choosable") : null;
    if (cell) {
      const { clientX, clientY } = position;
      return cell.dispatchEvent(new PointerEvent("click", { pointerType: "mouse", bubbles: true, clientX, clientY }));
    }
    const place = direction > 0 ? stage.inwardAt(position) : stage.outward();
    if (place === null || isSamePlace(place, stage.place)) return false;
    this.go(place);
    return true;
  }

  /**
   * To the neighbour of a place; without one the picture comes back.
   * @param {import("./neighbours.js").Direction} to
   */
  move(to) {
    const place = neighbourOf(this.stage.place, to, this.sizes);
    if (place) this.go(place, { isBeside: true });
    else this.stage.drag(null);
  }

  /** The tour begins at the whole model; its next stop is a press of Space or Enter away. */
  startTour() {
    if (this.layout) this.guide.start();
    else {
      this.asked = "";
      this.isToTour = true;
    }
    this.part.next.focus({ preventScroll: true });
  }

  /** Plays the whole model from the first step on, as soon as it is drawn. */
  startPlay() {
    this.show("");
    this.isToPlay = true;
    this.render();
  }

  play() {
    this.isToPlay = false;
    if (!this.root.offsetParent) return; // it was left meanwhile
    this.part.stage.focus({ preventScroll: true }); // what was pressed is hidden by now
    this.shown.goToStep(0);
    this.steps.transport.play();
  }

  press(event) {
    if (!this.viewer || !this.root.offsetParent || hasModifier(event)) return;
    if (isEscape(event) && levelOf(this.stage.place) !== "whole") {
      event.preventDefault();
      return this.go(this.stage.outward());
    }
    if (isTaken(event) || event.target.closest?.("input")) return; // a slider has keys of its own
    const by = TOUR_KEYS[event.key];
    if (by) {
      event.preventDefault();
      this.guide.move(by);
    }
    const to = this.navigation.placeOfKey(event.key);
    if (to) this.go(to);
  }

  /** What is marked in the finished translation of another tab is what this one opens with. */
  takePinned() {
    const { view: { pin, kind, step }, trace } = this.viewer ?? { view: {}, trace: null };
    const isEnd = trace && step === trace.steps.length - 1;
    if (isEnd && pin?.axis === "query" && kind !== "encoder") this.shown.goToStep(pin.index);
  }

  /** Flies to a place; a number of the decoder is one of the step. */
  go(place, options = {}) {
    if (!this.layout) { // nothing is drawn yet
      this.asked = formatPlace(place);
      return;
    }
    if (rowAt(this.step, place) !== place.row) this.shown.goToStep(place.row);
    this.stage.go(place, options);
    if (levelOf(place) !== "whole" && this.part.stage.getBoundingClientRect().top < 0) {
      this.part.stage.scrollIntoView({ block: "start" }); // on a phone it may be taller than the window
    }
    this.drawAround();
  }

  arrived() {
    notifyChange();
    this.drawAround();
    this.room.reveal(this.stage);
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
    if (loaded === "failed") {
      this.isToPlay = false;
      this.isToTour = false;
      return;
    }
    if (loaded === "new") this.bitmaps.clear();
    if (this.isFirst) this.takePinned();
    this.updateScene();
    if (await this.shown.loadWeights(part.message, text.failed)) this.updateScene();
    if (this.isToPlay && this.shown.isComplete) this.play();
    if (this.isToTour) {
      this.isToTour = false;
      this.guide.start();
    }
  }

  /** A number of the decoder is one of the step; a place that the translation does not have gives way to the whole. */
  keepPlace() {
    const { stage, step, sizes } = this;
    stage.place = { ...stage.place, row: rowAt(step, stage.place) };
    if (!parsePlace(formatPlace(stage.place), sizes)) stage.stay(WHOLE);
  }

  updateScene() {
    const { settings, stage, shown, shown: { trace, step } } = this;
    const { size, counts } = this.room.measure(trace, step);
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

  /** Makes a sentence smaller that is taller than its room. */
  fitCaption() {
    const { caption } = this.part;
    caption.removeAttribute("data-long");
    caption.toggleAttribute("data-long", caption.offsetHeight > CAPTION_PX);
  }

  /** Draws what stands around the stage: the path, the slider, the sentence. */
  drawAround() {
    const { root, part, trace, stage, stage: { place } } = this;
    this.steps.draw();
    if (!stage.isFlying) root.dataset.at = formatPlace(place);
    root.dataset.level = levelOf(place);
    root.dataset.kind = kindOf(place) ?? (place.stack === "encoder" ? "encoder" : "decoder");
    this.navigation.draw();
    this.headSwitch.draw();
    this.guide.draw();
    this.fitCaption();
    root.style.setProperty("--told", `${part.caption.parentElement.offsetHeight}px`); // on a phone boards end above it
    this.finder.drawTokens();
    this.tree.draw(this.captionContext(), place);
    this.summary.draw(trace, place);
  }
}
