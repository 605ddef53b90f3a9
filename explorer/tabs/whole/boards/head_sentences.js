// The sentence about what is in focus on a head's board, with its numbers.

import { element, fillNodes } from "../../../ui/element.js";
import { formatPercent } from "../../../ui/numbers.js";
import { numberNode, shownNumber, tokenNode, wasNodes } from "./board_text.js";
import { HEAD_MATRICES, isMap, tensorCell } from "./head_matrices.js";

/** @typedef {import("./head_focus.js").Focus} Focus */

/**
 * What sentences are made from; `before` is that of the board's content.
 * @typedef {{ head: import("./equation.js").HeadTensors, equation: import("./equation.js").Equation,
 *   rows: Record<string, import("./equation.js").Row[]>, tokens: import("./row_tokens.js").RowTokens, kind: Kind,
 *   mistake: string | null, before: import("./board_set.js").Before | null }} Given
 */

/**
 * @param {Focus} focus
 * @param {Given} given
 * @param {{ says: any, was: string }} words
 */
export function focusNodes({ matrix, cell, query, key }, given, { says, was }) {
  const { head, rows, tokens, equation, kind, mistake } = given;
  const shared = {
    query: tokens.query(query), key: tokens.key(key), root: head.q.shape[1],
    weight: changedNode(equation.weights[query][key], {
      tensor: "weights", row: query, column: key, write: formatPercent,
    }, given, was),
    to: aimNode(query, given, says.to),
  };
  if (isMap(matrix)) {
    const { allowed, products, scores } = equation;
    const isLater = kind === "decoder" && key > query;
    if (!allowed[query][key]) return fillNodes(says.masked[isLater ? "later" : "other"], shared);
    return fillNodes(mistake === "undivided" ? says.undivided : says.looks, {
      ...shared, product: numberNode(products[query][key]), score: numberNode(scores[query][key]),
    });
  }
  const { row, column } = cell;
  const number = rows[matrix][row][column];
  const { tensor } = HEAD_MATRICES[matrix];
  return fillNodes(says[matrix], {
    ...shared, row: row + 1, column: column + 1,
    number: tensor ? changedNode(number, { tensor, ...tensorCell(matrix, cell) }, given, was) : numberNode(number),
    other: otherFactor({ matrix, cell, query, key }, head),
  });
}

/**
 * What a number of a query is multiplied with, or a number of a key.
 * @param {Focus} focus
 * @param {Given["head"]} head
 */
function otherFactor({ matrix, cell: { row, column }, query, key }, head) {
  if (matrix === "q") return numberNode(head.k.row(key)[column]);
  return matrix === "k" ? numberNode(head.q.row(query)[row]) : "";
}

/**
 * "To write ...": what a row of the decoder is for.
 * @param {number} query
 * @param {Given} given
 * @param {string} words
 */
function aimNode(query, { tokens: { queries, codes } }, words) {
  const { predicted } = queries[query];
  return predicted ? element("span", {}, ...fillNodes(words, { predicted: tokenNode(predicted, codes.target) })) : "";
}

/**
 * A number of a tensor, and that of the unchanged run; a mistake is none of the model's runs.
 * @param {number} number
 * @param {{ tensor: string, row: number, column: number, write?: (number: number) => string }} at
 * @param {Given} given
 * @param {string} was
 */
function changedNode(number, { tensor, row, column, write = shownNumber }, { mistake, before }, was) {
  const former = mistake === null && before ? before(tensor, row, column) : null;
  const text = write(number);
  return element("span", {}, numberNode(number, text), ...wasNodes(was, former === null ? null : write(former), text));
}
