// Rank correlation: explorer/experiments/statistics.py.

/** The rank of each number, from 1; equal numbers share the mean of their ranks. */
export function ranks(numbers) {
  const order = [...numbers.keys()].sort((one, other) => numbers[one] - numbers[other]), found = new Array(numbers.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && numbers[order[end]] === numbers[order[start]]) end += 1;
    for (let i = start; i < end; i++) found[order[i]] = (start + 1 + end) / 2;
  }
  return found;
}

/** The correlation of the ranks, from -1 to 1; null if all numbers of one side are equal. */
export function rankCorrelation(first, second) {
  const dot = (one, other) => one.reduce((sum, number, i) => sum + number * other[i], 0);
  const [one, other] = [first, second].map((side) => ranks(side).map((rank) => rank - (side.length + 1) / 2));
  const norms = [one, other].map((side) => Math.sqrt(dot(side, side)));
  return norms.every(Boolean) ? dot(one, other) / (norms[0] * norms[1]) : null;
}
