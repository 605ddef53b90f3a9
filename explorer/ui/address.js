// URL state: the query of the page's address holds what is shown, as named parts, so that a link, a reload and Back all
// lead to the same view. Each owner defines what its parts mean; a part of a tab is called "tab.name".

const MAX_LINK_LENGTH = 2000; // characters; mail and chat programs cut longer links
const WRITE_DELAY_MS = 100;
const WRITE_INTERVAL_MS = 400; // browsers refuse more than a few hundred writes a minute
// parts that Gradio, its host or a mail program adds; the class
const FOREIGN_NAME = /^(__|utm_|deep_link$|view$|class$)/;
// A change of one of these adds a history entry, so that Back returns to the previous one.
const HISTORY_ENTRY_PARTS = ["sentence", "tab"];

const UNTIL_CHANGE = "until a change";

const owners = new Map(); // by tab; "" is the page itself with the view of Explore
let parts = null; // as last read or written; null until `start`
let timer = null, lastWriteTime = 0;
let isApplying = false; // the tab of an address is being opened, the others do not show their parts of it yet
/** @type {boolean | string} */
let writesHeld = false; // or UNTIL_CHANGE
/** @type {(names: string[]) => void} */
let reportInvalidParts = () => {};
const listeners = [], changeListeners = [];

/** The parts of a history entry; a view whose link is too long for an address is stored in the entry's state. */
function partsOf(state) {
  return renewed(new Map(state?.parts ?? new URLSearchParams(location.search)));
}

/** Parts of links from when the table of heads was a tab, "catalogue", and the training of a toy a part of another. */
function renewed(parts) {
  if (parts.get("tab") === "catalogue") parts.set("tab", "lab").set("lab.station", "heads");
  if (parts.get("training.show") === "now" && parts.get("tab") === "training") parts.set("tab", "train");
  for (const name of ["show", "task", "layers", "heads", "positions"]) {
    const old = `training.${name}`;
    const text = parts.get(old);
    if (text !== undefined && name !== "show") parts.set(`train.${name}`, text);
    parts.delete(old);
  }
  return parts;
}

function tabOf(name) {
  return name.includes(".") ? name.slice(0, name.indexOf(".")) : "";
}

function start() {
  if (parts) return;
  parts = partsOf(history.state);
  addEventListener("pagehide", writeAddress);
  addEventListener("popstate", ({ state }) => {
    applyParts(partsOf(state));
  });
}

/** Replaces all parts and restores what they describe. */
function applyParts(newParts) {
  clearTimeout(timer);
  timer = null;
  parts = newParts;
  isApplying = true;
  if (owners.has("")) restore(""); // otherwise its registration restores it
  isApplying = false;
  if (!writesHeld) restoreTabs();
  for (const listener of listeners) listener();
}

/** Goes to the view that these parts describe; with `replace` the history gets no new entry. */
export function navigate(newParts, { replace = false } = {}) {
  start();
  const foreign = [...parts].filter(([name]) => FOREIGN_NAME.test(name));
  writeHistory(new Map([...Object.entries(newParts), ...foreign]), replace ? "replaceState" : "pushState");
  applyParts(parts);
}

/** The text of a part, as last written or requested; null if the address does not have it. */
export function readPart(name) {
  return parts?.get(name) ?? null;
}

/** Calls `listener()` whenever the parts of the address have changed. */
export function onParts(listener) {
  listeners.push(listener);
}

/** Calls `listener()` at every change of what the address describes, before it is written. */
export function onChange(listener) {
  changeListeners.push(listener);
}

/** What the address describes, as an object of parts; those of others are left out. */
export function currentParts() {
  start();
  return Object.fromEntries([...(writesHeld ? parts : collectParts())].filter(([name]) => !FOREIGN_NAME.test(name)));
}

/** Sets a part that belongs to nobody, such as the class; null removes it. */
export function setForeignPart(name, text) {
  start();
  const changed = new Map(parts);
  if (text === null) changed.delete(name);
  else changed.set(name, text);
  writeHistory(changed, "replaceState");
}

/** The parts of a tab, named without the prefix "tab.". */
function partsOfTab(tab) {
  const ownParts = [...parts].filter(([name]) => tabOf(name) === tab && !FOREIGN_NAME.test(name));
  return Object.fromEntries(ownParts.map(([name, text]) => [name.slice(tab ? tab.length + 1 : 0), text]));
}

/** Whether the tab of a part exists, opened or not. */
function hasTab(name) {
  return tabOf(name) === "" || (owners.get("")?.tabs.includes(tabOf(name)) ?? true);
}

function restore(tab) {
  const owner = owners.get(tab);
  const all = partsOfTab(tab);
  const known = Object.fromEntries(Object.entries(all).filter(([name]) => owner.names.includes(name)));
  const unknown = Object.keys(all).filter((name) => !owner.names.includes(name));
  const damaged = [...unknown, ...owner.restore(known)];
  const invalidNames = damaged.map((name) => (tab ? `${tab}.${name}` : name));
  if (tab === "") invalidNames.push(...[...parts.keys()].filter((name) => !FOREIGN_NAME.test(name) && !hasTab(name)));
  reportInvalid(invalidNames);
}

/** Tells the visitor which parts of the address are invalid. */
export function reportInvalid(names) {
  if (names.length) reportInvalidParts(names);
}

