// The legend below the picture: what its signs mean, in a model of these sizes.

import { element } from "../../ui/element.js";
import { fill } from "../../ui/text.js";

const COLUMNS = 16; // of a strip in the overview (explorer/recording/overview.py)

export function drawLegend(node, words, { d_model: width, heads }) {
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
  node.setAttribute("aria-label", words.label);
  node.append(...Object.entries(signs).map(([sign, sentence]) => (
    element("span", { "data-sign": sign }, element("i", { "aria-hidden": "true" }), fill(sentence, values)))));
}
