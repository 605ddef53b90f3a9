// Keeps the address of the page and what is shown in step, so that a link, a reload and Back all lead to the same view.
// Each owner defines what its parts of the address mean (address_parts.js).

import {
  entriesOf,
  foreignParts,
  isForeign,
  isHistoryEntry,
  isLink,
  nameInAddress,
  parseParts,
  partsOfTab,
  queryOf,
  tabOf,
  withoutForeign,
} from "./address_parts.js";
import { registerWork } from "./rest.js";

/**
 * What a tab shows of the address. `names` are its parts; `write()` returns their present texts, null for a part in its
 * initial state; `restore(texts)` shows what they describe and returns the names that it does not understand.
 * @typedef {object} Owner
 * @property {any[]} names texts
 * @property {() => Record<string, string | null>} write
 * @property {(texts: Record<string, string>) => string[]} restore
 * @property {string[]} [tabs] all that have parts; of the owner of the page itself
 */

const WRITE_DELAY_MS = 100;
const WRITE_INTERVAL_MS = 400; // browsers refuse more than a few hundred writes a minute

const LOADING = "loading";
const FAILED = "failed";

/** @type {Map<string, Owner>} */
const owners = new Map(); // by tab; "" is the page itself with the attention view
/** @type {import("./address_parts.js").Parts | null} */
let parts = null; // as last read or written; null until `start`
let timer = null;
let lastWriteTime = 0;
let isApplying = false; // the tab of an address is being opened, the others do not show their parts of it yet
/** @type {string | null} */
let hold = null; // why the address stays as it is: it is LOADING what it asks for, or FAILED to
/** @type {(names: string[]) => void} */
let reportInvalidParts = () => {};
const partsListeners = [];
const changeListeners = [];
registerWork("address", () => timer !== null);

function start() {
  if (parts) return;
  parts = partsOfEntry(history.state);
  addEventListener("pagehide", writeAddress);
  addEventListener("popstate", ({ state }) => applyParts(partsOfEntry(state)));
}

/** The parts of a history entry; a view whose link is too long for an address is stored in the entry's state. */
function partsOfEntry(state) {
  return parseParts(state?.parts ?? entriesOf(location.search));
}

// From the address to the page

/** Replaces all parts and restores what they describe. */
function applyParts(newParts) {
  stopTimer();
  parts = newParts;
  if (owners.has("")) restoreAll(); // otherwise its registration restores them
  notifyParts();
}

/** The page first, which may translate another sentence: the tabs show their parts of that one (`releaseWrites`). */
function restoreAll() {
  isApplying = true;
  restore("");
  isApplying = false;
  if (!hold) restoreTabs();
}

function restoreTabs() {
  for (const tab of owners.keys()) if (tab !== "") restore(tab);
}

function restore(tab) {
  const owner = owners.get(tab);
  const texts = Object.entries(partsOfTab(parts, tab));
  const known = texts.filter(([name]) => owner.names.includes(name));
  const unknownNames = texts.map(([name]) => name).filter((name) => !owner.names.includes(name));
  const invalidNames = [...unknownNames, ...owner.restore(Object.fromEntries(known))];
  reportInvalid([
    ...invalidNames.map((name) => nameInAddress(tab, name)),
    ...(tab === "" ? Object.keys(withoutForeign(parts)).filter((name) => !hasTab(name)) : []),
  ]);
}

/** Whether the tab of a part exists, opened or not. */
function hasTab(name) {
  const tab = tabOf(name);
  return tab === "" || (owners.get("")?.tabs.includes(tab) ?? true);
}

/** Goes to the view that these parts describe; with `replace` the history gets no new entry. */
export function navigate(newParts, { replace = false } = {}) {
  start();
  const all = new Map([...Object.entries(newParts), ...foreignParts(parts)]);
  writeHistory(all, replace ? "replaceState" : "pushState");
  applyParts(parts);
}

/** Tells the visitor which parts of the address are invalid. */
export function reportInvalid(names) {
  if (names.length) reportInvalidParts(names);
}

/** Calls `listener(names)` with the names of parts that no owner understands. */
export function onInvalidParts(listener) {
  reportInvalidParts = listener;
}

// From the page to the address

/** What the address is to say now: the present state of all parts, or what it asks for while that is loading. */
function presentParts() {
  return hold ? parts : collectParts();
}

