// The layout of a beam search: one column per step, the best hypothesis at the top; this module draws nothing.

const isSameIds = (first, second) => first.length === second.length && first.every((id, i) => id === second[i]);

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
