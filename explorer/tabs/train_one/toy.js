// A toy that learns: its settings, the progress of the training, and the attention of the model meanwhile.

import { notifyChange } from "../../ui/address.js";
import { element, onSubmit } from "../../ui/element.js";
import { formatDecimal, formatInteger, formatPercent, shownPercent } from "../../ui/numbers.js";
import { onLookChange, theme } from "../../ui/page.js";
import { SESSION, store, readStored } from "../../ui/storage.js";
import { nodesByAttribute, numberLabels, updateOptions } from "../../ui/tab.js";
import { requestToy } from "../../ui/server.js";
import { requireWords, fill } from "../../ui/text.js";
import { windowHeight } from "../../ui/window.js";
import { drawChart, mapLabels, drawMap, headWeights, nameTokens } from "./chart.js";
import { Run, isUnderWay } from "./run.js";

const CHOICES = ["task", "layers", "heads", "positions"];
const MEAN = "mean";
const GOAL_PERCENT = 95; // the accuracy that counts as learned
const MILESTONES = [25, 50, 75, GOAL_PERCENT]; // accuracies that are announced
const ORDER_FREE_TASKS = ["sort", "dates"]; // tasks that can be learned without positions
const STORAGE_KEY = "toy";
const SECONDS = 1, LOSS = 3, TEST_LOSS = 4, RIGHT = 5; // in a point

