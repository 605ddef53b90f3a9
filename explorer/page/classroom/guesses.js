// The guesses of a class as CSV (RFC 4180): a row for each choice, without names or addresses.

/** The text of the file; `words` names the columns. */
export function guessesAsCsv(polls, { columns }) {
  const shown = polls.filter((poll) => poll.shown);
  const rows = shown.flatMap(({ number, ask, choices, counts, model }) =>
    choices.map((choice, i) => [number, ask, choice, counts[i], Number(model[i].toFixed(4))]));
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** A cell; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(value) {
  if (typeof value === "number") return `${value}`;
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
