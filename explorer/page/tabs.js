// The tabs of the page: lines of buttons (role=tab) with their panels; those of a group are inside the group's panel.
// The attention view has a button for each of its levels.

import { focusPicture, wantsStillness } from "../ui/page.js";
import { chooseLevel } from "../attention_view/controls.js";
import { currentView, emitTabOpened, onView, openTabId, setOpenTab } from "../ui/page_events.js";

const TABS = "[role=tab]", PANELS = "[role=tabpanel]";
const EDGE = 26; // pixels at the ends of the line, where an arrow says that it goes on (look.css)
const TURN = 0.7; // of the line's width, by which an arrow scrolls it: what was half seen is whole then

function panelOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}

/** The open panels, a group's before that of its tab. */
export function openPanels() {
  const selected = [...document.querySelectorAll(`${PANELS}:not([hidden])`)];
  return selected.filter((panel) => !panel.parentElement.closest("[hidden]"));
}

/**
 * Opens tabs when they are clicked: calls `fill(panel)`. Calls `prepare(panel)` when one is likely to be clicked: the
 * pointer or the focus is on it.
 */
export function enableTabs(page, { fill, prepare }) {
  for (const type of ["pointerover", "focusin"]) {
    page.addEventListener(type, ({ target }) => {
      const tab = target.closest(TABS);
      if (tab) prepare(innermostPanel(panelOf(tab)));
    });
  }
  page.addEventListener("click", (event) => {
    const { target, detail } = event;
    const tab = target.closest(TABS);
    if (detail > 0 && turnLine(event)) return;
    if (!tab) return;
    if (detail > 0) tab.blur(); // a pointer's: the next key is the picture's
    const group = tab.closest(PANELS);
    if (group) select(page.querySelector(`[aria-controls="${group.id}"]`));
    select(tab);
    page.toggleAttribute("data-views", tab.dataset.view !== undefined);
    const { level } = tab.dataset;
    if (level && currentView() && currentView().view.level !== level) chooseLevel(currentView(), level);
    const panel = openPanels().at(-1);
    setOpenTab(openTabOf(tab)); // which the address names from now on, also while the panel is filled
    fill(panel);
    emitTabOpened(openTabOf(tab));
    enterPanel(panel);
  });
  page.toggleAttribute("data-views", true);
  emitTabOpened(openTabOf(page.querySelector(TABS)));
  onView(({ view: { level } }) => {
    const isOpen = openTabId() === "explore";
    for (const tab of page.querySelectorAll(`${TABS}[data-level]`)) {
      tab.setAttribute("aria-selected", isOpen && tab.dataset.level === level);
    }
  });
}

/** A panel, or of a group the open one inside. */
function innermostPanel(panel) {
  return panel.querySelector(`${PANELS}:not([hidden])`) ?? panel;
}

/** Shows the panel of a tab instead of the others of its line. */
function select(tab) {
  for (const other of tab.parentElement.children) {
    other.setAttribute("aria-selected", other === tab);
    panelOf(other).hidden = panelOf(other) !== panelOf(tab); // two buttons may have one panel
  }
  scrollTabIntoView(tab);
}

/** The id of a tab; of a group that of its open tab. */
function openTabOf(tab) {
  const inner = panelOf(tab).querySelector(`${TABS}[aria-selected=true]`);
  return (inner ?? tab).dataset.tab;
}

/** Focuses a panel that the visitor opened, so that its picture gets the keys. */
function enterPanel(panel) {
  const focused = document.activeElement;
  const isFocusFree = focused === document.body || focused.matches(TABS);
  if (navigator.userActivation?.isActive && isFocusFree) panel.focus({ preventScroll: true });
}

/** Scrolls the line of tabs on where an arrow is clicked, which lies over a tab; returns whether one is. */
function turnLine({ target, clientX }) {
  const line = target.closest("[role=tablist]");
  if (!line || getComputedStyle(line).overflowX !== "auto") return false;
  const { left, right } = line.getBoundingClientRect();
  const rest = line.scrollWidth - line.clientWidth - line.scrollLeft;
  const isBack = clientX < left + EDGE && line.scrollLeft >= 1;
  const isOn = clientX > right - EDGE && rest >= 1;
  if (!isBack && !isOn) return false;
  const by = Math.sign(Number(isOn) - Number(isBack)) * TURN * line.clientWidth;
  line.scrollBy({ left: by, behavior: wantsStillness() ? "instant" : "smooth" });
  return true;
}

/** Scrolls the line of tabs, but not the page, until a tab is visible; on a phone the line is wider than the screen. */
function scrollTabIntoView(tab) {
  const line = tab.parentElement;
  const box = tab.getBoundingClientRect();
  const frame = line.getBoundingClientRect();
  if (box.left < frame.left + EDGE) line.scrollLeft -= frame.left + EDGE - box.left;
  if (box.right > frame.right - EDGE) line.scrollLeft += box.right - frame.right + EDGE;
}

/** Makes a link skip all controls and focus the picture. */
export function enableSkipLink(link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    focusPicture(document, {});
  });
}
