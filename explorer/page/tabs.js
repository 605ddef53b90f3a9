// The tabs as ARIA has them, over what Gradio makes: a panel is named by its tab, and whoever opens a tab goes on in it.

import { lookAtPicture } from "../shared/page.js";

const TABS = "[role=tab], .overflow-dropdown button";
const PATIENCE = 60; // frames until the panel of a tab is there

function panelInSight() {
  return [...document.querySelectorAll("[role=tabpanel]")].find((panel) => panel.offsetParent);
}

/** Once the opened panel is there: its name and, where a visitor opened it, the focus, for the keys of its picture. */
function enterPanel(before, frames = PATIENCE) {
  const panel = panelInSight(), focused = document.activeElement;
  if ((!panel || panel === before) && frames > 0) return requestAnimationFrame(() => enterPanel(before, frames - 1));
  if (!panel) return;
  panel.setAttribute("aria-labelledby", `${panel.id}-button`);
  panel.tabIndex = -1;
  const asked = navigator.userActivation.isActive, free = focused === document.body || focused.matches(TABS);
  if (asked && free) panel.focus({ preventScroll: true });
}

export function followTabs() {
  document.addEventListener("click", ({ target }) => {
    const tab = target.closest(TABS);
    if (tab) enterPanel(tab.getAttribute("aria-selected") === "true" ? null : panelInSight());
  }, { capture: true }); // before Gradio opens it
}

/** Leads past all controls, to the picture. */
export function skipTo(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    lookAtPicture(document, {});
  });
}
