// The Predictions tab: the output side of one decoding step. It shares sentence and step with Explore.

import { predictionOf } from "../../derived/predictions.js";
import { controlField, registerFields, notifyChange } from "../../ui/address.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { drawCandidates, drawExcluded, onCandidateChoice, describeOtherCandidates } from "../../ui/candidates.js";
import { Context, nodesByAttribute, updateOptions, markPressed } from "../../ui/tab.js";
import { onView, onTabRequest, openPanel } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { entropy, formatDecimal, formatInteger, softmax } from "../../ui/numbers.js";
import { dropPointerFocus, onLookChange, theme } from "../../ui/page.js";
import { loadPlotly } from "../../ui/libraries.js";
import { isolate } from "../../ui/scripts.js";
import { requireWords, fill } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";
import { logitsHistogram, ranksFigure, residualFigure, stateStrip } from "./figures.js";

const MAX_CACHED_ANSWERS = 200;

export function mount(element, settings, model) {
  new Predictions(element.querySelector(".predictions"), { ...settings, text: requireWords(settings.text) }, model);
}

class Predictions {
  root;
  settings;
  answers;
  part;
  context;
  explore = null;
  answer = null;
  place = { sentence: null, step: 0, side: "decoder", piece: 0 };

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    const compute = async ([sentence, step]) => predictionOf(await model.lens(sentence, step), model.about.tokenNames);
    this.answers = new AnswerCache(compute, MAX_CACHED_ANSWERS);
    this.part = nodesByAttribute(root, "role");
    this.part.lens.tHead.rows[0].append(...settings.columns.map((text) => element("th", {}, text)));
    this.context = new Context(this.part.context, settings.context, (step) => this.explore.set({ step }));
    this.listen();
  }

  listen() {
    const { root, part } = this;
    const readPosition = () => {
      const { trace, view: { step, speed } } = this.explore;
      return { step, last: trace.steps.length - 1, speed };
    };
    new Transport(root, { readPosition, goTo: (step) => this.explore.set({ step }) });
    part.step.addEventListener("input", () => this.explore.set({ step: Number(part.step.value) - 1 }));
    part.temperature.addEventListener("input", () => this.drawDistribution());
    part.piece.addEventListener("change", () => this.set({ piece: Number(part.piece.value) }));
    for (const button of part.sides.children) button.addEventListener("click", () => this.set({ side: button.value }));
    const candidateContext = () => {
      const { answer } = this;
      return answer && { steps: answer.trace.steps, step: answer.place.step, candidates: answer.best };
    };
    const openFork = (beginning) => openPanel("fork", { beginning });
    onCandidateChoice(part.candidates, candidateContext, openFork);
    dropPointerFocus(root);
    root.inert = true;
    onView((explore) => {
      const isFirst = this.explore === null;
      this.explore = explore;
      root.inert = false;
      this.updateFromExplore();
      if (isFirst) this.registerPlace();
    });
    onTabRequest("predictions", (side) => this.set({ side }).then(() => part.residual.scrollIntoView()));
    onLookChange(root, () => {
      this.updateFromExplore();
      if (this.answer) this.draw();
    });
  }

  /** Registers temperature, side and piece as URL parameters. */
  registerPlace() {
    const { part } = this;
    const sides = [...part.sides.children].map(({ value }) => value);
    const set = (name, value, isKnown) => {
      const { trace: { sentence }, view: { step } } = this.explore;
      if (isKnown && this.place[name] !== value) this.set({ sentence, step, [name]: value });
      return isKnown;
    };
    registerFields("predictions", {
      temperature: controlField(part.temperature, () => this.drawDistribution()),
      side: { get: () => this.place.side, set: (text) => set("side", text, sides.includes(text)) },
      piece: {
        get: () => (this.place.sentence === this.explore.trace.sentence ? `${this.place.piece + 1}` : "1"),
        set: (text) => set("piece", Number(text) - 1, this.explore.trace.source[Number(text) - 1] !== undefined),
      },
    });
  }

  /** Takes over the sentence and the step of Explore. */
  updateFromExplore() {
    if (!this.explore || !this.root.offsetParent) return;
    const { trace: { sentence }, view: { step } } = this.explore;
    if (sentence !== this.place.sentence) this.set({ sentence, step, piece: 0 });
    else if (step !== this.place.step) this.set({ step });
  }

  request() {
    const { sentence, step } = this.place;
    return [sentence, step];
  }

  /** Applies a choice: requests and draws the answer. */
  async set(change) {
    this.place = { ...this.place, ...change };
    notifyChange();
    const { place, explore: { trace } } = this;
    const answer = await this.answers.latest(() => this.request(), this.part.message, this.settings.text.failed);
    if (!answer) return;
    const source = trace.kinds.encoder.queries;
    this.answer = { ...answer, ...trace.steps[place.step], place, steps: trace.steps.length, source, trace };
    this.draw();
  }

  draw() {
    const { root, settings, answer } = this;
    const { place } = answer;
    const colours = settings.colours[theme()];
    const readPiece = place.side === "encoder" ? { side: "source", place: place.piece } : null;
    this.context.draw(answer.trace, place.step, { key: readPiece });
    this.drawStep();
    this.drawDistribution();
    this.drawLens();
    this.drawSide();
    const figures = this.figures(colours);
    for (const node of root.querySelectorAll("[data-figure]")) {
      drawFigure(node, figures[node.dataset.figure], settings.plotly);
    }
    Object.assign(root.dataset, { ...place, step: place.step + 1 });
  }

  /** The figures by their names in the HTML. */
  figures(colours) {
    const { settings: { figures: words, stages, text }, answer } = this;
    const { place: { side, piece, step }, trace } = answer;
    const pieces = side === "encoder" ? trace.source : trace.steps.map(({ fed }) => fed);
    const layers = answer.lens.map((_, layer) => this.layerName(layer, text.layer));
    const stream = { ...answer.streams[side], stages: stages[side], pieces: pieces.map(({ text }) => text) };
    return {
      state: stateStrip(answer.state.data, colours, words),
      logits: logitsHistogram(answer.logits.data, answer.predicted.id, colours, words),
      ranks: ranksFigure(answer.leaders, answer.predicted.id, layers, colours, words),
      residual: residualFigure(stream, side === "encoder" ? piece : step, { colours, accent: colours[side], words }),
    };
  }

  drawStep() {
    const { part, settings, answer } = this;
    const { place } = answer;
    const status = fill(settings.text.status, {
      step: place.step + 1, steps: answer.steps, fed: answer.fed.text, predicted: answer.predicted.text,
      probability: formatDecimal(answer.probability, 2),
    });
    part.step.max = answer.steps;
    part.step.value = place.step + 1;
    part.step.setAttribute("aria-valuetext", status);
    part.status.textContent = status;
  }

  /** Draws everything that depends on the temperature. */
  drawDistribution() {
    if (!this.answer) return;
    const { part, settings: { text }, answer } = this;
    const temperature = 10 ** Number(part.temperature.value);
    const { predicted, logits: { data: logits } } = answer;
    const probabilities = softmax(logits, temperature);
    const candidates = answer.best.map((candidate) => ({ ...candidate, probability: probabilities[candidate.id] }));
    drawCandidates(part.candidates, { candidates, predicted }, text.fork);
    part["temperature-text"].textContent = fill(text.temperature, { temperature: formatDecimal(temperature, 2) });
    part.temperature.setAttribute("aria-valuetext", formatDecimal(temperature, 2));
    const maxLogit = logits.reduce((a, b) => Math.max(a, b));
    const power = Math.exp((logits[predicted.id] - maxLogit) / temperature);
    part.share.textContent = fill(text.share, {
      piece: predicted.text,
      power: formatDecimal(power, 3),
      sum: formatDecimal(power / probabilities[predicted.id], 3),
      probability: formatDecimal(probabilities[predicted.id], 3),
    });
    drawExcluded(part.excluded, text.excluded, answer);
    part.rest.textContent = describeOtherCandidates(text.rest, candidates, logits.length);
    part.entropy.textContent = fill(text.entropy, {
      bits: formatDecimal(entropy(probabilities), 2), bitsAtOne: formatDecimal(entropy(softmax(logits, 1)), 2),
    });
  }

  layerName(layer, sentence) {
    return layer === 0 ? this.settings.text.embedding : fill(sentence, { layer });
  }

  drawLens() {
    const { part, settings: { text }, answer: { lens, wins, predicted } } = this;
    const name = (layer) => this.layerName(layer, layer < lens.length - 1 ? text.layer : text.last);
    part.lens.tBodies[0].replaceChildren(...lens.map((reading, layer) => {
      const row = element("tr");
      const { rank, probability, entropy: bits } = reading;
      const numbers = [formatInteger(rank), formatDecimal(probability, 3), formatDecimal(bits, 2)];
      const pieces = element("td");
      pieces.append(...reading.candidates.map(({ id, text, probability }) => {
        const piece = element("span", {}, `${isolate(text)} ${formatDecimal(probability, 3)}`);
        piece.classList.toggle("chosen", id === predicted.id);
        return piece;
      }));
      row.append(element("th", {}, name(layer)), ...numbers.map((number) => element("td", {}, number)), pieces);
      row.classList.toggle("lead", wins !== null && layer >= wins);
      return row;
    }));
    const sentence = wins === 0 ? text.winsAtOnce : text.wins;
    part.wins.textContent = wins === null ? "" : fill(sentence, { piece: predicted.text, layer: wins });
  }

  drawSide() {
    const { part, answer } = this;
    const { place } = answer;
    markPressed(part.sides, place.side);
    part.residual.dataset.kind = place.side;
    part.piece.hidden = place.side !== "encoder";
    updateOptions(part.piece, answer.source.map((text, i) => `${i + 1}  ${isolate(text)}`), place.piece);
  }
}

/** Draws a figure in the size of its node. */
async function drawFigure(node, { data, layout }, url) {
  const size = { width: node.clientWidth, height: node.clientHeight };
  const Plotly = await loadPlotly(url);
  Plotly.react(node, data, { ...layout, ...size, dragmode: false }, { displayModeBar: false });
}
