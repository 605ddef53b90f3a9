// Where the hypotheses of a beam search stand in its tree: a column for each step, a row for each rank. Pure.

/**
 * A hypothesis in the tree: `step` and `row` are its column and row, `ids` and `texts` all its pieces, `from` the node
 * that it continues, `state` "kept" in the final beam's ancestry, "dead", "pruned" or, of the greedy path, "lost".
 * @typedef {Record<string, any>} BeamNode
 */

/** The indices, at each level, of the kept hypotheses with a descendant in the final beam. */
function survivors(levels) {
  const alive = levels.map(() => new Set());
  levels.at(-1)?.kept.forEach((_, index) => alive.at(-1).add(index));
  for (let i = levels.length - 1; i > 0; i -= 1) {
    for (const index of alive[i]) alive[i - 1].add(levels[i].kept[index].parent);
  }
  return alive;
}

/** The index, at each level, of the final best hypothesis. */
function bestPath(levels) {
  const indices = levels.map(() => 0);
  for (let i = levels.length - 1; i > 0; i -= 1) indices[i - 1] = levels[i].kept[indices[i]].parent;
  return indices;
}

/** The node of a hypothesis, which continues `from`; one that waits is finished and adds no piece. */
function nodeOf(hypothesis, from, rest) {
  const { id, text, total, length, score, waits, log_probability: log } = hypothesis;
  const ids = [...(from?.ids ?? []), ...(waits ? [] : [id])];
  const texts = [...(from?.texts ?? []), ...(waits ? [] : [text])];
  return { ...rest, from, ids, texts, text: texts.at(-1), log, total, length, score, waits };
}

/** The node of the step before that a hypothesis continues, among the kept ones of each step. */
function parentOf({ parent }, kept, step) {
  return step ? kept[step - 1][parent] : null;
}

/** The kept hypotheses of each step. @returns {BeamNode[][]} */
function keptNodes(levels, greedyIndices) {
  const alive = survivors(levels);
  const best = bestPath(levels);
  const nodes = [];
  for (const [step, { kept }] of levels.entries()) {
    nodes.push(kept.map((hypothesis, row) => nodeOf(hypothesis, parentOf(hypothesis, nodes, step), {
      step, row, state: alive[step].has(row) ? "kept" : "dead",
      best: best[step] === row, greedy: greedyIndices[step] === row,
    })));
  }
  return nodes;
}

/** The first pruned hypotheses of a step, below its kept ones; `lost` is a node that stands for one of them. */
function prunedNodes({ pruned }, step, { kept, keptRows, maxPruned, lost }) {
  const state = { step, state: "pruned", best: false, greedy: false };
  return pruned.map((hypothesis) => nodeOf(hypothesis, parentOf(hypothesis, kept, step), state))
    .filter(({ ids }) => String(ids) !== String(lost?.ids))
    .slice(0, maxPruned)
    .map((node, i) => ({ ...node, row: keptRows + i }));
}

/**
 * The nodes of the greedy path from the step on at which the beam has lost it, in their own row; the first continues
 * `from`.
 * @returns {BeamNode[]}
 */
function lostNodes({ ids, pieces, log_probabilities: logs }, lostStep, { row, from }) {
  const nodes = [];
  let total = 0;
  for (const [step, log] of logs.entries()) {
    total += log;
    if (lostStep === -1 || step < lostStep) continue;
    const length = step + 1;
    const texts = pieces.slice(0, length);
    nodes.push({
      step, row, state: "lost", best: false, greedy: true, from: nodes.at(-1) ?? from,
      ids: ids.slice(0, length), texts, text: texts.at(-1), log, total, length, score: total / length,
    });
  }
  return nodes;
}

/**
 * The nodes of a result of the model's `beam`: kept hypotheses, at most `maxPruned` pruned ones per step, and the
 * greedy path after the beam has lost it. `from` is the parent node, null at the first step.
 * @returns {{ nodes: BeamNode[], lostStep: number, rows: number }}
 */
export function layoutBeam({ levels, greedy, greedy_places: greedyIndices }, maxPruned) {
  const lostStep = greedyIndices.indexOf(null);
  const keptRows = Math.max(...levels.map((level) => level.kept.length));
  const greedyRow = keptRows + maxPruned;
  const kept = keptNodes(levels, greedyIndices);
  const from = lostStep > 0 ? kept[lostStep - 1][greedyIndices[lostStep - 1]] : null;
  const lost = lostNodes(greedy, lostStep, { row: greedyRow, from });
  const nodes = levels.flatMap((level, step) => {
    const pruned = prunedNodes(level, step, { kept, keptRows, maxPruned, lost: step === lostStep ? lost[0] : null });
    return [...kept[step], ...pruned, ...lost.filter((node) => node.step === step)];
  });
  return { nodes, lostStep, rows: lostStep === -1 ? greedyRow : greedyRow + 1 };
}
