// The panel Branches: the beginnings that the translation was made to have, as a tree.

import { predictedIds } from "../../derived/differences.js";
import { logProbability } from "../../derived/trace.js";
import { button, element } from "../../ui/element.js";
import { formatDecimal } from "../../ui/numbers.js";
import { fill, plainPiece } from "../../ui/text.js";
import { Panel } from "../panel.js";

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

export class Branches extends Panel {
  static names = ["branches"];

  /** The beginnings of the branches, as ids. */
  branches = [];

  /** The traces of the branches by their requests; null while they are pending. */
  traces = new Map();

  /** What is drawn. */
  drawnState = "";

  /** Another sentence has other branches. */
  resetForSentence() {
    this.branches = [];
  }

  encodeState() {
    const others = this.branches.map((ids) => ids.join("."));
    return { branches: others.length > 1 ? others.join(",") : null };
  }

  restore({ branches = "" }) {
    const isValid = /^(\d+(\.\d+)*(,\d+(\.\d+)*)*)?$/.test(branches);
    this.branches = isValid && branches ? branches.split(",").map((ids) => ids.split(".").map(Number)) : [];
    this.drawnState = "";
    return isValid ? [] : ["branches"];
  }

  /** Remembers a branch, also while another panel is open. */
  follow() {
    const { drawer: { experiment: { beginning } } } = this;
    if (!beginning?.length || !this.isBranch(beginning)) return;
    if (!this.branches.some((ids) => String(ids) === String(beginning))) this.branches.push(beginning);
  }

  draw() {
    this.follow(); // a link brings its own branch
    const { drawer: { experiment: { beginning }, source } } = this;
    const state = JSON.stringify([source.submission, beginning, this.branches]);
    if (state === this.drawnState) return;
    this.drawnState = state;
    this.drawTree();
  }

  /** Whether a beginning differs from greedy decoding. */
  isBranch(beginning) {
    return commonPrefixLength(predictedIds(this.drawer.source), beginning) < beginning.length;
  }

  /** The trace of a branch; null until it arrives. */
  branchTrace(beginning) {
    const { traces, drawer: { sentence } } = this;
    const request = [sentence, { beginning }];
    const key = JSON.stringify(request);
    if (!traces.has(key)) {
      traces.set(key, null);
      this.requestBranch(request, key);
    }
    return traces.get(key);
  }

  async requestBranch(request, key) {
    const { traces, drawer } = this;
    const trace = await drawer.change.runs.get(request);
    if (!trace || trace.error) {
      traces.delete(key); // the next drawing of the tree asks again
      return;
    }
    traces.set(key, trace);
    if (drawer.sentence === request[0]) this.drawTree();
  }

  drawTree() {
    const { drawer, part } = this;
    this.branches = this.branches.filter((beginning) => this.isBranch(beginning));
    const branches = this.branches.map((beginning) => {
      const trace = this.branchTrace(beginning);
      return { beginning, ids: trace ? predictedIds(trace) : beginning, trace };
    });
    part.tree.replaceChildren(this.branchList(nestedBranches(predictedIds(drawer.source), branches)));
  }

  branchList(nodes) {
    return element("ul", {}, ...nodes.map((node) => this.branchItem(node)));
  }

  branchItem({ branch, step, parent, children }) {
    const { drawer, text } = this;
    const beginning = drawer.experiment.beginning ?? [];
    const isCurrent = branch ? String(beginning) === String(branch.beginning) : !this.isBranch(beginning);
    const go = () => (branch ? drawer.viewer.force(branch.beginning) : drawer.set({ beginning: [] }));
    const item = element("li", {}, button(go, { "aria-pressed": isCurrent }, this.branchLabel(branch, step, parent)));
    const trace = branch ? branch.trace : drawer.source;
    if (trace) {
      const total = formatDecimal(logProbability(trace.steps), 2);
      item.append(element("small", {}, fill(text.total, { total })));
    }
    if (branch) item.append(this.removeButton(branch, isCurrent));
    if (children.length) item.append(this.branchList(children));
    return item;
  }

  branchLabel(branch, step, parent) {
    const { drawer: { source }, text } = this;
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
      if (isCurrent) this.drawer.set({ beginning: [] });
      this.drawer.updatePanelState();
    };
    return button(onClick, { title: this.text.remove, "aria-label": this.text.remove }, "×");
  }
}
