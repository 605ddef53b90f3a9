// The panel Beam and sampling: other ways to find a translation, on the unchanged model.

import { element } from "../../../ui/element.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { Beam, nats } from "./beam.js";
import { drawSamples } from "./samples.js";

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8], MODES = ["beam", "sampling"], SAMPLES = 5;
const FIRST = { mode: "beam", width: 4, temperature: 1, top_k: 0, top_p: 1, seed: 1 };
/** From, to, and whether only whole numbers count. */
const RANGES = { temperature: [0.05, 5, false], top_k: [0, 100000, true], top_p: [0.01, 1, false], seed: [0, 4e9, true] };
/** How the fields are called in an address. */
const NAMES = { mode: "mode", width: "width", temperature: "temperature", top_k: "k", top_p: "p", seed: "seed" };

/** A field's value from a text; undefined where it says nothing that the field can be. */
function valueOf(name, given) {
  if (name === "mode") return MODES.find((mode) => mode === given);
  if (name === "width") return WIDTHS.find((width) => String(width) === given);
  const [from, to, whole] = RANGES[name], value = Number(given);
  const good = /^\d{1,10}(\.\d{1,4})?$/.test(given) && value >= from && value <= to && (!whole || Number.isInteger(value));
  return good ? value : undefined;
}

export class Search {
  static names = Object.values(NAMES);

  constructor(node, lab, { text, target }) {
    Object.assign(this, { node, lab, text, target, state: { ...FIRST } });
    const part = this.part = nodesByAttribute(node, "search");
    const choose = (beginning) => lab.set({ beginning });
    this.choose = choose;
    this.beam = new Beam(part, text, choose, target);
    for (const button of part.modes.children) button.addEventListener("click", () => this.change({ mode: button.value }));
    part.widths.append(...WIDTHS.map((width) => {
      const button = element("button", { type: "button", value: width }, `${width}`);
      button.addEventListener("click", () => this.change({ width }));
      return button;
    }));
    part.form.addEventListener("submit", (event) => event.preventDefault());
    for (const name of Object.keys(RANGES)) part[name].addEventListener("change", () => this.typed(name));
    part.again.addEventListener("click", () => this.change({ seed: Math.min(this.state.seed + SAMPLES, RANGES.seed[1]) }));
  }

  /** Another sentence has other hypotheses; how they are found stays. */
  renewed() {
    return {};
  }

  parts() {
    const { state } = this, entries = Object.entries(NAMES);
    return Object.fromEntries(entries.map(([field, name]) => [name, state[field] === FIRST[field] ? null : `${state[field]}`]));
  }

  restore(given) {
    const bad = [];
    this.state = { ...FIRST };
    for (const [field, name] of Object.entries(NAMES)) {
      if (given[name] === undefined) continue;
      const value = valueOf(field, given[name]);
      if (value === undefined) bad.push(name);
      else this.state[field] = value;
    }
    return bad;
  }

  change(changes) {
    this.state = { ...this.state, ...changes };
    this.part.refused.textContent = "";
    this.lab.kept();
  }

  typed(name) {
    const { part, text } = this, value = valueOf(name, part[name].value);
    if (value === undefined) part.refused.textContent = text.bad[name];
    else this.change({ [name]: value });
  }

  /** What the server is asked for. */
  get request() {
    const { lab: { sentence }, state: { mode, width, temperature, top_k, top_p, seed } } = this;
    if (mode === "beam") return ["beam", sentence, width];
    return ["sample", sentence, { temperature, top_k: top_k || null, top_p }, seed];
  }

  /** Runs at every step of the picture too, where nothing is asked and only what is chosen is marked. */
  draw() {
    const { lab } = this, key = JSON.stringify(this.request);
    if (this.asked !== key) {
      this.asked = key;
      this.drawChoices();
      this.find();
    } else if (this.found) this.drawFound(lab.experiment.beginning);
  }

  drawChoices() {
    const { part, state } = this;
    for (const mode of MODES) part[mode].hidden = mode !== state.mode;
    for (const button of part.modes.children) button.setAttribute("aria-pressed", button.value === state.mode);
    for (const button of part.widths.children) button.setAttribute("aria-pressed", Number(button.value) === state.width);
    for (const name of Object.keys(RANGES)) part[name].value = state[name];
  }

  async find() {
    const { lab, node, part, state, text } = this;
    node.setAttribute("aria-busy", "true");
    if (state.mode === "beam") part.told.textContent = text.searching;
    const answer = await lab.asked.latest(() => this.request, lab.part.message, lab.text.noAnswer);
    if (answer === undefined) return;
    node.removeAttribute("aria-busy");
    this.found = answer && !answer.error ? answer : null;
    if (state.mode === "beam") part.told.textContent = this.found ? this.summary(this.found) : "";
    if (!this.found) this.asked = null;
    else this.drawFound(lab.experiment.beginning);
  }

  drawFound(chosen) {
    const { found, part, state, text } = this;
    if (found.levels) return this.beam.draw(found, chosen);
    if (this.drawn !== found) drawSamples(part.samples, found, { text, target: this.target, choose: this.choose, limited: state.top_k > 0 || state.top_p < 1 });
    this.drawn = found;
    for (const button of part.samples.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === String(chosen ?? ""));
  }

  /** One sentence on what the beam found, against greedy decoding. */
  summary({ width, best, greedy, greedy_places: places }) {
    const { text } = this, values = { score: nats(best.score, 3), greedy: nats(greedy.score, 3), step: places.indexOf(null) + 1 };
    if (width === 1) return fill(text.one, values);
    if (String(best.ids) === String(greedy.ids)) return fill(text.same, values);
    if (best.score < greedy.score) return fill(text.worse, values);
    const found = fill(values.score === values.greedy ? text.equal : text.better, values);
    return places.includes(null) ? `${found} ${fill(text.lost, values)}` : found;
  }
}
