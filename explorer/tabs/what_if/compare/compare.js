// The panel Another sentence: a second English sentence, or the words in another order, beside the first.

import { element, onSubmit } from "../../../ui/element.js";
import { isEnter } from "../../../ui/keys.js";
import { fill } from "../../../ui/text.js";
import { Panel } from "../panel.js";

const WHOLE_NUMBER = /^\d{1,7}$/;

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

  /** The outcome whose pieces are aligned. */
  alignedAnswer = null;

  constructor(node, whatIf, settings) {
    super(node, whatIf, settings);
    const { part } = this;
    onSubmit(part.form, () => this.applyControls());
    part.text.addEventListener("keydown", (event) => {
      if (!isEnter(event) || event.shiftKey) return;
      event.preventDefault();
      this.applyControls();
    });
    part.first.addEventListener("click", () => {
      part.text.value = this.whatIf.sentence;
      part.text.focus();
    });
    part.shuffle.addEventListener("change", () => this.applyControls());
    part.seed.addEventListener("change", () => this.applyControls());
    part.next.addEventListener("click", () => {
      part.seed.value = part.shuffle.checked ? Number(part.seed.value) + 1 : part.seed.value;
      part.shuffle.checked = true;
      this.applyControls();
    });
  }

  /** A new first sentence discards the second one, which was made from the old one, but keeps the word order. */
  resetForSentence({ word_order }) {
    return word_order === undefined ? {} : { word_order };
  }

  /** Runs the experiment of the controls: the text in the box, in the chosen order. */
  applyControls() {
    const { whatIf, part } = this;
    const text = part.text.value.trim();
    const source = text === whatIf.sentence ? {} : { source: text };
    if (!WHOLE_NUMBER.test(part.seed.value)) part.seed.value = 1;
    this.filledKey = this.sourceKey(source.source); // keeps the typed text even if the server refuses it
    whatIf.set({ ...source, ...(part.shuffle.checked ? { word_order: Number(part.seed.value) } : {}) });
  }

  sourceKey(source) {
    return JSON.stringify([this.whatIf.sentence, source ?? null]);
  }

  draw() {
    const { whatIf, part } = this;
    const { answer, experiment: { source, word_order } } = whatIf;
    const key = this.sourceKey(source);
    if (key !== this.filledKey) part.text.value = source ?? whatIf.sentence;
    this.filledKey = key;
    part.shuffle.checked = word_order !== undefined;
    if (word_order !== undefined) part.seed.value = word_order;
    const isChanged = source !== undefined || word_order !== undefined;
    part.found.hidden = !answer || !isChanged;
    if (part.found.hidden || answer === this.alignedAnswer) return;
    this.alignedAnswer = answer;
    const { pairs: { source: partners }, trace } = answer;
    const isReordered = hasCrossing(partners);
    part.signs.textContent = this.text[isReordered ? "placesShown" : "signs"];
    const columns = alignmentColumns(whatIf.source.source.length, partners);
    part.aligned.replaceChildren(...columns.map((column) => (
      isReordered ? this.movedPiece(column, trace.source) : this.pieceColumn(column, trace.source))));
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
    const above = this.whatIf.source.source[first];
    const below = pieces[second];
    const isSame = above && below && above.id === below.id && above.text === below.text;
    const template = isSame ? text.same : above && below ? text.instead : above ? text.removed : text.added;
    const title = fill(template, { first: above?.text, second: below?.text });
    const pieceNode = (piece, name) => (piece ? element(isSame ? "b" : name, {}, piece.text) : element("b"));
    const nodes = [pieceNode(above, "del"), pieceNode(below, "ins")];
    return element("span", { role: "listitem", title, "aria-label": title }, ...nodes);
  }
}
