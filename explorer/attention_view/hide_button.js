// The button at a word of the source that hides its tokens from all attention, or shows them again. It stands at the
// word that is pointed at, has the focus or is pinned.

import { fill } from "../ui/text.js";

export class HideButton {
  /** The number of the group that it stands at; null without one. @type {number | null} */ group = null;
  /** The strip and the translation that it belongs to. @type {any} */ strip = null;
  /** @type {Trace | null} */ trace = null;
  /** The token that is pinned. @type {number | null} */ pinned = null;

  /**
   * `strip` is the node of the source's words, beside which the button is; `hide(token)` is called for each token, of
   * which `isHidden(token)` says whether it is hidden in the change, whichever run is shown.
   */
  constructor(strip, text, { hide, isHidden }) {
    this.row = strip;
    this.text = text;
    this.isHidden = isHidden;
    this.node = strip.parentNode.querySelector("[data-role=hideToken]");
    const pointAt = ({ target }) => this.show([...strip.children].indexOf(target.closest(".piece")));
    strip.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointAt(event));
    strip.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(event));
    strip.parentNode.addEventListener("pointerleave", () => this.show(this.pinnedGroup));
    strip.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      this.press(hide);
    });
    this.node.addEventListener("click", () => this.press(hide));
  }

  press(hide) {
    if (this.group === null) return;
    for (const token of this.strip.groups[this.group]) hide(token);
  }

  /** Draws it for a strip of a translation in which a token may be pinned. */
  draw(strip, pinned, trace) {
    const isSame = trace === this.trace && pinned === this.pinned;
    this.strip = strip;
    this.pinned = pinned;
    this.trace = trace;
    if (!isSame) this.show(this.pinnedGroup);
  }

  get pinnedGroup() {
    const { pinned, strip } = this;
    return pinned === null ? -1 : strip.groups.findIndex((group) => group.includes(pinned));
  }

  /** Stands at a group, or nowhere with -1. */
  show(number) {
    const { node, row, strip, text } = this;
    this.group = number >= 0 && strip ? number : null;
    node.hidden = this.group === null;
    if (this.group === null) return;
    const pieces = strip.groups[number].map((i) => strip.pieces[i]);
    const name = pieces.map(({ text: piece }) => piece.replace(/^·/, "")).join("");
    const areHidden = strip.groups[number].every((token) => this.isHidden(token));
    const label = fill(areHidden ? text.show : text.hide, { token: name });
    node.title = label;
    node.setAttribute("aria-label", label);
    node.textContent = areHidden ? "+" : "×";
    const [word, frame] = [row.children[number], row.parentNode].map((one) => one.getBoundingClientRect());
    Object.assign(node.style, { left: `${word.right - frame.left - 12}px`, top: `${word.top - frame.top - 12}px` });
  }
}
