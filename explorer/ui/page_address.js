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

/** @typedef {import("./address_parts.js").Parts} Parts */

/**
 * What a tab shows of the address. `names` are its parts; `write()` returns their present texts, null for a part in its
 * initial state; `restore(texts)` shows what they describe and returns the names that it does not understand.
 * @typedef {object} Owner
 * @property {any[]} names texts
 * @property {() => Record<string, string | null>} write
 * @property {(texts: Record<string, string>) => string[]} restore
 * @property {string[]} [tabs] all that have parts; of the owner of the page itself
 * @property {(before: Record<string, string>, after: Record<string, string>) => boolean} [isEntry] whether Back is to
 *   undo a change of its parts
 */

const PAGE = ""; // the owner of the page itself, with the attention view

const WRITE_DELAY_MS = 100;
const WRITE_INTERVAL_MS = 400; // browsers refuse more than a few hundred writes a minute

/** Why the address stays as it is: it is loading what it asks for, or failed to. */
const LOADING = "loading";
const FAILED = "failed";

export class PageAddress {
  /** By tab. @type {Map<string, Owner>} */
  owners = new Map();
  /** As last read or written; null until `start`. @type {Parts | null} */
  parts = null;
  /** LOADING, FAILED, or null if the address follows the page. @type {string | null} */
  hold = null;
  isApplying = false; // the tab of an address is being opened, the others do not show their parts of it yet
  /** The number of the history's entry that is shown. */ index = 0;
  timer = null;
  lastWriteTime = 0;
  /** @type {(() => void)[]} */
  partsListeners = [];
  /** @type {(() => void)[]} */
  changeListeners = [];
  /** @type {(names: string[]) => void} */
  reportInvalidParts = () => {};

  /** Reads the address, the first time that anything asks for it. */
  start() {
    if (this.parts) return;
    this.parts = partsOfEntry(history.state);
    this.index = history.state?.index ?? 0;
    addEventListener("pagehide", () => this.write());
    addEventListener("popstate", ({ state }) => this.follow(state));
  }

  /** Back or Forward: an entry that shows the same as the one before is passed by. */
  follow(state) {
    const parts = partsOfEntry(state);
    const index = state?.index ?? 0;
    const way = Math.sign(index - this.index);
    this.index = index;
    if (way !== 0 && queryOf(parts) === queryOf(this.presentParts())) return history.go(way);
    this.apply(parts);
  }

  /** Whether a write is to come. */
  get isWaiting() {
    return this.timer !== null;
  }

  // From the address to the page

  /** Replaces all parts and restores what they describe. */
  apply(parts) {
    this.cancelWrite();
    this.parts = parts;
    if (this.owners.has(PAGE)) this.restoreAll(); // otherwise its registration restores them
    this.notifyParts();
  }

  /** The page first, which may translate another sentence: the tabs show their parts of that one (`releaseWrites`). */
  restoreAll() {
    this.isApplying = true;
    this.restore(PAGE);
    this.isApplying = false;
    if (!this.hold) this.restoreTabs();
  }

  restoreTabs() {
    for (const tab of this.owners.keys()) if (tab !== PAGE) this.restore(tab);
  }

  restore(tab) {
    const owner = this.owners.get(tab);
    const texts = Object.entries(partsOfTab(this.parts, tab));
    const known = texts.filter(([name]) => owner.names.includes(name));
    const unknownNames = texts.map(([name]) => name).filter((name) => !owner.names.includes(name));
    const invalidNames = [...unknownNames, ...owner.restore(Object.fromEntries(known))];
    const partsOfNoTab = tab === PAGE ? this.partsOfNoTab() : [];
    this.reportInvalid([...invalidNames.map((name) => nameInAddress(tab, name)), ...partsOfNoTab]);
  }

  /** The names of parts whose tab does not exist. */
  partsOfNoTab() {
    return Object.keys(withoutForeign(this.parts)).filter((name) => !this.hasTab(name));
  }

  /** Whether the tab of a part exists, opened or not. */
  hasTab(name) {
    const tab = tabOf(name);
    return tab === PAGE || (this.owners.get(PAGE)?.tabs.includes(tab) ?? true);
  }

  navigate(newParts, isReplaced) {
    this.start();
    const all = new Map([...Object.entries(newParts), ...foreignParts(this.parts)]);
    this.writeHistory(all, isReplaced ? "replaceState" : "pushState");
    this.apply(all);
  }

  reportInvalid(names) {
    if (names.length) this.reportInvalidParts(names);
  }

  // From the page to the address

  /** What the address is to say now: the present state of all parts, or what it asks for while that is loading. */
  presentParts() {
    return this.hold ? this.parts : this.collectParts();
  }

