// The cells of a matrix of queries and keys that are masked: keys to come, and source tokens that are hidden. Pure.

/**
 * Whether a query of a map may not look at a key, which comes later.
 * @param {AttentionMap} map
 * @param {number} query
 * @param {number} key
 */
export function isOutOfReach(map, query, key) {
  return key >= map.reach(query);
}

/**
 * Whether a key of a map is a source token that is hidden in its run.
 * @param {{ kind: Kind }} map
 * @param {number} key
 * @param {number[]} hiddenTokens
 */
export function isHidden({ kind }, key, hiddenTokens) {
  return kind !== "decoder" && hiddenTokens.includes(key);
}

/**
 * The masked cells of each row, as runs from one column to the one after the last.
 * @param {number} rows
 * @param {number} columns
 * @param {(row: number, column: number) => boolean} isMasked
 */
export function maskedRuns(rows, columns, isMasked) {
  const runs = [];
  for (let row = 0; row < rows; row++) {
    let from = 0;
    for (let column = 0; column <= columns; column++) {
      if (column < columns && isMasked(row, column)) continue;
      if (column > from) runs.push({ row, from, to: column });
      from = column + 1;
    }
  }
  return runs;
}
