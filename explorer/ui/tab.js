// What the tabs beside Explore share: colours of the moment, choices, and lines of the model's source.

import { onView } from "./page_events.js";
import { element } from "./element.js";
import { dropPointerFocus, onLookChange, theme } from "./page.js";

const LETTER = 11, WORD = 44; // pixels

/** A view's nodes by the name that a data attribute gives them. */
export function named(root, attribute) {
  return Object.fromEntries([...root.querySelectorAll(`[data-${attribute}]`)].map((node) => [node.dataset[attribute], node]));
}

/** Renders a view whenever Explore or the view's look changes; until Explore shows something, it cannot be used. */
export function follow(view) {
  view.root.inert = true;
  dropPointerFocus(view.root);
  onLookChange(view.root, () => view.render());
  onView((explore) => {
    view.root.inert = false;
    view.explore = explore;
    view.render();
  });
}

/** Sets the colours of a kind on a view, and gives them, with the font, for drawing on a canvas. */
export function painted(root, settings, kind) {
  const { [kind]: accent, [`${kind}_negative`]: negative, text, masked } = settings.colours[theme()];
  root.dataset.theme = theme();
  const variables = { accent, soft: text, mono: settings.monospace };
  for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--${name}`, value);
  const style = getComputedStyle(root), ink = style.color, ground = style.getPropertyValue("--body-background-fill");
  return { colours: { accent, negative, text, masked, ink, ground }, font: settings.monospace, hidden: settings.text.masked };
}

/** A button for every kind of attention. */
export function addKinds(parent, { kinds, kindNames }, choose) {
  for (const [kind, title] of Object.entries(kinds)) {
    const button = element("button", { type: "button", value: kind, title }, kindNames[kind]);
    button.addEventListener("click", () => choose(kind));
    parent.append(button);
  }
}

/** Marks the pressed one of some buttons. */
export function press(parent, value) {
  for (const button of parent.children) button.setAttribute("aria-pressed", button.value === value);
}

/** Options of a select, replaced only where they differ, so that an open list stays. */
export function offer(select, texts, chosen) {
  const key = texts.join("\n");
  if (select.dataset.key !== key) select.replaceChildren(...texts.map((text, i) => new Option(text, i)));
  select.dataset.key = key;
  select.value = chosen;
}

/** "1", "2" and so on: numbers on the screen count from one. */
export function counted(count) {
  return Array.from({ length: count }, (_, i) => `${i + 1}`);
}

/** Writes a label over every column of a strip: upwards where columns are narrow, none where it would find no room. */
export function labelColumns(axis, labels) {
  const width = axis.clientWidth / labels.length;
  const shown = width < LETTER ? [] : labels;
  axis.classList.toggle("upwards", width < WORD);
  axis.replaceChildren(...shown.map((label) => element("span", { title: label }, label)));
}

/** A line of the model with its place, its expression marked (explorer/recording/source.py). */
export function sourceLine({ file, line, text, expression }) {
  const code = element("code"), start = text.indexOf(expression);
  code.append(element("b", {}, `${file}:${line}  `), text.slice(0, start), element("mark", {}, expression));
  code.append(text.slice(start + expression.length));
  return code;
}
