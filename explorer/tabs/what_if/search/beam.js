// The tree of a beam search: its layout, and hypotheses as buttons, joined to their continuations by lines.

import { element, svg } from "../../../ui/element.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { joinPieces } from "../../../ui/scripts.js";
import { fill, joinList, plainPiece } from "../../../ui/text.js";

const MAX_PRUNED_PER_STEP = 2; // drawn
const ROW_HEIGHT = 40, NODE_HEIGHT = 34, MIN_COLUMN_WIDTH = 58, MAX_COLUMN_WIDTH = 120, GAP = 8, TOP_MARGIN = 18; // pixels
const isSameIds = (first, second) => first.length === second.length && first.every((id, i) => id === second[i]);

const joinTexts = (texts) => joinPieces(texts.map((text, i) => (i ? text.replace(/^·(?=.)/, " ") : plainPiece(text))));

export class BeamTree {
  constructor(part, text, choose, target) {
    Object.assign(this, { part, text, choose, target, buttons: [] });
    part.marks.append(...Object.entries(text.marks).map(([name, meaning]) => this.legendEntry(name, meaning)));
    for (const kind of ["pointerover", "focusin"]) part.nodes.addEventListener(kind, ({ target }) => this.showArithmetic(target.closest("button")));
    part.nodes.addEventListener("keydown", (event) => this.moveFocus(event));
  }

  legendEntry(name, meaning) {
    const { signs } = this.text, sign = name in { best: 0, greedy: 0, pruned: 0 } ? signs[name] : "";
    return element("span", {}, element("b", { class: name, "aria-hidden": "true" }, sign), meaning);
  }

  /** A node's state and score in words. */
  describeNode({ step, row, state, waits, text, texts, total, length, score, log, best, greedy }) {
    const words = this.text, name = waits && state === "kept" ? "waits" : state;
    const states = [fill(words.states[name], { rank: row + 1 }), ...(best ? [words.best] : []), ...(greedy && state !== "lost" ? [words.greedy] : [])];
    const values = { total: formatDecimal(total, 2), length, score: formatDecimal(score, 3), log: formatDecimal(log, 2), beginning: joinTexts(texts) };
    return fill(words.node, { step: step + 1, piece: plainPiece(text), state: joinList(states), ...values });
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
    const selectedKey = String(selectedIds ?? "");
    for (const [node, button] of this.buttons) button.setAttribute("aria-pressed", String(node.ids) === selectedKey);
    for (const button of this.part.finals.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === selectedKey);
  }

  drawTree() {
    const { part, tree: { nodes, rows }, answer: { levels } } = this;
    const width = Math.max(MIN_COLUMN_WIDTH, Math.min(MAX_COLUMN_WIDTH, Math.floor((part.plane.clientWidth - 4) / levels.length)));
    const lines = svg("svg", { "aria-hidden": "true", width: width * levels.length, height: TOP_MARGIN + rows * ROW_HEIGHT });
    lines.append(...nodes.filter(({ from }) => from).sort((a, b) => a.best - b.best).map((node) => this.branchPath(node, width)));
    const heads = levels.map((_, step) => {
      const head = element("i", { "aria-hidden": "true" }, `${step + 1}`);
      Object.assign(head.style, { left: `${step * width}px`, width: `${width - GAP}px` });
      return head;
    });
    this.buttons = nodes.map((node) => [node, this.nodeButton(node, width)]);
    Object.assign(part.nodes.style, { width: `${width * levels.length}px`, height: `${TOP_MARGIN + rows * ROW_HEIGHT}px` });
    part.nodes.replaceChildren(lines, ...heads, ...this.buttons.map(([, button]) => button));
    part.arithmetic.textContent = this.buttons.length ? this.describeNode(nodes.findLast(({ best, waits }) => best && !waits)) : "";
  }