/** All parts in their present state; tabs that were never opened keep their parts of the address. */
function collectParts() {
  const keptParts = [...parts].filter(([name]) => isForeign(name) || (!owners.has(tabOf(name)) && hasTab(name)));
  const ownedParts = [...owners].flatMap(([tab, owner]) =>
    Object.entries(owner.write()).map(([name, text]) => /** @type {const} */ ([nameInAddress(tab, name), text])));
  return new Map([...ownedParts.filter(([, text]) => text !== null), ...keptParts]);
}

/** Schedules a write of the address; owners call it after every change of their parts. */
export function notifyChange() {
  if (hold === FAILED) hold = null;
  for (const listener of changeListeners) listener();
  if (!parts) return;
  const delay = Math.max(WRITE_DELAY_MS, lastWriteTime + WRITE_INTERVAL_MS - performance.now());
  timer ??= setTimeout(writeAddress, delay);
}

function writeAddress() {
  stopTimer();
  const present = presentParts();
  if (queryOf(present) === queryOf(parts)) return;
  writeHistory(present, isHistoryEntry(parts, present) ? "pushState" : "replaceState");
  notifyParts();
}

function stopTimer() {
  clearTimeout(timer);
  timer = null;
}

function writeHistory(newParts, method) {
  parts = newParts;
  lastWriteTime = performance.now();
  const address = location.pathname + queryOf(parts);
  const fits = isLink(location.origin + address);
  history[method]({ parts: [...parts] }, "", fits ? address : location.pathname);
}

function notifyParts() {
  for (const listener of partsListeners) listener();
}

/** Keeps the address unchanged until `releaseWrites`, while what it asks for is still loading. */
export function holdWrites() {
  hold = LOADING;
}

/** Keeps the address for a reload until the visitor changes something, after what it asks for failed to load. */
export function holdWritesUntilChange() {
  if (hold) hold = FAILED;
}

/** Ends `holdWrites`: restores the tabs and writes the present state. */
export function releaseWrites() {
  if (!hold) return;
  hold = null;
  restoreTabs();
  writeHistory(collectParts(), "replaceState");
  notifyParts();
}

// What others read of the address

/** The text of a part, as last written or requested; null if the address does not have it. */
export function readPart(name) {
  start();
  return parts.get(name) ?? null;
}

/** Calls `listener()` whenever the parts of the address have changed. */
export function onParts(listener) {
  partsListeners.push(listener);
}

/** Calls `listener()` at every change of what the address describes, before it is written. */
export function onChange(listener) {
  changeListeners.push(listener);
}

/** What the address describes, as an object of parts; those of others are left out. */
export function currentParts() {
  start();
  return withoutForeign(presentParts());
}

/** The present state as the query of an address, of any length, with extra parts. */
export function currentSearch(extraParts) {
  start();
  writeAddress();
  return queryOf(new Map([...presentParts(), ...Object.entries(extraParts)]));
}

/**
 * The link to the present state; null if it is too long. `base` is the address of the page without a query, by default
 * the present one; `changes` are parts that the link is to have, or, if null, not to have.
 * @param {string | null} base
 * @param {Record<string, string | null>} changes
 */
export function currentLink(base, changes = {}) {
  start();
  writeAddress();
  // without those of others: a host may sign its addresses
  const all = Object.entries({ ...currentParts(), ...changes }).filter(([, text]) => text !== null);
  const url = (base ?? location.origin + location.pathname) + queryOf(new Map(all));
  return isLink(url) ? url : null;
}

/** Sets a part that belongs to nobody, such as the class; null removes it. */
export function setForeignPart(name, text) {
  start();
  const changed = new Map(parts);
  if (text === null) changed.delete(name);
  else changed.set(name, text);
  writeHistory(changed, "replaceState");
}

// Owners

/**
 * Registers the owner of a tab's parts. Its `restore` is called at once, and whenever the visitor goes back. The owner
 * of "" registers first.
 * @param {string} tab
 * @param {Owner} owner
 */
export function registerPart(tab, owner) {
  if (isApplying) { // the address opened a tab for the first time: `restoreAll` restores it with the others
    owners.set(tab, owner);
    return;
  }
  if (parts) writeAddress();
  else start();
  owners.set(tab, owner);
  if (tab === "") restoreAll();
  else if (!hold) restore(tab); // otherwise `releaseWrites` restores it
  if (!hold) parts = collectParts(); // the initial state needs no write
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
