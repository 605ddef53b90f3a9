// The tab Train one: the settings, the progress of the training, and the attention of the model meanwhile.

import { notifyChange, registerPart } from "../../ui/address.js";
import { element, onSubmit } from "../../ui/element.js";
import { formatDecimal, formatInteger } from "../../ui/numbers.js";
import { dropPointerFocus, onLookChange, theme } from "../../ui/page.js";
import { SESSION, store, readStored } from "../../ui/storage.js";
import { nodesByAttribute, numberLabels, updateOptions } from "../../ui/tab.js";
import { requestToy } from "../../ui/server.js";
import { requireWords, fill } from "../../ui/text.js";
import { drawChart, mapLabels, drawMap, headWeights } from "./chart.js";
import { Run, isUnderWay } from "./run.js";

const CHOICES = ["task", "layers", "heads", "positions"];
const MEAN = "mean";
const GOAL_PERCENT = 95; // the accuracy that counts as learned
const MILESTONES = [25, 50, 75, GOAL_PERCENT]; // accuracies that are announced
const ORDER_FREE_TASKS = ["sort", "dates"]; // tasks that can be learned without positions
const STORAGE_KEY = "toy";

export function mount(element, settings) {
  return new Train(element.querySelector(".train"), { ...settings, text: requireWords(settings.text) });
}

class Train {
  constructor(root, settings) {
    Object.assign(this, { root, settings, text: settings.text, view: { kind: "cross", layer: null, head: MEAN }, announcedPercent: 0, previousState: "none" });
    this.part = nodesByAttribute(root, "train");
    this.defaultValues = this.formValues();
    root.dataset.theme = theme();
    const sendRequest = (request) => requestToy(request, settings.language);
    this.run = new Run(sendRequest, { onReport: () => this.onReport(), isVisible: () => this.isVisible });
    this.listen();
    this.part.section.hidden = !settings.offered;
    this.part.off.hidden = settings.offered;
    registerPart("train", { names: CHOICES, write: () => this.encodeState(), restore: (texts) => this.restore(texts) });
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
    dropPointerFocus(root);
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

  /** The values of the form, as texts by name. */
  formValues() {
    const data = new FormData(this.part.form);
    return Object.fromEntries(CHOICES.map((name) => [name, data.get(name)]));
  }

  /** The values of the form as the server's config. */
  config() {
    const { task, layers, heads, positions } = this.formValues();
    return { task, layers: Number(layers), heads: Number(heads), positions: positions === "on" };
  }

  encodeState() {
    const { defaultValues } = this, values = this.formValues();
    return Object.fromEntries(CHOICES.map((name) => [name, values[name] === defaultValues[name] ? null : values[name]]));
  }

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
    const { run, text, part, previousState } = this, { state, sentence, last } = run;
    const percent = accuracyPercent(last), milestonesPassed = MILESTONES.filter((milestone) => percent >= milestone).at(-1) ?? 0;
    if (state !== previousState && ["stopped", "finished", "failed"].includes(state)) part.heard.textContent = sentence;
    else if (state === "learning" && previousState !== "learning") part.heard.textContent = text.milestones.begun;
    else if (milestonesPassed > this.announcedPercent) part.heard.textContent = fill(text.milestones.passed, { percent: milestonesPassed, seconds: Math.round(last.at(1)) });
    this.announcedPercent = Math.max(this.announcedPercent, milestonesPassed);
    this.previousState = state;
  }

  render() {
    const { run, part, text, root } = this, isActive = isUnderWay(run) || run.state === "asked";
    root.dataset.state = run.state;
    part.train.hidden = isActive || run.state === "stopped";
    part.stop.hidden = !isActive;
    part.stop.disabled = run.state === "asked"; // it has no key yet
    part.go_on.hidden = run.state !== "stopped";
    part.again.hidden = !(isActive || run.state === "stopped");
    part.state.textContent = { none: text.before, asked: text.starting }[run.state] ?? run.sentence;
    part.message.textContent = run.error === "unreachable" ? text.unreachable : run.error ?? "";
    part.run.hidden = run.last === null;
    if (run.last === null) return;
    this.renderFigures();
    this.renderCurves();
    this.renderPicture();
    if (this.isNewRun && part.watched.getBoundingClientRect().top > innerHeight / 2) part.watched.scrollIntoView(); // on a phone it is below the form
    this.isNewRun = false;
  }

