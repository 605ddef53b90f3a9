// The strongest arrows of a head over the sentences of the atlas; a press makes one the sentence of the page.

import { button, element } from "../../../ui/element.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fill } from "../../../ui/text.js";

const SHADE = 60; // percent of the accent for a weight of 1

export class HeadArrows {
  /**
   * `open(text, position)` makes a sentence that of the page, at the step of a query.
   * @param {any} words BOARDS.arrows
   * @param {{ lines: import("./neuron/sentence_lines.js").SentenceLines,
   *   open: (text: string, position: number) => void }} options
   */
  constructor(words, { lines, open }) {
    this.words = words;
    this.lines = lines;
    this.open = open;
    this.list = element("ol", { class: "contexts" });
    this.node = element("section", { class: "arrows", hidden: "" },
      element("h4", {}, words.title), element("p", { class: "hint" }, words.hint), this.list);
  }

  /**
   * @param {import("../../../atlas/layer.js").AtlasLayer | null} layer null without an atlas
   * @param {Kind} kind
   * @param {number} head
   */
  draw(layer, kind, head) {
    this.node.hidden = layer === null;
    if (layer === null) return;
    this.list.replaceChildren(...layer.arrows(kind, head).map((arrow) => this.rowOf(arrow, layer.corpus, kind)));
  }

  /**
   * @param {import("../../../atlas/layer.js").Arrow} arrow
   * @param {import("../../../atlas/corpus.js").Corpus} corpus
   * @param {Kind} kind
   */
  rowOf({ sentence, query, key, weight }, corpus, kind) {
    const text = corpus.text(sentence);
    const own = query === key ? { [query]: "from at" } : { [query]: "from", [key]: "at" };
    const marks = kind === "cross" ? { source: { [key]: "at" }, target: { [query]: "from" } }
      : { [kind === "encoder" ? "source" : "target"]: own };
    const percent = fill(this.words.percent, { percent: formatPercent(weight) });
    return element("li", { style: `--share: ${SHADE * weight}%` }, button(() => this.open(text, query),
      { title: this.words.open }, element("span", { class: "value" }, percent),
      ...this.lines.nodes(corpus, sentence, marks)));
  }
}
