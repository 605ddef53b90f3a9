// Prints with the light theme: pictures are redrawn in colours for white paper.

/** Switches to the light theme before printing, and restores the theme afterwards. */
export function enableLightPrinting() {
  const root = document.documentElement, { body } = document;
  let saved = null;
  addEventListener("beforeprint", () => {
    saved = { theme: root.dataset.theme, dark: body.classList.contains("dark") };
    root.dataset.theme = "light"; // head_script.js applies it
    body.classList.remove("dark");
  });
  addEventListener("afterprint", () => {
    if (saved === null) return;
    if (saved.theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = saved.theme;
    body.classList.toggle("dark", saved.dark);
    saved = null;
  });
}