  renderFigures() {
    const { run, part, text } = this, [step, seconds, examples] = run.last;
    const figures = fill(text.figures, { seconds: formatDecimal(seconds, 0), examples: formatInteger(examples), steps: formatInteger(step) });
    part.figures.replaceChildren(element("b", {}, fill(text.right, { percent: accuracyPercent(run.last) })), ` · ${figures} · ${run.about}`);
    const { task, positions } = run.config, isLearned = accuracyPercent(run.last) >= GOAL_PERCENT;
    part.done.hidden = !run.saved;
    const isOver = run.state === "finished" || run.state === "stopped";
    const hasExplanation = isOver && (isLearned || (!positions && !ORDER_FREE_TASKS.includes(task)));
    part.why.textContent = !hasExplanation ? "" : positions ? text.try[task] : text.without[task];
    part.open.href = new URL(`toy/${run.key}/`, new URL(document.baseURI)).href;
  }

  renderCurves() {
    const { run: { points }, part, text, settings } = this, colours = settings.colours[theme()];
    const end = (seconds) => fill(text.axis, { seconds: Math.ceil(seconds) });
    const curvePoints = (index, times = 1) => points.map((point) => [point[1], point[index] === null ? null : point[index] * times]);
    const percents = [0, 50, GOAL_PERCENT].map((value) => ({ value, label: `${value}` }));
    drawChart(part.accuracy, {
      curves: [{ points: curvePoints(5, 100), colour: colours.cross }], maxValue: 100, ticks: percents, goal: GOAL_PERCENT, colours, end,
      label: fill(text.right, { percent: accuracyPercent(points.at(-1)) }),
    });
    const maxLoss = Math.ceil(Math.max(1, ...points.flatMap((point) => [point[3] ?? 0, point[4]])));
    drawChart(part.loss, {
      curves: [{ points: curvePoints(3), colour: colours.ink }, { points: curvePoints(4), colour: colours.encoder, dashed: true }],
      maxValue: maxLoss, ticks: [0, maxLoss].map((value) => ({ value, label: `${value}` })), colours, end,
      label: fill(text.loss, { loss: formatDecimal(points.at(-1)[4], 2) }),
    });
  }

  renderPicture() {
    const { run: { picture, config }, part, text, settings, view } = this;
    if (!picture) return;
    const { kind } = view, layers = picture.weights[kind];
    const layer = Math.min(view.layer ?? layers.length - 1, layers.length - 1);
    const head = view.head === MEAN || view.head >= config.heads ? MEAN : view.head;
    updateOptions(part.kind, Object.entries(text.kinds), kind);
    updateOptions(part.layer, numberLabels(layers.length), layer);
    updateOptions(part.head, [[MEAN, text.mean], ...numberLabels(layers[0].length).entries()], head);
    const colours = settings.colours[theme()], labels = mapLabels(picture, kind, (name, values) => fill(text[name], values));
    const weights = headWeights(layers[layer], head === MEAN ? null : head);
    const describeCell = (row, column, weight) => fill(text.cell, { query: labels.rows[row], key: labels.columns[column], percent: Math.round(100 * weight) });
    const label = fill(text.map, { kind: text.kinds[kind], layer: layer + 1, head: head === MEAN ? text.mean : head + 1 });
    part.wanted.textContent = text.wanted[config.task];
    part.reading.textContent = text.reading[kind];
    drawMap(part.map, labels, weights, { colours, colour: colours[kind], describeCell, label });
    const pieces = picture.predicted.map((piece, i) => element("span", { class: piece === picture.right[i] ? "right" : "wrong" }, piece));
    const [before, after] = text.writes.split("{written}");
    part.written.replaceChildren(before, ...pieces, after);
  }
}

/** The accuracy of a point in whole percent, rounded down. */
function accuracyPercent(point) {
  return point === null ? 0 : Math.floor(100 * point.at(-1));
}
