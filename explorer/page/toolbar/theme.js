// The theme button, light or dark. The choice is stored, and page/head_script.js applies it.

import { onThemeChange, theme } from "../../ui/page.js";
import { store } from "../../ui/storage.js";

const OTHER = { light: "dark", dark: "light" };

export function enableThemeButton(button, words) {
  const updateLabel = () => { button.querySelector(".label").textContent = words[OTHER[theme()]]; };
  button.addEventListener("click", () => {
    const other = OTHER[theme()];
    store("theme", other);
    document.documentElement.dataset.theme = other;
  });
  onThemeChange(updateLabel);
  updateLabel();
}
