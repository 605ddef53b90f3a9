// Events between the tabs of the page: changes of the attention view, opened tabs, the drawer, and requests to a tab.

const viewListeners = [];
const requestHandlers = new Map(), pendingRequests = new Map();
const tabListeners = [], snapshotProviders = new Map();
const drawerListeners = [], noticeListeners = [];
const FIRST_PANEL = "heads";
let shownViewer = null, openedTabId = null, openedPanel = null, lastPanel = FIRST_PANEL;
let isFolded = false;

/**
 * Notifies listeners of the attention view; the view calls it when it first shows something and after every
 * change. Nobody hears of what will give way to the sentence of a link.
 */
export function emitView(viewer) {
  shownViewer = viewer;
  if (viewer.isAwaiting) return;
  for (const listener of viewListeners) listener(viewer);
}

/** Calls `listener(viewer)` at once if the attention view shows a trace, and after every change. */
export function onView(listener) {
  viewListeners.push(listener);
  if (shownViewer && !shownViewer.isAwaiting) listener(shownViewer);
}

/** The attention view; null until it shows something. */
export function currentView() {
  return shownViewer;
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

/** Opens the drawer at a panel, "" where it was last, or closes it with null; it is the one that all views share. */
export function openDrawer(panel) {
  isFolded = false;
  openedPanel = panel === "" ? lastPanel : panel;
  lastPanel = openedPanel ?? lastPanel;
  for (const listener of drawerListeners) listener(openedPanel);
}

/** Puts the drawer away, but not what it has opened below the view. */
export function foldDrawer() {
  isFolded = true;
  for (const listener of drawerListeners) listener(openedPanel);
}

export function isDrawerFolded() {
  return isFolded;
}

/** The name of the drawer's open panel; null while it is closed. */
export function drawerPanel() {
  return openedPanel;
}

/** Calls `listener(panel)` whenever the drawer is opened at a panel, folded or, with null, closed. */
export function onDrawer(listener) {
  drawerListeners.push(listener);
}

/** Says a sentence to the visitor for a moment, where the page says such things. */
export function emitNotice(sentence) {
  for (const listener of noticeListeners) listener(sentence);
}

/** Calls `listener(sentence)` with each sentence that the visitor is told for a moment. */
export function onNotice(listener) {
  noticeListeners.push(listener);
}

/** Sets the id of the open tab. */
export function setOpenTab(id) {
  openedTabId = id;
}

/** Notifies listeners that a tab was opened. */
export function emitTabOpened(id) {
  setOpenTab(id);
  for (const listener of tabListeners) listener(id);
}

/** The id of the open tab. */
export function openTabId() {
  return openedTabId;
}

/** Calls `listener(id)` whenever a tab is opened. */
export function onTabOpened(listener) {
  tabListeners.push(listener);
}

/** The button of a tab; of the attention view, which has two, that of its level. @returns {HTMLElement | null} */
function tabButton(id) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[role=tab][data-tab="${id}"]`)]);
  return buttons.find(({ dataset: { level } }) => level === shownViewer?.view.level) ?? buttons[0] ?? null;
}

export function hasTab(id) {
  return tabButton(id) !== null;
}

/** Opens a tab; embedded pages hide the buttons. */
export function openTab(id) {
  tabButton(id).click();
}
