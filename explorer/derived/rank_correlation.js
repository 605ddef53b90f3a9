// The correlation of ranks, which compares two orders whatever the scales of their numbers.

/** The rank of each number, from 1; equal numbers share the mean of their ranks. @param {number[]} numbers */
function ranks(numbers) {
  const order = [...numbers.keys()].sort((one, other) => numbers[one] - numbers[other]);
  /** @type {number[]} */
  const found = new Array(numbers.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && numbers[order[end]] === numbers[order[start]]) end += 1;
    for (let i = start; i < end; i++) found[order[i]] = (start + 1 + end) / 2;
  }
  return found;
}

/**
 * The ranks; two numbers closer than `tie` share theirs in part, so that none jumps where rounding moves a number.
 * @param {number[]} numbers @param {number} tie
 */
function sharedRanks(numbers, tie) {
  const clip = (/** @type {number} */ distance) => Math.max(-1, Math.min(distance, 1));
  const lead = (/** @type {number} */ one) => numbers.reduce((total, other) => total + clip((one - other) / tie), 0);
  return Array.from(numbers, (number) => (numbers.length + 1 + lead(number)) / 2);
}

/** The difference between the largest and the smallest number. @param {number[]} numbers */
function range(numbers) {
  return numbers.reduce((most, one) => Math.max(most, one)) - numbers.reduce((least, one) => Math.min(least, one));
}

/** @param {number[]} one @param {number[]} other */
function dot(one, other) {
  return one.reduce((total, number, i) => total + number * other[i], 0);
}

/**
 * The correlation of the ranks, from -1 to 1; null if no two numbers of one side are more than `tie` apart.
 * @param {number[]} first @param {number[]} second @param {number} tie
 */
export function rankCorrelation(first, second, tie = 0) {
  if ([first, second].some((side) => range(side) <= tie)) return null;
  const [one, other] = [first, second].map((side) => {
    const found = tie ? sharedRanks(side, tie) : ranks(side);
    return found.map((rank) => rank - (side.length + 1) / 2);
  });
  return dot(one, other) / (Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other)));
}
