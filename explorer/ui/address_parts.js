// What the query of an address contains: named parts, each a text. A part of a tab is called "tab.name", one of the
// page or of the attention view has no dot. Pure; address.js keeps the parts, the history and what is shown in step.

import { movedParts } from "./former_tabs.js";

/** @typedef {Map<string, string>} Parts in the order of the address */

const MAX_LINK_LENGTH = 2000; // characters; mail and chat programs cut longer links
// parts that Gradio, its host or a mail program adds; the class
const FOREIGN_NAME = /^(__|utm_|deep_link$|view$|class$)/;
// A change of one of these adds a history entry, so that Back returns to the previous one.
const HISTORY_ENTRY_PARTS = ["sentence", "tab"];

/**
 * The names and texts of a query. Older links have a plus for each blank, of which chat programs make %2B: then the
 * query has no other blank, and a %2B between two letters. In the links of this page a plus that was typed is %2b
 * (`queryOf`). The server's twin is `parse_query` in explorer/lessons/url_state.py.
 *
 * @param {string} query
 * @returns {[string, string][]}
 */
export function entriesOf(query) {
  const isRewritten = !/\+|%20/.test(query) && /[A-Za-z]%2B[A-Za-z]/.test(query);
  return [...new URLSearchParams(isRewritten ? query.replaceAll("%2B", "%20") : query)];
}

/**
 * The parts of an address, of older links by their present names.
 * @param {Iterable<[string, string]>} entries names and texts
 * @returns {Parts}
 */
export function parseParts(entries) {
  return movedParts(new Map(entries));
}

/** @param {Parts} parts */
export function queryOf(parts) {
  const query = String(new URLSearchParams([...parts])).replaceAll("+", "%20").replaceAll("%2B", "%2b");
  return query && `?${query}`;
}

/** Whether an address with its query is short enough for a link. */
export function isLink(url) {
  return url.length <= MAX_LINK_LENGTH;
}

/** Whether a part belongs to nobody on the page, which leaves it as it is. */
export function isForeign(name) {
  return FOREIGN_NAME.test(name);
}

/** The tab that a part belongs to; "" for one of the page itself. */
export function tabOf(name) {
  return name.includes(".") ? name.slice(0, name.indexOf(".")) : "";
}

/** The name in the address of a tab's part. */
export function nameInAddress(tab, name) {
  return tab ? `${tab}.${name}` : name;
}

/**
 * The texts of a tab's parts, by their names in the tab.
 * @param {Parts} parts
 * @returns {Record<string, string>}
 */
export function partsOfTab(parts, tab) {
  const ofTab = [...parts].filter(([name]) => tabOf(name) === tab && !isForeign(name));
  const prefix = nameInAddress(tab, "");
  return Object.fromEntries(ofTab.map(([name, text]) => [name.slice(prefix.length), text]));
}

/**
 * Without those that belong to nobody.
 * @param {Parts} parts
 * @returns {Record<string, string>}
 */
export function withoutForeign(parts) {
  return Object.fromEntries([...parts].filter(([name]) => !isForeign(name)));
}

/** @param {Parts} parts */
export function foreignParts(parts) {
  return [...parts].filter(([name]) => isForeign(name));
}

/**
 * Whether a change of the address is one that Back undoes.
 * @param {Parts} before
 * @param {Parts} after
 */
export function isHistoryEntry(before, after) {
  return HISTORY_ENTRY_PARTS.some((name) => before.get(name) !== after.get(name));
}
