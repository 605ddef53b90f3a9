// Which pieces of two translations correspond, so that their attention can be compared.

/**
 * Parts of two lists of pieces, by their ids: from `start` and `other` up to `end` and `last`.
 * @typedef {{ start: number, end: number, other: number, last: number }} Ranges
 * @typedef {{ start: number, other: number, size: number }} Block
 */

/**
 * The longest block that two lists share within two ranges; of equally long ones the first.
 * @param {number[]} first @param {number[]} second @param {Ranges} ranges
 * @returns {Block}
 */
function longestBlock(first, second, { start, end, other, last }) {
  let best = { start, other, size: 0 };
  // Of the blocks that end at the previous element of the first list, by their end in the second.
  /** @type {Map<number, number>} */
  let sizes = new Map();
  for (let i = start; i < end; i++) {
    /** @type {typeof sizes} */
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

/**
 * The blocks that two lists share, in order: the longest, then those before and after it.
 * @param {number[]} first @param {number[]} second @param {Ranges} range
 * @returns {Block[]}
 */
function matchingBlocks(first, second, range = { start: 0, end: first.length, other: 0, last: second.length }) {
  const block = longestBlock(first, second, range);
  if (!block.size) return [];
  return [
    ...matchingBlocks(first, second, { ...range, end: block.start, last: block.other }),
    block,
    ...matchingBlocks(first, second, { ...range, start: block.start + block.size, other: block.other + block.size }),
  ];
}

/**
 * For every element of the second list its partner's index in the first, or null: elements of common blocks, as
 * Python's difflib finds them, and elements between two blocks if both lists have as many there.
 * @param {number[]} first @param {number[]} second
 */
export function matchElements(first, second) {
  /** @type {(number | null)[]} */
  const partners = new Array(second.length).fill(null);
  const pair = (/** @type {number} */ size, /** @type {number} */ from, /** @type {number} */ to) => {
    for (let i = 0; i < size; i++) partners[to + i] = from + i;
  };
  let start = 0;
  let other = 0;
  for (const block of [...matchingBlocks(first, second), { start: first.length, other: second.length, size: 0 }]) {
    const gap = block.other - other;
    if (block.start - start === gap) pair(gap, start, other);
    pair(block.size, block.start, block.other);
    start = block.start + block.size;
    other = block.other + block.size;
  }
  return partners;
}

/**
 * For each element of the second list, whether the first one has it, too, at the index that corresponds.
 * @param {number[]} first @param {number[]} second
 */
export function commonElements(first, second) {
  return matchElements(first, second).map((partner, i) => partner !== null && first[partner] === second[i]);
}

/**
 * The index of each id of the first list in the second, a permutation of it; equal ids match in order.
 * @param {number[]} first @param {number[]} second
 */
export function matchPermutation(first, second) {
  /** @type {Map<number, number[]>} */
  const indices = new Map();
  second.forEach((id, index) => indices.set(id, [...(indices.get(id) ?? []), index]));
  return first.map((id) => indices.get(id).shift());
}

/** The ids of a translation. @param {Pick<Trace, "steps">} trace */
export function predictedIds({ steps }) {
  return steps.map(({ predicted }) => predicted.id);
}

/**
 * For every piece of the second trace the index of its partner in the first, null if it has none; steps are paired by
 * the pieces that they predict. If the second source is a reordering of the first, each piece is paired with itself.
 * @param {Trace} first @param {Trace} second
 */
export function pairPieces(first, second) {
  const [before, after] = [first, second].map(({ source }) => source.map(({ id }) => id));
  const [sorted, others] = [before, after].map((ids) => String([...ids].sort((a, b) => a - b)));
  return {
    source: sorted === others ? matchPermutation(after, before) : matchElements(before, after),
    steps: matchElements(predictedIds(first), predictedIds(second)),
  };
}

/**
 * How many tokens of a translation differ from those of another, or are missing from it; of both the larger number.
 * @param {Trace} first
 * @param {Trace} second
 */
export function countDiffering(first, second) {
  const { removed, added } = countMoved(first, second);
  return Math.max(removed, added);
}

/**
 * How many tokens of a translation are not in another, and how many of the other are new.
 * @param {Trace} first @param {Trace} second
 */
export function countMoved(first, second) {
  const { steps: partners } = pairPieces(first, second);
  const [before, after] = [first, second].map(predictedIds);
  const common = partners.filter((partner, i) => partner !== null && before[partner] === after[i]).length;
  return { removed: before.length - common, added: after.length - common };
}
