// Which pieces of two translations correspond: explorer/experiments/differences.py, with what it takes from Python's difflib.

/** The longest block that two lists share within two ranges; of equally long ones the first. */
function longestBlock(first, second, { start, end, other, last }) {
  let best = { start, other, size: 0 }, sizes = new Map();
  for (let i = start; i < end; i++) {
    const next = new Map();
    for (let j = other; j < last; j++) {
      if (first[i] !== second[j]) continue;
      const size = (sizes.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { start: i - size + 1, other: j - size + 1, size };
    }
    sizes = next;
  }
  return best;
}

/** The blocks that two lists share, in order: the longest, then those before and after it. */
function matchingBlocks(first, second, range = { start: 0, end: first.length, other: 0, last: second.length }) {
  const block = longestBlock(first, second, range);
  if (!block.size) return [];
  return [
    ...matchingBlocks(first, second, { ...range, end: block.start, last: block.other }),
    block,
    ...matchingBlocks(first, second, { ...range, start: block.start + block.size, other: block.other + block.size }),
  ];
}

/** For every element of the second list its partner's index in the first, or null; see Python's match_elements. */
export function matchElements(first, second) {
  const partners = new Array(second.length).fill(null);
  let start = 0, other = 0;
  for (const block of [...matchingBlocks(first, second), { start: first.length, other: second.length, size: 0 }]) {
    const isReplaced = block.start - start === block.other - other; // one by one
    if (isReplaced) for (let i = 0; i < block.other - other; i++) partners[other + i] = start + i;
    for (let i = 0; i < block.size; i++) partners[block.other + i] = block.start + i;
    start = block.start + block.size;
    other = block.other + block.size;
  }
  return partners;
}

/** The place of each id of the first list in the second, a permutation of it; equal ids match in order. */
function matchPermutation(first, second) {
  const places = new Map();
  second.forEach((id, place) => places.set(id, [...(places.get(id) ?? []), place]));
  return first.map((id) => places.get(id).shift());
}

/** For every piece of the second trace the index of its partner in the first; steps are paired by what they predict. */
export function pairPieces(first, second) {
  const ids = (pieces) => pieces.map(({ id }) => id), sorted = (list) => `${[...list].sort((a, b) => a - b)}`;
  const [before, after] = [first, second].map(({ source }) => ids(source)), isMoved = sorted(before) === sorted(after);
  return {
    source: isMoved ? matchPermutation(after, before) : matchElements(before, after),
    steps: matchElements(ids(first.steps), ids(second.steps)),
  };
}
