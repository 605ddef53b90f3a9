// The tab Positions: sections with controls. It shares the sentence and the step with the attention view.

import { controlField, registerFields } from "../../ui/address.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { onSubmit } from "../../ui/element.js";
import { loadPlotly } from "../../ui/libraries.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { onView, openDrawer } from "../../ui/page_events.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords } from "../../ui/text.js";
import { Context } from "./context.js";
import { createControls } from "./controls.js";
import { Sections } from "./sections.js";

const MAX_CACHED_ANSWERS = 12; // a large one has a hundred thousand numbers
const CONFIG = { displaylogo: false, modeBarButtons: [["resetScale2d"]] }; // the button and the key 0 reset the zoom

/** A section on the page: its figures and texts are computed from one request, the values of its controls. */
class SectionView {
  root;
  request;
  settings;
  answers;
  message;
  texts;
  figures;
  isBusy = false;
  drawnContents = new Map(); // by node

  /** `compute(request)` promises { figures, texts }; `request()` returns the current request, null if there is none. */
  constructor(root, compute, request, settings) {
    this.root = root;
    this.request = request;
    this.settings = settings;
    this.answers = new AnswerCache(compute, MAX_CACHED_ANSWERS);
    this.message = root.querySelector(".message");
    this.texts = [...root.querySelectorAll("[data-text]")];
    this.figures = [...root.querySelectorAll("[data-figure]")];
  }

  /** Computes and draws the section; changes meanwhile lead to one more request, for the last of them. */
  async show() {
    if (this.isBusy || !this.root.offsetParent || !this.request()) return;
    this.isBusy = true;
    await null; // combines simultaneous changes into one request
    let answer;
    do answer = await this.answers.latest(this.request, this.message, this.settings.text.failed);
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
    const Plotly = await loadPlotly(this.settings.plotly);
    const width = node.clientWidth;
    const previous = this.drawnContents.get(node);
    if (!width || (previous?.figure === figure && previous.width === width)) return;
    this.drawnContents.set(node, { figure, width });
    const { data, layout } = structuredClone(figure); // Plotly modifies its arguments
    const modebar = { bgcolor: layout.paper_bgcolor }; // Plotly's own is half black
    Plotly.react(node, data, { ...layout, width, modebar }, CONFIG);
  }
}

// The controls whose values are the arguments of a section of the table.
const REQUEST_CONTROLS = {
  table: ["length", "position", "dimension"],
  waves: ["length", "dimensions"],
  similarity: ["length", "measure"],
  turn: ["length", "pair", "start", "distance"],
};

export function mount(element, settings, model) {
  new Positions(element.querySelector(".positions"), { ...settings, text: requireWords(settings.text) }, model);
}

class Positions {
  root;
  settings;
  viewer = null;
  part;
  computed;
  controls;
  sections;
  context;
  comparedSentences;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.part = nodesByAttribute(root, "role");
    if (!settings.added) { // without positions, these controls have no effect
      for (const node of [root.querySelector("[name=forget]").parentElement, this.part.experiment]) node.remove();
    }
    this.computed = new Sections(settings, model);
    const { table } = this.computed;
    const selection = { width: table?.width, initial: table?.notableDimensions, text: settings.text };
    this.controls = createControls(root, selection, () => this.show());
    this.sections = [...root.querySelectorAll("[data-section]")].map((node) => {
      const { section } = node.dataset;
      return new SectionView(node, (request) => this.compute(section, request), () => this.request(section), settings);
    });
    this.context = new Context(this.part.context, settings.context, (step) => this.viewer.set({ step }));
    this.part.experiment.addEventListener("click", () => {
      openDrawer("positions");
      this.viewer.change.merge({ encoder_positions: "off" });
    });
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
    onView((viewer) => {
      this.viewer = viewer;
      this.show();
    });
  }

  /** A section's request; null if it has none yet. */
  request(section) {
    const value = (name) => this.controls[name].value();
    if (section === "order") return this.comparedSentences;
    if (section !== "pieces") return REQUEST_CONTROLS[section].map(value);
    const forget = this.settings.added && value("forget");
    return this.viewer && [this.viewer.trace.submission, value("side"), forget];
  }

  /** The figures and texts of a section. Rejects with a UserError. */
  async compute(section, request) {
    const { computed, viewer } = this;
    if (section !== "pieces") return computed[`${section}Section`](...request);
    const [, side, forget] = request;
    return computed.piecesSection(viewer.trace, side, forget);
  }

  /** Draws the tab; unchanged sections stay as they are. */
  show() {
    if (!this.root.offsetParent) return;
    if (this.viewer) this.context.draw(this.viewer.trace, this.viewer.view.step);
    for (const section of this.sections) section.show();
  }
}
