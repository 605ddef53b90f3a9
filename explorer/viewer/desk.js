// What the rooms of the page share: the attention view of Explore, whose trace and view every other room follows.

const followers = [];
let explore = null;

/** Called by the attention view once it is there, and after every change of what it shows. */
export function told(viewer) {
  explore = viewer;
  for (const follow of followers) follow(viewer);
}

/** Calls `follow(viewer)` now, where there is a trace already, and after every change. */
export function onChange(follow) {
  followers.push(follow);
  if (explore) follow(explore);
}

/** Brings a tab to the front, by its name. */
export function open(name) {
  // Where there is no room for all tabs, Gradio moves the last ones into a menu.
  const tabs = [...document.querySelectorAll("[role=tab], .overflow-dropdown button")];
  tabs.find((tab) => tab.textContent.trim() === name)?.click();
}
