// Where a neuron fires in the atlas's sentences: by ranges of its strength, each with the token marked, and a press
// makes one the sentence of the page.

import { button, element } from "../../../../ui/element.js";
import { keepFocus } from "../../../../ui/page.js";
import { shownNumber } from "../board_text.js";

/** @typedef {import("../../../../atlas/layer.js").Range} Range */
/** @typedef {import("../../../../atlas/layer.js").Context} Context */

/** @type {Range[]} */
const RANGES = ["strongest", "strong", "middle", "weak"];
const SHADE = { least: 12, most: 60 }; // percent of the accent

export class NeuronContexts {
  /** @type {Range} */ range = "strongest";
  /** What is shown. @type {{ record: any, layer: any } | null} */ content = null;

  /**
   * `open(text, position)` makes a sentence that of the page.
   * @param {any} words BOARDS.neuron.contexts
   * @param {{ lines: import("./sentence_lines.js").SentenceLines,
   *   open: (text: string, position: number) => void }} options
   */
  constructor(words, { lines, open }) {
    this.words = words;
    this.lines = lines;
    this.open = open;
    this.tabs = element("div", { class: "ranges", role: "group", "aria-label": words.label });
    this.hint = element("p", { class: "hint" });
    this.list = element("ol", { class: "contexts" });
    this.credit = element("p", { class: "hint credit" });
    this.node = element("section", { class: "fires" }, element("h4", {}, words.title), this.tabs, this.hint, this.list,
      this.credit);
  }

  /**
   * @param {import("../../../../atlas/layer.js").NeuronRecord} record
   * @param {import("../../../../atlas/layer.js").AtlasLayer} layer
   */
  draw(record, layer) {
    if (this.content?.record !== record && !this.contextsOf(this.range, record).length) this.range = RANGES[0];
    this.content = { record, layer };
    const { words, range } = this;
    keepFocus(this.tabs, () => this.tabs.replaceChildren(...RANGES.map((one) => button(() => {
      this.range = one;
      this.draw(record, layer);
    }, { "aria-pressed": String(one === range), value: one }, words.ranges[one]))));
    for (const tab of this.tabs.children) {
      /** @type {HTMLButtonElement} */ (tab).disabled = !this.contextsOf(/** @type {any} */ (tab).value, record).length;
    }
    this.hint.textContent = words.hints[range];
    const rows = this.contextsOf(range, record).map((context) => this.rowOf(context));
    this.list.replaceChildren(...rows);
    this.credit.textContent = layer.corpus.credit;
  }

  /**
   * @param {Range} range
   * @param {import("../../../../atlas/layer.js").NeuronRecord} record
   */
  contextsOf(range, { contexts }) {
    return contexts.filter((context) => context.range === range);
  }

  /** @param {Context} context */
  rowOf({ sentence, position, value }) {
    const { layer: { corpus, stack }, record: { largest } } = this.content;
    const text = corpus.text(sentence);
    const marks = stack === "encoder" ? { source: { [position]: "at" } }
      : { target: { [position]: "at", [position + 1]: "next" } };
    const share = SHADE.least + (SHADE.most - SHADE.least) * (value / largest);
    return element("li", { style: `--share: ${share}%` },
      button(() => this.open(text, position), { title: this.words.open },
        element("span", { class: "value" }, shownNumber(value)), ...this.lines.nodes(corpus, sentence, marks)));
  }
}
