// What is known of a neuron besides its contexts, as sections of its board: how often it fires, its number at every
// token of the sentence, and the tokens along its weights.

import { button, element, svg } from "../../../../ui/element.js";
import { formulaNodes } from "../../../../ui/formula.js";
import { formatDecimal, formatInteger, formatPercent, formatSigned } from "../../../../ui/numbers.js";
import { tokenName } from "../../../../derived/token_names.js";
import { fill, plainPiece } from "../../../../ui/text.js";
import { numberNode, shownNumber, tokenNode, wasNodes } from "../board_text.js";

const HISTOGRAM = { width: 200, height: 56, gap: 2 };

/**
 * How often and how strongly it fires.
 * @param {import("../../../../atlas/layer.js").NeuronRecord} record
 * @param {number} positions of the atlas
 * @param {any} words BOARDS.neuron.often
 */
export function oftenNodes({ count, share, mean, largest, histogram }, positions, words) {
  const sentence = fill(words.sentence, {
    count: formatInteger(count), positions: formatInteger(positions), percent: formatPercent(share, { digits: 1 }),
    mean: shownNumber(mean), largest: shownNumber(largest),
  });
  if (!count) return [element("p", {}, words.never)];
  const { width, height, gap } = HISTOGRAM;
  const step = width / histogram.length;
  const edge = (/** @type {number} */ bin) => formatDecimal((bin / histogram.length) * largest, 2);
  const highest = Math.max(...histogram);
  const bars = histogram.map((number, bin) => {
    const tall = (Math.log1p(number) / Math.log1p(highest)) * height;
    const [from, to] = [edge(bin), edge(bin + 1)];
    const title = svg("title", {}, fill(words.bin, { from, to, count: formatInteger(number) }));
    const rect = { x: bin * step, y: height - tall, width: step - gap, height: tall };
    return svg("rect", rect, title);
  });
  return [
    element("p", {}, sentence),
    svg("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words.histogram },
      ...bars),
    element("p", { class: "axis" }, element("span", {}, "0"), element("span", {}, words.axis),
      element("span", {}, shownNumber(largest))),
  ];
}

/**
 * Its number at every token; a press opens that number.
 * @param {{ hidden: import("../../../../ui/tensor.js").Tensor, neuron: number, row: number, known: number,
 *   tokens: import("../row_tokens.js").RowTokens, before: import("../board_set.js").Before | null,
 *   open: (row: number) => void }} content
 * @param {{ was: string, arrow: string }} words
 */
export function hereRows({ hidden, neuron, row, known, tokens, before, open }, words) {
  const values = hidden.rows.map((numbers) => numbers[neuron]);
  const most = Math.max(...values, 1e-9);
  return values.map((value, index) => {
    const { fed, predicted } = tokens.queries[index];
    const written = predicted ? [element("span", { class: "arrow" }, words.arrow),
      tokenNode(predicted, tokens.queryCode)] : [];
    const former = before?.("hidden", index, neuron) ?? null;
    const was = wasNodes(words.was, former === null ? null : shownNumber(former), shownNumber(value));
    const bar = element("i", { style: `width: ${100 * Math.max(0, value / most)}%` });
    const number = button(() => open(index), {}, numberNode(value));
    const current = index === row ? { "aria-current": "true" } : {};
    return element("tr", { class: index >= known ? "coming" : "", ...current },
      element("th", { scope: "row" }, tokenNode(fed, tokens.queryCode), ...written),
      element("td", { class: "bar" }, bar), element("td", { class: "number" }, number, ...was));
  });
}

/**
 * The tokens along its row of W_1 and its column of W_2, those against, and its neighbours.
 * @param {any} directions of the model's call
 * @param {{ code: string, tokenNames: any }} language of the tokens of the stack
 * @param {any} words BOARDS.neuron.weights
 * @param {(neuron: number) => HTMLElement} linkTo
 */
export function weightNodes(directions, { code, tokenNames }, words, linkTo) {
  const tokenOf = (/** @type {any} */ { text, cosine }) => element("span", { class: "cosine" },
    element("b", { lang: code, dir: "auto" }, plainPiece(tokenName(text, tokenNames))), " ",
    element("small", {}, formatSigned(cosine, 2)));
  const tokens = (/** @type {string} */ name) => (
    element("dd", {}, ...directions[name].flatMap((/** @type {any} */ token) => [" ", tokenOf(token)])));
  /** @param {string} name */
  const part = (name) => [
    element("dt", {}, ...formulaNodes(words[name])), tokens(name), tokens(`${name}_against`)];
  return [
    element("dl", {}, ...part("reads"), ...part("writes")),
    element("p", { class: "hint" }, words.hint),
    element("h4", {}, words.neighbours),
    element("ul", { class: "neighbours" }, ...directions.neighbours.map((/** @type {any} */ { neuron, cosine }) => (
      element("li", {}, linkTo(neuron), " ", element("small", {}, formatSigned(cosine, 2)))))),
  ];
}
