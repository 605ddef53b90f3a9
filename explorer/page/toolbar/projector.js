// Projector mode: only the open tab, as wide as the screen and readable from the last row.

import { isTaken, hasModifier, isEscape } from "../../ui/keys.js";

const MIN_SCREEN = { width: 1280, height: 720 }; // pixels of a screen with the least zoom factor
const MIN_ZOOM = 1.65, MAX_WIDTH = 2560; // enlarges 11 pixels, the smallest font size, to 18

/** The zoom factor for a screen. */
export function zoomFor(width, height) {
  return MIN_ZOOM * Math.max(1, Math.min(Math.min(width, MAX_WIDTH) / MIN_SCREEN.width, height / MIN_SCREEN.height));
}

/** Toggles projector mode with the button and the key "p"; Esc also leaves it. */
export function enableProjector(button, { show, leave }) {
  const root = document.documentElement;
  const isOn = () => root.classList.contains("projector");
  const updateZoom = () => root.style.setProperty("--zoom", zoomFor(innerWidth, innerHeight));
  const setProjector = (isWanted) => {
    root.classList.toggle("projector", isWanted);
    if (isWanted) updateZoom();
    else root.style.removeProperty("--zoom");
    button.querySelector(".label").textContent = isWanted ? leave : show;
    button.setAttribute("aria-pressed", isWanted);
    scrollTo(0, 0);
  };
  button.addEventListener("click", () => setProjector(!isOn()));
  window.addEventListener("resize", () => isOn() && updateZoom());
  // Captures the event before other listeners, so that Esc leaves projector mode and keeps pins.
  window.addEventListener("keydown", (event) => {
    const isProjectorKey = event.key.toLowerCase() === "p" && !isTaken(event) && !hasModifier(event);
    const isToggle = event.key === "Escape" ? isOn() && isEscape(event) : isProjectorKey;
    if (!isToggle) return;
    event.stopPropagation();
    event.preventDefault();
    setProjector(!isOn());
  }, { capture: true });
}