  branchPath({ from, step, row, state, waits, best, greedy }, width) {
    const x = (from.step + 1) * width - GAP, y = (place) => TOP_MARGIN + place * ROW_HEIGHT + NODE_HEIGHT / 2, end = step * width, middle = (x + end) / 2;
    const path = svg("path", { d: `M${x} ${y(from.row)}C${middle} ${y(from.row)} ${middle} ${y(row)} ${end} ${y(row)}`, class: state });
    for (const [name, isSet] of Object.entries({ waits, best, greedy })) path.classList.toggle(name, Boolean(isSet));
    return path;
  }

  nodeButton(node, width) {
    const { signs } = this.text, { state, waits, best, greedy, text, score } = node, description = this.describeNode(node);
    const marks = [best && signs.best, greedy && signs.greedy, state === "pruned" && signs.pruned].filter(Boolean).join("");
    const button = element("button", { type: "button", title: description, class: state }, // its visible text is its name, the title describes it
      element("span", {}, plainPiece(text)), " ", element("small", {}, formatDecimal(score, 2)), element("em", { "aria-hidden": "true" }, marks));
    for (const [name, isSet] of Object.entries({ waits, best, greedy })) button.classList.toggle(name, Boolean(isSet));
    Object.assign(button.style, { left: `${node.step * width}px`, top: `${TOP_MARGIN + node.row * ROW_HEIGHT}px`, width: `${width - GAP}px`, height: `${NODE_HEIGHT}px` });
    button.addEventListener("click", () => this.choose(node.ids));
    button.tabIndex = best && node.step === this.answer.levels.length - 1 ? 0 : -1;
    return button;
  }

  /** The arrow keys move the focus to the hypotheses beside, above and below. */
  moveFocus(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event, from = this.buttons.find(([, button]) => button === target)?.[0];
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!from || !direction || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = from.step + direction[0], others = this.buttons.filter(([node]) => node.step === step && node !== from);
    const isInDirection = ([node]) => (direction[1] ? (node.row - from.row) * direction[1] > 0 : true);
    const distance = ([node]) => (node === from.from || node.from === from ? 0 : 1) * (direction[0] ? 100 : 0) + Math.abs(node.row - from.row);
    const [nearest] = others.filter(isInDirection).sort((a, b) => distance(a) - distance(b));
    if (!nearest) return;
    for (const [, button] of this.buttons) button.tabIndex = button === nearest[1] ? 0 : -1;
    nearest[1].focus();
  }

  drawTables() {
    const { part, text, answer: { finals, greedy }, tree } = this;
    const head = (names) => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", {}, name))));
    const finalRow = (hypothesis, label) => {
      const button = element("button", { type: "button", lang: this.target, dir: "auto", value: String(hypothesis.ids) }, hypothesis.translation);
      button.addEventListener("click", () => this.choose(hypothesis.ids));
      const arithmetic = fill(text.arithmetic, { total: formatDecimal(hypothesis.total, 2), length: hypothesis.ids.length, score: formatDecimal(hypothesis.score, 3) });
      return element("tr", {}, element("td", {}, label), element("td", {}, button), element("td", {}, arithmetic));
    };
    const lostRows = tree.lostStep === -1 ? [] : [finalRow(greedy, text.greedyRow)];
    const keptRows = finals.map((hypothesis, i) => finalRow(hypothesis, `${fill(text.ranked, { rank: i + 1 })}${i ? "" : ` ${text.signs.best}`}${String(hypothesis.ids) === String(greedy.ids) ? ` ${text.signs.greedy}` : ""}`));
    part.finals.replaceChildren(head(text.end), element("tbody", {}, ...keptRows, ...lostRows));
    const nodeRows = tree.nodes.filter(({ waits, state }) => !waits || state === "pruned").map((node) => {
      const states = [fill(text.states[node.state], { rank: node.row + 1 }), ...(node.best ? [text.best] : []), ...(node.greedy && node.state !== "lost" ? [text.greedy] : [])];
      const cells = [`${node.step + 1}`, joinList(states), joinTexts(node.texts), formatDecimal(node.log, 2), formatDecimal(node.total, 2), `${node.length}`, formatDecimal(node.score, 3)];
      return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
    });
    part.table.replaceChildren(head([...text.columns]), element("tbody", {}, ...nodeRows));
  }
}

