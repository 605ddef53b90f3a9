// Pieces joined into words.

const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/** Indices of pieces, word by word. Special pieces and the punctuation after a word stand alone. */
export function words(pieces) {
  const groups = [];
  pieces.forEach((piece, i) => {
    const alone = piece.special || pieces[i - 1]?.special || trailing(pieces, i);
    if (i === 0 || piece.starts_word || alone) groups.push([i]);
    else groups.at(-1).push(i);
  });
  return groups;
}

/** Whether nothing but punctuation follows, up to the next word. */
function trailing(pieces, i) {
  if (!PUNCTUATION.test(pieces[i].text)) return false;
  const next = pieces[i + 1];
  return !next || next.starts_word || next.special || trailing(pieces, i + 1);
}

export function single(pieces) {
  return pieces.map((_, i) => [i]);
}

/** A row for every group of keys: `weight(query, key)` summed over a group's keys, averaged over the queries. */
export function mergedRow(weight, queries, keyGroups) {
  return keyGroups.map((keys) => merged(weight, queries, keys));
}

/** A column for every group of queries: averaged over a group's queries, summed over the keys. */
export function mergedColumn(weight, queryGroups, keys) {
  return queryGroups.map((queries) => merged(weight, queries, keys));
}

function merged(weight, queries, keys) {
  const sum = queries.reduce((total, query) => total + keys.reduce((row, key) => row + weight(query, key), 0), 0);
  return queries.length ? sum / queries.length : 0;
}
