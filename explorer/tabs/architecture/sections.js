// How the rows of the shape trace and of the parameter table fall into sections that open and close. No drawing.

import { fill } from "../../ui/text.js";

/** Runs of neighbours for which `key` is the same. */
export function runs(items, key) {
  const found = [];
  for (const item of items) {
    if (found.length && key(found.at(-1)[0]) === key(item)) found.at(-1).push(item);
    else found.push([item]);
  }
  return found;
}

/** A section for each layer, and for what stands before and after the layers; `first` is its first row's number. */
export function stepSections(rows, text) {
  let first = 0;
  return runs(rows, ({ stack, layer }) => `${stack}.${layer}`).map((own) => {
    const { stack, layer, key } = own[0];
    const begins = first === 0 || rows[first - 1].stack !== stack;
    const place = { stack: text[stack], layer: layer + 1 };
    const title = fill(layer === null ? text[begins ? "start" : "end"] : text.place, place);
    const section = { id: `${stack}.${layer ?? key}`, title, first, rows: own };
    first += own.length;
    return section;
  });
}

/** The table's parts in sections: one for each layer, and one for each module that stands beside the layers. */
export function partSections(parts, text) {
  const layer = ({ path }) => path.match(/^\w+\.layers\.\d+/)?.[0];
  const heads = parts.filter(({ path }) => layer({ path }) === path || /^(\w+\.embedding|projection)$/.test(path));
  return heads.map((head) => {
    const [stack, , number] = head.path.split(".");
    const title = layer(head) ? fill(text.place, { stack: text[stack], layer: Number(number) + 1 }) : head.path;
    const within = ({ path, own }) => path.startsWith(`${head.path}.`) || (path === head.path && own);
    return { id: head.path, title, head, layer: layer(head) !== undefined, rows: parts.filter(within) };
  });
}