/** The places, at each level, of the kept hypotheses with a descendant in the final beam. */
function survivingPlaces(levels) {
  const alive = levels.map(() => new Set());
  levels.at(-1)?.kept.forEach((_, place) => alive.at(-1).add(place));
  for (let i = levels.length - 1; i > 0; i -= 1) {
    for (const place of alive[i]) alive[i - 1].add(levels[i].kept[place].parent);
  }
  return alive;
}

/** The place, at each level, of the final best hypothesis. */
function bestPlaces(levels) {
  const places = levels.map(() => 0);
  for (let i = levels.length - 1; i > 0; i -= 1) places[i - 1] = levels[i].kept[places[i]].parent;
  return places;
}

/** The nodes of the greedy path after the beam has lost it, in their own row. */
function greedyLane(greedy, lostStep, row) {
  const nodes = [];
  let total = 0;
  greedy.ids.forEach((id, step) => {
    const log = greedy.log_probabilities[step];
    total += log;
    if (lostStep === -1 || step < lostStep) return;
    const length = step + 1, ids = greedy.ids.slice(0, length), texts = greedy.pieces.slice(0, length);
    nodes.push({ step, row, state: "lost", ids, texts, text: greedy.pieces[step], log, total, length, score: total / length, best: false, greedy: true });
  });
  return nodes;
}

/**
 * The nodes of a server's answer (explorer/experiments/searching.py): kept hypotheses, at most `maxPruned` pruned ones per
 * step, and the greedy path after the beam has lost it. `from` is the parent node, null at the first step.
 */
export function layoutBeam({ levels, greedy, greedy_places: places }, maxPruned) {
  const alive = survivingPlaces(levels), bestByLevel = bestPlaces(levels), lostStep = places.indexOf(null);
  const keptRows = Math.max(...levels.map(({ kept }) => kept.length)), greedyRow = keptRows + maxPruned;
  const greedyPath = greedyLane(greedy, lostStep, greedyRow), nodes = [];
  let previous = [];
  levels.forEach((level, step) => {
    const makeNode = (hypothesis, row, state, place) => {
      const from = step ? previous[hypothesis.parent] : null, newHypotheses = hypothesis.waits ? [] : [hypothesis];
      const ids = [...(from?.ids ?? []), ...newHypotheses.map(({ id }) => id)], texts = [...(from?.texts ?? []), ...newHypotheses.map(({ text }) => text)];
      const { total, length, score, waits, log_probability: log } = hypothesis;
      const marks = { best: state !== "pruned" && bestByLevel[step] === place, greedy: state !== "pruned" && places[step] === place };
      return { step, row, state, from, ids, texts, text: texts.at(-1), log, total, length, score, waits, ...marks };
    };
    const kept = level.kept.map((hypothesis, place) => makeNode(hypothesis, place, alive[step].has(place) ? "kept" : "dead", place));
    const lostNode = greedyPath.find((node) => node.step === step && step === lostStep);
    const prunedNodes = level.pruned.map((hypothesis) => makeNode(hypothesis, 0, "pruned", null)).filter(({ ids }) => !lostNode || !isSameIds(ids, lostNode.ids));
    nodes.push(...kept, ...prunedNodes.slice(0, maxPruned).map((node, i) => ({ ...node, row: keptRows + i })));
    const greedyNode = greedyPath.find((node) => node.step === step);
    if (greedyNode) nodes.push(Object.assign(greedyNode, { from: step === lostStep ? previous[places[step - 1]] ?? null : greedyPath[step - lostStep - 1] }));
    previous = kept;
  });
  return { nodes, lostStep, rows: lostStep === -1 ? greedyRow : greedyRow + 1 };
}
