// The tab's part of the address, which two components keep together: the story, and the section of now/.

import { registerPart } from "../../ui/address.js";

/** A keeper of a component that is not there after all. */
export const NOTHING = { names: [], write: () => ({}), restore: () => [] };

const kept = new Map();

/** A component's keeper, as in ui/address.js; the tab is kept as soon as all that are `expected` have come. */
export function keepTogether(expected, name, keeper) {
  kept.set(name, keeper);
  if (expected.every((each) => kept.has(each))) registerPart("training", composed([...kept.values()]));
}

/** Several keepers as one. */
export function composed(keepers) {
  return {
    names: keepers.flatMap(({ names }) => names),
    write: () => Object.assign({}, ...keepers.map((keeper) => keeper.write())),
    restore: (given) => keepers.flatMap((keeper) => {
      const own = Object.entries(given).filter(([name]) => keeper.names.includes(name));
      return keeper.restore(Object.fromEntries(own));
    }),
  };
}
