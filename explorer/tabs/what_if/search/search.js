// The panel Beam and sampling: other ways to find a translation, on the unchanged model; and the list of samples.

import { element } from "../../../ui/element.js";
import { formatChange, formatDecimal } from "../../../ui/numbers.js";
import { fill, innerPiece, plainPiece } from "../../../ui/text.js";
import { Panel } from "../panel.js";
import { BeamTree } from "./beam.js";

const formatCount = (words, count) => (count === 1 ? words.one : fill(words.many, { count }));
const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8], MODES = ["beam", "sampling"], SAMPLES = 5;
const DEFAULTS = { mode: "beam", width: 4, temperature: 1, top_k: 0, top_p: 1, seed: 1 };

/** A sample's translation, in which pieces that the greedy translation lacks are marked. */
function pieceNodes(pieces, text) {
  return pieces.filter(({ special }) => !special).flatMap((piece, i) => {
    const values = { piece: plainPiece(piece.text), log: formatDecimal(piece.log_probability, 2), running: formatCount(text.running, piece.in_the_running) };
    const node = element(piece.also_greedy ? "span" : "ins", { title: fill(text.drawn, values) }, innerPiece(piece.text));
    return i && piece.starts_word ? [" ", node] : [node];
  });
}

function sampleRow(sample, greedy, { text, target, choose, isLimited }) {
  const { pieces, total, seed, ended } = sample, sampleOnly = pieces.filter((piece) => !piece.also_greedy).length;
  const greedyOnly = greedy.ids.length - pieces.length + sampleOnly; // pieces that only the greedy translation has
  const count = Math.max(sampleOnly, greedyOnly), difference = total - greedy.total;
  const differs = count ? formatCount(text.differs, count) : text.differs.none;
  const values = { seed, total: formatDecimal(total, 2), differs, difference: formatChange(difference, 2) };
  const button = element("button", { type: "button", lang: target, dir: "auto", value: String(sample.ids), "aria-label": `${sample.translation} (${fill(text.sample, values)})` }, ...pieceNodes(pieces, text));
  button.addEventListener("click", () => choose(sample.ids));
  const maxCandidates = Math.max(...pieces.map((piece) => piece.in_the_running));
  const notes = [...(isLimited ? [fill(text.most, { running: formatCount(text.running, maxCandidates) })] : []), ...(ended ? [] : [text.unended])];
  return element("div", {}, button, element("small", {}, fill(text.sampleNote, values), ...notes.map((note) => ` · ${note}`)));
}

/** `isLimited` says whether top-k or top-p excludes pieces. */
function drawSamples(node, { greedy, samples }, { text, target, choose, isLimited }) {
  const first = element("div", {}, element("b", { lang: target, dir: "auto" }, greedy.translation),
    element("small", {}, `${text.greedy} · ${fill(text.greedyNote, { total: formatDecimal(greedy.total, 2) })}`));
  node.replaceChildren(first, ...samples.map((sample) => sampleRow(sample, greedy, { text, target, choose, isLimited })));
}

/** Minimum, maximum, and whether the value must be an integer. */
const RANGES = { temperature: [0.05, 5, false], top_k: [0, 100000, true], top_p: [0.01, 1, false], seed: [0, 4e9, true] };
/** The fields' names in a URL. */
const URL_NAMES = { mode: "mode", width: "width", temperature: "temperature", top_k: "k", top_p: "p", seed: "seed" };

/** The value of a field from text; undefined if the text is invalid. */
function parseField(name, text) {
  if (name === "mode") return MODES.find((mode) => mode === text);
  if (name === "width") return WIDTHS.find((width) => String(width) === text);
  const [from, to, isInteger] = RANGES[name], value = Number(text);
  const isValid = /^\d{1,10}(\.\d{1,4})?$/.test(text) && value >= from && value <= to && (!isInteger || Number.isInteger(value));
  return isValid ? value : undefined;
}

export class Search extends Panel {
  static names = Object.values(URL_NAMES);

