// A beam search as nodes in rows and columns: a column for every step, the best hypothesis at the top. No drawing here.

const same = (first, second) => first.length === second.length && first.every((id, i) => id === second[i]);

/** The places of each level's kept hypotheses of which something is in the beam at the end. */
function living(levels) {
  const alive = levels.map(() => new Set());
  levels.at(-1)?.kept.forEach((_, place) => alive.at(-1).add(place));
  for (let i = levels.length - 1; i > 0; i -= 1) {
    for (const place of alive[i]) alive[i - 1].add(levels[i].kept[place].parent);
  }
  return alive;
}

/** The place at every level of what becomes the best in the end. */
function winning(levels) {
  const places = levels.map(() => 0);
  for (let i = levels.length - 1; i > 0; i -= 1) places[i - 1] = levels[i].kept[places[i]].parent;
  return places;
}

/** The greedy path from the step at which the beam has lost it, in a row of its own. */
function lane(greedy, lost, row) {
  const nodes = [];
  let total = 0;
  greedy.ids.forEach((id, step) => {
    const log = greedy.log_probabilities[step];
    total += log;
    if (lost === -1 || step < lost) return;
    const length = step + 1, ids = greedy.ids.slice(0, length), texts = greedy.pieces.slice(0, length);
    nodes.push({ step, row, state: "lost", ids, texts, text: greedy.pieces[step], log, total, length, score: total / length, best: false, greedy: true });
  });
  return nodes;
}

/**
 * The nodes of an answer of the server (explorer/experiments/searching.py), each with the node `from` which it comes, null
 * at the first step: what is kept, at most `most` of what is pruned at a step, and the greedy path from where it is lost.
 */
export function laidOut({ levels, greedy, greedy_places: places }, most) {
  const alive = living(levels), best = winning(levels), lost = places.indexOf(null);
  const pruned = Math.max(...levels.map(({ kept }) => kept.length)), below = pruned + most;
  const path = lane(greedy, lost, below), nodes = [];
  let before = [];
  levels.forEach((level, step) => {
    const made = (hypothesis, row, state, place) => {
      const from = step ? before[hypothesis.parent] : null, own = hypothesis.waits ? [] : [hypothesis];
      const ids = [...(from?.ids ?? []), ...own.map(({ id }) => id)], texts = [...(from?.texts ?? []), ...own.map(({ text }) => text)];
      const { total, length, score, waits, log_probability: log } = hypothesis;
      const marks = { best: state !== "pruned" && best[step] === place, greedy: state !== "pruned" && places[step] === place };
      return { step, row, state, from, ids, texts, text: texts.at(-1), log, total, length, score, waits, ...marks };
    };
    const kept = level.kept.map((hypothesis, place) => made(hypothesis, place, alive[step].has(place) ? "kept" : "dead", place));
    const losing = path.find((node) => node.step === step && step === lost);
    const cut = level.pruned.map((hypothesis) => made(hypothesis, 0, "pruned", null)).filter(({ ids }) => !losing || !same(ids, losing.ids));
    nodes.push(...kept, ...cut.slice(0, most).map((node, i) => ({ ...node, row: pruned + i })));
    const here = path.find((node) => node.step === step);
    if (here) nodes.push(Object.assign(here, { from: step === lost ? before[places[step - 1]] ?? null : path[step - lost - 1] }));
    before = kept;
  });
  return { nodes, lost, rows: lost === -1 ? below : below + 1 };
}
