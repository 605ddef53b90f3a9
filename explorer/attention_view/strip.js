// One sentence in pieces or words, a button each. Its nodes are created once; later only shading, marks and visibility
// change.

import { groupByPiece, groupByWord } from "../derived/word_groups.js";
import { button, element } from "../ui/element.js";
import { withoutCircle } from "../ui/scripts.js";
import { applyShade } from "./shades.js";

const FLAGS = ["unknown", "special", "unsure", "doubtful", "apart", "gone"]; // of pieces, and classes of their groups

/** A group is a list of positions: those of the pieces of a word, or that of one piece. */
export class Strip {
  key = "";
  overflows = null;
  revealed = null;

  /** A click on a group calls `choose` with it; `point` is called with the one that is pointed at, or null. */
  constructor(node, choose, point) {
    this.node = node;
    this.choose = choose;
    const pointAt = ({ target }) => point(this.groups[[...node.children].indexOf(target.closest(".piece"))] ?? null);
    node.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointAt(event));
    node.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(event));
    for (const type of ["pointerleave", "focusout"]) node.addEventListener(type, () => point(null));
  }

  /** Sets the pieces and their tooltips. */
  fill(key, pieces, titles, isInWords) {
    if (key === this.key) return;
    this.key = key;
    this.pieces = pieces;
    this.groups = isInWords ? groupByWord(pieces) : groupByPiece(pieces);
    this.node.replaceChildren(...this.groups.map((group) => this.groupButton(group, titles)));
    this.node.scrollTo(0, 0);
    this.overflows = this.revealed = null;
  }

  groupButton(group, titles) {
    const title = group.map((i) => titles[i]).join("\n");
    const texts = group.map((i, part) => (part ? withoutCircle(this.pieces[i].text) : this.pieces[i].text));
    const ids = group.map((i) => this.pieces[i].id).join(" ");
    // A word of several pieces shows where it is split.
    const parts = texts.length === 1 ? texts : texts.map((text) => element("i", {}, text));
    const node = button(
      () => this.choose(group),
      { class: "piece", title },
      element("span", {}, ...parts),
      element("small", {}, ids),
    );
    for (const flag of FLAGS) node.classList.toggle(flag, group.some((i) => this.pieces[i][flag]));
    return node;
  }

  /**
   * Shades the groups: `shades` by percent, `weights` by group; pieces after the first `known` are grey; `current` and
   * `pinned` are pieces or null.
   */
  shade({ shades, weights, known = this.pieces.length, current = null, pinned = null }) {
    this.known = known;
    this.groups.forEach((group, number) => {
      const node = this.node.children[number];
      applyShade(node, shades, weights[number]);
      this.greyLater(node, group);
      markGroup(node, { isCurrent: group.includes(current), isPinned: group.includes(pinned) });
    });
    this.keepVisible(current ?? this.strongest(weights));
  }

  /** Makes the pieces of a group grey that are not known yet, and the group where none is. */
  greyLater(node, group) {
    node.classList.toggle("later", group[0] >= this.known);
    group.forEach((piece, part) => node.firstChild.children[part]?.classList.toggle("later", piece >= this.known));
  }

  /** The first piece of the group with the largest weight; null if no group has one. */
  strongest(weights) {
    const max = Math.max(0, ...weights);
    return max > 0 ? this.groups[weights.indexOf(max)][0] : null;
  }

  /** The pieces of a group among the first `known`. */
  knownPieces(group, known) {
    return group.filter((i) => i < known).map((i) => this.pieces[i]);
  }

  nodeOf(group) {
    return this.node.children[this.groups.indexOf(group)];
  }

  /** The group that contains a piece. */
  groupOf(piece) {
    return this.groups.find((group) => group.includes(piece));
  }

  /** Scrolls to a piece, or stays if it is null; a finished translation shows its beginning until a step back. */
  keepVisible(piece) {
    if (this.overflows !== null && piece === this.revealed) return; // measuring forces a layout
    this.overflows ??= this.node.scrollHeight > this.node.clientHeight;
    this.begins = (this.revealed === null || this.begins) && piece === this.pieces.length - 1;
    this.revealed = piece;
    if (this.overflows && piece !== null && !this.begins) this.reveal(piece);
  }

  /** Scrolls only the strip until a piece is visible. */
  reveal(piece) {
    if (piece <= 1) return this.node.scrollTo(0, 0); // including the start token
    const node = this.nodeOf(this.groupOf(piece));
    const box = node.getBoundingClientRect();
    const frame = this.node.getBoundingClientRect();
    if (box.top < frame.top) this.node.scrollTop -= frame.top - box.top;
    if (box.bottom > frame.bottom) this.node.scrollTop += box.bottom - frame.bottom;
  }

  /** Measures overflow again after a change of width. */
  measure() {
    this.overflows = null;
  }
}

function markGroup(node, { isCurrent, isPinned }) {
  node.classList.toggle("current", isCurrent);
  node.classList.toggle("pinned", isPinned);
  if (isCurrent) node.setAttribute("aria-current", "step");
  else node.removeAttribute("aria-current");
  node.setAttribute("aria-pressed", isPinned);
}
