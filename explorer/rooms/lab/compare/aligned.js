// Two sentences piece by piece: columns of places. No drawing here.

/**
 * Columns { first, second } of the indices of two sentences, null where one has no piece there. `partners` holds for every
 * piece of the second its partner in the first, or null; partners are in order. What only the first has comes before what
 * only the second has.
 */
export function columnsOf(count, partners) {
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
