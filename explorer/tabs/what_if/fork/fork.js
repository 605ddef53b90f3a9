// The panel Another token: a step, its candidates, and the branches that users made from them.

import { predictedIds } from "../../../derived/differences.js";
import { logProbability } from "../../../derived/trace.js";
import { button, element, onSubmit } from "../../../ui/element.js";
import { isolate } from "../../../ui/scripts.js";
import { fill, plainPiece } from "../../../ui/text.js";
import { Panel } from "../panel.js";
import { formatDecimal } from "../../../ui/numbers.js";

/** The number of pieces at the beginning that two lists of ids have in common. */
function commonPrefixLength(first, second) {
  let i = 0;
  while (i < first.length && i < second.length && first[i] === second[i]) i += 1;
  return i;
}

/**
 * The tree of branches { beginning, ids }: the forced pieces, and all pieces of the result. A branch is a child of the
 * node with which it shares the longest prefix; they differ from `step` on. The root is the greedy decoding, with
 * `branch` null.
 */
export function nestedBranches(greedy, branches) {
  const root = { branch: null, ids: greedy, step: 0, parent: null, children: [] };
  const nodes = [root];
  for (const branch of branches) {
    const sharedLength = (node) => Math.min(commonPrefixLength(node.ids, branch.ids), branch.beginning.length);
    const parentNode = nodes.reduce((best, node) => (sharedLength(node) > sharedLength(best) ? node : best), root);
    const step = commonPrefixLength(parentNode.ids, branch.ids);
    const node = { branch, ids: branch.ids, step, parent: parentNode.branch, children: [] };
    parentNode.children.push(node);
    nodes.push(node);
  }
  return [root];
}

export class Fork extends Panel {
  static names = ["branches"];

  /** The beginnings of the branches, as ids. */
  branches = [];

  /** The outcomes of the branches by their requests; null while they are pending. */
  outcomes = new Map();

  /** The trace and the step that are drawn. */
  trace = null;
  step = null;

  constructor(node, whatIf, settings) {
    super(node, whatIf, settings);
    // The model refuses a text without pieces.
    onSubmit(this.part.form, () => whatIf.tokenizeTarget(this.part.text.value, ({ ids }) => whatIf.fork(ids)));
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
    const { whatIf, part } = this;
    const { trace, view } = whatIf.viewer;
    if (!trace) return;
    const { steps } = trace;
    const step = Math.min(view.step, steps.length - 1);
    if (this.trace !== trace) {
      this.trace = trace;
      this.addBranch(whatIf.experiment.beginning);
      part.pieces.replaceChildren(...steps.map((pieceStep, i) => this.pieceButton(pieceStep, i)));
      this.drawTree();
    } else if (this.step === step) return;
    this.step = step;
    [...part.pieces.children].forEach((node, i) => node.setAttribute("aria-pressed", i === step));
    const { candidates, predicted } = steps[step];
    part.candidates.replaceChildren(...candidates.map((candidate) => this.candidateButton(candidate, predicted)));
  }

  pieceButton({ fed, predicted, probability }, step) {
    const title = fill(this.text.step, {
      step: step + 1,
      fed: fed.text,
      predicted: predicted.text,
      probability: formatDecimal(probability, 3),
    });
    return button(() => this.whatIf.viewer.set({ step }), { title }, plainPiece(predicted.text));
  }

  candidateButton({ id, text, probability }, predicted) {
    const piece = plainPiece(text);
    const number = formatDecimal(probability, 3);
    const go = () => this.whatIf.fork([...predictedIds(this.trace).slice(0, this.step), id]);
    const title = fill(this.text.candidate, { piece, probability: number });
    const node = button(go, { title }, `${isolate(piece)} ${number}`);
    node.disabled = id === predicted.id;
    return node;
  }

  /** Whether a beginning differs from greedy decoding. */
  isBranch(beginning) {
    return commonPrefixLength(predictedIds(this.whatIf.source), beginning) < beginning.length;
  }

  addBranch(beginning) {
    if (!beginning?.length || !this.isBranch(beginning)) return;
    if (!this.branches.some((ids) => String(ids) === String(beginning))) this.branches.push(beginning);
  }

  /** The trace of a branch; null until it arrives. */
  branchTrace(beginning) {
    const { outcomes, whatIf: { sentence } } = this;
    const request = [sentence, { beginning }];
    const key = JSON.stringify(request);
    if (!outcomes.has(key)) {
      outcomes.set(key, null);
      this.requestBranch(request, key);
    }
    return outcomes.get(key)?.trace ?? null;
  }

  async requestBranch(request, key) {
    const { outcomes, whatIf } = this;
    const outcome = await whatIf.runs.get(request);
    if (!outcome || outcome.error) {
      outcomes.delete(key); // the next drawing of the tree asks again
      return;
    }
    outcomes.set(key, outcome);
    if (whatIf.sentence === request[0]) this.drawTree();
  }

  drawTree() {
    const { whatIf, part } = this;
    this.branches = this.branches.filter((beginning) => this.isBranch(beginning));
    const branches = this.branches.map((beginning) => {
      const trace = this.branchTrace(beginning);
      return { beginning, ids: trace ? predictedIds(trace) : beginning, trace };
    });
    part.tree.hidden = !branches.length;
    part.tree.replaceChildren(this.branchList(nestedBranches(predictedIds(whatIf.source), branches)));
  }

  branchList(nodes) {
    return element("ul", {}, ...nodes.map((node) => this.branchItem(node)));
  }

  branchItem({ branch, step, parent, children }) {
    const { whatIf, text } = this;
    const beginning = whatIf.experiment.beginning ?? [];
    const isCurrent = branch ? String(beginning) === String(branch.beginning) : !this.isBranch(beginning);
    const go = () => (branch ? whatIf.fork(branch.beginning) : whatIf.set({}));
    const item = element("li", {}, button(go, { "aria-pressed": isCurrent }, this.branchLabel(branch, step, parent)));
    const trace = branch ? branch.trace : whatIf.source;
    if (trace) {
      const total = formatDecimal(logProbability(trace.steps), 2);
      item.append(element("small", {}, fill(text.total, { total })));
    }
    if (branch) item.append(this.removeButton(branch, isCurrent));
    if (children.length) item.append(this.branchList(children));
    return item;
  }

  branchLabel(branch, step, parent) {
    const { whatIf: { source }, text } = this;
    if (!branch) return fill(text.root, { target: source.translation });
    if (!branch.trace) return text.waiting;
    const { steps, translation } = branch.trace;
    const pieceName = (at) => (at && !at.predicted.special ? plainPiece(at.predicted.text) : text.end);
    const [piece, instead] = [steps, (parent?.trace ?? source).steps].map((list) => pieceName(list[step]));
    return fill(text.branch, { step: step + 1, piece, instead, target: translation });
  }

  removeButton(branch, isCurrent) {
    const onClick = () => {
      this.branches = this.branches.filter((ids) => ids !== branch.beginning);
      if (isCurrent) this.whatIf.set({});
      else this.drawTree();
      this.whatIf.updatePanelState();
    };
    return button(onClick, { title: this.text.remove, "aria-label": this.text.remove }, "×");
  }
}
