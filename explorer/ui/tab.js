// Parts that the tabs beside Explore share: theme colours, choices, lines of the model's source, and the sentence.

import { element, button } from "./element.js";
import { dropPointerFocus, onLookChange, theme } from "./page.js";
import { onView } from "./page_events.js";
import { plainPiece } from "./text.js";

/** The nodes with a data attribute, by the attribute's value. */
export function nodesByAttribute(root, attribute) {
  return Object.fromEntries(
    [...root.querySelectorAll(`[data-${attribute}]`)].map((node) => [node.dataset[attribute], node]),
  );
}

/**
 * Renders a view whenever Explore, the theme or the view's size changes; the view is inert until Explore shows
 * something.
 */
export function followExplore(view) {
  view.root.inert = true;
  dropPointerFocus(view.root);
  onLookChange(view.root, () => view.render());
  onView((explore) => {
    view.root.inert = false;
    view.explore = explore;
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

/** Adds a button for every kind of attention, which is also the key to its colour. */
export function addKindButtons(parent, { kinds, kindNames }, choose) {
  for (const [kind, title] of Object.entries(kinds)) {
    parent.append(button(() => choose(kind), { value: kind, title, "data-hue": kind }, kindNames[kind]));
  }
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

/** Two lines with the sentence of Explore and its translation so far, for the tabs that follow Explore. */
export class Context {
  trace = null;

  /**
   * `words` are CONTEXT of explorer/ui/words/ with the codes of both languages; a click on a target piece calls
   * `go(step)`.
   */
  constructor(node, words, go) {
    this.go = go;
    const strip = (side) => element("span", { lang: words.codes[side], dir: words.directions[side], class: side });
    this.strips = { source: strip("source"), target: strip("target") };
    for (const [side, strip] of Object.entries(this.strips)) {
      node.append(element("p", {}, element("b", {}, words[side]), strip));
    }
    this.title = words.title;
  }

  /**
   * Draws a trace up to a step and marks `query` and `key`, each { side, place } or null. On the target side place 0 is
   * the start token and place i the piece predicted at step i - 1; later pieces are grey.
   */
  draw(trace, step, { query = { side: "target", place: step + 1 }, key = null } = {}) {
    if (trace !== this.trace) this.fill(trace);
    for (const [side, { children }] of Object.entries(this.strips)) {
      for (let place = 0; place < children.length; place++) {
        const { classList } = children[place];
        const isMarked = (position) => position?.side === side && position.place === place;
        classList.toggle("current", isMarked(query));
        classList.toggle("key", isMarked(key));
        classList.toggle("later", side === "target" && place > step + 1);
      }
    }
  }

  fill(trace) {
    this.trace = trace;
    const { source, target } = this.strips;
    source.replaceChildren(...trace.source.map(pieceNode));
    target.replaceChildren(
      ...[trace.steps[0].fed, ...trace.steps.map(({ predicted }) => predicted)].map((piece, place) => {
        const node = pieceNode(piece);
        node.title = this.title;
        node.addEventListener("click", () => this.go(Math.max(0, place - 1)));
        return node;
      }),
    );
  }
}

/** A node with the text of a piece; a gap instead of a dot marks the start of a word. */
function pieceNode({ text, special, starts_word: starts }) {
  const node = element("span", {}, plainPiece(text));
  node.classList.toggle("special", special);
  node.classList.toggle("apart", starts || special);
  return node;
}
