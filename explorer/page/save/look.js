// What is in front of the visitor, for whoever saves it.

import { exploreNow, shownTab, sightOf } from "../../shared/desk.js";

/** `part` are the dialog's own nodes, which say what of it is wanted. */
export function looked({ what, grey, caption, notes }) {
  const tab = shownTab() ?? "explore", own = sightOf(tab);
  return {
    tab,
    viewer: own?.viewer ?? exploreNow(),
    experiment: own?.experiment ?? null,
    what: what.value,
    grey: grey.checked,
    caption: caption.checked,
    notes: notes.value,
  };
}
