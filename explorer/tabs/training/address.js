// The tab's URL state, which two components share: the story, and the section of now/.

import { registerPart } from "../../ui/address.js";

/** The owner of no URL state, for a component that could not be loaded. */
export const EMPTY_OWNER = { names: [], write: () => ({}), restore: () => [] };

const owners = new Map();

/** Registers the owner of a component's URL state, as in ui/address.js, once all `expected` components have one. */
export function registerTogether(expected, component, owner) {
  owners.set(component, owner);
  if (expected.every((other) => owners.has(other))) registerPart("training", combineOwners([...owners.values()]));
}

/** Several owners as one. */
export function combineOwners(owners) {
  return {
    names: owners.flatMap(({ names }) => names),
    write: () => Object.assign({}, ...owners.map((owner) => owner.write())),
    restore: (texts) => owners.flatMap((owner) => {
      const own = Object.entries(texts).filter(([name]) => owner.names.includes(name));
      return owner.restore(Object.fromEntries(own));
    }),
  };
}
