// The tabs as ARIA has them, over what Gradio makes: a panel is named by its tab, and whoever opens a tab goes on in it.

import { element } from "../ui/element.js";
import { focusPicture } from "../ui/page.js";

const TABS = "[role=tab]";
const PATIENCE = 60; // frames until the panel of a tab is there

function panelInSight() {
  return [...document.querySelectorAll("[role=tabpanel]")].find((panel) => panel.offsetParent);
}

/** A panel is called what its tab is, also as a heading, which is heard and not seen. */
function name(panel, labels) {
  const heading = `${panel.id}-heading`;
  if (document.getElementById(heading)) return;
  panel.prepend(element("h2", { id: heading, class: "heard" }, labels[panel.id.replace(/-tab$/, "")]));
  panel.setAttribute("aria-labelledby", heading);
  panel.tabIndex = -1;
}

/** Calls with the panel in sight once it is there, and is another one than before. */
function whenThere(before, call, frames = PATIENCE) {
  const panel = panelInSight();
  if ((!panel || panel === before) && frames > 0) requestAnimationFrame(() => whenThere(before, call, frames - 1));
  else if (panel) call(panel);
}

/** Where a visitor opened a panel, it has the focus, for the keys of its picture. */
function enterPanel(panel) {
  const focused = document.activeElement;
  const asked = navigator.userActivation.isActive, free = focused === document.body || focused.matches(TABS);
  if (asked && free) panel.focus({ preventScroll: true });
}

/** On a phone the tabs are one line that scrolls sideways: the tab comes into sight, and the page stays where it is. */
function bringIntoSight(tab) {
  const { parentElement: line } = tab, place = tab.getBoundingClientRect(), frame = line.getBoundingClientRect();
  if (place.left < frame.left) line.scrollLeft -= frame.left - place.left;
  if (place.right > frame.right) line.scrollLeft += place.right - frame.right;
}

/** `labels` are those of the tabs, by their ids. */
export function followTabs(labels) {
  document.addEventListener("click", ({ target }) => {
    const tab = target.closest(TABS);
    if (!tab) return;
    bringIntoSight(tab);
    whenThere(tab.getAttribute("aria-selected") === "true" ? null : panelInSight(), (panel) => {
      name(panel, labels);
      enterPanel(panel);
    });
  }, { capture: true }); // before Gradio opens it
  whenThere(null, (panel) => name(panel, labels));
}

/** Leads past all controls, to the picture. */
export function skipTo(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    focusPicture(document, {});
  });
}
