// The panel Two sentences: a second sentence beside the first.

import { element, onSubmit } from "../../ui/element.js";
import { isEnter } from "../../ui/keys.js";
import { fill } from "../../ui/text.js";
import { Panel } from "../panel.js";

/** Whether partners cross, as when the second sentence is a permutation of the first. */
export function hasCrossing(partners) {
  const known = partners.filter((partner) => partner !== null);
  return known.some((partner, i) => i > 0 && partner < known[i - 1]);
}

/**
 * Columns { first, second } of indices into two sentences; null where one has no piece. `partners` holds the partner in
 * the first sentence of every piece of the second, or null. Pieces that only the first has precede those that only the
 * second has. If partners cross, the columns are in the order of the second.
 */
export function alignmentColumns(count, partners) {
  if (hasCrossing(partners)) return partners.map((first, second) => ({ first, second }));
  const columns = [];
  let next = 0, unmatched = [];
  const flush = (end) => {
    for (; next < end; next += 1) columns.push({ first: next, second: null });
    columns.push(...unmatched.map((second) => ({ first: null, second })));
    unmatched = [];
  };
  partners.forEach((first, second) => {
    if (first === null) return unmatched.push(second);
    flush(first);
    columns.push({ first, second });
    next = first + 1;
  });
  flush(count);
  return columns;
}

export class Compare extends Panel {
  /** The sentence and its replacement for which the box was filled. */
  filledKey = null;

  /** The translation whose pieces are aligned. */
  aligned = null;

  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    const { part } = this;
    onSubmit(part.form, () => this.applyControls());
    part.text.addEventListener("keydown", (event) => {
      if (!isEnter(event) || event.shiftKey) return;
      event.preventDefault();
      this.applyControls();
    });
    part.first.addEventListener("click", () => {
      part.text.value = this.drawer.sentence;
      part.text.focus();
    });
  }

  /** Runs the experiment of the text in the box. */
  applyControls() {
    const { drawer, part } = this;
    const text = part.text.value.trim();
    const source = text === drawer.sentence ? undefined : text;
    drawer.ask({ source, hidden: [] });
  }

  sourceKey(source) {
    return JSON.stringify([this.drawer.sentence, source ?? null]);
  }

  draw() {
    const { drawer, part } = this;
    const { change: { refused }, changed, experiment: { source, word_order } } = drawer;
    const typed = (refused ?? drawer.experiment).source; // nobody loses what the model refuses
    const key = this.sourceKey(typed);
    if (key !== this.filledKey) part.text.value = typed ?? drawer.sentence;
    this.filledKey = key;
    const isChanged = source !== undefined || word_order !== undefined;
    part.found.hidden = !changed || !isChanged;
    if (part.found.hidden || changed === this.aligned) return;
    this.aligned = changed;
    const { pairs: { source: partners } } = changed.run;
    const isReordered = hasCrossing(partners);
    part.signs.textContent = this.text[isReordered ? "placesShown" : "signs"];
    const columns = alignmentColumns(drawer.source.source.length, partners);
    part.aligned.replaceChildren(...columns.map((column) => (
      isReordered ? this.movedPiece(column, changed.source) : this.pieceColumn(column, changed.source))));
  }

  /** A piece with its place in the first sentence above it. */
  movedPiece({ first, second }, pieces) {
    const title = fill(this.text.moved, { piece: pieces[second].text, first: first + 1, second: second + 1 });
    const above = element("small", {}, `${first + 1}`);
    const below = element("b", {}, pieces[second].text);
    return element("span", { role: "listitem", title, "aria-label": title }, above, below);
  }

  /** A column with two aligned pieces, or one piece without a partner. */
  pieceColumn({ first, second }, pieces) {
    const { text } = this;
    const above = this.drawer.source.source[first];
    const below = pieces[second];
    const isSame = above && below && above.id === below.id && above.text === below.text;
    const template = isSame ? text.same : above && below ? text.instead : above ? text.removed : text.added;
    const title = fill(template, { first: above?.text, second: below?.text });
    const pieceNode = (piece, name) => (piece ? element(isSame ? "b" : name, {}, piece.text) : element("b"));
    const nodes = [pieceNode(above, "del"), pieceNode(below, "ins")];
    return element("span", { role: "listitem", title, "aria-label": title }, ...nodes);
  }
}
