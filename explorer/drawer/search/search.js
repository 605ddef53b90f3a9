// The panel Beam and sampling: other ways to find a translation, on the unchanged model; and the list of samples.

import { commonElements, predictedIds } from "../../derived/differences.js";
import { tokenName } from "../../derived/token_names.js";
import { logProbability } from "../../derived/trace.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { button, element } from "../../ui/element.js";
import { formatSigned, formatDecimal } from "../../ui/numbers.js";
import { fill, innerPiece, plainPiece } from "../../ui/text.js";
import { Panel } from "../panel.js";
import { BeamTree } from "./beam.js";

const formatCount = (words, count) => (count === 1 ? words.one : fill(words.many, { count }));
const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8];
const MODES = ["beam", "sampling"];
const SAMPLES = 5; // of one request
const MAX_CACHED_ANSWERS = 60;
const DEFAULTS = { mode: "beam", width: 4, temperature: 1, top_k: 0, top_p: 1, seed: 1 };

/** The nodes of a sample's translation; `isShared` says of each piece whether the greedy translation has it, too. */
function pieceNodes({ pieces }, isShared, text) {
  const nodes = [];
  pieces.forEach((piece, i) => {
    if (piece.special) return;
    const title = fill(text.drawn, {
      piece: plainPiece(piece.text),
      log: formatDecimal(piece.log_probability, 2),
      running: formatCount(text.running, piece.in_the_running),
    });
    if (nodes.length && piece.starts_word) nodes.push(" ");
    nodes.push(element(isShared[i] ? "span" : "ins", { title }, innerPiece(piece.text)));
  });
  return nodes;
}

/** A beam whose tokens are called by `names`; the end stands apart from the word before it. */
function nameBeam({ levels, greedy, ...answer }, names) {
  const nameOf = (text) => tokenName(text, { start: names.start, end: `·${names.end}` });
  const named = (hypotheses) => hypotheses.map((hypothesis) => ({ ...hypothesis, text: nameOf(hypothesis.text) }));
  return {
    ...answer,
    levels: levels.map((level) => ({ ...level, kept: named(level.kept), pruned: named(level.pruned) })),
    greedy: { ...greedy, pieces: greedy.pieces.map(nameOf) },
  };
}

/** A sample as a button, with its numbers; `greedy` is the trace of the greedy translation. */
function sampleRow(sample, greedy, { text, target, choose, isLimited }) {
  const { ids, pieces, total, seed, ended, translation } = sample;
  const greedyIds = predictedIds(greedy);
  const isShared = commonElements(greedyIds, ids);
  const shared = isShared.filter(Boolean).length;
  const count = Math.max(ids.length - shared, greedyIds.length - shared); // of the pieces that only one of them has
  const note = fill(text.sampleNote, {
    seed,
    total: formatDecimal(total, 2),
    differs: count ? formatCount(text.differs, count) : text.differs.none,
    difference: formatSigned(total - logProbability(greedy.steps), 2),
  });
  const label = `${translation} (${fill(text.sample, { seed, total: formatDecimal(total, 2) })})`;
  const attributes = { type: "button", lang: target, dir: "auto", value: String(ids), "aria-label": label };
  const button = element("button", attributes, ...pieceNodes(sample, isShared, text));
  button.addEventListener("click", () => choose(ids));
  const most = formatCount(text.running, Math.max(...pieces.map((piece) => piece.in_the_running)));
  const notes = [note];
  if (isLimited) notes.push(fill(text.most, { running: most }));
  if (!ended) notes.push(text.unended);
  return element("div", {}, button, element("small", {}, notes.join(" · ")));
}

/** `isLimited` says whether top-k or top-p excludes pieces. */
function drawSamples(node, { samples, greedy }, options) {
  const { text, target } = options;
  const note = fill(text.greedyNote, { total: formatDecimal(logProbability(greedy.steps), 2) });
  const translation = element("b", { lang: target, dir: "auto" }, greedy.translation);
  const first = element("div", {}, translation, element("small", {}, `${text.greedy} · ${note}`));
  node.replaceChildren(first, ...samples.map((sample) => sampleRow(sample, greedy, options)));
}

/** The numbers that a field may have. */
const RANGES = {
  temperature: { from: 0.05, to: 5, isInteger: false },
  top_k: { from: 0, to: 100000, isInteger: true },
  top_p: { from: 0.01, to: 1, isInteger: false },
  seed: { from: 0, to: 4e9, isInteger: true },
};
/** The fields' names in a URL. */
const URL_NAMES = { mode: "mode", width: "width", temperature: "temperature", top_k: "k", top_p: "p", seed: "seed" };

/** The value of a field from text; undefined if the text is invalid. */
function parseField(name, text) {
  if (name === "mode") return MODES.find((mode) => mode === text);
  if (name === "width") return WIDTHS.find((width) => String(width) === text);
  const { from, to, isInteger } = RANGES[name];
  const value = Number(text);
  const isNumber = /^\d{1,10}(\.\d{1,4})?$/.test(text) && value >= from && value <= to;
  return isNumber && (!isInteger || Number.isInteger(value)) ? value : undefined;
}

export class Search extends Panel {
  static names = Object.values(URL_NAMES);

