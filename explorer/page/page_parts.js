// What the address says of the page itself: sentence, tab, view, language, lesson, and what an embedding link hides.
// Pure; address_sync.js keeps these parts and the page in step.

import { NAMES as VIEW_PARTS, decodeView, encodeView } from "../attention_view/view_parts.js";

const ALWAYS_PARTS = ["step", "level"]; // their initial values may change, but links must not
const PAGE_PARTS = ["hide", "embed", "lang", "lesson"]; // parts that do not describe the view
const NUMBERED_PARTS = ["step", "layer", "head"];

export const NAMES = [...VIEW_PARTS, "sentence", "typed", "change", "run", "tab", ...PAGE_PARTS];

/**
 * What the page can show. Of `tabs` the first is that of pictures and heads; `hidden` are the names of
 * what can be hidden; `first` is what was shown at the beginning.
 * @typedef {object} Choices
 * @property {string[]} tabs
 * @property {string[]} hidden
 * @property {string[]} languages
 * @property {{ sentence: string, view: View }} first
 */

/**
 * @typedef {object} PageState
 * @property {string} sentence
 * @property {string | null} typed as the visitor wrote the sentence, where that differs
 * @property {string} change the text of an experiment (explorer/changes/experiment_text.js)
 * @property {boolean} isHeldBack whether the unchanged run is shown in spite of it
 * @property {string | null} tab
 * @property {View} view
 * @property {string[]} hide
 * @property {boolean} embed
 * @property {string | null} lang only if the address has it
 * @property {string | null} lesson
 */

/**
 * Reads the parts of the page. What is invalid is as at the beginning, and no tab; `damaged` are the names.
 * @param {Record<string, string>} texts of NAMES
 * @param {Choices} choices
 * @returns {PageState & { damaged: string[] }}
 */
export function parsePage(texts, { tabs, hidden, languages, first }) {
  const {
    sentence = first.sentence,
    typed = null,
    change = "",
    run = "changed",
    tab = tabs[0],
    hide = "",
    embed = "",
    lang = null,
    lesson = null,
  } = texts;
  const { view, damaged } = decodeView(viewTexts(texts), first.view);
  const parts = hide.split(",").filter(Boolean);
  const validParts = parts.filter((part) => hidden.includes(part));
  const isValid = {
    run: ["changed", "unchanged"].includes(run),
    tab: tabs.includes(tab),
    hide: validParts.length === parts.length,
    embed: ["", "1"].includes(embed),
    lang: lang === null || languages.includes(lang),
  };
  return {
    sentence,
    typed,
    change,
    isHeldBack: run === "unchanged",
    tab: isValid.tab ? tab : null,
    view,
    hide: validParts,
    embed: embed === "1",
    lang: isValid.lang ? lang : null,
    lesson,
    damaged: [...damaged, ...Object.keys(isValid).filter((name) => !isValid[name])],
  };
}

/**
 * The texts of what the page shows; null for what an address leaves out.
 * @param {PageState} state
 * @param {Trace} trace that the view is of
 * @param {Choices} choices
 * @returns {Record<string, string | null>}
 */
export function writePage(state, trace, { tabs, first }) {
  const { sentence, typed, change, isHeldBack, tab, view, hide, embed, lang, lesson } = state;
  return {
    sentence,
    typed,
    change: change || null,
    run: change && isHeldBack ? "unchanged" : null,
    tab: tab === tabs[0] ? null : tab,
    ...encodeView(view, first.view, trace, ALWAYS_PARTS),
    hide: hide.join(",") || null,
    embed: embed ? "1" : null,
    lang,
    lesson,
  };
}

function viewTexts(texts) {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => VIEW_PARTS.includes(name)));
}

/** Whether an address says how to look at the sentence. */
export function hasView(texts) {
  return Object.keys(texts).some((name) => VIEW_PARTS.includes(name));
}

/** Whether an address leaves to its lesson what is shown. */
export function hasOnlyPageParts(texts) {
  return Object.keys(texts).every((name) => PAGE_PARTS.includes(name));
}

/**
 * The numbers, and the sentence of what was typed, that an address names: a trace may have fewer, or the text be read
 * otherwise than when the link was made.
 * @param {Record<string, string>} texts
 * @param {PageState} state that they describe
 */
export function namedValues(texts, { sentence, typed, view }) {
  const names = NUMBERED_PARTS.filter((name) => texts[name] !== undefined && typeof view[name] === "number");
  const values = Object.fromEntries(names.map((name) => [name, view[name]]));
  return typed !== null && texts.sentence !== undefined ? { ...values, sentence } : values;
}