export class Toy {
  names = CHOICES;
  root;
  settings;
  text;
  part;
  /** @type {Run} */ run;
  /** @type {Record<string, any>} */ defaultValues;
  /** @type {{ kind: Kind, layer: number | null, head: number | "mean" }} Layer null: the last. */
  view = { kind: "cross", layer: null, head: MEAN };
  announcedPercent = 0;
  previousState = "none";
  drawnState = ""; // the run's `reportState`
  prefetchedUrl = "";
  isNewRun = false; // begun and not drawn yet

  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    this.text = requireWords(settings.text);
    this.part = nodesByAttribute(root, "train");
    this.defaultValues = this.formValues();
    root.dataset.theme = theme();
    const sendRequest = (request) => requestToy(request, settings.language);
    this.run = new Run(sendRequest, { onReport: () => this.onReport(), isVisible: () => this.isVisible });
    this.listen();
    this.part.section.hidden = !settings.offered;
    this.part.off.hidden = settings.offered;
    this.render();
    const key = readStored(STORAGE_KEY, SESSION);
    if (settings.offered && key) this.run.resume(key);
  }

  /** Whether the section is in view. */
  get isVisible() {
    return document.visibilityState === "visible" && this.part.section.offsetParent !== null;
  }

  listen() {
    const { root, part, run } = this;
    part.form.addEventListener("change", notifyChange);
    onSubmit(part.form, () => {
      this.announcedPercent = 0;
      run.start(this.config());
      this.isNewRun = true;
    });
    part.stop.addEventListener("click", () => run.stop());
    part.go_on.addEventListener("click", () => run.goOn());
    for (const name of ["kind", "layer", "head"]) {
      part[name].addEventListener("change", () => {
        const { value } = part[name];
        this.view[name] = name === "kind" || value === MEAN ? value : Number(value);
        this.render();
      });
    }
    part.open.addEventListener("pointerenter", () => this.prefetchToyPage());
    part.open.addEventListener("focus", () => this.prefetchToyPage());
    document.addEventListener("visibilitychange", () => this.isVisible && run.poll());
    onLookChange(part.section, () => {
      root.dataset.theme = theme();
      this.render();
      run.poll();
    });
  }

  /** Requests the toy's page early, because the server takes seconds to build it. */
  prefetchToyPage() {
    const { href } = this.part.open;
    if (this.prefetchedUrl !== href) fetch(`${href}health`).catch(() => null);
    this.prefetchedUrl = href;
  }

  /**
   * The values of the form, as texts by name.
   *
   * @returns {Record<string, any>}
   */
  formValues() {
    const data = new FormData(this.part.form);
    return Object.fromEntries(CHOICES.map((name) => [name, data.get(name)]));
  }

  /** The values of the form as the server's config. */
  config() {
    const { task, layers, heads, positions } = this.formValues();
    return { task, layers: Number(layers), heads: Number(heads), positions: positions === "on" };
  }

  /** The choices as texts of the address. */
  write() {
    const values = this.formValues();
    const changed = (name) => (values[name] === this.defaultValues[name] ? null : values[name]);
    return Object.fromEntries(CHOICES.map((name) => [name, changed(name)]));
  }

  /** @param {Record<string, string>} texts */
  restore(texts) {
    return CHOICES.filter((name) => !this.selectOption(name, texts[name] ?? this.defaultValues[name]));
  }

  /** Selects an option of the form and returns whether it exists. */
  selectOption(name, value) {
    const input = [...this.part.form.elements].find((input) => input.name === name && input.value === value);
    if (input) input.checked = true;
    return Boolean(input);
  }

  /** Called after each of the server's reports. */
  onReport() {
    store(STORAGE_KEY, this.run.key ?? "", SESSION);
    this.announce();
    const { reportState } = this.run;
    if (!this.isVisible || reportState === this.drawnState) return; // most polls bring nothing new
    this.drawnState = reportState;
    this.render();
  }

  /** Announces milestones and the end to screen readers, not every report. */
  announce() {
    const percent = accuracyPercent(this.run.last);
    const milestone = MILESTONES.filter((each) => percent >= each).at(-1) ?? 0;
    const announcement = this.announcement(milestone);
    if (announcement !== null) this.part.heard.textContent = announcement;
    this.announcedPercent = Math.max(this.announcedPercent, milestone);
    this.previousState = this.run.state;
  }

  /** What is new; null if nothing is. */
  announcement(milestone) {
    const { run: { state, sentence, last }, text: { milestones } } = this;
    const isNewState = state !== this.previousState;
    if (isNewState && ["stopped", "finished", "failed"].includes(state)) return sentence;
    if (isNewState && state === "learning") return milestones.begun;
    if (milestone <= this.announcedPercent) return null;
    return fill(milestones.passed, { percent: milestone, seconds: Math.round(last[SECONDS]) });
  }

  render() {
    const { run, part, text, root } = this;
    const isActive = isUnderWay(run) || run.state === "asked";
    root.dataset.state = run.state;
    part.train.hidden = isActive || run.state === "stopped";
    part.stop.hidden = !isActive;
    part.stop.disabled = run.state === "asked"; // it has no key yet
    part.go_on.hidden = run.state !== "stopped";
    part.again.hidden = !(isActive || run.state === "stopped");
    part.state.textContent = { none: text.before, asked: text.starting }[run.state] ?? run.sentence;
    part.message.textContent = run.error === "unreachable" ? text.unreachable : run.error ?? "";
    const isBefore = run.state === "none" && run.last === null;
    part.run.hidden = isBefore;
    if (isBefore) return;
    this.renderCurves(); // with its axes also before the first report
    for (const name of ["figures", "seen", "written", "looked"]) part[name].hidden = run.last === null;
    if (run.last === null) return;
    this.renderFigures();
    this.renderPicture();
    const isBelow = part.watched.getBoundingClientRect().top > windowHeight() / 2; // as below the form on a phone
    if (this.isNewRun && isBelow) part.watched.scrollIntoView();
    this.isNewRun = false;
  }

  get accuracyText() {
    return fill(this.text.right, { percent: accuracyPercent(this.run.last) });
  }

  renderFigures() {
    const { run, part, text } = this;
    const [step, seconds, examples] = run.last;
    const accuracy = element("b", {}, this.accuracyText);
    const figures = fill(text.figures, {
      seconds: formatDecimal(seconds, 0),
      examples: formatInteger(examples),
      steps: formatInteger(step),
    });
    part.figures.replaceChildren(accuracy, ` · ${figures} · ${run.about}`);
    part.done.hidden = !run.saved;
    part.why.textContent = this.explanation();
    part.open.href = new URL(`toy/${run.key}/`, new URL(document.baseURI)).href;
  }

  /** Why a training that is over ended well, or could not without positions; empty if neither is so. */
  explanation() {
    const { run, text } = this;
    const { task, positions } = run.config;
    const isLearned = accuracyPercent(run.last) >= GOAL_PERCENT;
    const needsPositions = !positions && !ORDER_FREE_TASKS.includes(task);
    if (!["finished", "stopped"].includes(run.state) || !(isLearned || needsPositions)) return "";
    return positions ? text.try[task] : text.without[task];
  }

  renderCurves() {
    const { run: { points, last }, part, text, settings } = this;
    const colours = settings.colours[theme()];
    const end = (seconds) => fill(text.axis, { seconds: Math.ceil(seconds) });
    drawChart(part.accuracy, {
      curves: [{ points: points.map((point) => [point[SECONDS], 100 * point[RIGHT]]), colour: colours.cross }],
      maxValue: 100, ticks: [0, 50, GOAL_PERCENT], goal: GOAL_PERCENT, colours, end,
      label: this.accuracyText,
    });
    const maxLoss = Math.ceil(Math.max(1, ...points.flatMap((point) => [point[LOSS] ?? 0, point[TEST_LOSS]])));
    drawChart(part.loss, {
      curves: [
        { points: points.map((point) => [point[SECONDS], point[LOSS]]), colour: colours.ink },
        { points: points.map((point) => [point[SECONDS], point[TEST_LOSS]]), colour: colours.encoder, dashed: true },
      ],
      maxValue: maxLoss, ticks: [0, maxLoss], colours, end,
      label: last ? fill(text.loss, { loss: formatDecimal(last[TEST_LOSS], 2) }) : "",
    });
  }

  renderPicture() {
    const { run: { config }, part, text, view } = this;
    if (!this.run.picture) return;
    const picture = nameTokens(this.run.picture, text.tokenNames);
    const { kind } = view;
    const layers = picture.weights[kind];
    const layer = Math.min(view.layer ?? layers.length - 1, layers.length - 1);
    const head = typeof view.head === "number" && view.head < config.heads ? view.head : MEAN;
    updateOptions(part.kind, Object.entries(text.kinds), kind);
    updateOptions(part.layer, numberLabels(layers.length), layer);
    updateOptions(part.head, [[MEAN, text.mean], ...numberLabels(layers[0].length).entries()], head);
    part.wanted.textContent = text.wanted[config.task];
    part.reading.textContent = text.reading[kind];
    this.renderMap(picture, layer, head);
    const pieces = picture.predicted.map((piece, i) => (
      element("span", { class: piece === picture.right[i] ? "right" : "wrong" }, piece)
    ));
    const [before, after] = text.writes.split("{written}");
    part.written.replaceChildren(before, ...pieces, after);
  }

  /** Draws the attention of a head, or of the mean, in a layer of a picture. */
  renderMap(picture, layer, head) {
    const { part, text, settings, view: { kind } } = this;
    const isMean = head === MEAN;
    const colours = settings.colours[theme()];
    const labels = mapLabels(picture, kind, (name, values) => fill(text[name], values));
    const numbers = { layer: layer + 1, head: isMean ? text.mean : head + 1 };
    drawMap(part.map, labels, headWeights(picture.weights[kind][layer], isMean ? null : head), {
      colours,
      colour: colours[kind],
      describeCell: (row, column, weight) => {
        const percent = formatPercent(weight);
        return fill(text.cell, { query: labels.rows[row], key: labels.columns[column], percent });
      },
      label: fill(text.map, { kind: text.kinds[kind], ...numbers }),
    });
  }
}

/** The accuracy of a point in whole percent, rounded down. */
function accuracyPercent(point) {
  return point === null ? 0 : Math.floor(shownPercent(point[RIGHT], 6)); // 100 * 0.29 is below 29
}
