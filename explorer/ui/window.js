// The window that the page has. A frame that is higher than the screen, as high as its content, has none of its own:
// the page around it scrolls, and what would stay at an edge of the window lies where nobody looks.

const MIN_HEIGHT_PX = 480; // of a window in which a bar at an edge leaves room for the page
const NARROW_PX = 700; // the width of the style sheets' @media

function isTall() {
  return window.parent !== window && innerHeight > screen.height;
}

/** The height that a reader sees at once at most, in pixels. */
export function windowHeight() {
  return isTall() ? screen.height : innerHeight;
}

function kindOfWindow() {
  if (isTall()) return "tall";
  return innerWidth <= NARROW_PX && innerHeight < MIN_HEIGHT_PX ? "low" : "own";
}

/** Whether bars stay at the edges of the window; elsewhere they stand in the flow of the page. */
export function hasOwnWindow() {
  return kindOfWindow() === "own";
}

/**
 * Keeps data-window of <html> at "own", "low" or "tall", and in a tall one the custom properties that look.css begins
 * with: its height, and how much of the frame is out of sight at the top and at the bottom.
 */
export function followWindow() {
  const root = document.documentElement;
  const set = (name, pixels) => root.style.setProperty(`--window-${name}`, `${pixels}px`);
  // A frame is not told when the page around it scrolls: it asks when the reader does something.
  const observer = new IntersectionObserver(([{ isIntersecting, intersectionRect: { top, bottom } }]) => {
    if (!isIntersecting || !isTall()) return;
    set("top", top);
    set("bottom", innerHeight - bottom);
  });
  const askForSight = () => {
    observer.disconnect();
    if (isTall()) observer.observe(root);
  };
  const update = () => {
    root.dataset.window = kindOfWindow();
    for (const name of ["height", "top", "bottom"]) root.style.removeProperty(`--window-${name}`);
    if (isTall()) set("height", screen.height);
    askForSight();
  };
  for (const type of ["pointerdown", "keydown", "focusin"]) addEventListener(type, askForSight, { capture: true });
  addEventListener("resize", update);
  update();
}
