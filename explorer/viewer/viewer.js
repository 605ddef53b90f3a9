// The attention view: one state, one render. Nothing here asks the server.

import { drawCandidates } from "./candidates.js";
import { drawHeatmap, heatmapFigure } from "./heatmap.js";
import { drawOverview, pick } from "./overview.js";
import { decode, matrix, MEAN } from "./payload.js";
import { drawSource, drawTarget } from "./sentences.js";

const PLAY_MS = 700;
const KEYS = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };

export function mount(element, settings) {
  return new Viewer(element.querySelector(".viewer"), settings);
}

class Viewer {
  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    this.plotly = globalThis.Plotly;
    this.part = Object.fromEntries([...root.querySelectorAll("[data-role]")].map((node) => [node.dataset.role, node]));
    this.state = { trace: null, request: -1, step: 0, kind: "cross", layer: Infinity, head: MEAN };
    this.timer = null;
    this.listen();
  }

  get map() {
    return this.state.trace.kinds[this.state.kind];
  }

  get lastStep() {
    return this.state.trace.steps.length - 1;
  }

  get headName() {
    return this.state.head === MEAN ? "mean of heads" : `head ${this.state.head + 1}`;
  }

  /** Shows a new payload; a refusal leaves the picture as it is, and an answer overtaken by a newer one is dropped. */
  receive(text) {
    const payload = decode(text);
    if (payload.request < this.state.request) return;
    this.state.request = payload.request;
    this.part.message.textContent = payload.error ?? "";
    if (payload.error) return;
    this.pause();
    const [layers, heads] = payload.kinds.cross.shape;
    this.fillPickers(layers, heads);
    const { layer, head } = this.state;
    this.state.trace = payload;
    this.set({ step: this.lastStep, layer: Math.min(layer, layers - 1), head: Math.min(head, heads - 1) });
  }

  /** The only way to change what is shown. */
  set(change) {
    Object.assign(this.state, change);
    this.state.step = Math.max(0, Math.min(this.state.step, this.lastStep));
    this.render();
  }

  go(where) {
    const step = { first: 0, previous: this.state.step - 1, next: this.state.step + 1, last: this.lastStep }[where];
    if (where === "play") this.play();
    else this.set({ step });
  }

  play() {
    if (this.timer !== null) return this.pause();
    if (this.state.step === this.lastStep) this.set({ step: 0 });
    this.timer = setInterval(() => (this.state.step < this.lastStep ? this.go("next") : this.pause()), PLAY_MS);
    this.root.querySelector("[data-go=play]").textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.root.querySelector("[data-go=play]").textContent = "Play";
  }

  render() {
    const { part, settings, state, map } = this;
    const step = state.trace.steps[state.step];
    const rows = matrix(map, state.layer, state.head);
    const theme = document.body.classList.contains("dark") ? "dark" : "light";
    Object.assign(this.root.dataset, { theme, kind: state.kind, step: state.step + 1 });
    this.renderSentences(rows[state.step]);
    this.renderTransport(step);
    this.renderWords();
    drawCandidates(part.candidates, step);
    part.entropy.textContent = `Entropy ${step.entropy.toFixed(2)} bits: 0 is certain.`;
    const figure = heatmapFigure(settings.frames[theme][state.kind], state.kind, map, rows, state.step, part.heatmap);
    drawHeatmap(this.plotly, part.heatmap, figure, `${state.kind} layer ${state.layer + 1} ${this.headName}`);
    drawOverview(part.overview, state.kind, map, state.step, settings.colours[theme][state.kind], state);
  }

  /** The keys of the chosen kind are shaded by the current row; the encoder has no current row. */
  renderSentences(row) {
    const { part, settings, state } = this;
    drawSource(part.source, state.trace.source, state.kind === "cross" ? row : []);
    const weights = state.kind === "decoder" ? row : [];
    drawTarget(part.target, state.trace.steps, state.step, weights, settings.lowConfidence, (step) => this.set({ step }));
  }

  renderTransport(step) {
    const { part, state } = this;
    part.slider.max = this.lastStep + 1;
    part.slider.value = state.step + 1;
    const words = `fed “${step.fed.text}”, predicted “${step.predicted.text}”`;
    part.status.textContent = `Step ${state.step + 1} of ${this.lastStep + 1}: ${words} (${step.probability.toFixed(2)})`;
  }

  renderWords() {
    const { part, settings, state } = this;
    for (const button of part.kinds.children) button.setAttribute("aria-pressed", button.value === state.kind);
    part.layer.value = state.layer;
    part.head.value = state.head;
    part.title.textContent = `${settings.kinds[state.kind]} · layer ${state.layer + 1} · ${this.headName}`;
    part.heatmap.setAttribute("aria-label", `Heatmap: ${part.title.textContent}`);
    part.explanation.textContent = settings.explanations[state.kind];
    const note = (text) => Object.assign(document.createElement("li"), { textContent: text });
    part.notes.replaceChildren(...state.trace.notes.map(note));
  }

  fillPickers(layers, heads) {
    const numbered = (count) => Array.from({ length: count }, (_, i) => new Option(i + 1, i));
    this.part.layer.replaceChildren(...numbered(layers));
    this.part.head.replaceChildren(new Option("mean of heads", MEAN), ...numbered(heads));
  }

  listen() {
    const { part, root } = this;
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.go(button.dataset.go));
    }
    this.addKinds();
    part.slider.addEventListener("input", () => this.set({ step: Number(part.slider.value) - 1 }));
    part.layer.addEventListener("change", () => this.set({ layer: Number(part.layer.value) }));
    part.head.addEventListener("change", () => this.set({ head: Number(part.head.value) }));
    part.overview.addEventListener("click", (event) => {
      const found = pick(part.overview, this.map, event.offsetX, event.offsetY);
      if (found) this.set(found);
    });
    document.addEventListener("keydown", (event) => this.press(event));
    const again = () => this.state.trace && root.offsetParent && this.render();
    new MutationObserver(again).observe(document.body, { attributeFilter: ["class"] });
    new ResizeObserver(again).observe(part.overview.parentElement);
  }

  addKinds() {
    for (const [kind, title] of Object.entries(this.settings.kinds)) {
      const textContent = kind[0].toUpperCase() + kind.slice(1);
      const button = Object.assign(document.createElement("button"), { type: "button", value: kind, textContent, title });
      button.addEventListener("click", () => this.set({ kind }));
      this.part.kinds.append(button);
    }
  }

  /** Keys are inert while another control has the focus or the view is hidden. */
  press(event) {
    const busy = event.target.closest("input, textarea, select, button, [contenteditable]");
    if (busy || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey || !this.root.offsetParent) return;
    event.preventDefault();
    this.go(KEYS[event.key]);
  }
}
