// Which keys are meant for the control that has the focus; all others are the picture's, wherever the focus is.

const WRITTEN = "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit])";
const OPEN_LIST = "select:open";
const ALONG = ["ArrowLeft", "ArrowRight"], ALL = [...ALONG, "ArrowUp", "ArrowDown", "Home", "End"];
const PRESSED = [" ", "Enter"];

/** What a control cannot do without. A closed list goes up and down; left and right, which say the same, it can spare. */
const NEEDED = {
  "button, summary, a[href], [role=button]": PRESSED,
  "input[type=checkbox]": [" "],
  "input[type=radio]": [" ", ...ALL],
  "input[type=range]": ALL,
  select: [...PRESSED, "ArrowUp", "ArrowDown", "Home", "End"],
};

/** Whether somebody writes here, so that every key but Esc is a letter or moves between letters. */
export function isTyping({ target }) {
  return target.closest(WRITTEN) !== null;
}

/** A dialog keeps all keys: what lies under it does not move. */
function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Whether a list is open; a browser that cannot say so tells the page of no key that its list takes. */
function isOpenList({ target }) {
  return CSS.supports(`selector(${OPEN_LIST})`) && target.matches(OPEN_LIST);
}

/** Whether a key is meant for another control: the one that has the focus, or one that has used it already. */
export function isTaken(event) {
  if (event.defaultPrevented || isTyping(event) || isDialogOpen()) return true;
  if (isOpenList(event)) return true;
  const wide = event.target.closest("[data-scrolls]");
  if (wide && ALONG.includes(event.key) && wide.scrollWidth > wide.clientWidth) return true;
  return Object.entries(NEEDED).some(([control, keys]) => keys.includes(event.key) && event.target.closest(control));
}

/** Whether Esc is pressed, and nothing that is open takes it first. */
export function isEscape(event) {
  return event.key === "Escape" && !event.defaultPrevented && !isDialogOpen() && !isOpenList(event);
}

/** Whether a key is pressed together with one that makes it a command of the browser. */
export function hasModifier({ ctrlKey, metaKey, altKey, isComposing }) {
  return ctrlKey || metaKey || altKey || isComposing;
}
