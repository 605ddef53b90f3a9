// The legend below the picture: what its signs mean, in a model of these sizes.

import { element } from "../../ui/element.js";
import { fill } from "../../ui/text.js";

const COLUMNS = 16; // of a strip in the overview (explorer/recording/overview.py)

/** The sentences of the legend by their signs. */
export function legendOf(words, { d_model: width, heads }) {
  const values = { width, columns: COLUMNS, heads };
  const signs = {
    pooled: width > COLUMNS ? words.strip : words.whole_strip, // far away
    strip: words.whole_strip,
    colour: words.colour,
    ribbon: heads > 1 ? words.ribbon : words.ribbon_one,
    others: words.others,
    rest: words.rest,
    sum: words.sum,
    mask: words.mask,
  };
  return Object.fromEntries(Object.entries(signs).map(([sign, sentence]) => [sign, fill(sentence, values)]));
}

export function drawLegend(node, words, config) {
  node.setAttribute("aria-label", words.label);
  node.append(...Object.entries(legendOf(words, config)).map(([sign, sentence]) => (
    element("span", { "data-sign": sign }, element("i", { "aria-hidden": "true" }), sentence))));
}
