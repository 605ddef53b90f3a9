// The dialog of a class: begin one or join one; in a class, its code for the others, large enough for the last row.

import { onSubmit } from "../../ui/element.js";
import { Refusal } from "./connection.js";

export class ClassDialog {
  /** `begin()` and `join(code)` do so; `begin` promises its end. */
  constructor(part, { text, begin, join }) {
    Object.assign(this, { part, text });
    part.begin.addEventListener("click", () => this.run(begin));
    onSubmit(part.join, () => part.code.value.trim() && this.run(() => join(part.code.value)));
  }

  /** Does what was asked for and closes; a refusal is said. */
  async run(action) {
    const { part, text } = this;
    try {
      part.dialog.close();
      await action();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof TypeError || error instanceof DOMException)) throw error;
      this.open(null);
      part.fault.textContent = error instanceof Refusal ? error.message : text.noAnswer;
    }
  }

  /** Opens it with the invitation { link, qr, reachable, code } of the class, or null without a class. */
  open(invitation) {
    const { part, text } = this;
    part.fault.textContent = "";
    part.heading.textContent = invitation ? text.invite : text.class;
    part.beginning.hidden = invitation !== null;
    part.invitation.hidden = invitation === null;
    part.dialog.classList.toggle("wide", invitation !== null);
    if (invitation) {
      part.qr.innerHTML = invitation.qr; // SVG from the server
      part.address.textContent = invitation.link;
      part.shown.textContent = invitation.code;
      part.local.hidden = invitation.reachable;
    }
    if (!part.dialog.open) part.dialog.showModal();
  }
}
