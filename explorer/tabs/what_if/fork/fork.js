// The panel Another piece: a step, its candidates, and the branches that users made from them.

import { button, element, onSubmit } from "../../../ui/element.js";
import { isolate } from "../../../ui/scripts.js";
import { sum } from "../../../ui/tensor.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { Panel } from "../panel.js";
import { formatDecimal } from "../../../ui/numbers.js";

const idsOf = (trace) => trace.steps.map(({ predicted }) => predicted.id);

/** The number of pieces at the beginning that two lists of ids have in common. */
function commonPrefixLength(first, second) {
  let i = 0;
  while (i < first.length && i < second.length && first[i] === second[i]) i += 1;
  return i;
}

/**
 * The tree of branches { beginning, ids }: the forced pieces, and all pieces of the result. A branch is a child of the node
 * with which it shares the longest prefix; they differ from `step` on. The root is the greedy decoding, with `branch` null.
 */
export function nestedBranches(greedy, branches) {
  const root = { branch: null, ids: greedy, step: 0, parent: null, children: [] };
  const nodes = [root];
  for (const branch of branches) {
    const sharedLength = (node) => Math.min(commonPrefixLength(node.ids, branch.ids), branch.beginning.length);
    const parentNode = nodes.reduce((best, node) => (sharedLength(node) > sharedLength(best) ? node : best), root);
    const node = { branch, ids: branch.ids, step: commonPrefixLength(parentNode.ids, branch.ids), parent: parentNode.branch, children: [] };
    parentNode.children.push(node);
    nodes.push(node);
  }
  return [root];
}

export class Fork extends Panel {
  static names = ["branches"];

  constructor(node, lab, settings) {
    super(node, lab, settings);
    Object.assign(this, { branches: [], answers: new Map(), trace: null, step: null });
    // The server refuses a text without pieces.
    onSubmit(this.part.form, () => lab.tokenizeTarget(this.part.text.value, ({ ids }) => lab.fork(ids)));
  }

  /** Another sentence has other branches. */
  resetForSentence() {
    this.branches = [];
    return {};
  }

  encodeState() {
    const others = this.branches.map((ids) => ids.join("."));
    return { branches: others.length > 1 ? others.join(",") : null };
  }

  restore({ branches = "" }) {
    const isValid = /^(\d+(\.\d+)*(,\d+(\.\d+)*)*)?$/.test(branches);
    this.branches = isValid && branches ? branches.split(",").map((ids) => ids.split(".").map(Number)) : [];
    this.trace = null; // redraws the branches even if the trace is the same
    return isValid ? [] : ["branches"];
  }

  /** Draws the viewer's trace and step; builds only what has changed. */
  draw() {
    const { lab, part } = this, { trace, view } = lab.viewer;
    if (!trace) return;
    const { steps } = trace, step = Math.min(view.step, steps.length - 1);
    if (this.trace !== trace) {
      this.trace = trace;
      this.addBranch(lab.experiment.beginning);
      part.pieces.replaceChildren(...steps.map((pieceStep, i) => this.pieceButton(pieceStep, i)));
      this.drawTree();
    } else if (this.step === step) return;
    this.step = step;
    [...part.pieces.children].forEach((node, i) => node.setAttribute("aria-pressed", i === step));
    part.candidates.replaceChildren(...steps[step].candidates.map((candidate) => this.candidateButton(candidate, steps[step].predicted)));
  }

  pieceButton({ fed, predicted, probability }, step) {
    const values = { step: step + 1, fed: fed.text, predicted: predicted.text, probability: formatDecimal(probability, 3) };
    return button(() => this.lab.viewer.set({ step }), { title: fill(this.text.step, values) }, plainPiece(predicted.text));
  }

  candidateButton({ id, text, probability }, predicted) {
    const piece = plainPiece(text), number = formatDecimal(probability, 3);
    const go = () => this.lab.fork([...idsOf(this.trace).slice(0, this.step), id]);
    const node = button(go, { title: fill(this.text.candidate, { piece, probability: number }) }, `${isolate(piece)} ${number}`);
    node.disabled = id === predicted.id;
    return node;
  }

  /** Whether a beginning differs from greedy decoding. */
  isBranch(beginning) {
    return commonPrefixLength(idsOf(this.lab.source), beginning) < beginning.length;
  }

  addBranch(beginning) {
    if (!beginning?.length || !this.isBranch(beginning)) return;
    if (!this.branches.some((ids) => String(ids) === String(beginning))) this.branches.push(beginning);
  }

  /** The server's answer for a branch; null until it arrives. */
  branchAnswer(beginning) {
    const { lab } = this, { sentence } = lab;
    const request = ["run", sentence, { beginning }], { answers } = this, key = JSON.stringify(request);
    if (!answers.has(key)) {
      answers.set(key, null);
      lab.ask(request).then((answer) => {
        if (!answer || answer.error) return answers.delete(key); // the next drawing of the tree asks again
        answers.set(key, answer);
        if (lab.sentence === sentence) this.drawTree();
      });
    }
    return answers.get(key);
  }

  drawTree() {
    const { lab, part } = this, branches = this.branches = this.branches.filter((beginning) => this.isBranch(beginning));
    const branchesWithIds = branches.map((beginning) => {
      const answer = this.branchAnswer(beginning);
      return { beginning, ids: answer ? idsOf(answer.trace) : beginning, answer };
    });
    part.tree.hidden = !branches.length;
    part.tree.replaceChildren(this.branchList(nestedBranches(idsOf(lab.source), branchesWithIds)));
  }

  branchList(nodes) {
    return element("ul", {}, ...nodes.map((node) => this.branchItem(node)));
  }

  branchItem({ branch, step, parent, children }) {
    const { lab, text } = this, { source } = lab;
    const beginning = lab.experiment.beginning ?? [];
    const isCurrent = branch ? String(beginning) === String(branch.beginning) : commonPrefixLength(idsOf(source), beginning) === beginning.length;
    const go = () => (branch ? lab.fork(branch.beginning) : lab.set({}));
    const item = element("li", {}, button(go, { "aria-pressed": isCurrent }, this.branchLabel(branch, step, parent)));
    const logs = branch ? branch.answer?.changed.logs : source.steps.map(({ probability }) => Math.log(probability));
    if (logs) item.append(element("small", {}, fill(text.total, { total: formatDecimal(sum(logs), 2) })));
    if (branch) item.append(this.removeButton(branch, isCurrent));
    if (children.length) item.append(this.branchList(children));
    return item;
  }

  branchLabel(branch, step, parent) {
    const { lab, text } = this, { source } = lab;
    if (!branch) return fill(text.root, { target: source.translation });
    if (!branch.answer) return text.waiting;
    const { steps, translation } = branch.answer.trace;
    const parentSteps = parent?.answer ? parent.answer.trace.steps : source.steps;
    const pieceName = (pieceStep) => (pieceStep && !pieceStep.predicted.special ? plainPiece(pieceStep.predicted.text) : text.end);
    return fill(text.branch, { step: step + 1, piece: pieceName(steps[step]), instead: pieceName(parentSteps[step]), target: translation });
  }

  removeButton(branch, isCurrent) {
    const onClick = () => {
      this.branches = this.branches.filter((ids) => ids !== branch.beginning);
      if (isCurrent) this.lab.set({});
      else this.drawTree();
      this.lab.updatePanelState();
    };
    return button(onClick, { title: this.text.remove, "aria-label": this.text.remove }, "×");
  }
}
