// The tab Train one: a toy that learns while one watches, and below it the recorded training of the page's own model.

import { registerPart } from "../../ui/address.js";
import { dropPointerFocus } from "../../ui/page.js";
import { Replay } from "./replay.js";
import { Toy } from "./toy.js";

export function mount(element, settings) {
  const root = element.querySelector(".train");
  dropPointerFocus(root);
  const toy = new Toy(root, settings);
  if (!settings.replay) {
    registerPart("train", toy);
    return;
  }
  const replay = new Replay(root.querySelector(".replay"), settings.replay);
  registerPart("train", joined([toy, replay]));
  replay.load(settings.replay.story);
}

/**
 * Several owners of parts of one tab as one.
 * @param {import("../../ui/address.js").Owner[]} owners
 */
function joined(owners) {
  const textsOf = (texts, names) => Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)));
  return {
    names: owners.flatMap(({ names }) => names),
    write: () => Object.assign({}, ...owners.map((owner) => owner.write())),
    restore: (texts) => owners.flatMap((owner) => owner.restore(textsOf(texts, owner.names))),
  };
}
