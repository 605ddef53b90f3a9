// Train one now: what is chosen, how the training stands, and what the model looks at meanwhile.

import { notifyChange } from "../../../ui/address.js";
import { element } from "../../../ui/element.js";
import { formatInteger } from "../../../ui/numbers.js";
import { dropPointerFocus, onLookChange, theme } from "../../../ui/page.js";
import { SESSION, store, readStored } from "../../../ui/storage.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { requestToy } from "../../../ui/server.js";
import { requireWords, fill } from "../../../ui/text.js";
import { keepTogether } from "../address.js";
import { draw } from "./chart.js";
import { axes, drawMap, weightsOf } from "./map.js";
import { Run, underWay } from "./run.js";

const CHOICES = ["task", "layers", "heads", "positions"];
const SHOWS = ["came", "now"];
const MEAN = "mean";
const GOAL = 95; // per cent: what is called learned
const MILESTONES = [25, 50, 75, GOAL]; // per cent that are announced
const BAGS = ["sort", "dates"]; // tasks that can be learned without positions, which is said once one has been
const REMEMBERED = "toy";

export function mount(element, settings) {
  return new Now(element.querySelector(".now"), { ...settings, text: requireWords(settings.text) });
}

class Now {
  constructor(root, settings) {
    Object.assign(this, { root, settings, text: settings.text, show: SHOWS[0], view: { kind: "cross", layer: null, head: MEAN }, announced: 0, before: "none" });
    this.part = nodesByAttribute(root, "now");
    this.first = this.choice();
    root.dataset.theme = theme();
    const ask = (wish) => requestToy(wish, settings.language);
    this.run = new Run(ask, { tell: () => this.told(), seen: () => this.seen });
    this.listen();
    this.open(SHOWS[0]);
    keepTogether(settings.story ? ["story", "now"] : ["now"], "now", {
      names: ["show", ...CHOICES],
      write: () => this.parts(),
      restore: (given) => this.restore(given),
    });
    const key = readStored(REMEMBERED, SESSION);
    if (settings.offered && key) this.run.resume(key);
  }

  /** Whether somebody can see it. */
  get seen() {
    return document.visibilityState === "visible" && this.part.section.offsetParent !== null;
  }

  listen() {
    const { root, part, run, settings } = this;
    for (const button of root.querySelectorAll("[data-show]")) {
      button.addEventListener("click", () => {
        this.open(button.dataset.show);
        notifyChange();
      });
    }
    part.form.addEventListener("change", notifyChange);
    part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.announced = 0;
      run.begin(this.config());
      this.begun = true;
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
    part.open.addEventListener("pointerenter", () => this.warm());
    part.open.addEventListener("focus", () => this.warm());
    document.addEventListener("visibilitychange", () => this.seen && run.look());
    dropPointerFocus(root);
    onLookChange(part.section, () => {
      root.dataset.theme = theme();
      root.style.setProperty("--mono", settings.monospace);
      this.render();
      run.look();
    });
  }

  /** The toy's page takes seconds to build: it begins as soon as somebody is about to open it. */
  warm() {
    const { href } = this.part.open;
    if (this.warmed !== href) fetch(`${href}health`).catch(() => null);
    this.warmed = href;
  }

  /** What is chosen, as texts by their names. */
  choice() {
    const given = new FormData(this.part.form);
    return Object.fromEntries(CHOICES.map((name) => [name, given.get(name)]));
  }

  /** The same, as the server takes it. */
  config() {
    const { task, layers, heads, positions } = this.choice();
    return { task, layers: Number(layers), heads: Number(heads), positions: positions === "on" };
  }

  parts() {
    const { show, first } = this, choice = this.choice();
    const changed = CHOICES.map((name) => [name, choice[name] === first[name] ? null : choice[name]]);
    return { show: show === SHOWS[0] ? null : show, ...Object.fromEntries(changed) };
  }

  restore({ show = SHOWS[0], ...given }) {
    const wrong = CHOICES.filter((name) => !this.choose(name, given[name] ?? this.first[name]));
    if (!SHOWS.includes(show)) return [...wrong, "show"];
    this.open(show);
    return wrong;
  }

  /** Chooses one of what a name offers; whether there is such a one. */
  choose(name, value) {
    const found = [...this.part.form.elements].find((input) => input.name === name && input.value === value);
    if (found) found.checked = true;
    return Boolean(found);
  }