  /** The values of the fields, by their names. */
  state = { ...DEFAULTS };

  /** The answer to the request, with the greedy translation beside samples; null while there is none. */
  answer = null;

  /** The request that was last sent, as text. */
  requestKey = null;

  /** The answer whose samples are drawn. */
  drawnAnswer = null;

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part, text } = this;
    this.target = settings.target;
    this.choose = (beginning) => drawer.set({ beginning });
    this.answers = new AnswerCache((request) => this.compute(request), MAX_CACHED_ANSWERS);
    this.beam = new BeamTree(part, text, this.choose, this.target);
    for (const mode of part.modes.children) mode.addEventListener("click", () => this.setState({ mode: mode.value }));
    part.widths.append(...WIDTHS.map((width) => (
      button(() => this.setState({ width }), { value: width }, `${width}`))));
    part.form.addEventListener("submit", (event) => event.preventDefault());
    for (const name of Object.keys(RANGES)) part[name].addEventListener("change", () => this.readField(name));
    part.again.addEventListener("click", () => {
      this.setState({ seed: Math.min(this.state.seed + SAMPLES, RANGES.seed.to) });
    });
  }

  encodeState() {
    const { state } = this;
    const encode = (field) => (state[field] === DEFAULTS[field] ? null : `${state[field]}`);
    return Object.fromEntries(Object.entries(URL_NAMES).map(([field, name]) => [name, encode(field)]));
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
    this.drawer.updatePanelState();
  }

  readField(name) {
    const { part, text } = this;
    const value = parseField(name, part[name].value);
    if (value === undefined) part.refused.textContent = text.bad[name];
    else this.setState({ [name]: value });
  }

  /** The arguments of a beam search, or of sampling. */
  get request() {
    const { drawer: { sentence }, state: { mode, width, temperature, top_k: topK, top_p } } = this;
    if (mode === "beam") return { sentence, width };
    return { sentence, sampling: { temperature, top_k: topK || null, top_p }, seed: this.state.seed };
  }

  /** The beam, or samples and the greedy translation. Rejects with a UserError or NoAnswer. */
  async compute({ sentence, width, sampling, seed }) {
    const { drawer: { model, source } } = this;
    if (sampling) return { ...await model.sample(sentence, sampling, seed), greedy: source };
    return nameBeam(await model.beam(sentence, width), model.about.tokenNames);
  }

  /** Also called when the viewer's step changes: sends no request then, only marks the selection. */
  draw() {
    const key = JSON.stringify(this.request);
    if (this.requestKey !== key) {
      this.requestKey = key;
      this.drawChoices();
      this.runSearch();
    } else if (this.answer) this.drawAnswer(this.drawer.experiment.beginning);
  }

  drawChoices() {
    const { part, state } = this;
    for (const mode of MODES) part[mode].hidden = mode !== state.mode;
    for (const mode of part.modes.children) mode.setAttribute("aria-pressed", mode.value === state.mode);
    for (const width of part.widths.children) width.setAttribute("aria-pressed", Number(width.value) === state.width);
    for (const name of Object.keys(RANGES)) part[name].value = state[name];
  }

  async runSearch() {
    const { drawer, node, part, requestKey, state, text } = this;
    this.answer = null;
    node.setAttribute("aria-busy", "true");
    if (state.mode === "beam") part.summary.textContent = text.searching;
    const answer = await this.answers.latest(() => this.request, drawer.part.message, drawer.text.noAnswer);
    if (answer === undefined) {
      if (this.requestKey === requestKey) this.requestKey = null; // the sentence changed while nobody saw the panel
      return;
    }
    node.removeAttribute("aria-busy");
    this.answer = answer && !answer.error ? answer : null;
    if (state.mode === "beam") part.summary.textContent = this.answer ? this.summary(this.answer) : "";
    if (!this.answer) this.requestKey = null;
    else this.drawAnswer(drawer.experiment.beginning);
  }

  drawAnswer(selectedIds) {
    const { answer, part, state, target, text, choose } = this;
    if (!answer.samples) {
      this.beam.draw(answer, selectedIds);
      return;
    }
    const isLimited = state.top_k > 0 || state.top_p < 1;
    if (this.drawnAnswer !== answer) drawSamples(part.samples, answer, { text, target, choose, isLimited });
    this.drawnAnswer = answer;
    const selected = String(selectedIds ?? "");
    for (const sample of part.samples.querySelectorAll("button")) {
      sample.setAttribute("aria-pressed", sample.value === selected);
    }
  }

  /** A sentence that compares the beam's result with greedy decoding. */
  summary({ width, best, greedy, greedy_places: places }) {
    const { text } = this;
    const [score, greedyScore] = [best, greedy].map((translation) => formatDecimal(translation.score, 3));
    const values = { score, greedy: greedyScore, step: places.indexOf(null) + 1 };
    if (width === 1) return fill(text.one, values);
    if (String(best.ids) === String(greedy.ids)) return fill(text.same, values);
    if (best.score < greedy.score) return fill(text.worse, values);
    const sentence = fill(score === greedyScore ? text.equal : text.better, values);
    return places.includes(null) ? `${sentence} ${fill(text.lost, values)}` : sentence;
  }
}
