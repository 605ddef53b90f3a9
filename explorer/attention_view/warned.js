// What a visitor should know before trusting the translation (explorer/recording/warnings.py): one line that unfolds, and
// for a text of several sentences the way through them, one by one.

import { element } from "../ui/element.js";
import { fill } from "../ui/text.js";

export class Warned {
  /** `translate(sentence)` has a sentence translated. */
  constructor(root, text, translate) {
    Object.assign(this, { root, text, translate, whole: null, sentences: [], place: null });
    this.part = Object.fromEntries([...root.querySelectorAll("[data-warned]")].map((node) => [node.dataset.warned, node]));
    const { offer, before, after, together } = this.part;
    offer.addEventListener("click", () => this.go(0));
    before.addEventListener("click", () => this.go(this.place - 1));
    after.addEventListener("click", () => this.go(this.place + 1));
    together.addEventListener("click", () => this.translate(this.whole));
  }

  /** Another trace is shown. Its place among the sentences stays known as long as it is one of them. */
  draw({ sentence, warnings = [] }) { // the moments of a training have none
    const { part, text, root } = this, [first, ...more] = warnings;
    const several = warnings.find(({ sentences }) => sentences.length);
    if (several) Object.assign(this, { whole: sentence, sentences: several.sentences });
    const stays = this.sentences.includes(sentence);
    if (stays && this.sentences[this.place] !== sentence) this.place = this.sentences.indexOf(sentence);
    else if (!stays) this.place = null;
    if (!several && !stays) this.sentences = [];
    root.hidden = !first && !stays;
    part.told.hidden = !first;
    part.told.open = false;
    part.first.textContent = first?.text ?? "";
    part.more.textContent = more.length ? fill(text.more, { count: more.length }) : "";
    part.all.replaceChildren(...warnings.map((warning) => element("li", {}, warning.text)));
    part.heard.textContent = warnings.map((warning) => warning.text).join(" ");
    this.drawParts(several !== undefined, stays);
  }

  drawParts(offered, among) {
    const { part, text, place, sentences } = this;
    part.offer.hidden = !offered;
    part.parts.hidden = !among;
    if (!among) return;
    part.where.textContent = fill(text.where, { number: place + 1, count: sentences.length });
    part.before.disabled = place === 0;
    part.after.disabled = place === sentences.length - 1;
  }

  /** A click made before the last one is answered may ask for more than there is. */
  go(place) {
    if (this.sentences[place] === undefined) return;
    this.place = place;
    this.translate(this.sentences[place]);
  }
}

/** Why each piece is marked, by its index: of the source's pieces, or of the steps' predicted ones. */
export function reasons(warnings = [], side) {
  const found = new Map();
  for (const { reason, [side]: places } of warnings) {
    for (const place of reason ? places : []) found.set(place, [...(found.get(place) ?? []), reason]);
  }
  return found;
}
