// The address of the page holds what is shown, as parts with a name and a text, so that a link, a reload and Back all
// lead to the same view. What the parts mean is known to those who keep them; a tab's part is called "tab.name".

const LONGEST = 2000; // characters of a link; programs for mail and chat cut longer ones
const SOON = 100, PAUSE = 400; // milliseconds to a write, and between two: browsers refuse more than some hundreds a minute
const FOREIGN = /^(__|utm_|deep_link$|view$)/; // parts of Gradio, of its host, or of who passed the link on
const ENTRY = ["sentence", "tab"]; // another one of these is a new entry of the history, so that Back leads to the one before

const UNTIL_CHANGE = "until a change";

const keepers = new Map(); // by tab; "" is the page with the view of Explore
let parts = null; // as last read or written; null until somebody keeps one
let timer = null, held = false, wrote = 0;
let tell = () => {};
const watchers = [];

/** A view whose link is too long for an address is kept beside it, in this browser's history. */
function partsOf(state) {
  return new Map(state?.parts ?? new URLSearchParams(location.search));
}

function tabOf(name) {
  return name.includes(".") ? name.slice(0, name.indexOf(".")) : "";
}

function begin() {
  if (parts) return;
  parts = partsOf(history.state);
  addEventListener("pagehide", write);
  addEventListener("popstate", ({ state }) => {
    arrive(partsOf(state));
  });
}

/** Shows what other parts ask for. */
function arrive(found) {
  clearTimeout(timer);
  timer = null;
  parts = found;
  if (keepers.has("")) restore(""); // else as soon as it is kept
  if (!held) restoreRooms();
  for (const watch of watchers) watch();
}

/** Goes to where other parts of ours lead, which Back leads away from again, unless it takes the place of what was there. */
export function navigate(found, { instead = false } = {}) {
  begin();
  const foreign = [...parts].filter(([name]) => FOREIGN.test(name));
  put(new Map([...Object.entries(found), ...foreign]), instead ? "replaceState" : "pushState");
  arrive(parts);
}

/** The part of the address with a name, as it was last written or asked for; null where there is none. */
export function readPart(name) {
  return parts?.get(name) ?? null;
}

/** Calls `watch()` whenever the parts of the address have changed. */
export function onParts(watch) {
  watchers.push(watch);
}

/** The parts of a tab, by the names that the tab has for them. */
function partsOfTab(tab) {
  const found = [...parts].filter(([name]) => tabOf(name) === tab && !FOREIGN.test(name));
  return Object.fromEntries(found.map(([name, text]) => [name.slice(tab ? tab.length + 1 : 0), text]));
}

/** Whether there is a tab for a part, opened or not. */
function hasTab(name) {
  return tabOf(name) === "" || (keepers.get("")?.tabs.includes(tabOf(name)) ?? true);
}

function restore(tab) {
  const keeper = keepers.get(tab), all = partsOfTab(tab);
  const known = Object.fromEntries(Object.entries(all).filter(([name]) => keeper.names.includes(name)));
  const unknown = Object.keys(all).filter((name) => !keeper.names.includes(name));
  const damaged = [...unknown, ...keeper.restore(known)];
  const called = damaged.map((name) => (tab ? `${tab}.${name}` : name));
  if (tab === "") called.push(...[...parts.keys()].filter((name) => !FOREIGN.test(name) && !hasTab(name)));
  if (called.length) tell(called);
}

function restoreRooms() {
  for (const tab of keepers.keys()) if (tab !== "") restore(tab);
}

/** All parts as they are now; tabs that were never opened keep what the address gave them. */
function collected() {
  const others = [...parts].filter(([name]) => FOREIGN.test(name) || (!keepers.has(tabOf(name)) && hasTab(name)));
  const kept = [...keepers].flatMap(([tab, keeper]) =>
    Object.entries(keeper.write()).map(([name, text]) => [tab ? `${tab}.${name}` : name, text]));
  return new Map([...kept.filter(([, text]) => text !== null), ...others]);
}

