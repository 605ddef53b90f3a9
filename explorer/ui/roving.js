// One tab stop for a row of buttons, the arrows inside it (ARIA's roving tabindex). Who stops is settled when Tab is
// pressed, so that stepping and drawing touch no attribute, and so that a group may be made, or made anew, at any time.

const BUTTONS = "button, [role=tab]";
const MARKED = "[aria-selected=true], [aria-current=step], [aria-pressed=true]";
const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

const last = new WeakMap(); // of every group: the button that had the focus last

function buttonsOf(group) {
  return [...group.querySelectorAll(BUTTONS)].filter((button) => button.checkVisibility({ visibilityProperty: true }));
}

/** The button at which Tab stops: the one with the focus, else a marked one, the one last used, or the first. */
function stopOf(group, buttons) {
  const marked = buttons.find((button) => button.matches(MARKED));
  return [document.activeElement, marked, last.get(group)].find((button) => buttons.includes(button)) ?? buttons[0];
}

function settle(group) {
  const stop = stopOf(group, buttonsOf(group));
  for (const button of group.querySelectorAll(BUTTONS)) {
    const index = button === stop ? 0 : -1;
    if (button.tabIndex !== index) button.tabIndex = index;
  }
}

/** Where an arrow leads: in a group of several columns also up and down. */
function led(group, buttons, from, key) {
  const columns = Number(group.dataset.columns ?? 0);
  const move = { ...MOVES, ...(columns && { ArrowUp: -columns, ArrowDown: columns }) }[key];
  if (move === undefined) return null;
  const to = buttons.indexOf(from) + move;
  if (Math.abs(move) === columns) return buttons[to] ?? from;
  return buttons[Math.max(0, Math.min(to, buttons.length - 1))];
}

/** Makes one tab stop of every group, by a selector; a group that has `data-columns` is a table of so many columns. */
export function enableRovingTabindex(groups) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return document.querySelectorAll(groups).forEach(settle);
    const group = event.target.closest(groups), from = event.target.closest(BUTTONS);
    if (!group || !from || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = led(group, buttonsOf(group), from, event.key);
    if (!to) return;
    event.preventDefault(); // and no step is made
    to.focus();
  }, { capture: true });
  document.addEventListener("focusin", ({ target }) => {
    const group = target.closest(groups);
    if (group && target.matches(BUTTONS)) last.set(group, target);
  });
}
