// The page around a view: its theme, when a view must be drawn again, and who has the focus.

export function theme() {
  return document.body.classList.contains("dark") ? "dark" : "light";
}

/** Promises the node of a selector, as soon as Gradio has drawn it. */
export function drawn(selector) {
  return new Promise((found) => {
    const look = () => {
      const node = document.querySelector(selector);
      if (node) found(node);
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Calls when the theme or the node's size changes, also when it comes into sight, but never while it is hidden. */
export function onNewLook(node, draw) {
  const again = () => node.offsetParent && draw();
  new MutationObserver(again).observe(document.body, { attributeFilter: ["class"] });
  new ResizeObserver(again).observe(node);
}

/** A mouse leaves no focus behind on buttons and the like, so that the keys go on moving through the steps. */
export function leaveNoFocus(root) {
  const left = "button, summary, label, input[type=checkbox]";
  root.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target.closest(left)) document.activeElement.blur();
  });
}
