// Branches of a decoding as a tree. No drawing here.

/** How many pieces two lists of ids have in common at their beginning. */
export function common(first, second) {
  let i = 0;
  while (i < first.length && i < second.length && first[i] === second[i]) i += 1;
  return i;
}

/**
 * Branches, each { beginning, ids } with the pieces that were forced and all that came of them, below the one that they go
 * along with the longest; where they part is `step`. The root is the greedy decoding, with `branch` null.
 */
export function nestedBranches(greedy, branches) {
  const root = { branch: null, ids: greedy, step: 0, parent: null, children: [] };
  const nodes = [root];
  for (const branch of branches) {
    const length = (node) => Math.min(common(node.ids, branch.ids), branch.beginning.length);
    const above = nodes.reduce((best, node) => (length(node) > length(best) ? node : best), root);
    const node = { branch, ids: branch.ids, step: common(above.ids, branch.ids), parent: above.branch, children: [] };
    above.children.push(node);
    nodes.push(node);
  }
  return [root];
}
