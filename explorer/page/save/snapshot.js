// A snapshot of what the open tab shows, for saving, and the names of the files made of it.

import { viewAtLevel } from "../../attention_view/state.js";
import { currentView, drawerPanel, openTabId, snapshotOf } from "../../ui/page_events.js";

const MAX_SLUG_LENGTH = 40; // characters
const SENTENCE_TABS = ["explore", "positions"]; // views of the page's sentence that cannot draw its poster

/** An error whose message is shown to the visitor. */
export class SaveError extends Error {}

/** A text reduced to characters that any system allows in a file name; a long one ends with a whole word. */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replaceAll("ß", "ss").toLowerCase();
  const joined = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return joined.length <= MAX_SLUG_LENGTH
    ? joined
    : joined
        .slice(0, MAX_SLUG_LENGTH + 1)
        .replace(/-[^-]*$/, "")
        .slice(0, MAX_SLUG_LENGTH);
}

/** Takes a snapshot; the first argument holds the dialog's controls, the second a poster for tabs without their own. */
export function takeSnapshot({ what, grey, caption, notes }, borrowedPoster = null) {
  const tab = openTabId();
  const tabSnapshot = snapshotOf(tab);
  const viewer = tabSnapshot?.viewer ?? currentView();
  return {
    tab,
    viewer,
    run: viewer.change?.changed?.run ?? null, // of the change, whichever run is shown
    panel: drawerPanel(),
    title: tabSnapshot?.title ?? null, // of what a tab without a view shows
    flight: tabSnapshot?.flight ?? null, // the guided flight through the model
    writing: tabSnapshot?.writing ?? null, // the sentence being written over the whole picture
    poster: tabSnapshot?.poster ?? (SENTENCE_TABS.includes(tab) ? borrowedPoster : null), // the whole picture on paper
    what: what.value,
    grey: grey.checked,
    caption: caption.checked,
    notes: notes.value,
  };
}

/** The view as it is drawn. */
export function shownView({ viewer: { view, trace } }) {
  return viewAtLevel(view, trace);
}
