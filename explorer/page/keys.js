// What the keys do: a dialog, which the key "?" and a button open.

import { isTaken, hasModifier } from "../ui/keys.js";

export function showsKeys(button, dialog) {
  const open = () => dialog.showModal();
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTaken(event) || hasModifier(event)) return;
    event.preventDefault();
    open();
  });
  // A click beside it, which is one on the dialog's own ground, closes it as Esc does.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
