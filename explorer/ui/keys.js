// The keys of the page: which move through the steps, and which belong to the focused control instead. Rows of
// buttons have a roving tabindex (ARIA): each is one tab stop, and arrows move inside it. The tab stop is computed when
// Tab is pressed, so that drawing sets no attributes and a group may be created at any time.

import { isVisible } from "./element.js";
import { readStored, store } from "./storage.js";

const TEXT_FIELDS =
  "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit])";
const OPEN_LIST = "select:open";
const HORIZONTAL_ARROWS = ["ArrowLeft", "ArrowRight"];
const MOVE_KEYS = [...HORIZONTAL_ARROWS, "ArrowUp", "ArrowDown", "Home", "End"];
const PRESS_KEYS = [" ", "Enter"];
const STEP_KEYS = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };
const PRESENTER_KEYS = { PageUp: "previous", PageDown: "next" }; // which otherwise scroll the page
const INPUT_METHOD = 229; // the code of a key that an input method takes
const BUTTONS = "button, [role=tab]";
const MARKED = "[aria-selected=true], [aria-current=step], [aria-pressed=true]";
const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * The keys that a control needs. A closed select also has the left and right arrows, but the up and down arrows do the
 * same.
 */
const KEYS_BY_CONTROL = {
  "button, summary, a[href], [role=button]": PRESS_KEYS,
  "input[type=checkbox]": [" "],
  "input[type=radio]": [" ", ...MOVE_KEYS],
  "input[type=range]": MOVE_KEYS,
  select: [...PRESS_KEYS, "ArrowUp", "ArrowDown", "Home", "End"],
};

/** Whether the target is a text field, which needs every key but Esc. */
export function isTyping({ target }) {
  return target.closest(TEXT_FIELDS) !== null;
}

/** An open dialog takes all keys. */
function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Whether a select's list is open. Browsers without `:open` send no key events for keys that an open list takes. */
function isOpenList({ target }) {
  return CSS.supports(`selector(${OPEN_LIST})`) && target.matches(OPEN_LIST);
}

/** Whether a key belongs to the focused control, is switched off, or another listener has handled it. */
export function isTaken(event) {
  if (event.key !== " " && [...event.key].length === 1 && !areLetterKeysOn()) return true;
  if (event.defaultPrevented || isTyping(event) || isDialogOpen()) return true;
  if (isOpenList(event)) return true;
  const scroller = event.target.closest("[data-scrolls]");
  if (scroller && HORIZONTAL_ARROWS.includes(event.key) && scroller.scrollWidth > scroller.clientWidth) return true;
  return Object.entries(KEYS_BY_CONTROL).some(
    ([control, keys]) => keys.includes(event.key) && event.target.closest(control),
  );
}

/** Whether an input method takes the key. Of the Enter that ends a composition Safari tells so by its code alone. */
function isComposing(event) {
  return event.isComposing || event.keyCode === INPUT_METHOD;
}

/** Whether Enter is pressed to send or choose something, and not to end the composition of an input method. */
export function isEnter(event) {
  return event.key === "Enter" && !isComposing(event);
}

/** Whether Esc is pressed and no input method, open dialog or list takes it. */
export function isEscape(event) {
  const isFree = !event.defaultPrevented && !isComposing(event);
  return event.key === "Escape" && isFree && !isDialogOpen() && !isOpenList(event);
}

const LETTER_KEYS = "letter-keys"; // storage key: "off" or nothing

/** Whether letters, digits and signs are keys of the page; who dictates presses them by speaking (WCAG 2.1.4). */
export function areLetterKeysOn() {
  return readStored(LETTER_KEYS) !== "off";
}

export function setLetterKeys(areOn) {
  store(LETTER_KEYS, areOn ? "on" : "off");
}

/** Whether a modifier makes a key a shortcut of the browser, or an input method takes it. */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey || isComposing(event);
}

/**
 * The move through the steps (transport.js) that a key asks for wherever the focus is; null if it asks for none, or
 * belongs to the focused control. In projector mode these are also the keys that presenters send. While a class is
 * asked about a step, which then is veiled, none moves on.
 * @param {KeyboardEvent} event
 * @returns {"first" | "previous" | "play" | "next" | "last" | null}
 */
export function stepMove(event) {
  const isProjecting = document.documentElement.classList.contains("projector");
  const move = STEP_KEYS[event.key] ?? (isProjecting ? PRESENTER_KEYS[event.key] : undefined);
  const isAsked = document.body.hasAttribute("data-veiled"); // classroom/poll.js
  return move === undefined || isAsked || isTaken(event) || hasModifier(event) ? null : move;
}

const lastFocused = new WeakMap(); // by group

function buttonsOf(group) {
  return [...group.querySelectorAll(BUTTONS)].filter((button) => isVisible(button));
}

/** The tab stop of a group: the focused button, else the marked one, the last focused one, or the first. */
function tabStopOf(group, buttons) {
  const marked = buttons.find((button) => button.matches(MARKED));
  return (
    [document.activeElement, marked, lastFocused.get(group)].find((button) => buttons.includes(button)) ?? buttons[0]
  );
}

function updateTabIndices(group) {
  const stop = tabStopOf(group, buttonsOf(group));
  for (const button of group.querySelectorAll(BUTTONS)) {
    const index = button === stop ? 0 : -1;
    if (button.tabIndex !== index) button.tabIndex = index;
  }
}

/** The button that an arrow leads to; in a group of several columns arrows also lead up and down. */
function moveTarget(group, buttons, from, key) {
  const columns = Number(group.dataset.columns ?? 0);
  const move = { ...MOVES, ...(columns && { ArrowUp: -columns, ArrowDown: columns }) }[key];
  if (move === undefined) return null;
  const to = buttons.indexOf(from) + move;
  if (Math.abs(move) === columns) return buttons[to] ?? from;
  return buttons[Math.max(0, Math.min(to, buttons.length - 1))];
}

/** Makes one tab stop of every group that the selector matches; `data-columns` is the number of columns of a group. */
export function enableRovingTabindex(groups) {
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key === "Tab") return document.querySelectorAll(groups).forEach(updateTabIndices);
    const group = event.target.closest(groups);
    const from = event.target.closest(BUTTONS);
    if (!group || !from || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = moveTarget(group, buttonsOf(group), from, event.key);
    if (!to) return;
    event.preventDefault(); // otherwise the key also changes the step
    to.focus();
  }, { capture: true });
  document.addEventListener("focusin", (/** @type {any} */ { target }) => {
    const group = target.closest(groups);
    if (group && target.matches(BUTTONS)) lastFocused.set(group, target);
  });
}