/** What is shown now as the query of an address, however long, with other parts beside it. */
export function query(more) {
  begin();
  write();
  return queried(new Map([...(held ? parts : collected()), ...Object.entries(more)]));
}

function queried(found) {
  return found.size ? `?${new URLSearchParams([...found])}` : "";
}

function put(found, how) {
  parts = found;
  wrote = performance.now();
  const address = location.pathname + queried(found);
  const fits = location.origin.length + address.length <= LONGEST;
  history[how]({ parts: [...found] }, "", fits ? address : location.pathname);
}

function write() {
  clearTimeout(timer);
  timer = null;
  const found = held ? parts : collected();
  if (queried(found) === queried(parts)) return;
  const another = ENTRY.some((name) => found.get(name) !== parts.get(name));
  put(found, another ? "pushState" : "replaceState");
  for (const watch of watchers) watch();
}

/**
 * A tab's parts from now on: `names` are those it has, `write()` gives their texts as they are now, null where a part
 * is as at the beginning, and `restore(given)` shows what is asked for and returns the names that it does not
 * understand. It is called now, and whenever the visitor goes back. The keeper of "" comes first and names all `tabs`.
 */
export function registerPart(tab, keeper) {
  if (parts) write();
  else begin();
  keepers.set(tab, keeper);
  if (!held || tab === "") restore(tab); // else as soon as what is awaited is there
  if (!held) parts = collected(); // what a first visit shows needs no address
}

/**
 * A tab's parts, each a field { get, set }: `get()` gives its text, `set(text)` shows it and says whether it could.
 * What a field has at the beginning does not stand in the address.
 */
export function registerFields(tab, fields) {
  const names = Object.keys(fields), first = Object.fromEntries(names.map((name) => [name, fields[name].get()]));
  registerPart(tab, {
    names,
    write: () => Object.fromEntries(names.map((name) => {
      const text = fields[name].get();
      return [name, text === first[name] ? null : text];
    })),
    restore: (given) => names.filter((name) => !fields[name].set(given[name] ?? first[name])),
  });
}

/** A control of the page as a field; `show()` draws what it changes. */
export function controlField(node, show) {
  const ticks = node.type === "checkbox";
  for (const type of ["input", "change"]) node.addEventListener(type, notifyChange);
  const set = (text) => {
    const before = ticks ? node.checked : node.value;
    if (ticks) node.checked = text === "1";
    else node.value = text;
    const understood = (ticks ? `${Number(node.checked)}` : node.value) === text;
    if (!understood && !ticks) node.value = before;
    else if (before !== (ticks ? node.checked : node.value)) show();
    return understood;
  };
  return { get: () => (ticks ? `${Number(node.checked)}` : node.value), set };
}

/** Calls `say(names)` with the parts that were not understood and are left out. */
export function onInvalidParts(say) {
  tell = say;
}

/** To be called after every change of what is kept. */
export function notifyChange() {
  if (held === UNTIL_CHANGE) held = false;
  if (parts) timer ??= setTimeout(write, Math.max(SOON, wrote + PAUSE - performance.now()));
}

/** What the address asks for is not there yet: until `release` nothing is written over it. */
export function hold() {
  held = true;
}

/** What the address asks for did not come: it stays there for a reload, until the visitor changes something. */
export function giveUp() {
  if (held) held = UNTIL_CHANGE;
}

export function release() {
  if (!held) return;
  held = false;
  restoreRooms();
  put(collected(), "replaceState");
  for (const watch of watchers) watch();
}

/** The link to what is shown now, from where the page is served; null where it would be too long. */
export function link(base = location.origin + location.pathname) {
  begin();
  write();
  const ours = [...(held ? parts : collected())].filter(([name]) => !FOREIGN.test(name)); // a host may sign its addresses
  const found = base + queried(new Map(ours));
  return found.length > LONGEST ? null : found;
}

