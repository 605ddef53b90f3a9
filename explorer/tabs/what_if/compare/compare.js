// The panel Another sentence: a second English sentence, or the words in another order, beside the first.

import { element } from "../../../ui/element.js";
import { nodesByAttribute } from "../../../ui/tab.js";
import { fill } from "../../../ui/text.js";
import { columnsOf, crossing } from "./aligned.js";

const WHOLE = /^\d{1,7}$/;

export class Compare {
  static names = [];

  constructor(node, lab, { text }) {
    Object.assign(this, { node, lab, text, filled: null, aligned: undefined });
    this.part = nodesByAttribute(node, "compare");
    this.listen();
  }

  listen() {
    const { part } = this;
    part.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change({});
    });
    part.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.change({});
    });
    part.first.addEventListener("click", () => {
      part.text.value = this.lab.sentence;
      part.text.focus();
    });
    part.shuffle.addEventListener("change", () => this.change({}));
    part.seed.addEventListener("change", () => this.change({}));
    part.next.addEventListener("click", () => {
      part.seed.value = part.shuffle.checked ? Number(part.seed.value) + 1 : part.seed.value;
      part.shuffle.checked = true;
      this.change({});
    });
  }

  /** Another first sentence: the second one was made of the old one, but another order is one of any words. */
  renewed({ word_order }) {
    return word_order === undefined ? {} : { word_order };
  }

  parts() {
    return {};
  }

  restore() {
    return [];
  }

  /** Asks for what is chosen here: the text in the box, in the order that is ticked. */
  change() {
    const { lab, part } = this, text = part.text.value.trim();
    const source = text === lab.sentence ? {} : { source: text };
    if (!WHOLE.test(part.seed.value)) part.seed.value = 1;
    this.filled = this.key(source.source); // what is typed stays, also where it is refused
    lab.set({ ...source, ...(part.shuffle.checked ? { word_order: Number(part.seed.value) } : {}) });
  }

  key(source) {
    return JSON.stringify([this.lab.sentence, source ?? null]);
  }

  draw() {
    const { lab, part } = this, { source, word_order } = lab.experiment, key = this.key(source);
    if (key !== this.filled) part.text.value = source ?? lab.sentence;
    this.filled = key;
    part.shuffle.checked = word_order !== undefined;
    if (word_order !== undefined) part.seed.value = word_order;
    const { shown } = lab, changed = source !== undefined || word_order !== undefined;
    part.found.hidden = !shown || !changed;
    if (part.found.hidden || shown === this.aligned) return;
    this.aligned = shown;
    const { pairs: { source: partners }, trace } = shown, moved = crossing(partners);
    part.signs.textContent = this.text[moved ? "placesShown" : "signs"];
    const columns = columnsOf(lab.source.source.length, partners);
    part.aligned.replaceChildren(...columns.map((column) => (moved ? this.moved(column, trace.source) : this.column(column, trace.source))));
  }

  /** A piece, and above it its place in the first sentence. */
  moved({ first, second }, pieces) {
    const title = fill(this.text.moved, { piece: pieces[second].text, first: first + 1, second: second + 1 });
    return element("span", { role: "listitem", title, "aria-label": title }, element("small", {}, `${first + 1}`), element("b", {}, pieces[second].text));
  }

  /** Two pieces that correspond, one above the other, or one alone. */
  column({ first, second }, pieces) {
    const { text } = this, above = this.lab.source.source[first], below = pieces[second];
    const same = above && below && above.id === below.id && above.text === below.text;
    const said = same ? text.same : above && below ? text.instead : above ? text.removed : text.added;
    const title = fill(said, { first: above?.text, second: below?.text });
    const one = (piece, name) => (piece ? element(same ? "b" : name, {}, piece.text) : element("b"));
    return element("span", { role: "listitem", title, "aria-label": title }, one(above, "del"), one(below, "ins"));
  }
}
