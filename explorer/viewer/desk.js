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
  [...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent.trim() === name)?.click();
}
