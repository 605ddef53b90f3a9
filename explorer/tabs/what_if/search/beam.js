// The tree of a beam search: hypotheses as buttons, and lines from each to what came of it.

import { fill, plainPiece } from "../../../ui/text.js";
import { element, svg } from "../../../ui/element.js";
import { joinPieces } from "../../../ui/scripts.js";
import { laidOut } from "./layout.js";

const PRUNED = 2; // drawn at every step
const ROW = 40, HEIGHT = 34, LEAST = 58, MOST = 120, GAP = 8, TOP = 18; // pixels

/** A number on the screen, with a minus sign, and none before what is rounded to 0. */
export const nats = (number, digits = 2) => number.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");
const joined = (texts) => joinPieces(texts.map((text, i) => (i ? text.replace(/^·(?=.)/, " ") : plainPiece(text))));

export class Beam {
  constructor(part, text, choose, target) {
    Object.assign(this, { part, text, choose, target, buttons: [] });
    part.precision.textContent = text.precision;
    part.marks.append(...Object.entries(text.marks).map(([name, meaning]) => this.mark(name, meaning)));
    for (const kind of ["pointerover", "focusin"]) part.nodes.addEventListener(kind, ({ target }) => this.tell(target.closest("button")));
    part.nodes.addEventListener("keydown", (event) => this.move(event));
  }

  mark(name, meaning) {
    const { signs } = this.text, sign = name in { best: 0, greedy: 0, pruned: 0 } ? signs[name] : "";
    return element("span", {}, element("b", { class: name, "aria-hidden": "true" }, sign), meaning);
  }

  /** How a node stands, in words. */
  told({ step, row, state, waits, text, texts, total, length, score, log, best, greedy }) {
    const words = this.text, name = waits && state === "kept" ? "waits" : state;
    const states = [fill(words.states[name], { rank: row + 1 }), ...(best ? [words.best] : []), ...(greedy && state !== "lost" ? [words.greedy] : [])];
    const values = { total: nats(total), length, score: nats(score, 3), log: nats(log), beginning: joined(texts) };
    return fill(words.node, { step: step + 1, piece: plainPiece(text), state: states.join(", "), ...values });
  }

  tell(button) {
    if (button) this.part.arithmetic.textContent = button.title;
  }

  /** Draws an answer; `chosen` are the ids of the German that is looked at. */
  draw(answer, chosen) {
    if (this.answer !== answer) {
      this.answer = answer;
      this.tree = laidOut(answer, PRUNED);
      this.build();
      this.tabulate();
    }
    const wanted = String(chosen ?? "");
    for (const [node, button] of this.buttons) button.setAttribute("aria-pressed", String(node.ids) === wanted);
    for (const row of this.part.finals.querySelectorAll("button")) row.setAttribute("aria-pressed", row.value === wanted);
  }

  build() {
    const { part, text, tree: { nodes, rows }, answer: { levels } } = this;
    const width = Math.max(LEAST, Math.min(MOST, Math.floor((part.plane.clientWidth - 4) / levels.length)));
    const lines = svg("svg", { "aria-hidden": "true", width: width * levels.length, height: TOP + rows * ROW });
    lines.append(...nodes.filter(({ from }) => from).sort((a, b) => a.best - b.best).map((node) => this.line(node, width)));
    const heads = levels.map((_, step) => {
      const head = element("i", { "aria-hidden": "true" }, `${step + 1}`);
      Object.assign(head.style, { left: `${step * width}px`, width: `${width - GAP}px` });
      return head;
    });
    this.buttons = nodes.map((node) => [node, this.node(node, width)]);
    Object.assign(part.nodes.style, { width: `${width * levels.length}px`, height: `${TOP + rows * ROW}px` });
    part.nodes.replaceChildren(lines, ...heads, ...this.buttons.map(([, button]) => button));
    part.arithmetic.textContent = this.buttons.length ? this.told(nodes.findLast(({ best, waits }) => best && !waits)) : "";
  }

