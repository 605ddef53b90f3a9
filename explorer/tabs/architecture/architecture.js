// The Architecture tab: the map of the model, the shape trace of the sentence, the table of parameters.

import { shapesOf } from "../../derived/shapes.js";
import { registerFields, notifyChange } from "../../ui/address.js";
import { AnswerCache } from "../../ui/answer_cache.js";
import { element } from "../../ui/element.js";
import { requestTab, hasTab, onView, openTab } from "../../ui/page_events.js";
import { Detail, partSections, stepSections, FoldedTable } from "./sections.js";
import { Drawing } from "./drawing.js";
import { unfoldedLayer } from "./map.js";
import { formatDecimal, formatInteger, localNumber } from "../../ui/numbers.js";
import { dropPointerFocus, onLookChange } from "../../ui/page.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";

const MAX_CACHED_PLANS = 4; // one per sentence
const PLACEHOLDER = "\0"; // stands for the sentence in a text
const NARROW_WIDTH_PX = 600; // narrower figures stack the decoder above the encoder

export function mount(root, settings, model) {
  new Architecture(root.querySelector(".architecture"), { ...settings, text: requireWords(settings.text) }, model);
}

class Architecture {
  root;
  settings;
  model;
  plans;
  part;
  steps;
  parameters;
  drawing;
  detail;
  explore = null;
  plan = null;
  choice = { open: 0, chosen: null };

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.plans = new AnswerCache(() => this.compute(), MAX_CACHED_PLANS);
    this.part = nodesByAttribute(root, "role");
    const { columns, modules } = settings.text;
    const table = (role) => this.part[role].querySelector("table");
    this.steps = new FoldedTable(table("steps"), columns, (section) => this.stepRows(section));
    const moduleRows = (section) => section.rows.map((part) => this.moduleRow(part, section));
    this.parameters = new FoldedTable(table("parameters"), modules, moduleRows);
    this.drawing = new Drawing(this.part.figure, settings, {
      onChoose: (block) => this.selectBlock(block),
      onUnfold: (open) => this.set({ open }),
    });
    this.detail = new Detail(this.part.detail, settings, {
      openLink: (link) => this.openLink(link),
      showRows: (block) => this.showRows(block),
    });
    this.showParameters();
    this.listen();
  }

  listen() {
    for (const [role, table] of Object.entries({ steps: this.steps, parameters: this.parameters })) {
      for (const button of this.part[role].querySelectorAll("[data-all]")) {
        const isOpen = button.dataset.all === "true";
        button.addEventListener("click", () => table.setAll(isOpen));
      }
    }
    dropPointerFocus(this.root);
    onLookChange(this.part.figure, () => this.update());
    onView((explore) => {
      this.explore = explore;
      this.update();
    });
  }

  /** The blocks and steps of the sentence of Explore. Rejects with a UserError. */
  async compute() {
    const { explore: { trace }, settings: { parameters, learned } } = this;
    const { tensors } = await this.model.tensors(trace.sentence, []);
    return shapesOf(tensors, trace, [...parameters, ...learned]);
  }

  /** Shows the shapes of the sentence of Explore. */
  async update() {
    if (!this.explore || !this.root.offsetParent) return;
    const { text } = this.settings;
    const { sentence } = this.explore.trace;
    if (!this.plan) this.part.message.textContent = text.loading;
    const plan = await this.plans.latest(() => this.explore.trace.sentence, this.part.message, text.failed);
    if (plan === undefined) return;
    const isFirst = plan && !this.plan;
    if (plan && plan !== this.plan) this.show(plan, sentence);
    if (isFirst) this.registerChoice();
    this.render();
  }

  show(plan, sentence) {
    const { text } = this.settings;
    this.plan = plan;
    const [before, after] = fill(text.sentence, { sentence: PLACEHOLDER }).split(PLACEHOLDER);
    const quoted = element("span", { lang: this.settings.context.codes.source, dir: "auto" }, sentence);
    this.part.sentence.replaceChildren(before, quoted, after);
    const count = (section) => [element("td", {}, fill(text.count, { count: section.rows.length }))];
    this.steps.show(stepSections(plan.rows, text), count);
    this.root.dataset.sentence = sentence;
  }

  /** Applies a user's choice. If another layer opens, its block of the same kind becomes the chosen one. */
  set(change) {
    const { choice, plan } = this;
    const nextChoice = { ...choice, ...change };
    const block = plan.blocks.find(({ path }) => path === nextChoice.chosen);
    if (block && block.layer !== null) {
      const open = unfoldedLayer(plan.blocks, block.stack, nextChoice.open);
      nextChoice.chosen = block.path.replace(`layers.${block.layer}.`, `layers.${open}.`);
    }
    this.choice = nextChoice;
    notifyChange();
    this.render();
  }

  /** Registers the open layer and the chosen block as URL parameters. */
  registerChoice() {
    const { blocks } = this.plan;
    const none = "none";
    const isKnown = (text) => text === none || blocks.some(({ path }) => path === text);
    const layers = new Set(blocks.map(({ layer }) => layer).filter((layer) => layer !== null));
    registerFields("architecture", {
      layer: {
        get: () => `${this.choice.open + 1}`,
        set: (text) => this.setIf({ open: Number(text) - 1 }, layers.has(Number(text) - 1)),
      },
      block: {
        get: () => this.choice.chosen ?? none,
        set: (text) => this.setIf({ chosen: text === none ? null : text }, isKnown(text)),
      },
    });
  }

  setIf(change, isKnown) {
    if (isKnown) this.set(change);
    return isKnown;
  }

  /** Selects a block; a second click opens the tab that explains it. */
  selectBlock(block) {
    if (block.path === this.choice.chosen) return this.openLink(this.linksOf(block)[0], block);
    this.set({ chosen: block.path });
    this.part.detail.scrollIntoView({ block: "nearest" });
  }

  /** The links to tabs that explain a block and that this page has. */
  linksOf(block) {
    return block.links.filter(({ tab }) => hasTab(tab));
  }

  openLink(link, block) {
    if (!link) return this.showRows(block);
    openTab(link.tab);
    if (link.kind) this.explore.set({ kind: link.kind, layer: link.layer });
    if (link.side) requestTab(link.tab, link.side);
  }

  /** Opens the shape trace at the steps of a block. */
  showRows({ rows: [from, to] }) {
    const section = [...this.steps.sections.values()].find(({ first, rows }) => from < first + rows.length);
    this.part.steps.open = true;
    this.steps.set(section.id, true);
    for (const row of this.part.steps.querySelectorAll("[data-row]")) {
      row.classList.toggle("marked", from <= Number(row.dataset.row) && Number(row.dataset.row) < to);
    }
    const first = this.part.steps.querySelector(`[data-row="${from}"]`);
    first.focus({ preventScroll: true });
    first.scrollIntoView({ block: "center" });
  }

  render() {
    if (!this.plan) return;
    const { open, chosen } = this.choice;
    this.drawing.draw(this.plan.blocks, { open, chosen, isStacked: this.part.figure.clientWidth < NARROW_WIDTH_PX });
    const block = this.plan.blocks.find(({ path }) => path === chosen);
    if (block) this.detail.draw(block, this.linksOf(block));
    else this.part.detail.textContent = this.settings.text.choose;
  }

  stepRows({ first, rows }) {
    const { steps, text } = this.settings;
    return rows.flatMap((row, i) => {
      const [name, why] = steps[row.key];
      const lines = row.before.map((shape) => element("div", {}, shape));
      const reason = element("td", { class: "why" });
      reason.innerHTML = why;
      const cells = [
        element("th", { scope: "row" }, name),
        element("td", { class: "shape" }, ...lines),
        element("td", { class: "shape after" }, row.after),
        element("td", { class: "number" }, row.size === null ? "–" : localNumber(row.size.toPrecision(3))),
        reason,
      ];
      const rowNode = element("tr", { "data-row": first + i, tabindex: -1 }, ...cells);
      if (!row.sublayer || row.sublayer === rows[i - 1]?.sublayer) return [rowNode];
      const heading = element("th", { scope: "colgroup", colspan: text.columns.length }, text.sublayers[row.sublayer]);
      return [element("tr", { class: "sublayer" }, heading), rowNode];
    });
  }

  showParameters() {
    const { text, parameters } = this.settings;
    const sections = partSections(parameters, text);
    const [total] = parameters;
    this.parameters.show(sections, ({ head }) => this.numbers(head));
    for (const { id, layer } of sections) this.parameters.set(id, !layer);
    const heading = element("th", { scope: "row", colspan: 3 }, text.whole);
    const row = element("tr", {}, heading, ...this.numbers(total));
    this.parameters.table.tBodies[0].before(element("tbody", { class: "whole" }, row));
  }

  moduleRow({ path, kind, own, parameters, share }, { id }) {
    const depth = path.split(".").length - id.split(".").length;
    const name = element("th", { scope: "row", style: `padding-left: ${depth * 14 + 24}px` }, path.split(".").at(-1));
    const cells = [element("td", {}, kind), element("td", { class: "shape" }, own)];
    return element("tr", {}, name, ...cells, ...this.numbers({ parameters, share }));
  }

  numbers({ parameters, share }) {
    const bar = element("i", { style: `width: ${100 * share}%` });
    const percent = fill(this.settings.text.percent, { number: formatDecimal(100 * share, 2) });
    return [
      element("td", { class: "number" }, formatInteger(parameters)),
      element("td", { class: "number share" }, bar, element("span", {}, percent)),
    ];
  }
}
