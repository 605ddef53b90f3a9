// Aligns two sentences piece by piece; this module draws nothing.

/** Whether partners cross, as when the second sentence is a permutation of the first. */
export function hasCrossing(partners) {
  const known = partners.filter((partner) => partner !== null);
  return known.some((partner, i) => i > 0 && partner < known[i - 1]);
}

/**
 * Columns { first, second } of indices into two sentences; null where one has no piece. `partners` holds the partner in the
 * first sentence of every piece of the second, or null. Pieces that only the first has precede those that only the second
 * has. If partners cross, the columns are in the order of the second.
 */
export function alignmentColumns(count, partners) {
  if (hasCrossing(partners)) return partners.map((first, second) => ({ first, second }));
  const columns = [];
  let next = 0, unmatched = [];
  const flush = (end) => {
    for (; next < end; next += 1) columns.push({ first: next, second: null });
    columns.push(...unmatched.map((second) => ({ first: null, second })));
    unmatched = [];
  };
  partners.forEach((first, second) => {
    if (first === null) return unmatched.push(second);
    flush(first);
    columns.push({ first, second });
    next = first + 1;
  });
  flush(count);
  return columns;
}
