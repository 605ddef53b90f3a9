// Parts that the tabs beside the attention view share: theme colours, choices, and lines of the model's source.

import { element } from "./element.js";
import { dropPointerFocus, onLookChange, theme } from "./page.js";
import { onView } from "./page_events.js";

/** The nodes with a data attribute, by the attribute's value. */
export function nodesByAttribute(root, attribute) {
  return Object.fromEntries(
    [...root.querySelectorAll(`[data-${attribute}]`)].map((node) => [node.dataset[attribute], node]),
  );
}

/**
 * Renders a view whenever the attention view, the theme or the view's size changes; the view is inert until the
 * attention view shows something.
 */
export function followView(view) {
  view.root.inert = true;
  dropPointerFocus(view.root);
  onLookChange(view.root, () => view.render());
  onView((viewer) => {
    view.root.inert = false;
    view.viewer = viewer;
    view.render();
  });
}

/** The colours of a kind in the page's theme, with the font, for drawing on a canvas of a view. */
export function paintOf(root, settings, kind) {
  const { [kind]: accent, [`${kind}_negative`]: negative, text, masked } = settings.colours[theme()];
  const style = getComputedStyle(root);
  const ink = style.color;
  const ground = style.getPropertyValue("--body-background-fill");
  return {
    colours: { accent, negative, text, masked, ink, ground },
    font: settings.monospace,
    hidden: settings.text.masked,
  };
}

/** Marks the button with a value as pressed. */
export function markPressed(parent, value) {
  for (const node of parent.children) node.setAttribute("aria-pressed", node.value === value);
}

/**
 * Sets the options of a select, texts by index or [value, text]; equal options stay, so that an open list stays open.
 */
export function updateOptions(select, options, chosen) {
  const key = JSON.stringify(options);
  const entries = options.map((option, i) => (Array.isArray(option) ? option : [i, option]));
  if (select.dataset.key !== key) select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  select.dataset.key = key;
  select.value = chosen;
}

/** "1", "2" and so on, because numbers on the screen count from one. */
export function numberLabels(count) {
  return Array.from({ length: count }, (_, i) => `${i + 1}`);
}

/**
 * A node with a line of the model's source, its file and line number, and its expression marked
 * (explorer/recording/code_excerpts.py).
 */
export function createSourceLine({ file, line, text, expression }) {
  const code = element("code");
  const start = text.indexOf(expression);
  code.append(element("b", {}, `${file}:${line}  `), text.slice(0, start), element("mark", {}, expression));
  code.append(text.slice(start + expression.length));
  return code;
}
