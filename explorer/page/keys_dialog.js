// The dialog with the keyboard shortcuts, which the key "?" and a button open.

import { isTaken, hasModifier } from "../ui/keys.js";

export function enableKeysDialog(button, dialog) {
  const open = () => dialog.showModal();
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTaken(event) || hasModifier(event)) return;
    event.preventDefault();
    open();
  });
  // A click on the backdrop closes the dialog; its target is the dialog itself.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
