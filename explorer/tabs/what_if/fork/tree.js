// The branches of a decoding as a tree; this module draws nothing.

/** The number of pieces at the beginning that two lists of ids have in common. */
export function commonPrefixLength(first, second) {
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