  constructor(node, lab, settings) {
    super(node, lab, settings);
    const { part, text } = this, { target } = settings;
    Object.assign(this, { target, state: { ...DEFAULTS } });
    const choose = (beginning) => lab.set({ beginning });
    this.choose = choose;
    this.beam = new BeamTree(part, text, choose, target);
    for (const button of part.modes.children) button.addEventListener("click", () => this.setState({ mode: button.value }));
    part.widths.append(...WIDTHS.map((width) => {
      const button = element("button", { type: "button", value: width }, `${width}`);
      button.addEventListener("click", () => this.setState({ width }));
      return button;
    }));
    part.form.addEventListener("submit", (event) => event.preventDefault());
    for (const name of Object.keys(RANGES)) part[name].addEventListener("change", () => this.readField(name));
    part.again.addEventListener("click", () => this.setState({ seed: Math.min(this.state.seed + SAMPLES, RANGES.seed[1]) }));
  }

  encodeState() {
    const { state } = this, entries = Object.entries(URL_NAMES);
    return Object.fromEntries(entries.map(([field, name]) => [name, state[field] === DEFAULTS[field] ? null : `${state[field]}`]));
  }

  restore(texts) {
    const invalid = [];
    this.state = { ...DEFAULTS };
    for (const [field, name] of Object.entries(URL_NAMES)) {
      if (texts[name] === undefined) continue;
      const value = parseField(field, texts[name]);
      if (value === undefined) invalid.push(name);
      else this.state[field] = value;
    }
    return invalid;
  }

  setState(changes) {
    this.state = { ...this.state, ...changes };
    this.part.refused.textContent = "";
    this.lab.updatePanelState();
  }

  readField(name) {
    const { part, text } = this, value = parseField(name, part[name].value);
    if (value === undefined) part.refused.textContent = text.bad[name];
    else this.setState({ [name]: value });
  }

  /** The request to the server. */
  get request() {
    const { lab: { sentence }, state: { mode, width, temperature, top_k, top_p, seed } } = this;
    if (mode === "beam") return ["beam", sentence, width];
    return ["sample", sentence, { temperature, top_k: top_k || null, top_p }, seed];
  }

  /** Also called when the viewer's step changes: sends no request then, only marks the selection. */
  draw() {
    const { lab } = this, key = JSON.stringify(this.request);
    if (this.requestKey !== key) {
      this.requestKey = key;
      this.drawChoices();
      this.runSearch();
    } else if (this.answer) this.drawAnswer(lab.experiment.beginning);
  }

  drawChoices() {
    const { part, state } = this;
    for (const mode of MODES) part[mode].hidden = mode !== state.mode;
    for (const button of part.modes.children) button.setAttribute("aria-pressed", button.value === state.mode);
    for (const button of part.widths.children) button.setAttribute("aria-pressed", Number(button.value) === state.width);
    for (const name of Object.keys(RANGES)) part[name].value = state[name];
  }

  async runSearch() {
    const { lab, node, part, requestKey, state, text } = this;
    this.answer = null;
    node.setAttribute("aria-busy", "true");
    if (state.mode === "beam") part.summary.textContent = text.searching;
    const response = await lab.requests.latest(() => this.request, lab.part.message, lab.text.noAnswer);
    if (response === undefined) {
      if (this.requestKey === requestKey) this.requestKey = null; // the sentence changed while nobody saw the panel
      return;
    }
    node.removeAttribute("aria-busy");
    this.answer = response && !response.error ? response : null;
    if (state.mode === "beam") part.summary.textContent = this.answer ? this.summary(this.answer) : "";
    if (!this.answer) this.requestKey = null;
    else this.drawAnswer(lab.experiment.beginning);
  }

  drawAnswer(selectedIds) {
    const { answer, part, state, text } = this;
    if (answer.levels) return this.beam.draw(answer, selectedIds);
    if (this.drawnAnswer !== answer) drawSamples(part.samples, answer, { text, target: this.target, choose: this.choose, isLimited: state.top_k > 0 || state.top_p < 1 });
    this.drawnAnswer = answer;
    for (const button of part.samples.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === String(selectedIds ?? ""));
  }

  /** A sentence that compares the beam's result with greedy decoding. */
  summary({ width, best, greedy, greedy_places: places }) {
    const { text } = this, values = { score: formatDecimal(best.score, 3), greedy: formatDecimal(greedy.score, 3), step: places.indexOf(null) + 1 };
    if (width === 1) return fill(text.one, values);
    if (String(best.ids) === String(greedy.ids)) return fill(text.same, values);
    if (best.score < greedy.score) return fill(text.worse, values);
    const sentence = fill(values.score === values.greedy ? text.equal : text.better, values);
    return places.includes(null) ? `${sentence} ${fill(text.lost, values)}` : sentence;
  }
}
