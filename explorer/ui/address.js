// The address of this page (page_address.js), as the modules of the page use it.

import { PageAddress } from "./page_address.js";
import { registerWork } from "./rest.js";

/** @typedef {import("./page_address.js").Owner} Owner */

const address = new PageAddress();
registerWork("address", () => address.isWaiting);

/** Goes to the view that these parts describe; with `replace` the history gets no new entry. */
export function navigate(parts, { replace = false } = {}) {
  address.navigate(parts, replace);
}

/** Tells the visitor which parts of the address are invalid. */
export function reportInvalid(names) {
  address.reportInvalid(names);
}

/** Calls `listener(names)` with the names of parts that no owner understands. */
export function onInvalidParts(listener) {
  address.reportInvalidParts = listener;
}

/** Schedules a write of the address; owners call it after every change of their parts. */
export function notifyChange() {
  address.notifyChange();
}

/** Keeps the address unchanged until `releaseWrites`, while what it asks for is still loading. */
export function holdWrites() {
  address.holdWrites();
}

/** Keeps the address while the page shows something else for a moment, until the function that it returns is called. */
export function holdAddress() {
  return address.holdForMoment();
}

/** Keeps the address for a reload until the visitor changes something, after what it asks for failed to load. */
export function holdWritesUntilChange() {
  address.holdWritesUntilChange();
}

/** Ends `holdWrites`: restores the tabs and writes the present state. */
export function releaseWrites() {
  address.releaseWrites();
}

/** The text of a part, as last written or requested; null if the address does not have it. */
export function readPart(name) {
  return address.read(name);
}

/** Calls `listener()` whenever the parts of the address have changed. */
export function onParts(listener) {
  address.partsListeners.push(listener);
}

/** Calls `listener()` at every change of what the address describes, before it is written. */
export function onChange(listener) {
  address.changeListeners.push(listener);
}

/** What the address describes, as an object of parts; those of others are left out. */
export function currentParts() {
  return address.currentParts();
}

/** The present state as the query of an address, of any length, with extra parts. */
export function currentSearch(extraParts) {
  return address.currentSearch(extraParts);
}

/**
 * The link to the present state; null if it is too long. `base` is the address of the page without a query, by default
 * the present one; `changes` are parts that the link is to have, or, if null, not to have.
 * @param {string | null} base
 * @param {Record<string, string | null>} changes
 */
export function currentLink(base, changes = {}) {
  return address.currentLink(base, changes);
}

/** Sets a part that belongs to nobody, such as the class; null removes it. */
export function setForeignPart(name, text) {
  address.setForeignPart(name, text);
}

/**
 * Registers the owner of a tab's parts. Its `restore` is called at once, and whenever the visitor goes back. The owner
 * of "" registers first.
 * @param {string} tab
 * @param {Owner} owner
 */
export function registerPart(tab, owner) {
  address.register(tab, owner);
}

/**
 * Registers fields { get, set } as the parts of a tab: `get()` returns the text, `set(text)` shows it and returns
 * whether the text is valid. The address leaves out the initial text of a field. `isEntry` is the owner's.
 * @param {string} tab
 * @param {Record<string, { get: () => string, set: (text: string) => boolean }>} fields
 * @param {Owner["isEntry"]} [isEntry]
 */
export function registerFields(tab, fields, isEntry = undefined) {
  const names = Object.keys(fields);
  const first = Object.fromEntries(names.map((name) => [name, fields[name].get()]));
  registerPart(tab, {
    names,
    write: () => Object.fromEntries(names.map((name) => {
      const text = fields[name].get();
      return [name, text === first[name] ? null : text];
    })),
    restore: (texts) => names.filter((name) => !fields[name].set(texts[name] ?? first[name])),
    isEntry,
  });
}

/** A field for an input or select; `show()` draws what the control changes. */
export function controlField(node, show) {
  const isCheckbox = node.type === "checkbox";
  for (const type of ["input", "change"]) node.addEventListener(type, notifyChange);
  const get = () => (isCheckbox ? `${Number(node.checked)}` : node.value);
  const put = (text) => {
    if (isCheckbox) node.checked = text === "1";
    else node.value = text;
  };
  const set = (text) => {
    const before = get();
    put(text);
    const isValid = get() === text;
    if (!isValid && !isCheckbox) put(before);
    else if (before !== get()) show();
    return isValid;
  };
  return { get, set };
}
