// Events between the tabs of the page: changes of Explore's attention view, opened tabs, and requests to a tab.

import { untilTrue } from "./page.js";

const viewListeners = [];
const requestHandlers = new Map(), pendingRequests = new Map();
const tabListeners = [], snapshotProviders = new Map();
const tabLabels = {}, tabGroups = {};
let exploreView = null, openedTabId = null, requestedTab = null;

/** Notifies listeners of Explore's attention view; the view calls it when it first shows something and after every change. */
export function emitView(viewer) {
  exploreView = viewer;
  for (const listener of viewListeners) listener(viewer);
}

/** Calls `listener(viewer)` at once if Explore shows a trace, and after every change. */
export function onView(listener) {
  viewListeners.push(listener);
  if (exploreView) listener(exploreView);
}

/** The attention view of Explore; null until it shows something. */
export function currentView() {
  return exploreView;
}

/** Registers what a tab with its own attention view shows; `takeSnapshot()` returns { viewer, experiment }. */
export function provideSnapshot(tab, takeSnapshot) {
  snapshotProviders.set(tab, takeSnapshot);
}

/** The snapshot of a tab; null if it provides none. */
export function snapshotOf(tab) {
  return snapshotProviders.get(tab)?.() ?? null;
}

/** Registers a tab's handler for requests of other tabs, and passes on a request that is already waiting. */
export function onTabRequest(tab, handler) {
  requestHandlers.set(tab, handler);
  if (pendingRequests.has(tab)) handler(pendingRequests.get(tab));
  pendingRequests.delete(tab);
}

/** Sends a request to a tab; a tab that was never opened gets it when it registers its handler. */
export function requestTab(tab, side) {
  if (requestHandlers.has(tab)) requestHandlers.get(tab)(side);
  else pendingRequests.set(tab, side);
}

/** Opens the tab of experiments, which has this label, at a panel with an experiment. */
export function openPanel(label, panel, experiment) {
  requestTab("lab", { panel, experiment });
  openTab(label);
}

/**
 * Notifies listeners that a tab was opened; `ids` of several tabs are those of a group, whose open tab counts. Gradio's
 * report of a tab may come when another is already open, and counts no more.
 */
export function emitTabOpened(ids) {
  const label = tabLabels[ids[0]];
  if (!isSelected(tabGroups[label] ?? label)) return;
  openedTabId = ids.find((id) => isSelected(tabLabels[id])) ?? ids[0];
  for (const listener of tabListeners) listener(openedTabId);
}

/** Whether the tab of this label is selected in its line of tabs. */
function isSelected(label) {
  return tabButton(label)?.getAttribute("aria-selected") === "true";
}

/** Sets the labels of all tabs by id, and the label of the group of each tab that has one by the tab's label. */
export function setTabs(labels, groups) {
  Object.assign(tabLabels, labels);
  Object.assign(tabGroups, groups);
}

/** The id of the open tab; null until a tab is opened. */
export function openTabId() {
  return openedTabId;
}

/** Calls `listener(id)` whenever a tab is opened. */
export function onTabOpened(listener) {
  tabListeners.push(listener);
}

/** The button of a tab. */
function tabButton(label) {
  const buttons = document.querySelectorAll("button[role=tab]");
  return [...buttons].find(({ textContent }) => textContent.trim() === label);
}

export function hasTab(label) {
  return tabButton(tabGroups[label] ?? label) !== undefined;
}

/**
 * Opens a tab; that of a group is there only after the group's own tab was opened. Embedded pages hide the buttons. Does
 * nothing if another one was requested meanwhile.
 */
export async function openTab(label) {
  requestedTab = label;
  const group = tabGroups[label], isThere = () => tabButton(label)?.closest("[role=tabpanel]")?.offsetParent;
  if (group && !isThere()) {
    tabButton(group).click();
    await untilTrue(() => isThere() || requestedTab !== label);
  }
  if (requestedTab === label) tabButton(label).click();
}