  /** The tab shows how the model came about, or this section; the panel says it, for the parts of other components. */
  open(show) {
    const { root, part, settings: { offered } } = this;
    this.show = show;
    root.parentElement.closest("[role=tabpanel]").dataset.show = show;
    for (const button of root.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", button.dataset.show === show);
    part.section.hidden = show !== "now" || !offered;
    part.off.hidden = show !== "now" || offered;
    if (show === "now") this.render();
  }

  /** The server has said something. */
  told() {
    store(REMEMBERED, this.run.key ?? "", SESSION);
    this.announce();
    const { news } = this.run;
    if (!this.seen || news === this.drawn) return; // a look often finds nothing new
    this.drawn = news;
    this.render();
  }

  /** Says aloud what has changed much; not every report. */
  announce() {
    const { run, text, part, before } = this, { state, sentence, last } = run;
    const percent = percentOf(last), passed = MILESTONES.filter((milestone) => percent >= milestone).at(-1) ?? 0;
    if (state !== before && ["stopped", "finished", "failed"].includes(state)) part.heard.textContent = sentence;
    else if (state === "learning" && before !== "learning") part.heard.textContent = text.milestones.begun;
    else if (passed > this.announced) part.heard.textContent = fill(text.milestones.passed, { percent: passed, seconds: Math.round(last.at(1)) });
    this.announced = Math.max(this.announced, passed);
    this.before = state;
  }

  render() {
    const { run, part, text, root } = this, active = underWay(run) || run.state === "asked";
    root.dataset.state = run.state;
    part.train.hidden = active || run.state === "stopped";
    part.stop.hidden = !active;
    part.stop.disabled = run.state === "asked"; // it has no key yet
    part.go_on.hidden = run.state !== "stopped";
    part.again.hidden = !(active || run.state === "stopped");
    part.state.textContent = { none: text.before, asked: text.starting }[run.state] ?? run.sentence;
    part.message.textContent = run.error === "unreachable" ? text.unreachable : run.error ?? "";
    part.run.hidden = run.last === null;
    if (run.last === null) return;
    this.renderFigures();
    this.renderCurves();
    this.renderPicture();
    if (this.begun && part.watched.getBoundingClientRect().top > innerHeight / 2) part.watched.scrollIntoView(); // on a phone it lies below
    this.begun = false;
  }

  renderFigures() {
    const { run, part, text } = this, [step, seconds, examples] = run.last;
    const told = fill(text.figures, { seconds: seconds.toFixed(0), examples: formatInteger(examples), steps: formatInteger(step) });
    part.figures.replaceChildren(element("b", {}, fill(text.right, { percent: percentOf(run.last) })), ` · ${told} · ${run.about}`);
    const { task, positions } = run.config, learned = percentOf(run.last) >= GOAL;
    part.done.hidden = !run.saved;
    const over = run.state === "finished" || run.state === "stopped";
    const explained = over && (learned || (!positions && !BAGS.includes(task)));
    part.why.textContent = !explained ? "" : positions ? text.try[task] : text.without[task];
    part.open.href = new URL(`toy/${run.key}/`, new URL(document.baseURI)).href;
  }

  renderCurves() {
    const { run: { points }, part, text, settings } = this, colours = settings.colours[theme()];
    const end = (seconds) => fill(text.axis, { seconds: Math.ceil(seconds) });
    const of = (index, times = 1) => points.map((point) => [point[1], point[index] === null ? null : point[index] * times]);
    const percents = [0, 50, GOAL].map((value) => ({ value, label: `${value}` }));
    draw(part.accuracy, {
      curves: [{ points: of(5, 100), colour: colours.cross }], most: 100, ticks: percents, goal: GOAL, colours, end,
      label: fill(text.right, { percent: percentOf(points.at(-1)) }),
    });
    const most = Math.ceil(Math.max(1, ...points.flatMap((point) => [point[3] ?? 0, point[4]])));
    draw(part.loss, {
      curves: [{ points: of(3), colour: colours.ink }, { points: of(4), colour: colours.encoder, dashed: true }],
      most, ticks: [0, most].map((value) => ({ value, label: `${value}` })), colours, end,
      label: fill(text.loss, { loss: points.at(-1)[4].toFixed(2) }),
    });
  }

  renderPicture() {
    const { run: { picture, config }, part, text, settings, view } = this;
    if (!picture) return;
    const { kind } = view, layers = picture.weights[kind];
    const layer = Math.min(view.layer ?? layers.length - 1, layers.length - 1);
    const head = view.head === MEAN || view.head >= config.heads ? MEAN : view.head;
    offer(part.kind, Object.entries(text.kinds), kind);
    offer(part.layer, layers.map((_, index) => [index, `${index + 1}`]), layer);
    offer(part.head, [[MEAN, text.mean], ...layers[0].map((_, index) => [index, `${index + 1}`])], head);
    const colours = settings.colours[theme()], found = axes(picture, kind, (name, values) => fill(text[name], values));
    const weights = weightsOf(layers[layer], head === MEAN ? null : head);
    const cell = (row, column, weight) => fill(text.cell, { query: found.rows[row], key: found.columns[column], percent: Math.round(100 * weight) });
    const label = fill(text.map, { kind: text.kinds[kind], layer: layer + 1, head: head === MEAN ? text.mean : head + 1 });
    part.wanted.textContent = text.wanted[config.task];
    part.reading.textContent = text.reading[kind];
    drawMap(part.map, found, weights, { colours, colour: colours[kind], cell, label });
    const pieces = picture.predicted.map((piece, i) => element("span", { class: piece === picture.right[i] ? "right" : "wrong" }, piece));
    const [lead, rest] = text.writes.split("{written}");
    part.written.replaceChildren(lead, ...pieces, rest);
  }
}

/** How many are wholly right of a point, in whole per cent, never rounded up. */
function percentOf(point) {
  return point === null ? 0 : Math.floor(100 * point.at(-1));
}

/** Options of a select, replaced only where they differ, so that an open list stays. */
function offer(select, options, chosen) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  select.dataset.key = key;
  select.value = `${chosen}`;
}
