// Cells and rows of CSV (RFC 4180).

const FORMULA = /^[=+\-@\t\r]/; // spreadsheets read such cells as formulas

export function csvCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The cell of a text from visitors, with an apostrophe in front if a spreadsheet would read it as a formula. */
export function labelCell(label) {
  return csvCell(FORMULA.test(label) ? `'${label}` : label);
}

/** The text of rows of cells. */
export function csvText(rows) {
  return rows.map((cells) => `${cells.join(",")}\r\n`).join("");
}
