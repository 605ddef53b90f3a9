// The page around a view: theme, zoom, redraw events, focus, and the definitions of glossary terms.

import { contextOf } from "./canvas.js";
import { isEscape } from "./keys.js";

const MARGIN_PX = 6; // from a definition to its word and to the edges of the screen
const drawFunctions = new WeakMap(); // by canvas

export function theme() {
  return document.body.classList.contains("dark") ? "dark" : "light";
}

/** Resolves to what a function returns as soon as that is true, asking once a frame; rejects with what it throws. */
export async function untilTrue(find) {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise(requestAnimationFrame);
  }
}

/** Resolves to the node of a selector as soon as it is there. */
export function whenDrawn(selector) {
  return untilTrue(() => document.querySelector(selector));
}

/** The page's font where no style sheet sets it: in figures, canvases and saved pictures. */
export function pageFont() {
  return getComputedStyle(document.documentElement).getPropertyValue("--sans");
}

/**
 * Returns a function that measures the width of a text in the font of now, `fontOf()`, in pixels. WebKit knows no font
 * of the page's while a style sheet is still loading.
 */
export function textMeasurer(fontOf) {
  const context = contextOf(document.createElement("canvas"));
  return (text) => {
    context.font = fontOf();
    return context.measureText(text).width;
  };
}

/** Draws nodes anew, and gives the focus to the control in the place of the one that had it. */
export function keepFocus(root, draw) {
  const controls = () => [...root.querySelectorAll("button, summary")];
  const index = controls().indexOf(document.activeElement);
  draw();
  if (index >= 0 && !root.contains(document.activeElement)) controls()[index]?.focus({ preventScroll: true });
}

/** Calls `listener` when the theme changes. */
export function onThemeChange(listener) {
  new MutationObserver(listener).observe(document.body, { attributeFilter: ["class"] });
}

/** Whether the visitor asked the system for less motion. */
export function wantsStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Milliseconds of a motion from one step to the next. */
export const MOVE_MS = 200;

/** Whether a node of the attention view moves to its next state: not where steps follow one another fast. */
export function glides(node) {
  return !wantsStillness() && !node.closest("[data-quick]");
}

/** Whether projector mode is on (page/toolbar/toolbar.js). */
export function isProjector() {
  return document.documentElement.classList.contains("projector");
}

/** The zoom factor of the page; 1 outside projector mode. */
export function zoom() {
  return Number(document.documentElement.style.getPropertyValue("--zoom")) || 1;
}

/** Device pixels per pixel of the page, including the zoom factor. */
export function pixelRatio() {
  return (globalThis.devicePixelRatio || 1) * zoom();
}

/** The position of the pointer in a node, in the node's own pixels; `offsetX` ignores the zoom factor. */
export function pointerPosition(node, { clientX, clientY }) {
  const { left: focusables, top } = node.getBoundingClientRect();
  const scaleFactor = zoom();
  return { x: (clientX - focusables) / scaleFactor, y: (clientY - top) / scaleFactor };
}

/** Calls `listener` when the window comes to a screen with another number of pixels, or the browser zooms. */
function onResolutionChange(listener) {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
    listener();
    onResolutionChange(listener);
  }, { once: true });
}

/**
 * Calls `draw` when the theme, the node's size or the resolution changes or the node becomes visible, but never while
 * it is hidden.
 */
export function onLookChange(node, draw) {
  const drawIfVisible = () => node.offsetParent && draw();
  onThemeChange(drawIfVisible);
  onResolutionChange(drawIfVisible);
  new ResizeObserver(drawIfVisible).observe(node);
}

/**
 * Removes the focus from a control on a click or after a choice with the pointer, so that keys go on moving through the
 * steps. This comes before what the control does: a dialog gives the focus back to where it is then.
 */
