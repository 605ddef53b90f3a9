// The tabs as ARIA has them, over what Gradio makes: a panel is named by its tab, and whoever opens a tab goes on in it.

import { element } from "../shared/element.js";
import { lookAtPicture } from "../shared/page.js";

const TABS = "[role=tab], .overflow-dropdown button";
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

/** Once the opened panel is there: its name and, where a visitor opened it, the focus, for the keys of its picture. */
function enterPanel(labels, before, frames = PATIENCE) {
  const panel = panelInSight(), focused = document.activeElement;
  if ((!panel || panel === before) && frames > 0) return requestAnimationFrame(() => enterPanel(labels, before, frames - 1));
  if (!panel) return;
  name(panel, labels);
  const asked = navigator.userActivation.isActive, free = focused === document.body || focused.matches(TABS);
  if (asked && free) panel.focus({ preventScroll: true });
}

/** `labels` are those of the tabs, by their ids. */
export function followTabs(labels) {
  document.addEventListener("click", ({ target }) => {
    const tab = target.closest(TABS);
    if (tab) enterPanel(labels, tab.getAttribute("aria-selected") === "true" ? null : panelInSight());
  }, { capture: true }); // before Gradio opens it
  enterPanel(labels, null);
}

/** Leads past all controls, to the picture. */
export function skipTo(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    lookAtPicture(document, {});
  });
}
