// The tree of a beam search: hypotheses as buttons, joined to their continuations by lines.

import { element, svg } from "../../ui/element.js";
import { formatDecimal } from "../../ui/numbers.js";
import { joinPieces } from "../../ui/scripts.js";
import { fill, joinList, plainPiece } from "../../ui/text.js";
import { layoutBeam } from "./beam_layout.js";

const MAX_PRUNED_PER_STEP = 2; // drawn
// In pixels:
const ROW_HEIGHT = 40;
const NODE_HEIGHT = 34;
const MIN_COLUMN_WIDTH = 58;
const MAX_COLUMN_WIDTH = 120;
const GAP = 8;
const TOP_MARGIN = 18;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Pieces as one text. */
function joinTexts(texts) {
  return joinPieces(texts.map((text, i) => (i ? text.replace(/^·(?=.)/, " ") : plainPiece(text))));
}

/** Adds the classes of those names whose value is true. */
function markClasses(node, { waits, best, greedy }) {
  for (const [name, isSet] of Object.entries({ waits, best, greedy })) node.classList.toggle(name, Boolean(isSet));
}

function tableHead(names) {
  return element("thead", {}, element("tr", {}, ...names.map((name) => element("th", {}, name))));
}

function tableRow(cells) {
  return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
}

export class BeamTree {
  /** The nodes that are drawn, each with its button. */
  buttons = [];

  /** The answer of the model that is drawn, and its layout (layoutBeam). */
  answer = null;
  tree = null;

  /** `part` are the nodes of the panel; `choose(ids)` shows a translation, `target` is the code of its language. */
  constructor(part, text, choose, target) {
    this.part = part;
    this.text = text;
    this.choose = choose;
    this.target = target;
    part.marks.append(...Object.entries(text.marks).map(([name, meaning]) => this.legendEntry(name, meaning)));
    for (const kind of ["pointerover", "focusin"]) {
      part.nodes.addEventListener(kind, (event) => this.showArithmetic(event.target.closest("button")));
    }
    part.nodes.addEventListener("keydown", (event) => this.moveFocus(event));
  }

  legendEntry(name, meaning) {
    const sign = ["best", "greedy", "pruned"].includes(name) ? this.text.signs[name] : "";
    return element("span", {}, element("b", { class: name, "aria-hidden": "true" }, sign), meaning);
  }

  /** What became of a hypothesis, in words: its `state`, and whether it is the best or the greedy one. */
  describeState({ row, state, best, greedy }, name = state) {
    const { text } = this;
    const states = [fill(text.states[name], { rank: row + 1 })];
    if (best) states.push(text.best);
    if (greedy && state !== "lost") states.push(text.greedy);
    return joinList(states);
  }

  /** A node's state and score in words. */
  describeNode(node) {
    const { step, state, waits, text, texts, total, length, score, log } = node;
    return fill(this.text.node, {
      step: step + 1,
      piece: plainPiece(text),
      state: this.describeState(node, waits && state === "kept" ? "waits" : state),
      total: formatDecimal(total, 2),
      length,
      score: formatDecimal(score, 3),
      log: formatDecimal(log, 2),
      beginning: joinTexts(texts),
    });
  }

  showArithmetic(button) {
    if (button) this.part.arithmetic.textContent = button.title;
  }

  /** Draws an answer; `selectedIds` are those of the translation in view. */
  draw(answer, selectedIds) {
    if (this.answer !== answer) {
      this.answer = answer;
      this.tree = layoutBeam(answer, MAX_PRUNED_PER_STEP);
      this.drawTree();
      this.drawTables();
    }
    const selected = String(selectedIds ?? "");
    for (const [node, button] of this.buttons) button.setAttribute("aria-pressed", String(node.ids) === selected);
    for (const button of this.part.finals.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", button.value === selected);
    }
  }

  drawTree() {
    const { part, tree: { nodes, rows }, answer: { levels } } = this;
    const room = Math.floor((part.plane.clientWidth - 4) / levels.length);
    const width = Math.max(MIN_COLUMN_WIDTH, Math.min(MAX_COLUMN_WIDTH, room));
    const size = { width: width * levels.length, height: TOP_MARGIN + rows * ROW_HEIGHT };
    const lines = svg("svg", { "aria-hidden": "true", ...size });
    const joined = nodes.filter(({ from }) => from).sort((a, b) => a.best - b.best);
    lines.append(...joined.map((node) => this.branchPath(node, width)));
    const heads = levels.map((_, step) => {
      const head = element("i", { "aria-hidden": "true" }, `${step + 1}`);
      head.style.left = `${step * width}px`;
      head.style.width = `${width - GAP}px`;
      return head;
    });
    this.buttons = nodes.map((node) => [node, this.nodeButton(node, width)]);
    part.nodes.style.width = `${size.width}px`;
    part.nodes.style.height = `${size.height}px`;
    part.nodes.replaceChildren(lines, ...heads, ...this.buttons.map(([, button]) => button));
    const last = nodes.findLast(({ best, waits }) => best && !waits);
    part.arithmetic.textContent = nodes.length ? this.describeNode(last) : "";
  }

