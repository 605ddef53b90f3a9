// Accessibility of Gradio's tabs: a panel has the name of its tab, and gets the focus when the visitor opens it.

import { element } from "../ui/element.js";
import { focusPicture } from "../ui/page.js";

const TABS = "[role=tab]";
const MAX_FRAMES = 60; // to wait for a panel

/** The open panel; of a group, that of its open tab. */
function visiblePanel() {
  return [...document.querySelectorAll("[role=tabpanel]")].findLast((panel) => panel.offsetParent);
}

/** Names a panel after its tab, with a heading for screen readers. */
function labelPanel(panel, labels) {
  const heading = `${panel.id}-heading`;
  const label = labels[panel.id.replace(/-tab$/, "")];
  if (document.getElementById(heading) || !label) return;
  panel.prepend(element("h2", { id: heading, class: "heard" }, label));
  panel.setAttribute("aria-labelledby", heading);
  panel.tabIndex = -1;
}

/** Calls `callback` with the visible panel as soon as it differs from the previous one. */
function whenPanelOpens(previous, callback, frames = MAX_FRAMES) {
  const panel = visiblePanel();
  if ((!panel || panel === previous) && frames > 0) requestAnimationFrame(() => whenPanelOpens(previous, callback, frames - 1));
  else if (panel) callback(panel);
}

/** Focuses a panel that the visitor opened, so that its picture gets the keys. */
function enterPanel(panel) {
  const focused = document.activeElement;
  const isUserAction = navigator.userActivation.isActive, isFocusFree = focused === document.body || focused.matches(TABS);
  if (isUserAction && isFocusFree) panel.focus({ preventScroll: true });
}

/** Scrolls the line of tabs until a tab is visible, without scrolling the page; on a phone the line is wider than the screen. */
function scrollTabIntoView(tab) {
  const { parentElement: line } = tab, place = tab.getBoundingClientRect(), frame = line.getBoundingClientRect();
  if (place.left < frame.left) line.scrollLeft -= frame.left - place.left;
  if (place.right > frame.right) line.scrollLeft += place.right - frame.right;
}

/** `labels` are the names of the tabs by id. */
export function enhanceTabs(labels) {
  document.addEventListener("click", ({ target, detail }) => {
    const tab = target.closest(TABS);
    if (!tab) return;
    if (detail > 0) tab.blur(); // a pointer's: the next key is the picture's, even before the panel is there
    scrollTabIntoView(tab);
    whenPanelOpens(tab.getAttribute("aria-selected") === "true" ? null : visiblePanel(), (panel) => {
      for (let outer = panel; outer; outer = outer.parentElement.closest("[role=tabpanel]")) labelPanel(outer, labels);
      enterPanel(panel);
    });
  }, { capture: true }); // before Gradio opens it
  whenPanelOpens(null, (panel) => labelPanel(panel, labels));
}

/** Makes a link skip all controls and focus the picture. */
export function enableSkipLink(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    focusPicture(document, {});
  });
}