function restoreTabs() {
  for (const tab of owners.keys()) if (tab !== "") restore(tab);
}

/** All parts in their present state; tabs that were never opened keep their parts of the address. */
function collectParts() {
  const otherParts = [...parts].filter(
    ([name]) => FOREIGN_NAME.test(name) || (!owners.has(tabOf(name)) && hasTab(name)),
  );
  const ownedParts = [...owners].flatMap(([tab, owner]) =>
    Object.entries(owner.write()).map(([name, text]) => [tab ? `${tab}.${name}` : name, text]));
  return new Map([...ownedParts.filter(([, text]) => text !== null), ...otherParts]);
}

/** The present state as the query of an address, of any length, with extra parts. */
export function currentQuery(extraParts) {
  start();
  writeAddress();
  return toQuery(new Map([...(writesHeld ? parts : collectParts()), ...Object.entries(extraParts)]));
}

function toQuery(someParts) {
  return someParts.size ? `?${new URLSearchParams([...someParts])}` : "";
}

function writeHistory(newParts, method) {
  parts = newParts;
  lastWriteTime = performance.now();
  const address = location.pathname + toQuery(parts);
  const fits = location.origin.length + address.length <= MAX_LINK_LENGTH;
  history[method]({ parts: [...parts] }, "", fits ? address : location.pathname);
}

function writeAddress() {
  clearTimeout(timer);
  timer = null;
  const current = writesHeld ? parts : collectParts();
  if (toQuery(current) === toQuery(parts)) return;
  const isNewEntry = HISTORY_ENTRY_PARTS.some((name) => current.get(name) !== parts.get(name));
  writeHistory(current, isNewEntry ? "pushState" : "replaceState");
  for (const listener of listeners) listener();
}

/**
 * Registers the owner of a tab's parts. `names` are its parts; `write()` returns their present texts, null for a part
 * in its initial state; `restore(texts)` shows what they describe and returns the names that it does not understand.
 * `restore` is called at once, and whenever the visitor goes back. The owner of "" registers first and lists all
 * `tabs`.
 */
export function registerPart(tab, owner) {
  if (isApplying) { // the address opened a tab for the first time: `applyParts` restores it with the others
    owners.set(tab, owner);
    return;
  }
  if (parts) writeAddress();
  else start();
  owners.set(tab, owner);
  if (!writesHeld || tab === "") restore(tab); // otherwise `releaseWrites` restores it
  if (!writesHeld) parts = collectParts(); // the initial state needs no write
}

/**
 * Registers fields { get, set } as the parts of a tab: `get()` returns the text, `set(text)` shows it and returns
 * whether the text is valid. The address leaves out the initial text of a field.
 */
export function registerFields(tab, fields) {
  const names = Object.keys(fields);
  const first = Object.fromEntries(names.map((name) => [name, fields[name].get()]));
  registerPart(tab, {
    names,
    write: () => Object.fromEntries(names.map((name) => {
      const text = fields[name].get();
      return [name, text === first[name] ? null : text];
    })),
    restore: (texts) => names.filter((name) => !fields[name].set(texts[name] ?? first[name])),
  });
}

/** A field for an input or select; `show()` draws what the control changes. */
export function controlField(node, show) {
  const isCheckbox = node.type === "checkbox";
  for (const type of ["input", "change"]) node.addEventListener(type, notifyChange);
  const set = (text) => {
    const before = isCheckbox ? node.checked : node.value;
    if (isCheckbox) node.checked = text === "1";
    else node.value = text;
    const isValid = (isCheckbox ? `${Number(node.checked)}` : node.value) === text;
    if (!isValid && !isCheckbox) node.value = before;
    else if (before !== (isCheckbox ? node.checked : node.value)) show();
    return isValid;
  };
  return { get: () => (isCheckbox ? `${Number(node.checked)}` : node.value), set };
}

/** Calls `listener(names)` with the names of parts that no owner understands. */
export function onInvalidParts(listener) {
  reportInvalidParts = listener;
}

/** Schedules a write of the address; owners call it after every change of their parts. */
export function notifyChange() {
  if (writesHeld === UNTIL_CHANGE) writesHeld = false;
  for (const listener of changeListeners) listener();
  if (parts) {
    timer ??= setTimeout(writeAddress, Math.max(WRITE_DELAY_MS, lastWriteTime + WRITE_INTERVAL_MS - performance.now()));
  }
}

/** Keeps the address unchanged until `releaseWrites`, while what it asks for is still loading. */
export function holdWrites() {
  writesHeld = true;
}

/** Keeps the address for a reload until the visitor changes something, after what it asks for failed to load. */
export function holdWritesUntilChange() {
  if (writesHeld) writesHeld = UNTIL_CHANGE;
}

/** Ends `holdWrites`: restores the tabs and writes the present state. */
export function releaseWrites() {
  if (!writesHeld) return;
  writesHeld = false;
  restoreTabs();
  writeHistory(collectParts(), "replaceState");
  for (const listener of listeners) listener();
}

/** The link to the present state; null if it is too long. `base` is the address of the page without a query. */
export function currentLink(base = location.origin + location.pathname) {
  start();
  writeAddress();
  // without those of others: a host may sign its addresses
  const url = base + toQuery(new Map(Object.entries(currentParts())));
  return url.length > MAX_LINK_LENGTH ? null : url;
}