  line({ from, step, row, state, waits, best, greedy }, width) {
    const x = (from.step + 1) * width - GAP, y = (place) => TOP + place * ROW + HEIGHT / 2, end = step * width, middle = (x + end) / 2;
    const path = svg("path", { d: `M${x} ${y(from.row)}C${middle} ${y(from.row)} ${middle} ${y(row)} ${end} ${y(row)}`, class: state });
    for (const [name, has] of Object.entries({ waits, best, greedy })) path.classList.toggle(name, Boolean(has));
    return path;
  }

  node(node, width) {
    const { signs } = this.text, { state, waits, best, greedy, text, score } = node, told = this.told(node);
    const marks = [best && signs.best, greedy && signs.greedy, state === "pruned" && signs.pruned].filter(Boolean).join("");
    const button = element("button", { type: "button", title: told, class: state }, // what is seen is its name, the rest describes it
      element("span", {}, plainPiece(text)), " ", element("small", {}, nats(score)), element("em", { "aria-hidden": "true" }, marks));
    for (const [name, has] of Object.entries({ waits, best, greedy })) button.classList.toggle(name, Boolean(has));
    Object.assign(button.style, { left: `${node.step * width}px`, top: `${TOP + node.row * ROW}px`, width: `${width - GAP}px`, height: `${HEIGHT}px` });
    button.addEventListener("click", () => this.choose(node.ids));
    button.tabIndex = best && node.step === this.answer.levels.length - 1 ? 0 : -1;
    return button;
  }

  /** The arrows go from a hypothesis to those beside it, above and below. */
  move(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event, from = this.buttons.find(([, button]) => button === target)?.[0];
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!from || !by || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = from.step + by[0], others = this.buttons.filter(([node]) => node.step === step && node !== from);
    const fits = ([node]) => (by[1] ? (node.row - from.row) * by[1] > 0 : true);
    const far = ([node]) => (node === from.from || node.from === from ? 0 : 1) * (by[0] ? 100 : 0) + Math.abs(node.row - from.row);
    const [best] = others.filter(fits).sort((a, b) => far(a) - far(b));
    if (!best) return;
    for (const [, button] of this.buttons) button.tabIndex = button === best[1] ? 0 : -1;
    best[1].focus();
  }

  tabulate() {
    const { part, text, answer: { finals, greedy }, tree } = this;
    const head = (names) => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", {}, name))));
    const final = (found, label) => {
      const button = element("button", { type: "button", lang: this.target, dir: "auto", value: String(found.ids) }, found.translation);
      button.addEventListener("click", () => this.choose(found.ids));
      const arithmetic = fill(text.arithmetic, { total: nats(found.total), length: found.ids.length, score: nats(found.score, 3) });
      return element("tr", {}, element("td", {}, label), element("td", {}, button), element("td", {}, arithmetic));
    };
    const lost = tree.lost === -1 ? [] : [final(greedy, text.greedyRow)];
    const kept = finals.map((found, i) => final(found, `${fill(text.ranked, { rank: i + 1 })}${i ? "" : ` ${text.signs.best}`}${String(found.ids) === String(greedy.ids) ? ` ${text.signs.greedy}` : ""}`));
    part.finals.replaceChildren(head(text.end), element("tbody", {}, ...kept, ...lost));
    const rows = tree.nodes.filter(({ waits, state }) => !waits || state === "pruned").map((node) => {
      const states = [fill(text.states[node.state], { rank: node.row + 1 }), ...(node.best ? [text.best] : []), ...(node.greedy && node.state !== "lost" ? [text.greedy] : [])];
      const cells = [`${node.step + 1}`, states.join(", "), joined(node.texts), nats(node.log), nats(node.total), `${node.length}`, nats(node.score, 3)];
      return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
    });
    part.table.replaceChildren(head([...text.columns]), element("tbody", {}, ...rows));
  }
}
