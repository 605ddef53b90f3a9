// A snapshot of what the open tab shows, for saving.

import { selectedCell } from "../../attention_view/selected_cell.js";
import { viewAtLevel } from "../../attention_view/state.js";
import { currentView, openTabId, snapshotOf } from "../../ui/page_events.js";

/** Takes a snapshot; the argument holds the dialog's controls. */
export function takeSnapshot({ what, grey, caption, notes }) {
  const tab = openTabId() ?? "explore", tabSnapshot = snapshotOf(tab);
  return {
    tab,
    viewer: tabSnapshot?.viewer ?? currentView(),
    experiment: tabSnapshot?.experiment ?? null,
    changes: tabSnapshot?.changes ?? [],
    panel: tabSnapshot?.panel ?? null,
    panelName: tabSnapshot?.panelName ?? null,
    what: what.value,
    grey: grey.checked,
    caption: caption.checked,
    notes: notes.value,
  };
}

/** The view as the tab shows it; the tab Inside shows one head. */
export function shownView({ tab, viewer: { view, trace } }) {
  if (tab !== "inside") return viewAtLevel(view, trace);
  const { kind, layer, head } = selectedCell(view, trace);
  return { ...view, kind, layer, head, second: null, whole: false, specials: true, words: false, measure: "weight" };
}
