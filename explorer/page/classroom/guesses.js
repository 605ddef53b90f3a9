// The guesses of a class as CSV: a row for each choice, without names or addresses.

import { csvText, labelCell } from "../../ui/csv.js";

const BYTE_ORDER_MARK = "\ufeff"; // by which spreadsheets know UTF-8
const DECIMALS = 4; // of a weight

/** The text of the file; `words` names the columns. */
export function guessesAsCsv(polls, { columns }) {
  const shown = polls.filter((poll) => poll.shown);
  const rows = shown.flatMap(({ number, ask, choices, counts, model }) =>
    choices.map((choice, i) => [number, labelCell(ask), labelCell(choice), counts[i], Number(model[i].toFixed(DECIMALS))]));
  return BYTE_ORDER_MARK + csvText([columns, ...rows]);
}
