// What the tabs of the page share: its tabs, and the attention view of Explore, whose trace and view every tab follows.

const followers = [];
const doors = new Map(), waiting = new Map();
const watchers = [], sights = new Map();
let explore = null, tab = null;

/** Called by the attention view once it is there, and after every change of what it shows. */
export function emitView(viewer) {
  explore = viewer;
  for (const follow of followers) follow(viewer);
}

/** Calls `follow(viewer)` now, where there is a trace already, and after every change. */
export function onView(follow) {
  followers.push(follow);
  if (explore) follow(explore);
}

/** The attention view of Explore; null until it shows something. */
export function currentView() {
  return explore;
}

/** A tab that has an attention view and experiments of its own says what it shows: `look()` gives { viewer, experiment }. */
export function provideSnapshot(tab, look) {
  sights.set(tab, look);
}

/** What such a tab shows now; null for any other. */
export function snapshotOf(tab) {
  return sights.get(tab)?.() ?? null;
}

/** What a tab does when a way leads into it for one side, the encoder's or the decoder's. */
export function onTabRequest(tab, enter) {
  doors.set(tab, enter);
  if (waiting.has(tab)) enter(waiting.get(tab));
  waiting.delete(tab);
}

/** A tab that was never opened is not there yet: it learns of it as soon as it is. */
export function requestTab(tab, side) {
  if (doors.has(tab)) doors.get(tab)(side);
  else waiting.set(tab, side);
}

/** Goes to the tab of experiments, whose tab has this label, with an experiment at one of its panels. */
export function openPanel(label, panel, experiment) {
  requestTab("lab", { panel, experiment });
  openTab(label);
}

/** Called by the page whenever a tab is opened, with its id. */
export function emitTabOpened(id) {
  tab = id;
  for (const watch of watchers) watch(id);
}

/** The id of the tab that is open; null until one was opened. */
export function openTabId() {
  return tab;
}

/** Calls `watch(id)` whenever a tab is opened. */
export function onTabOpened(watch) {
  watchers.push(watch);
}

/** A tab by its label. */
function labelled(label) {
  const buttons = document.querySelectorAll("button[role=tab]");
  return [...buttons].find(({ textContent }) => textContent.trim() === label);
}

export function hasTab(label) {
  return labelled(label) !== undefined;
}

export function openTab(label) {
  labelled(label).click();
}
