// What is printed is light, whatever the theme: pictures are drawn anew, in colours for white paper.

/** Turns light before printing, and back to what the page was. */
export function printLight() {
  const root = document.documentElement, { body } = document;
  let before = null;
  addEventListener("beforeprint", () => {
    before = { theme: root.dataset.theme, dark: body.classList.contains("dark") };
    root.dataset.theme = "light"; // which early.js holds the page to
    body.classList.remove("dark");
  });
  addEventListener("afterprint", () => {
    if (before === null) return;
    if (before.theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = before.theme;
    body.classList.toggle("dark", before.dark);
    before = null;
  });
}
