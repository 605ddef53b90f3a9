// Decides which keys belong to the focused control; all other keys move the picture, wherever the focus is.

const TEXT_FIELDS = "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit])";
const OPEN_LIST = "select:open";
const HORIZONTAL_ARROWS = ["ArrowLeft", "ArrowRight"], MOVE_KEYS = [...HORIZONTAL_ARROWS, "ArrowUp", "ArrowDown", "Home", "End"];
const PRESS_KEYS = [" ", "Enter"];

/** The keys that a control needs. A closed select also has the left and right arrows, but the up and down arrows do the same. */
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

/** Whether a key belongs to the focused control, or another listener has handled it. */
export function isTaken(event) {
  if (event.defaultPrevented || isTyping(event) || isDialogOpen()) return true;
  if (isOpenList(event)) return true;
  const scroller = event.target.closest("[data-scrolls]");
  if (scroller && HORIZONTAL_ARROWS.includes(event.key) && scroller.scrollWidth > scroller.clientWidth) return true;
  return Object.entries(KEYS_BY_CONTROL).some(([control, keys]) => keys.includes(event.key) && event.target.closest(control));
}

/** Whether Esc is pressed and no open dialog or list takes it. */
export function isEscape(event) {
  return event.key === "Escape" && !event.defaultPrevented && !isDialogOpen() && !isOpenList(event);
}

/** Whether a modifier makes a key a shortcut of the browser, or an input method is composing. */
export function hasModifier({ ctrlKey, metaKey, altKey, isComposing }) {
  return ctrlKey || metaKey || altKey || isComposing;
}
