// What if: a station says what to change, the server runs it, and the changed translation stands beside the unchanged one.

import { NAMES as VIEW, read as readView, written as writtenView } from "../../attention_view/address.js";
import { traceOf } from "../../attention_view/payload.js";
import { mount as mountViewer } from "../../attention_view/viewer.js";
import { registerPart, notifyChange } from "../../ui/address.js";
import { RequestCache } from "../../ui/request_cache.js";
import { provideSnapshot, onView, onTabRequest } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { dropPointerFocus, onLookChange, theme } from "../../ui/page.js";
import { named } from "../../ui/room.js";
import { requireWords } from "../../ui/text.js";
import { Compare } from "./compare/compare.js";
import { NAMES, read, written } from "./experiment.js";
import { Fork } from "./fork/fork.js";
import { Heads } from "./heads/heads.js";
import { Hide } from "./hide/hide.js";
import { drawOutcome } from "./outcome.js";
import { Patch } from "./patch/patch.js";
import { Positions } from "./positions/positions.js";
import { Score } from "./score/score.js";
import { Search } from "./search/search.js";

/** The class of each station, by its folder's name. It is made with its node, the room, and its settings. */
const STATIONS = {
  fork: Fork, score: Score, compare: Compare, heads: Heads, hide: Hide, positions: Positions, patch: Patch, search: Search,
};
const KEPT = 60; // answers
const VIEW_NAMES = VIEW.filter((name) => !["level", "measure"].includes(name)); // the room has one level, and weights

export function mount(element, settings, server) {
  new Lab(element, settings, server);
}

/** Whether an experiment changes nothing. */
function empty(experiment) {
  return Object.values(experiment).every((value) => value === null || (Array.isArray(value) && !value.length));
}

class Lab {
  constructor(element, settings, server) {
    const root = element.querySelector(".lab"), { text, stations } = settings.lab;
    Object.assign(this, { root, settings, text: requireWords(text), explore: null, source: null, shown: null, of: null, count: 0 });
    this.part = named(root, "lab");
    const ask = ([name, ...given]) => server[`lab.${name}`](given);
    this.asked = new RequestCache(ask, KEPT, JSON.parse);
    // Of what is shown, which is not what is chosen while another experiment runs.
    const weightsOf = (experiment) => ([, kind]) => ask(["weights", this.of.source.sentence, experiment(), kind]);
    const weights = { weights: weightsOf(() => this.of.experiment), unchanged: weightsOf(() => ({})) };
    const follower = { inside: null, lab: null, forks: true, fork: (beginning) => this.fork(beginning), told: () => this.told() };
    this.viewer = mountViewer(element, { ...settings, ...follower }, settings.view, weights);
    this.experiments = Object.fromEntries(Object.keys(STATIONS).map((name) => [name, {}]));
    this.station = Object.keys(STATIONS)[0];
    this.stations = Object.fromEntries(Object.entries(STATIONS).map(([name, Station]) => {
      const node = root.querySelector(`[data-station=${name}]`);
      return [name, new Station(node, this, { ...stations[name], text: requireWords(stations[name].text) })];
    }));
    this.listen(stations);
  }

  listen(stations) {
    const { part, root } = this;
    part.stations.append(...Object.entries(stations).map(([value, { label, hint }]) => {
      const button = element("button", { type: "button", value, title: hint }, label);
      button.addEventListener("click", () => this.open(value));
      return button;
    }));
    part.reset.addEventListener("click", () => this.set({}));
    dropPointerFocus(root);
    root.inert = true;
    onView((explore) => this.follow(explore));
    onLookChange(root, () => this.explore && this.render());
    // What is shown, which is not what is chosen while another experiment runs.
    provideSnapshot("lab", () => this.of && { viewer: this.viewer, experiment: this.shown ? this.of.experiment : null, station: this.station, stationName: stations[this.station].label, changes: this.changes() });
    onTabRequest("lab", ({ station, experiment }) => this.open(station, experiment));
  }

  /** What is changed in what is shown, as the address has it: ["off=cross.4.5"]. */
  changes() {
    const parts = this.shown ? Object.entries(written(this.of.experiment)) : [];
    return parts.filter(([, text]) => text !== null).map((part) => part.join("="));
  }

  /** What the open station changes. */
  get experiment() {
    return this.experiments[this.station];
  }

  get sentence() {
    return this.source.sentence;
  }

  /** Explore shows something, maybe another sentence. */
  follow(explore) {
    const begins = this.explore === null;
    this.explore = explore;
    if (explore.trace !== this.source) {
      this.source = explore.trace;
      for (const [name, station] of Object.entries(this.stations)) {
        this.experiments[name] = begins ? this.experiments[name] : station.renewed(this.experiments[name]);
      }
      this.stale = true;
    }
    this.root.inert = false;
    if (begins) registerPart("lab", this);
    this.render();
  }

  /** The parts of the address: the station, its experiment, its own parts, and the view. */
  get names() {
    const own = Object.entries(STATIONS).flatMap(([name, { names }]) => names.map((part) => `${name}-${part}`));
    return [...VIEW_NAMES, ...NAMES, ...own, "station"];
  }

