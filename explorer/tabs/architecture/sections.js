// Groups the rows of the shape trace and of the parameter table into foldable sections; draws nothing.

import { fill } from "../../ui/text.js";

/** Groups of adjacent items with equal `key`. */
export function groupRuns(items, key) {
  const groups = [];
  for (const item of items) {
    if (groups.length && key(groups.at(-1)[0]) === key(item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}

/** The sections of the shape trace: before, per layer, and after the layers; `first` is the index of the first row. */
export function stepSections(rows, text) {
  let first = 0;
  return groupRuns(rows, ({ stack, layer }) => `${stack}.${layer}`).map((ownRows) => {
    const { stack, layer, key } = ownRows[0];
    const isStackStart = first === 0 || rows[first - 1].stack !== stack;
    const place = { stack: text[stack], layer: layer + 1 };
    const title = fill(layer === null ? text[isStackStart ? "start" : "end"] : text.place, place);
    const section = { id: `${stack}.${layer ?? key}`, title, first, rows: ownRows };
    first += ownRows.length;
    return section;
  });
}

/** The sections of the parameter table: one per layer, and one per module outside the layers. */
export function partSections(parts, text) {
  const layer = ({ path }) => path.match(/^\w+\.layers\.\d+/)?.[0];
  const heads = parts.filter(({ path }) => layer({ path }) === path || /^(\w+\.embedding|projection)$/.test(path));
  return heads.map((head) => {
    const [stack, , number] = head.path.split(".");
    const title = layer(head) ? fill(text.place, { stack: text[stack], layer: Number(number) + 1 }) : head.path;
    const isInside = ({ path, own }) => path.startsWith(`${head.path}.`) || (path === head.path && own);
    return { id: head.path, title, head, layer: layer(head) !== undefined, rows: parts.filter(isInside) };
  });
}
