// The Predictions tab: the output side of one decoding step. It begins at Explore's sentence and step, and takes it along.

import { drawCandidates } from "./candidates.js";
import { leaveNoFocus, onNewLook, theme } from "./page.js";
import { entropy, logitsOf, softmax } from "./softmax.js";
import { fill } from "./text.js";
import { Transport } from "./transport.js";

const SPEED = 2; // steps a second while playing
const KEPT = 200; // answers

export function mount(element, settings, server) {
  new Predictions(element.querySelector(".predictions"), settings, server);
}

class Predictions {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, server, answers: new Map(), shown: null, followed: "" });
    this.place = { sentence: null, step: 0, side: "decoder", piece: 0 };
    this.part = Object.fromEntries([...root.querySelectorAll("[data-role]")].map((node) => [node.dataset.role, node]));
    this.explored = document.querySelector("#viewer .viewer");
    this.part.lens.tHead.rows[0].append(...settings.columns.map((text) => cell("th", text)));
    this.listen();
  }

  listen() {
    const { root, part } = this;
    const where = () => ({ step: this.place.step, last: this.shown.steps - 1, speed: SPEED });
    this.transport = new Transport(root, { where, go: (step) => this.go(step) });
    part.step.addEventListener("input", () => this.go(Number(part.step.value) - 1));
    part.temperature.addEventListener("input", () => this.drawDistribution());
    part.piece.addEventListener("change", () => this.set({ piece: Number(part.piece.value) }));
    for (const button of root.querySelectorAll("[data-side]")) {
      button.addEventListener("click", () => this.set({ side: button.dataset.side }));
    }
    leaveNoFocus(root);
    new MutationObserver(() => this.follow()).observe(this.explored, { attributeFilter: ["data-sentence", "data-step"] });
    onNewLook(root, () => {
      this.follow();
      if (this.shown) this.draw();
    });
  }

  /** Goes where Explore went since this was last looked at. */
  follow() {
    const { sentence, step } = this.explored.dataset;
    const explored = `${step} ${sentence}`;
    if (!this.root.offsetParent || sentence === undefined || explored === this.followed) return;
    this.followed = explored;
    const piece = sentence === this.place.sentence ? this.place.piece : 0;
    this.set({ sentence, step: Number(step) - 1, piece });
  }

  /** A step of the visitor's; Explore goes along. */
  go(step) {
    this.set({ step: Math.max(0, Math.min(step, this.shown.steps - 1)) });
    this.explored.look({ step: this.place.step });
  }

  /** The only way in which a choice changes what is shown. An answer overtaken by another choice is dropped. */
  async set(change) {
    this.place = { ...this.place, ...change };
    const place = this.place;
    const answer = await this.fetch(place);
    if (place !== this.place) return;
    this.part.message.textContent = answer ? "" : this.settings.text.failed;
    if (!answer) return;
    this.shown = answer;
    this.draw();
  }

  /** Null where no answer comes; it is asked for again when it is next looked at. */
  async fetch({ sentence, step, side, piece }) {
    const request = [sentence, step, side, piece], key = JSON.stringify(request);
    if (!this.answers.has(key)) {
      const answer = this.server.prediction(request).catch(() => null);
      this.answers.set(key, answer.then((text) => (typeof text === "string" ? read(text) : null)));
      if (this.answers.size > KEPT) this.answers.delete(this.answers.keys().next().value);
    }
    const found = await this.answers.get(key);
    if (!found) this.answers.delete(key);
    return found;
  }

  draw() {
    const { root, settings, shown, place } = this;
    const colours = settings.colours[theme()];
    root.dataset.theme = theme();
    const variables = { accent: colours.decoder, soft: colours.text, mono: settings.monospace };
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--${name}`, value);
    this.drawStep();
    this.drawDistribution();
    this.drawLens();
    this.drawSide();
    for (const node of root.querySelectorAll("[data-figure]")) drawFigure(node, shown.figures[theme()][node.dataset.figure]);
    Object.assign(root.dataset, { sentence: place.sentence, step: place.step + 1, side: place.side, piece: place.piece });
  }

  drawStep() {
    const { part, settings, shown, place } = this;
    const status = fill(settings.text.status, {
      step: place.step + 1, steps: shown.steps, fed: shown.fed, predicted: shown.predicted.text,
      probability: shown.probability.toFixed(2),
    });
    part.step.max = shown.steps;
    part.step.value = place.step + 1;
    part.step.setAttribute("aria-valuetext", status);
    part.status.textContent = status;
    part["state-shape"].textContent = shown.stateShape;
    part["logits-shape"].textContent = shown.logitsShape;
  }

  /** All that the temperature changes. */
  drawDistribution() {
    const { part, settings: { text }, shown } = this;
    const temperature = 10 ** Number(part.temperature.value);
    const probabilities = softmax(shown.logits, temperature);
    const candidates = shown.candidates.map((candidate) => ({ ...candidate, probability: probabilities[candidate.id] }));
    const rest = candidates.reduce((left, { probability }) => left - probability, 1);
    drawCandidates(part.candidates, { candidates, predicted: shown.predicted });
    part["temperature-text"].textContent = fill(text.temperature, { temperature: temperature.toFixed(2) });
    const count = (shown.logits.length - candidates.length).toLocaleString("en");
    part.rest.textContent = fill(text.rest, { count, probability: Math.max(0, rest).toFixed(3) });
    part.entropy.textContent = fill(text.entropy, {
      bits: entropy(probabilities).toFixed(2), bitsAtOne: entropy(softmax(shown.logits, 1)).toFixed(2),
    });
  }

  drawLens() {
    const { part, settings: { text }, shown: { lens, wins, predicted } } = this;
    const name = (layer) => (layer === 0 ? text.embedding : fill(layer < lens.length - 1 ? text.layer : text.last, { layer }));
    part.lens.tBodies[0].replaceChildren(...lens.map((reading, layer) => {
      const row = document.createElement("tr");
      const numbers = [reading.rank.toLocaleString("en"), reading.probability.toFixed(3), reading.entropy.toFixed(2)];
      const pieces = cell("td");
      pieces.append(...reading.candidates.map(({ id, text, probability }) => {
        const piece = cell("span", `${text} ${probability.toFixed(2)}`);
        piece.classList.toggle("chosen", id === predicted.id);
        return piece;
      }));
      row.append(cell("th", name(layer)), ...numbers.map((number) => cell("td", number)), pieces);
      row.classList.toggle("lead", wins !== null && layer >= wins);
      return row;
    }));
    const sentence = wins === 0 ? text.winsAtOnce : text.wins;
    part.wins.textContent = wins === null ? "" : fill(sentence, { piece: predicted.text, layer: wins });
  }

  drawSide() {
    const { root, part, shown, place } = this;
    for (const button of root.querySelectorAll("[data-side]")) {
      button.setAttribute("aria-pressed", button.dataset.side === place.side);
    }
    part.piece.hidden = place.side !== "encoder";
    const options = shown.source.map((text, i) => new Option(text, i));
    part.piece.replaceChildren(...options);
    part.piece.value = place.piece;
  }
}

function read(text) {
  const answer = JSON.parse(text);
  return { ...answer, logits: logitsOf(answer.logits) };
}

function cell(tag, textContent = "") {
  return Object.assign(document.createElement(tag), { textContent });
}

/** A figure of explorer/prediction_figures.py in the room that its node has. */
function drawFigure(node, { data, layout }) {
  const room = { width: node.clientWidth, height: node.clientHeight };
  globalThis.Plotly.react(node, data, { ...layout, ...room }, { displayModeBar: false });
}