  write() {
    const { station, stations, viewer } = this, [first] = Object.keys(STATIONS);
    const own = Object.entries(stations[station].parts()).map(([name, text]) => [`${station}-${name}`, text]);
    return {
      ...(viewer.trace ? writtenView(viewer.view, viewer.first, viewer.trace) : {}),
      ...written(this.experiment),
      ...Object.fromEntries(own),
      station: station === first ? null : station,
    };
  }

  restore({ station = Object.keys(STATIONS)[0], ...given }) {
    const of = (names) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
    const { view, damaged } = readView(of(VIEW_NAMES), this.viewer.first);
    const { experiment, damaged: wrong } = read(of(NAMES));
    if (!Object.hasOwn(STATIONS, station)) return [...damaged, ...wrong, "station"];
    this.station = station;
    this.experiments[station] = experiment;
    const { names } = STATIONS[station];
    const own = Object.fromEntries(names.map((name) => [name, given[`${station}-${name}`]]).filter(([, text]) => text !== undefined));
    const bad = this.stations[station].restore(own, experiment).map((name) => `${station}-${name}`);
    this.view = view;
    this.stale = true;
    this.render();
    return [...damaged, ...wrong, ...bad];
  }

  /** Opens a station, with another experiment where one is given. */
  open(station, experiment = this.experiments[station]) {
    this.station = station;
    this.set(experiment);
  }

  /** The only way in which a choice changes the experiment of the open station. */
  set(experiment) {
    this.experiments[this.station] = experiment;
    this.stale = true;
    notifyChange();
    this.render();
  }

  /** The picture shows another step. */
  told() {
    if (this.viewer.trace) this.stations[this.station].draw();
    notifyChange();
  }

  /** A piece of the picture's list was chosen: the German goes on from there. */
  fork(beginning) {
    this.view = { ...this.viewer.view, step: beginning.length - 1 };
    this.open("fork", { beginning });
  }

  /** What a station's request to the server gives: an answer, one with an `error`, or null where none came. */
  ask(request) {
    return this.asked.get(request);
  }

  /** Reads a text in the target language and calls `go` with its ids and that of the end, unless something else was chosen meanwhile. */
  async target(text, go) {
    const { part: { message } } = this, turn = (this.reading = {});
    const chosen = () => JSON.stringify([this.sentence, this.station, this.experiment]), before = chosen();
    const answer = await this.ask(["target", text]);
    if (turn !== this.reading || chosen() !== before) return;
    message.textContent = answer ? answer.error ?? "" : this.text.noAnswer;
    if (answer?.ids) go(answer);
  }

  /** A part of the station that stands in the address has changed, and not the experiment. */
  kept() {
    notifyChange();
    this.render();
  }

  /** Draws what is chosen; what is hidden by another tab is drawn, and run, when it comes into sight. */
  render() {
    const { part, root, settings, station, source } = this;
    if (!root.offsetParent || !source) return;
    const colours = settings.colours[theme()];
    Object.assign(root.dataset, { theme: theme(), station, changed: !empty(this.experiment) });
    for (const [name, value] of Object.entries({ accent: colours.cross, soft: colours.text, mono: settings.monospace })) {
      root.style.setProperty(`--${name}`, value);
    }
    for (const button of part.stations.children) button.setAttribute("aria-pressed", button.value === station);
    for (const [name, { node }] of Object.entries(this.stations)) node.hidden = name !== station;
    part.reset.disabled = empty(this.experiment);
    if (this.stale) this.run();
    this.stations[station].draw();
  }

  /** Runs the experiment, and shows what it gives unless another one was chosen meanwhile. */
  async run() {
    this.stale = false;
    const { part, root, text } = this;
    const request = () => (empty(this.experiment) ? null : ["run", this.sentence, this.experiment]);
    const { experiment } = this;
    if (request() === null) {
      part.message.textContent = "";
      root.removeAttribute("aria-busy");
      return this.show(null);
    }
    root.setAttribute("aria-busy", "true");
    const answer = await this.asked.latest(request, part.message, text.noAnswer);
    if (answer === undefined) return;
    root.removeAttribute("aria-busy");
    if (answer && !answer.error) this.show(answer, experiment);
    else if (this.of?.source !== this.source) this.show(null); // what is shown belongs to the sentence before
  }

  /** Shows an answer to an experiment, or with null the unchanged translation. */
  show(answer, experiment = {}) {
    const { viewer, source, stations, station } = this;
    if (answer) answer.shown ??= traceOf(answer.trace);
    Object.assign(this, { shown: answer, of: { source, experiment } });
    const view = this.view ?? viewer.view, { names } = stations[station].text;
    this.view = null;
    if (answer) viewer.compare(source, answer.shown, { pairs: answer.pairs, names: { unchanged: names.original, changed: names.changed }, view });
    else viewer.take(source, view);
    drawOutcome(this.part, { source, answer, text: this.text, names });
    notifyChange();
    this.root.dataset.runs = ++this.count;
  }
}