  /** The line from a hypothesis to its continuation. */
  branchPath(node, width) {
    const { from, step, row } = node;
    const [start, end] = [(from.step + 1) * width - GAP, step * width];
    const [above, below] = [from.row, row].map((place) => TOP_MARGIN + place * ROW_HEIGHT + NODE_HEIGHT / 2);
    const middle = (start + end) / 2;
    const curve = `M${start} ${above}C${middle} ${above} ${middle} ${below} ${end} ${below}`;
    const path = svg("path", { d: curve, class: node.state });
    markClasses(path, node);
    return path;
  }

  nodeButton(node, width) {
    const { signs } = this.text;
    const { state, best, greedy, step, row } = node;
    const marks = [best && signs.best, greedy && signs.greedy, state === "pruned" && signs.pruned].filter(Boolean);
    // Its visible text is its name, the title describes it.
    const button = element(
      "button",
      { type: "button", title: this.describeNode(node), class: state },
      element("span", {}, plainPiece(node.text)),
      " ",
      element("small", {}, formatDecimal(node.score, 2)),
      element("em", { "aria-hidden": "true" }, marks.join("")),
    );
    markClasses(button, node);
    Object.assign(button.style, {
      left: `${step * width}px`,
      top: `${TOP_MARGIN + row * ROW_HEIGHT}px`,
      width: `${width - GAP}px`,
      height: `${NODE_HEIGHT}px`,
    });
    button.addEventListener("click", () => this.choose(node.ids));
    button.tabIndex = best && step === this.answer.levels.length - 1 ? 0 : -1;
    return button;
  }

  /** The arrow keys move the focus to the hypotheses beside, above and below. */
  moveFocus(event) {
    const from = this.buttons.find(([, button]) => button === event.target)?.[0];
    const direction = DIRECTIONS[event.key];
    if (!from || !direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const nearest = this.neighbour(from, direction);
    if (!nearest) return;
    for (const [, button] of this.buttons) button.tabIndex = button === nearest ? 0 : -1;
    nearest.focus();
  }

  /** The button beside a node in a direction [columns, rows]: sideways its parent or a child before others. */
  neighbour(from, [columns, rows]) {
    const isInDirection = ([node]) => {
      if (node === from || node.step !== from.step + columns) return false;
      return rows === 0 || (node.row - from.row) * rows > 0;
    };
    const distance = ([node]) => {
      const isRelated = node === from.from || node.from === from;
      return (columns && !isRelated ? 100 : 0) + Math.abs(node.row - from.row);
    };
    return this.buttons.filter(isInDirection).sort((a, b) => distance(a) - distance(b))[0]?.[1];
  }

  drawTables() {
    const { part, text, answer: { finals, greedy }, tree } = this;
    const keptRows = finals.map((final, i) => this.finalRow(final, this.finalLabel(final, i)));
    const lostRows = tree.lostStep === -1 ? [] : [this.finalRow(greedy, text.greedyRow)];
    part.finals.replaceChildren(tableHead(text.end), element("tbody", {}, ...keptRows, ...lostRows));
    const listed = tree.nodes.filter(({ waits, state }) => !waits || state === "pruned");
    const nodeRows = listed.map((node) => this.nodeRow(node));
    part.table.replaceChildren(tableHead([...text.columns]), element("tbody", {}, ...nodeRows));
  }

  /** The rank of a translation in the final beam. */
  finalLabel({ ids }, i) {
    const { text, answer: { greedy } } = this;
    const marks = [i === 0 && text.signs.best, String(ids) === String(greedy.ids) && text.signs.greedy];
    return [fill(text.ranked, { rank: i + 1 }), ...marks.filter(Boolean)].join(" ");
  }

  finalRow({ ids, translation, total, score }, label) {
    const attributes = { type: "button", lang: this.target, dir: "auto", value: String(ids) };
    const button = element("button", attributes, translation);
    button.addEventListener("click", () => this.choose(ids));
    const values = { total: formatDecimal(total, 2), length: ids.length, score: formatDecimal(score, 3) };
    return tableRow([label, button, fill(this.text.arithmetic, values)]);
  }

  nodeRow(node) {
    return tableRow([
      `${node.step + 1}`,
      this.describeState(node),
      joinTexts(node.texts),
      formatDecimal(node.log, 2),
      formatDecimal(node.total, 2),
      `${node.length}`,
      formatDecimal(node.score, 3),
    ]);
  }
}
