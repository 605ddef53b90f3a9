// Prints with the light theme, so that pictures are redrawn in colours for white paper, and with the folds of the tab open.

/** Opens the closed folds of the visible tab before printing, and closes them afterwards. */
export function enableFoldPrinting() {
  let folds = [];
  const setOpen = (isOpen) => {
    for (const fold of folds) fold.open = isOpen;
  };
  addEventListener("beforeprint", () => {
    folds = [...document.querySelectorAll(".fold:not([open])")].filter((fold) => fold.checkVisibility());
    setOpen(true);
  });
  addEventListener("afterprint", () => setOpen(false));
}

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
