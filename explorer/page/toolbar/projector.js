// For a projector: the open tab alone, as wide as the screen and large enough to be read from the last row.

import { isTaken, hasModifier, isEscape } from "../../ui/keys.js";

const SMALLEST = { width: 1280, height: 720 }; // pixels of the screen for which the least enlargement is meant
const LEAST = 1.65, WIDEST = 2560; // of 11 pixels, the smallest type, it makes 18

/** How many times larger everything is. */
export function enlargement(width, height) {
  return LEAST * Math.max(1, Math.min(Math.min(width, WIDEST) / SMALLEST.width, height / SMALLEST.height));
}

/** The button, and the key of the same: again, or Esc, leads back. */
export function projector(button, { show, leave }) {
  const root = document.documentElement;
  const on = () => root.classList.contains("projector");
  const fit = () => root.style.setProperty("--zoom", enlargement(innerWidth, innerHeight));
  const set = (wanted) => {
    root.classList.toggle("projector", wanted);
    if (wanted) fit();
    else root.style.removeProperty("--zoom");
    button.querySelector(".label").textContent = wanted ? leave : show;
    button.setAttribute("aria-pressed", wanted);
    scrollTo(0, 0);
  };
  button.addEventListener("click", () => set(!on()));
  window.addEventListener("resize", () => on() && fit());
  // Before anything else hears of it, so that Esc leaves the projector and lets no pin go.
  window.addEventListener("keydown", (event) => {
    const pressed = event.key.toLowerCase() === "p" && !isTaken(event) && !hasModifier(event);
    const meant = event.key === "Escape" ? on() && isEscape(event) : pressed;
    if (!meant) return;
    event.stopPropagation();
    event.preventDefault();
    set(!on());
  }, { capture: true });
}
