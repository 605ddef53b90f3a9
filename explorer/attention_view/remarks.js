// What is remarked on a translation (explorer/derived/translation.js): warnings in one line that unfolds, with buttons
// to translate several sentences one by one, and a text with HTML without it; how likely the translation is good, with
// its reason and what it rests on; notes, among them those about fonts that this browser lacks.

import { element } from "../ui/element.js";
import { missingFontNotices } from "../ui/fonts.js";
import { formatPercent } from "../ui/numbers.js";
import { nodesByAttribute } from "../ui/tab.js";
import { fill } from "../ui/text.js";
import { SenseOffer } from "./sense_offer.js";

const DOCUMENT = "docs/likelihood.md"; // as the words name it

export class Remarks {
  /** Which fonts are missing; a saved picture says so, too. */
  fontless = [];

  /**
   * `part` are the nodes by role; `translate(sentence)` requests a translation, `force(ids)`, which may be null, one
   * that begins with these tokens.
   */
  constructor(part, { text, codes }, { model, force, translate }) {
    this.part = part;
    this.text = text;
    this.senses = new SenseOffer(part.senses, model, { text: text.senses, target: codes.target, force });
    this.warnings = new Warnings(part.warned, text.warned, translate);
    this.popovers = [part.likelihood, this.warnings.part.list];
  }

  draw(trace) {
    const { part, text } = this;
    this.warnings.draw(trace);
    this.senses.draw(trace);
    drawLikelihood(part.likelihood, trace.likelihood, text.likelihood);
    this.fontless = missingFontNotices(trace, text.noFont);
    const notes = [...this.fontless, ...trace.notes ?? []];
    part.notes.replaceChildren(...notes.map((note) => element("li", {}, note)));
  }
}

class Warnings {
  /** The text without HTML. @type {string | undefined} */
  bareText;
  whole = null;
  sentences = [];
  index = null;

  /** `translate(sentence)` requests a translation. */
  constructor(root, text, translate) {
    this.root = root;
    this.text = text;
    this.translate = translate;
    this.part = nodesByAttribute(root, "warned");
    const { offer, bare, before, after, together } = this.part;
    bare.addEventListener("click", () => this.translate(this.bareText));
    offer.addEventListener("click", () => this.go(0));
    before.addEventListener("click", () => this.go(this.index - 1));
    after.addEventListener("click", () => this.go(this.index + 1));
    together.addEventListener("click", () => this.translate(this.whole));
  }

  /** Draws the warnings of a trace; keeps its position while its sentence belongs to the same text. */
  draw({ sentence, warnings = [], senses = [], likelihood = null }) { // traces of a training story have none
    const { part, text, root } = this, [first, ...more] = warnings;
    const multipleSentences = warnings.find(({ kind }) => kind === "several");
    this.bareText = warnings.find(({ kind }) => kind === "markup")?.sentences[0];
    part.bare.hidden = !this.bareText;
    if (multipleSentences) {
      this.whole = sentence;
      this.sentences = multipleSentences.sentences;
    }
    const isPart = this.sentences.includes(sentence);
    if (isPart && this.sentences[this.index] !== sentence) this.index = this.sentences.indexOf(sentence);
    else if (!isPart) this.index = null;
    if (!multipleSentences && !isPart) this.sentences = [];
    root.hidden = !first && !isPart && !likelihood && !senses.length;
    part.list.hidden = !first;
    part.list.open = false;
    part.first.textContent = first?.text ?? "";
    part.more.textContent = more.length
      ? fill(more.length === 1 ? text.one : text.several, { count: more.length })
      : "";
    part.all.replaceChildren(...warnings.map((warning) => element("li", {}, warning.text)));
    part.heard.textContent = warnings.map((warning) => warning.text).join(" ");
    this.drawParts(multipleSentences !== undefined, isPart);
  }

  drawParts(isOffered, isAmong) {
    const { part, text, index, sentences } = this;
    part.offer.hidden = !isOffered;
    part.parts.hidden = !isAmong;
    if (!isAmong) return;
    part.where.textContent = fill(text.where, { number: index + 1, count: sentences.length });
    part.before.disabled = index === 0;
    part.after.disabled = index === sentences.length - 1;
  }

  /** Translates the sentence at a position; a click before the last response may lead beyond the end. */
  go(index) {
    if (this.sentences[index] === undefined) return;
    this.index = index;
    this.translate(this.sentences[index]);
  }
}

/** The reasons why pieces are marked, by index: of source pieces ("pieces") or of steps ("steps"). */
export function reasonsByPiece(warnings = [], side) {
  const reasonsAt = new Map();
  for (const { reason, [side]: positions } of warnings) {
    if (!reason) continue;
    for (const position of positions) reasonsAt.set(position, [...(reasonsAt.get(position) ?? []), reason]);
  }
  return reasonsAt;
}

/** Draws the likelihood; none for models without a fit, changed runs and texts in another language. */
function drawLikelihood(node, likelihood, text) {
  node.hidden = !likelihood;
  node.open = false;
  if (!likelihood) return;
  const { word, probability, reason } = likelihood;
  const [verdict, why] = node.querySelectorAll("strong, span");
  node.dataset.word = word;
  verdict.textContent = text[word];
  why.textContent = reason?.text ?? "";
  const [before, after] = fill(text.about, { percent: formatPercent(probability) }).split(DOCUMENT);
  node.querySelector("p").replaceChildren(before, documentLink(), after);
}

/** The name of the document; a link to it where the page's footer leads to documents, which a folder has none of. */
function documentLink() {
  const isServed = document.querySelector("#footer a") !== null;
  return isServed ? element("a", { href: DOCUMENT, target: "_blank" }, DOCUMENT) : DOCUMENT;
}
