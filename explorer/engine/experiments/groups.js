// Items in groups, as Map.groupBy has them, which Safari knows since 17.4 and Chrome since 117.

/**
 * Lists of items by what `keyOf` makes of them.
 *
 * @template Item, Key
 * @param {Iterable<Item>} items
 * @param {(item: Item) => Key} keyOf
 * @returns {Map<Key, Item[]>}
 */
export function groupBy(items, keyOf) {
  /** @type {Map<Key, Item[]>} */ const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
