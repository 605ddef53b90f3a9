// The page around a view: its theme, when a view must be drawn again, and who has the focus.

export function theme() {
  return document.body.classList.contains("dark") ? "dark" : "light";
}

/** Promises the node of a selector, as soon as Gradio has drawn it. */
export function whenDrawn(selector) {
  return new Promise((found) => {
    const look = () => {
      const node = document.querySelector(selector);
      if (node) found(node);
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** How many pixels a text takes in a font. */
export function textMeasurer(font) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  return (text) => context.measureText(text).width;
}

/** Calls when the theme changes. */
export function onThemeChange(tell) {
  new MutationObserver(tell).observe(document.body, { attributeFilter: ["class"] });
}

/** Whether the page is enlarged for a projector (page/toolbar/projector.js). */
export function isProjector() {
  return document.documentElement.classList.contains("projector");
}

/** How many times larger everything is, 1 without a projector. */
export function zoom() {
  return Number(document.documentElement.style.getPropertyValue("--zoom")) || 1;
}

/** How many pixels of the screen are one of the page: more on fine screens, and on a page that is enlarged. */
export function pixelRatio() {
  return (globalThis.devicePixelRatio || 1) * zoom();
}

/** Where the pointer is in a node, in the node's own pixels; `offsetX` is in those of the screen where it is enlarged. */
export function pointerPosition(node, { clientX, clientY }) {
  const { left, top } = node.getBoundingClientRect(), times = zoom();
  return { x: (clientX - left) / times, y: (clientY - top) / times };
}

/** Calls when the theme or the node's size changes, also when it comes into sight, but never while it is hidden. */
export function onLookChange(node, draw) {
  const again = () => node.offsetParent && draw();
  onThemeChange(again);
  new ResizeObserver(again).observe(node);
}

/**
 * A mouse leaves no focus behind, so that every key goes on moving through the steps: not on what it clicked, nor on a
 * list out of which it chose.
 */
export function dropPointerFocus(root) {
  const left = "button, summary, label, input[type=checkbox], [data-scrolls]";
  let pointed = false;
  root.addEventListener("pointerdown", () => { pointed = true; });
  root.addEventListener("keydown", () => { pointed = false; });
  root.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target.closest(left)) document.activeElement.blur();
  });
  root.addEventListener("change", ({ target }) => {
    if (pointed && target.matches("select")) target.blur();
  });
}

/** Gives the focus to the picture in sight, where every key is the picture's; a tab without one has it itself. */
export function focusPicture(root = document, options = { preventScroll: true }) {
  const inSight = (selector) => [...root.querySelectorAll(selector)].find((node) => node.offsetParent);
  const picture = inSight("[data-picture]") ?? inSight("[role=tabpanel]");
  if (picture && !picture.hasAttribute("tabindex")) picture.tabIndex = -1;
  picture?.focus(options);
}
