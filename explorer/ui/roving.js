// Roving tabindex (ARIA): a row of buttons is one tab stop, and arrows move inside it. The tab stop is computed when Tab is
// pressed, so that drawing sets no attributes and a group may be created at any time.

const BUTTONS = "button, [role=tab]";
const MARKED = "[aria-selected=true], [aria-current=step], [aria-pressed=true]";
const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

const lastFocused = new WeakMap(); // by group

function buttonsOf(group) {
  return [...group.querySelectorAll(BUTTONS)].filter((button) => button.checkVisibility({ visibilityProperty: true }));
}

/** The tab stop of a group: the focused button, else the marked one, the last focused one, or the first. */
function tabStopOf(group, buttons) {
  const marked = buttons.find((button) => button.matches(MARKED));
  return [document.activeElement, marked, lastFocused.get(group)].find((button) => buttons.includes(button)) ?? buttons[0];
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
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return document.querySelectorAll(groups).forEach(updateTabIndices);
    const group = event.target.closest(groups), from = event.target.closest(BUTTONS);
    if (!group || !from || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = moveTarget(group, buttonsOf(group), from, event.key);
    if (!to) return;
    event.preventDefault(); // otherwise the key also changes the step
    to.focus();
  }, { capture: true });
  document.addEventListener("focusin", ({ target }) => {
    const group = target.closest(groups);
    if (group && target.matches(BUTTONS)) lastFocused.set(group, target);
  });
}
