// The tab Positions: sections with controls. It shares the sentence and the step with Explore.

import { controlField, registerFields } from "../../ui/address.js";
import { onSubmit } from "../../ui/element.js";
import { loadPlotly } from "../../ui/libraries.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { onView, openPanel } from "../../ui/page_events.js";
import { RequestCache } from "../../ui/server.js";
import { Context, nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { createControls } from "./controls.js";

const MAX_CACHED_ANSWERS = 12; // a large one has a hundred thousand numbers
const CONFIG = { displaylogo: false, modeBarButtons: [["resetScale2d"]] }; // the button and the key 0 reset the zoom

/** A section: its figures and texts are the server's answer to one request. */
class Section {
  /** `serve(request)` promises the answer's text; `request()` returns the current request, null if there is none. */
  constructor(root, serve, request, { plotly, text: { failed } }) {
    Object.assign(this, { root, request, plotly, failed, isBusy: false, drawnContents: new Map() });
    this.answers = new RequestCache(serve, MAX_CACHED_ANSWERS, JSON.parse);
    this.message = root.querySelector(".message");
    this.texts = [...root.querySelectorAll("[data-text]")];
    this.figures = [...root.querySelectorAll("[data-figure]")];
  }

  /** Requests and draws the section; changes during a request lead to one more request, for the last of them. */
  async show() {
    if (this.isBusy || !this.root.offsetParent || !this.request()) return;
    this.isBusy = true;
    await null; // combines simultaneous changes into one request
    let answer;
    do answer = await this.answers.latest(this.request, this.message, this.failed);
    while (answer === undefined);
    this.isBusy = false;
    const isRefused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", isRefused);
    if (!isRefused) this.draw(answer);
  }

  draw({ texts, figures }) {
    for (const node of this.texts) {
      const html = texts[node.dataset.text]; // trusted: our texts with numbers
      if (this.drawnContents.get(node) !== html) node.innerHTML = html;
      this.drawnContents.set(node, html);
    }
    for (const node of this.figures) this.drawFigure(node, figures[node.dataset.figure]);
  }

  /** Draws a figure as wide as its node; skips unchanged figures, so that a zoom stays. */
  async drawFigure(node, figure) {
    node.hidden = !figure;
    if (!figure) return;
    const Plotly = await loadPlotly(this.plotly), width = node.clientWidth, previous = this.drawnContents.get(node);
    if (!width || (previous?.figure === figure && previous.width === width)) return;
    this.drawnContents.set(node, { figure, width });
    const { data, layout } = structuredClone(figure); // Plotly modifies its arguments
    const modebar = { bgcolor: layout.paper_bgcolor }; // Plotly's own is half black
    Plotly.react(node, data, { ...layout, width, modebar }, CONFIG);
  }
}

// The controls whose values are the arguments of a section's request (explorer/tabs/positions/answers.py).
const REQUEST_CONTROLS = {
  table: ["length", "position", "dimension"],
  waves: ["length", "dimensions"],
  similarity: ["length", "measure"],
  turn: ["length", "pair", "start", "distance"],
};

export function mount(element, settings, server) {
  new Positions(element.querySelector(".positions"), { ...settings, text: requireWords(settings.text) }, server);
}

class Positions {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, explore: null, part: nodesByAttribute(root, "role") });
    if (!settings.added) { // without positions, these controls have no effect
      for (const node of [root.querySelector("[name=forget]").parentElement, this.part.experiment]) node.remove();
    }
    this.controls = createControls(root, settings, () => this.show());
    this.sections = [...root.querySelectorAll("[data-section]")].map((node) => {
      const { section } = node.dataset;
      return new Section(node, server[`positions.${section}`], () => this.request(section), settings);
    });
    this.context = new Context(this.part.context, settings.context, (step) => this.explore.set({ step }));
    this.part.experiment.addEventListener("click", () => openPanel("positions", { encoder_positions: "off" }));
    const fields = Object.fromEntries(Object.entries(this.controls).map(([name, { field }]) => [name, field]));
    registerFields("positions", { ...fields, ...this.sentenceFields() });
    this.listen();
  }

  /** URL fields of the two sentences, which are compared on submit or from a URL. */
  sentenceFields() {
    const { first, second } = this.part.order.elements;
    const compare = () => {
      this.comparedSentences = [first.value, second.value];
      this.show();
    };
    onSubmit(this.part.order, compare);
    this.comparedSentences = [first.value, second.value];
    return { first: controlField(first, compare), second: controlField(second, compare) };
  }

  listen() {
    dropPointerFocus(this.root);
    onLookChange(this.root, () => this.show());
    onView((explore) => {
      this.explore = explore;
      this.show();
    });
  }

  /** The arguments of a section's request; null if it has none yet. */
  request(section) {
    const value = (name) => this.controls[name].value();
    if (section === "order") return this.comparedSentences;
    if (section !== "pieces") return REQUEST_CONTROLS[section].map(value);
    const forget = this.settings.added && value("forget");
    return this.explore && [this.explore.trace.sentence, value("side"), forget];
  }

  /** Draws the tab; unchanged sections stay as they are. */
  show() {
    if (!this.root.offsetParent) return;
    if (this.explore) this.context.draw(this.explore.trace, this.explore.view.step);
    for (const section of this.sections) section.show();
  }
}
