// The button for another theme: light or dark. What is chosen is remembered, and page/early.js holds the page to it.

import { onThemeChange, theme } from "../../ui/page.js";
import { store } from "../../ui/storage.js";

const OTHER = { light: "dark", dark: "light" };

export function switchTheme(button, words) {
  const name = () => { button.querySelector(".label").textContent = words[OTHER[theme()]]; };
  button.addEventListener("click", () => {
    const other = OTHER[theme()];
    store("theme", other);
    document.documentElement.dataset.theme = other;
  });
  onThemeChange(name);
  name();
}
