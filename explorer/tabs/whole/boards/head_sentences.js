// The sentence about what is looked at on a head's board, with its numbers.

import { element, fillNodes } from "../../../ui/element.js";
import { formatPercent } from "../../../ui/numbers.js";
import { numberNode, shownNumber, tokenNode, wasNodes } from "./board_text.js";
import { MAPS } from "./head_focus.js";

/** @typedef {import("./head_focus.js").Focus} Focus */

const CHANGING = ["q", "k", "v"]; // matrices that are tensors of a run

/**
 * What sentences are made from; `before` is that of the board's scene.
 * @typedef {{ head: import("./equation.js").HeadTensors, equation: import("./equation.js").Equation,
 *   rows: Record<string, import("./equation.js").Row[]>, tokens: import("./row_tokens.js").RowTokens, kind: Kind,
 *   mistake: string | null, before: import("./board_set.js").Before | null }} Given
 */

/**
 * @param {Focus} focus
 * @param {Given} given
 * @param {{ says: any, was: string }} words
 */
export function focusNodes({ matrix, cell: { row, column }, query, key }, given, { says, was }) {
  const { head, rows, tokens, equation: { allowed, scores, products, weights }, kind, mistake } = given;
  const isMap = MAPS.includes(matrix);
  const shared = {
    query: tokens.query(query), key: tokens.key(key), root: head.q.shape[1],
    weight: changedNode(weights[query][key], {
      tensor: "weights", row: query, column: key, write: formatPercent,
    }, given, was),
    to: aimNode(query, given, says.to),
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
  const at = matrix === "k" ? { row: column, column: row } : { row, column }; // K is drawn transposed
  const number = rows[matrix][row][column];
  const other = matrix === "q" ? head.k.row(key)[column] : head.q.row(query)[row];
  return fillNodes(says[matrix], {
    ...shared, row: row + 1, column: column + 1,
    number: CHANGING.includes(matrix) ? changedNode(number, { tensor: matrix, ...at }, given, was) : numberNode(number),
    other: matrix === "q" || matrix === "k" ? numberNode(other) : "",
  });
}

/** "To write ...": what a row of the decoder is for. */
function aimNode(query, { tokens: { queries, codes } }, words) {
  const { predicted } = queries[query];
  return predicted ? element("span", {}, ...fillNodes(words, { predicted: tokenNode(predicted, codes.target) })) : "";
}

/** A number of a tensor, and that of the unchanged run; a mistake is none of the model's runs. */
function changedNode(number, { tensor, row, column, write = shownNumber }, { mistake, before }, was) {
  const former = mistake === null && before ? before(tensor, row, column) : null;
  const text = write(number);
  return element("span", {}, numberNode(number, text), ...wasNodes(was, former === null ? null : write(former), text));
}
