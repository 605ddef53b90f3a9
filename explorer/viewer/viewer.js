// The attention view: one state, one render. Nothing here asks the server.

import { drawHeatmap, heatmapFigure } from "./heatmap.js";
import { drawOverview, pick } from "./overview.js";
import { decode, matrix, MEAN } from "./payload.js";

const PLAY_MS = 700;

export function mount(element, settings) {
  const plotly = globalThis.Plotly;
  const root = element.querySelector(".viewer");
  const part = Object.fromEntries([...root.querySelectorAll("[data-role]")].map((node) => [node.dataset.role, node]));
  const state = { trace: null, request: -1, step: 0, kind: "cross", layer: 0, head: MEAN };
  let timer = null;

  const map = () => state.trace.kinds[state.kind];
  const lastStep = () => state.trace.steps.length - 1;
  const dark = () => document.body.classList.contains("dark");

  /** Shows a new payload; a refusal leaves the picture as it is, and an answer overtaken by a newer one is dropped. */
  function receive(text) {
    const payload = decode(text);
    if (payload.request < state.request) return;
    state.request = payload.request;
    part.message.textContent = payload.error ?? "";
    if (payload.error) return;
    stop();
    const first = state.trace === null;
    const [layers, heads] = payload.kinds.cross.shape;
    Object.assign(state, { trace: payload, step: payload.steps.length - 1 });
    if (first) Object.assign(state, { layer: layers - 1 });
    Object.assign(state, { layer: Math.min(state.layer, layers - 1), head: Math.min(state.head, heads - 1) });
    fillSelects(layers, heads);
    render();
  }

  function set(change) {
    Object.assign(state, change);
    state.step = Math.max(0, Math.min(state.step, lastStep()));
    render();
  }

  function fillSelects(layers, heads) {
    const option = (value, text) => new Option(text, value);
    part.layer.replaceChildren(...Array.from({ length: layers }, (_, i) => option(i, i + 1)));
    part.head.replaceChildren(option(MEAN, "mean of heads"), ...Array.from({ length: heads }, (_, i) => option(i, i + 1)));
  }

  function render() {
    const step = state.trace.steps[state.step];
    const rows = matrix(map(), state.layer, state.head);
    root.dataset.kind = state.kind;
    root.dataset.step = state.step + 1;
    renderSentences(rows[state.step]);
    renderTransport(step);
    renderPickers();
    renderCandidates(step);
    const mode = dark() ? "dark" : "light";
    const figure = heatmapFigure(settings.frames[mode][state.kind], state.kind, map(), rows, state.step, part.heatmap);
    const name = `${state.kind} layer ${state.layer + 1} ${headName()}`;
    part.title.textContent = `${settings.kinds[state.kind]} · layer ${state.layer + 1} · ${headName()}`;
    part.heatmap.setAttribute("aria-label", `Heatmap: ${part.title.textContent}`);
    drawHeatmap(plotly, part.heatmap, figure, name);
    drawOverview(part.overview, state.kind, map(), state.step, settings.colours[mode][state.kind], state);
  }

  const headName = () => (state.head === MEAN ? "mean of heads" : `head ${state.head + 1}`);

  function pieceNode(piece, { tag = "span", weight = 0, below = "", title = "" } = {}) {
    const node = document.createElement(tag);
    node.className = "piece";
    node.classList.toggle("unknown", piece.unknown);
    node.append(Object.assign(document.createElement("span"), { textContent: piece.text }));
    node.title = title;
    if (below) node.append(Object.assign(document.createElement("small"), { textContent: below }));
    if (weight > 0) node.style.backgroundColor = `color-mix(in srgb, var(--accent) ${Math.round(weight * 75)}%, transparent)`;
    return node;
  }

  /** Source and target pieces; the keys of this map are shaded by the current row. */
  function renderSentences(row) {
    const weights = { source: state.kind === "cross" ? row : [], target: state.kind === "decoder" ? row : [] };
    part.source.replaceChildren(...state.trace.source.map((piece, i) => pieceNode(piece, {
      weight: weights.source[i], below: piece.id,
      title: piece.unknown ? "not in the vocabulary" : `piece ${i + 1}, id ${piece.id}`,
    })));
    const shown = state.trace.steps.slice(0, state.step + 1);
    const start = pieceNode(shown[0].fed, { weight: weights.target[0], below: shown[0].fed.id, title: "the start, fed first" });
    const made = shown.map((step, i) => {
      const title = `step ${i + 1}: probability ${step.probability.toFixed(3)}`;
      const node = pieceNode(step.predicted, { tag: "button", weight: weights.target[i + 1], below: step.predicted.id, title });
      node.classList.toggle("current", i === state.step);
      node.classList.toggle("unsure", step.probability < settings.lowConfidence);
      node.addEventListener("click", () => set({ step: i }));
      return node;
    });
    part.target.replaceChildren(start, ...made);
  }

  function renderTransport(step) {
    part.slider.max = lastStep() + 1;
    part.slider.value = state.step + 1;
    const fed = `fed “${step.fed.text}”, predicted “${step.predicted.text}”`;
    part.status.textContent = `Step ${state.step + 1} of ${lastStep() + 1}: ${fed} (${step.probability.toFixed(2)})`;
  }

  function renderPickers() {
    for (const button of part.kinds.children) button.setAttribute("aria-pressed", button.value === state.kind);
    part.layer.value = state.layer;
    part.head.value = state.head;
    part.explanation.textContent = settings.explanations[state.kind];
    part.notes.replaceChildren(...state.trace.notes.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  }

  function renderCandidates(step) {
    part.candidates.replaceChildren(...step.candidates.map((candidate) => {
      const line = document.createElement("li");
      line.classList.toggle("chosen", candidate.id === step.predicted.id);
      const bar = document.createElement("i");
      bar.style.width = `${100 * candidate.probability}%`;
      const text = Object.assign(document.createElement("span"), { textContent: candidate.text });
      const number = Object.assign(document.createElement("span"), { textContent: candidate.probability.toFixed(3) });
      line.append(bar, text, number);
      return line;
    }));
    part.entropy.textContent = `Entropy ${step.entropy.toFixed(2)} bits: 0 is certain.`;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    root.querySelector("[data-go=play]").textContent = "Play";
  }

  function play() {
    if (timer !== null) return stop();
    if (state.step === lastStep()) set({ step: 0 });
    root.querySelector("[data-go=play]").textContent = "Pause";
    timer = setInterval(() => (state.step < lastStep() ? set({ step: state.step + 1 }) : stop()), PLAY_MS);
  }

  const go = {
    first: () => set({ step: 0 }),
    previous: () => set({ step: state.step - 1 }),
    play,
    next: () => set({ step: state.step + 1 }),
    last: () => set({ step: lastStep() }),
  };
  const keys = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };

  for (const button of root.querySelectorAll("[data-go]")) button.addEventListener("click", go[button.dataset.go]);
  for (const [kind, name] of Object.entries(settings.kinds)) {
    const text = kind[0].toUpperCase() + kind.slice(1);
    const button = Object.assign(document.createElement("button"), { type: "button", value: kind, textContent: text, title: name });
    button.addEventListener("click", () => set({ kind }));
    part.kinds.append(button);
  }
  part.slider.addEventListener("input", () => set({ step: Number(part.slider.value) - 1 }));
  part.layer.addEventListener("change", () => set({ layer: Number(part.layer.value) }));
  part.head.addEventListener("change", () => set({ head: Number(part.head.value) }));
  part.overview.addEventListener("click", (event) => {
    const found = pick(part.overview, map(), event.offsetX, event.offsetY);
    if (found) set(found);
  });
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input, textarea, select, button, [contenteditable]");
    if (busy || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || !root.offsetParent) return;
    event.preventDefault();
    go[keys[event.key]]();
  });
  new MutationObserver(() => state.trace && render()).observe(document.body, { attributeFilter: ["class"] });
  new ResizeObserver(() => state.trace && root.offsetParent && render()).observe(part.overview.parentElement);
  return { receive };
}