export function dropPointerFocus(root) {
  const focusables = "button, summary, label, input:is([type=checkbox], [type=radio]), [data-scrolls]";
  const typed = "label :is(select, textarea, input:not([type=checkbox], [type=radio]))"; // what a label holds keeps it
  let usedPointer = false;
  root.addEventListener("pointerdown", () => { usedPointer = true; });
  root.addEventListener("keydown", () => { usedPointer = false; });
  root.addEventListener("click", (event) => {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    if (event.detail > 0 && event.target.closest(focusables) && !event.target.matches(typed)) focused.blur();
  }, { capture: true });
  root.addEventListener("change", ({ target }) => {
    if (usedPointer && target.matches("select")) target.blur();
  });
}

/**
 * Closes a <details> that lies over the page on Esc and on a click elsewhere.
 * @param {HTMLDetailsElement} details
 */
export function enablePopover(details) {
  document.addEventListener("pointerdown", (/** @type {any} */ { target }) => {
    if (!details.contains(target)) details.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (!details.open || !isEscape(event)) return;
    event.preventDefault(); // keeps pins
    const hadFocus = details.contains(document.activeElement);
    details.open = false;
    if (hadFocus) details.querySelector("summary").focus();
  }, { capture: true });
}

/**
 * Focuses the visible picture, which takes every key, or the visible tab panel if it has no picture.
 * @param {any} root
 * @param {FocusOptions} options
 */
export function focusPicture(root = document, options = { preventScroll: true }) {
  const inSight = (selector) => [...root.querySelectorAll(selector)].find((node) => node.offsetParent);
  const picture = inSight("[data-picture]") ?? inSight("[role=tabpanel]");
  if (picture && !picture.hasAttribute("tabindex")) picture.tabIndex = -1;
  picture?.focus(options);
}

/**
 * Registers how a canvas is drawn again into another context, so that a saved picture has SVG lines and text instead of
 * pixels: `draw(asVector)` asks the canvas for its context; `asVector` says whether that context records lines and
 * text.
 */
export function registerDraw(canvas, draw) {
  drawFunctions.set(canvas, draw);
}

/** Draws a canvas into another context; returns false if its draw function is not registered. */
export function drawInto(canvas, context) {
  const draw = drawFunctions.get(canvas);
  if (!draw) return false;
  canvas.getContext = () => context; // an own property hides the method of the prototype
  try {
    draw(true);
  } finally {
    delete canvas.getContext;
  }
  draw(false); // setting the size of the canvas has cleared it
  return true;
}

/** Positions the definition of the hovered or focused term (explorer/ui/glossary), also while the page scrolls. */
export function positionDefinitions() {
  let openTerm = null;
  const isOpen = () => openTerm?.isConnected && openTerm.matches(":is(:hover, :focus):not([data-closed])");
  const positionDefinition = () => {
    if (!isOpen()) return;
    const note = openTerm.querySelector("[role=note]");
    const [word] = openTerm.getClientRects();
    const below = word.bottom + MARGIN_PX;
    const fits = below + note.offsetHeight + MARGIN_PX <= innerHeight;
    const left = Math.max(MARGIN_PX, Math.min(word.left, innerWidth - note.offsetWidth - MARGIN_PX));
    const top = fits ? below : Math.max(MARGIN_PX, word.top - MARGIN_PX - note.offsetHeight);
    Object.assign(note.style, { left: `${left}px`, top: `${top}px` });
  };
  for (const type of ["mouseover", "focusin"]) {
    document.addEventListener(type, (/** @type {any} */ { target }) => {
      const term = target.closest?.(".term");
      if (term !== openTerm) openTerm?.removeAttribute("data-closed");
      openTerm = term ?? openTerm;
      positionDefinition();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (!isEscape(event) || !isOpen()) return;
    event.preventDefault(); // keeps pins
    openTerm.dataset.closed = "";
  }, { capture: true });
  document.addEventListener("scroll", positionDefinition, { capture: true, passive: true });
}
