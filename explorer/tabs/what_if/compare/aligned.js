// Two sentences piece by piece: columns of places. No drawing here.

/** Whether partners cross: the second sentence is the first in another order. */
export function crossing(partners) {
  const found = partners.filter((partner) => partner !== null);
  return found.some((partner, i) => i > 0 && partner < found[i - 1]);
}

/**
 * Columns { first, second } of the indices of two sentences, null where one has no piece there. `partners` holds for every
 * piece of the second its partner in the first, or null. What only the first has comes before what only the second has.
 * Where partners cross, the columns are in the order of the second.
 */
export function columnsOf(count, partners) {
  if (crossing(partners)) return partners.map((first, second) => ({ first, second }));
  const columns = [];
  let next = 0, alone = [];
  const catchUp = (end) => {
    for (; next < end; next += 1) columns.push({ first: next, second: null });
    columns.push(...alone.map((second) => ({ first: null, second })));
    alone = [];
  };
  partners.forEach((first, second) => {
    if (first === null) return alone.push(second);
    catchUp(first);
    columns.push({ first, second });
    next = first + 1;
  });
  catchUp(count);
  return columns;
}
