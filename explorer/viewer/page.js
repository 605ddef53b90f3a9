// The page around a view: its theme, and when a view must be drawn again.

export function theme() {
  return document.body.classList.contains("dark") ? "dark" : "light";
}

/** Calls when the theme or the node's size changes, also when it comes into sight, but never while it is hidden. */
export function onNewLook(node, draw) {
  const again = () => node.offsetParent && draw();
  new MutationObserver(again).observe(document.body, { attributeFilter: ["class"] });
  new ResizeObserver(again).observe(node);
}
