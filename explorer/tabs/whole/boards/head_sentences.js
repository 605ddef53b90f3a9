// The sentence about what is looked at on a head's board, with its numbers.

import { element } from "../../../ui/element.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fill } from "../../../ui/text.js";
import { fillNodes, numberNode, tokenNode } from "./board_text.js";
import { MAPS } from "./head_focus.js";

/** @typedef {import("./head_focus.js").Focus} Focus */

/**
 * What sentences are made from; `before` gives a weight of the unchanged run as in the scene of the board.
 * @typedef {{ head: import("./equation.js").HeadTensors, equation: import("./equation.js").Equation,
 *   rows: Record<string, import("./equation.js").Row[]>, tokens: import("./row_tokens.js").RowTokens, kind: Kind,
 *   mistake: string | null, before: ((query: number, key: number) => number | null) | null }} Given
 */

/**
 * @param {Focus} focus
 * @param {Given} given
 * @param {{ says: any, was: string }} words
 */
export function focusNodes({ matrix, cell: { row, column }, query, key }, given, { says, was }) {
  const { head, rows, tokens, equation: { allowed, scores, products }, kind, mistake } = given;
  const isMap = MAPS.includes(matrix);
  const shared = {
    query: tokens.query(query), key: tokens.key(key), root: head.q.shape[1],
    weight: weightNode({ query, key }, given, was), to: aimNode(query, given, says.to),
  };
  if (isMap && !allowed[query][key]) {
    const isLater = kind === "decoder" && key > query;
    return fillNodes(says.masked[isLater ? "later" : "other"], shared);
  }
  if (isMap) {
    return fillNodes(mistake === "undivided" ? says.undivided : says.looks, {
      ...shared, product: numberNode(products[query][key]), score: numberNode(scores[query][key]),
    });
  }
  const other = matrix === "q" ? head.k.row(key)[column] : head.q.row(query)[row];
  return fillNodes(says[matrix], {
    ...shared, row: row + 1, column: column + 1, number: numberNode(rows[matrix][row][column]),
    other: matrix === "q" || matrix === "k" ? numberNode(other) : "",
  });
}

/** "To write ...": what a row of the decoder is for. */
function aimNode(query, { tokens: { queries, codes } }, words) {
  const { predicted } = queries[query];
  return predicted ? element("span", {}, ...fillNodes(words, { predicted: tokenNode(predicted, codes.target) })) : "";
}

/** A weight, and that of the unchanged run if it looks different. */
function weightNode({ query, key }, { equation: { weights }, before }, was) {
  const weight = weights[query][key];
  const node = numberNode(weight, formatPercent(weight));
  const former = before && before(query, key);
  if (former === null || formatPercent(former) === formatPercent(weight)) return node;
  const text = fill(was, { number: formatPercent(former) });
  return element("span", {}, node, element("small", { class: "was" }, text));
}
