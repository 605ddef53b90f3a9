// The panel Another piece: a step, its candidates, and the branches that were made of them.

import { element } from "../../../ui/element.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { isolate } from "../../../ui/scripts.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { common, nestedBranches } from "./tree.js";
import { formatNats } from "../../../ui/numbers.js";

const idsOf = (trace) => trace.steps.map(({ predicted }) => predicted.id);

export class Fork {
  static names = ["branches"];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, branches: [], known: new Map(), trace: null, step: null });
    this.part = nodesByAttribute(node, "fork");
    this.part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin(this.part.text.value);
    });
  }

  /** Another sentence has other branches. */
  renewed() {
    this.branches = [];
    return {};
  }

  parts() {
    const others = this.branches.map((ids) => ids.join("."));
    return { branches: others.length > 1 ? others.join(",") : null };
  }

  restore({ branches = "" }) {
    const good = /^(\d+(\.\d+)*(,\d+(\.\d+)*)*)?$/.test(branches);
    this.branches = good && branches ? branches.split(",").map((ids) => ids.split(".").map(Number)) : [];
    this.trace = null; // so that they are drawn, also where the picture stays
    return good ? [] : ["branches"];
  }

  /** Takes a text in the target language as the beginning; what has no pieces is refused where it was typed. */
  begin(text) {
    this.lab.target(text, ({ ids }) => this.lab.fork(ids));
  }

  /** The step of the picture, in the translation that is shown; only what is another one is made anew. */
  draw() {
    const { lab, part } = this, { trace, view } = lab.viewer;
    if (!trace) return;
    const { steps } = trace, step = Math.min(view.step, steps.length - 1);
    if (this.trace !== trace) {
      this.trace = trace;
      this.remember(lab.experiment.beginning);
      part.pieces.replaceChildren(...steps.map((found, i) => this.piece(found, i)));
      this.drawTree();
    } else if (this.step === step) return;
    this.step = step;
    [...part.pieces.children].forEach((button, i) => button.setAttribute("aria-pressed", i === step));
    part.candidates.replaceChildren(...steps[step].candidates.map((candidate) => this.candidate(candidate, steps[step].predicted)));
  }

  piece({ fed, predicted, probability }, step) {
    const values = { step: step + 1, fed: fed.text, predicted: predicted.text, probability: probability.toFixed(3) };
    const button = element("button", { type: "button", title: fill(this.text.step, values) }, plainPiece(predicted.text));
    button.addEventListener("click", () => this.lab.viewer.set({ step }));
    return button;
  }

  candidate({ id, text, probability }, predicted) {
    const piece = plainPiece(text), number = probability.toFixed(3);
    const button = element("button", { type: "button", title: fill(this.text.candidate, { piece, probability: number }) }, `${isolate(piece)} ${number}`);
    button.disabled = id === predicted.id;
    button.addEventListener("click", () => this.lab.fork([...idsOf(this.trace).slice(0, this.step), id]));
    return button;
  }

  /** A beginning that greedy decoding has, too, is no branch. */
  isBranch(beginning) {
    return common(idsOf(this.lab.source), beginning) < beginning.length;
  }

  remember(beginning) {
    if (!beginning?.length || !this.isBranch(beginning)) return;
    if (!this.branches.some((ids) => String(ids) === String(beginning))) this.branches.push(beginning);
  }

  /** What a branch came to, from the server; null as long as it is on its way. */
  found(beginning) {
    const { lab } = this, { sentence } = lab;
    const request = ["run", sentence, { beginning }], { known } = this, key = JSON.stringify(request);
    if (!known.has(key)) {
      known.set(key, null);
      lab.ask(request).then((answer) => {
        if (!answer || answer.error) return known.delete(key); // it is asked for again when the tree is next drawn
        known.set(key, answer);
        if (lab.sentence === sentence) this.drawTree();
      });
    }
    return known.get(key);
  }

  drawTree() {
    const { lab, part } = this, branches = this.branches = this.branches.filter((beginning) => this.isBranch(beginning));
    const told = branches.map((beginning) => {
      const answer = this.found(beginning);
      return { beginning, ids: answer ? idsOf(answer.trace) : beginning, answer };
    });
    part.tree.hidden = !branches.length;
    part.tree.replaceChildren(this.list(nestedBranches(idsOf(lab.source), told)));
  }

  list(nodes) {
    return element("ul", {}, ...nodes.map((node) => this.item(node)));
  }

  item({ branch, step, parent, children }) {
    const { lab, text } = this, { source } = lab;
    const begins = lab.experiment.beginning ?? [];
    const current = branch ? String(begins) === String(branch.beginning) : common(idsOf(source), begins) === begins.length;
    const item = element("li"), button = element("button", { type: "button", "aria-pressed": current }, this.label(branch, step, parent));
    button.addEventListener("click", () => (branch ? lab.fork(branch.beginning) : lab.set({})));
    const logs = branch ? branch.answer?.changed.logs : source.steps.map(({ probability }) => Math.log(probability));
    item.append(button);
    if (logs) item.append(element("small", {}, fill(text.total, { total: formatNats(logs.reduce((a, b) => a + b, 0)) })));
    if (branch) item.append(this.remover(branch, current));
    if (children.length) item.append(this.list(children));
    return item;
  }

  label(branch, step, parent) {
    const { lab, text } = this, { source } = lab;
    if (!branch) return fill(text.root, { target: source.translation });
    if (!branch.answer) return text.waiting;
    const { steps, translation } = branch.answer.trace;
    const before = parent?.answer ? parent.answer.trace.steps : source.steps;
    const called = (found) => (found && !found.predicted.special ? plainPiece(found.predicted.text) : text.end);
    return fill(text.branch, { step: step + 1, piece: called(steps[step]), instead: called(before[step]), target: translation });
  }

  remover(branch, current) {
    const button = element("button", { type: "button", title: this.text.remove, "aria-label": this.text.remove }, "×");
    button.addEventListener("click", () => {
      this.branches = this.branches.filter((ids) => ids !== branch.beginning);
      if (current) this.lab.set({});
      else this.drawTree();
      this.lab.kept();
    });
    return button;
  }
}