  /** All parts in their present state; tabs that were never opened keep their parts of the address. */
  collectParts() {
    const isKept = (name) => isForeign(name) || (!this.owners.has(tabOf(name)) && this.hasTab(name));
    return new Map([...this.writtenParts(), ...[...this.parts].filter(([name]) => isKept(name))]);
  }

  /** What the owners say now, by the names in the address. */
  writtenParts() {
    return [...this.owners].flatMap(([tab, owner]) => {
      const texts = Object.entries(owner.write()).filter(([, text]) => text !== null);
      return texts.map(([name, text]) => /** @type {const} */ ([nameInAddress(tab, name), text]));
    });
  }

  /** Tells of a change, and schedules its write. */
  notifyChange() {
    if (this.hold === FAILED) this.hold = null;
    for (const listener of this.changeListeners) listener();
    if (!this.parts) return;
    const delay = Math.max(WRITE_DELAY_MS, this.lastWriteTime + WRITE_INTERVAL_MS - performance.now());
    this.timer ??= setTimeout(() => this.write(), delay);
  }

  /** Writes the present parts now, unless the address has them. */
  write() {
    this.cancelWrite();
    const present = this.presentParts();
    if (queryOf(present) === queryOf(this.parts)) return;
    this.writeHistory(present, this.isEntry(present) ? "pushState" : "replaceState");
    this.notifyParts();
  }

  /** Whether Back is to undo the change to these parts. */
  isEntry(present) {
    const parts = this.parts;
    return isHistoryEntry(parts, present) || [...this.owners].some(([tab, owner]) => (
      owner.isEntry?.(partsOfTab(parts, tab), partsOfTab(present, tab))));
  }

  cancelWrite() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  writeHistory(parts, method) {
    this.parts = parts;
    this.lastWriteTime = performance.now();
    const address = location.pathname + queryOf(parts);
    const fits = isLink(location.origin + address);
    if (method === "pushState") this.index += 1;
    history[method]({ parts: [...parts], index: this.index }, "", fits ? address : location.pathname);
  }

  notifyParts() {
    for (const listener of this.partsListeners) listener();
  }

  holdWrites() {
    this.hold = LOADING;
  }

  /** Keeps the address and what it says of the page until the function that this returns is called. */
  holdForMoment() {
    this.start();
    if (this.hold) return () => {}; // it waits for more than that
    this.write();
    this.holdWrites();
    return () => {
      this.hold = null;
      this.restoreTabs(); // one was opened for the first time
      this.write();
    };
  }

  holdWritesUntilChange() {
    if (this.hold) this.hold = FAILED;
  }

  /** Ends a hold: restores the tabs and writes the present state. */
  releaseWrites() {
    if (!this.hold) return;
    this.hold = null;
    this.restoreTabs();
    this.writeHistory(this.collectParts(), "replaceState");
    this.notifyParts();
  }

  // What others read and set

  read(name) {
    this.start();
    return this.parts.get(name) ?? null;
  }

  /** What the address describes, as an object of parts; those of others are left out. */
  currentParts() {
    this.start();
    return withoutForeign(this.presentParts());
  }

  /** The present state as the query of an address, of any length, with extra parts. */
  currentSearch(extraParts) {
    this.start();
    this.write();
    return queryOf(new Map([...this.presentParts(), ...Object.entries(extraParts)]));
  }

  /** The link to the present state with changes; null if it is too long. */
  currentLink(base, changes) {
    this.start();
    this.write();
    // without those of others: a host may sign its addresses
    const all = Object.entries({ ...this.currentParts(), ...changes }).filter(([, text]) => text !== null);
    const url = (base ?? location.origin + location.pathname) + queryOf(new Map(all));
    return isLink(url) ? url : null;
  }

  setForeignPart(name, text) {
    this.start();
    const changed = new Map(this.parts);
    if (text === null) changed.delete(name);
    else changed.set(name, text);
    this.writeHistory(changed, "replaceState");
  }

  // Owners

  register(tab, owner) {
    if (this.isApplying) { // the address opened a tab for the first time: `restoreAll` restores it with the others
      this.owners.set(tab, owner);
      return;
    }
    if (this.parts) this.write();
    else this.start();
    this.owners.set(tab, owner);
    if (tab === PAGE) this.restoreAll();
    else if (!this.hold) this.restore(tab); // otherwise `releaseWrites` restores it
    if (!this.hold) this.parts = this.collectParts(); // the initial state needs no write
  }
}

/** The parts of a history entry; a view whose link is too long for an address is stored in the entry's state. */
function partsOfEntry(state) {
  return parseParts(state?.parts ?? entriesOf(location.search));
}
