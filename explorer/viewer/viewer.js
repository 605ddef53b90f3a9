// The attention view: one trace, one view of it, one render. Stepping and choosing never ask the server.

import { drawCandidates } from "./candidates.js";
import { Controls } from "./controls.js";
import { Focus } from "./focus.js";
import { Overview } from "./overview.js";
import { decode } from "./payload.js";
import { Sentences } from "./sentences.js";
import { changed, fitted, known } from "./state.js";
import { fill } from "./text.js";
import { Transport } from "./transport.js";

/** `server` calls Python: only for the weights of a trace that is too large to come at once. */
export function mount(element, settings, server) {
  const { layout } = settings.frames.light.upright.cross;
  const { family, size } = layout.xaxis.tickfont;
  return new Viewer(element.querySelector(".viewer"), { ...settings, widthOf: widthIn(`${size}px ${family}`) }, server);
}

/** How many pixels a text takes in a font. */
function widthIn(font) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  return (text) => context.measureText(text).width;
}

class Viewer {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, server, trace: null, request: -1, view: settings.view });
    this.part = Object.fromEntries([...root.querySelectorAll("[data-role]")].map((node) => [node.dataset.role, node]));
    const set = (change) => this.set(change);
    const pin = (found) => this.pin(found);
    const { part } = this;
    this.panes = ["first", "second"].map((name) => new Focus(root.querySelector(`[data-pane=${name}]`), settings, pin));
    this.overview = new Overview(part.overview);
    this.sentences = new Sentences(part.source, part.target, settings, {
      go: (step) => set({ step }),
      pin: (piece) => pin({ axis: this.view.kind === "encoder" ? "query" : "key", index: piece }),
    });
    this.controls = new Controls(root, part, settings.kinds, { view: () => this.view, map: () => this.map, set });
    this.transport = new Transport(root, {
      where: () => ({ step: this.view.step, last: this.trace.steps.length - 1, speed: this.view.speed }),
      go: (step) => set({ step }),
    });
    part.slider.addEventListener("input", () => set({ step: Number(part.slider.value) - 1 }));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.view.pin && set({ pin: null }));
    root.report = () => JSON.stringify(this.view);
    this.watchPage();
  }

  get map() {
    return this.trace.kinds[this.view.kind];
  }

  /** Shows a new payload; a refusal leaves the picture as it is, and an answer overtaken by a newer one is dropped. */
  receive(text) {
    const payload = decode(text);
    if (payload.request < this.request) return;
    this.request = payload.request;
    this.part.message.textContent = payload.error ?? "";
    if (payload.error) return;
    this.transport.pause();
    const next = this.trace ? { ...this.view, step: null, pin: null } : this.view;
    this.trace = payload;
    this.controls.offer(payload.kinds.cross);
    this.part.notes.replaceChildren(...payload.notes.map((note) => Object.assign(document.createElement("li"), { textContent: note })));
    this.show(next);
  }

  /** Shows a view as Python (or another room) asks for it. */
  show(view) {
    this.view = this.trace ? fitted(view, this.trace) : view;
    if (this.trace) this.render();
  }

  /** The only way in which a visitor's choice changes what is shown. */
  set(change) {
    this.view = changed(this.view, change, this.trace);
    this.render();
  }

  /** The same pin again lets go. */
  pin(found) {
    const same = this.view.pin?.axis === found.axis && this.view.pin.index === found.index;
    this.set({ pin: same ? null : found });
  }

  render() {
    const { part, settings, trace, view, map } = this;
    if (!map.ready) return this.load();
    const theme = document.body.classList.contains("dark") ? "dark" : "light";
    Object.assign(this.root.dataset, { theme, kind: view.kind, step: view.step + 1, pair: view.second !== null, request: this.request });
    this.controls.draw(view);
    const [first, second] = this.panes;
    second.root.hidden = !view.second;
    const scene = { map, view, theme, request: this.request };
    first.draw({ ...scene, heads: { layer: view.layer, head: view.head } });
    if (view.second) second.draw({ ...scene, heads: view.second });
    this.sentences.draw(trace, view, map, first.content);
    const colours = settings.colours[theme];
    const choices = [view, ...(view.second ? [view.second] : [])];
    this.overview.draw(map, { request: this.request, known: known(view, map), colour: colours[view.kind], text: colours.text, choices });
    part.explanation.textContent = [settings.explanations[view.kind], ...(view.words ? [settings.text.words] : [])].join(" ");
    this.renderStep(trace.steps[view.step]);
  }

  renderStep(step) {
    const { part, settings } = this;
    part.slider.max = this.trace.steps.length;
    part.slider.value = this.view.step + 1;
    drawCandidates(part.candidates, step);
    part.entropy.textContent = fill(settings.text.entropy, { bits: step.entropy.toFixed(2) });
    this.renderStatus();
  }

  renderStatus() {
    const { view, trace } = this;
    const step = trace.steps[view.step];
    this.part.status.textContent = fill(this.settings.text.status, {
      step: view.step + 1, steps: trace.steps.length, fed: step.fed.text, predicted: step.predicted.text,
      probability: step.probability.toFixed(2),
    });
  }

  /** Fetches the weights of the kind in view, unless a newer trace has come meanwhile. */
  async load() {
    const { trace, map, part, settings } = this;
    part.message.textContent = fill(settings.text.loading, { kind: settings.kinds[map.kind] });
    const packed = await this.server.weights([trace.sentence, map.kind]);
    map.packed = packed;
    if (trace !== this.trace) return;
    part.message.textContent = "";
    this.render();
  }

  /** Another theme or width asks for another picture; a hidden view is drawn when it is seen again. */
  watchPage() {
    const again = () => this.trace && this.root.offsetParent && this.render();
    new MutationObserver(again).observe(document.body, { attributeFilter: ["class"] });
    new ResizeObserver(again).observe(this.root.querySelector(".views"));
  }
}
