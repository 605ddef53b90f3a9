// What is in front of the visitor, for whoever saves it.

import { selectedCell } from "../../attention_view/selected_cell.js";
import { viewAtLevel } from "../../attention_view/state.js";
import { currentView, openTabId, snapshotOf } from "../../ui/page_events.js";

/** `part` are the dialog's own nodes, which say what of it is wanted. */
export function looked({ what, grey, caption, notes }) {
  const tab = openTabId() ?? "explore", own = snapshotOf(tab);
  return {
    tab,
    viewer: own?.viewer ?? currentView(),
    experiment: own?.experiment ?? null,
    changes: own?.changes ?? [],
    panel: own?.panel ?? null,
    panelName: own?.panelName ?? null,
    what: what.value,
    grey: grey.checked,
    caption: caption.checked,
    notes: notes.value,
  };
}

/** The view as the tab shows it: Inside one head of it. */
export function inView({ tab, viewer: { view, trace } }) {
  if (tab !== "inside") return viewAtLevel(view, trace);
  const { kind, layer, head } = selectedCell(view, trace);
  return { ...view, kind, layer, head, second: null, whole: false, specials: true, words: false, measure: "weight" };
}
