// Downloads of files made on the page, and CSV (RFC 4180). Where the page's language has a decimal comma, cells are
// separated by semicolons, as spreadsheets of that language read them.

import { localNumber } from "./numbers.js";

const FORMULA = /^[=+\-@\t\r]/; // spreadsheets read such cells as formulas
const URL_LIFETIME_MS = 60_000; // the browser may still be reading the file

function separator() {
  return localNumber(".") === "," ? ";" : ",";
}

export function csvCell(text) {
  const isQuoted = /["\r\n]/.test(text) || text.includes(separator());
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The cell of a number, given as JavaScript writes it. */
export function numberCell(text) {
  return localNumber(text);
}

/** The cell of a text from visitors, with an apostrophe in front if a spreadsheet would read it as a formula. */
export function labelCell(label) {
  return csvCell(FORMULA.test(label) ? `'${label}` : label);
}

/** The text of rows of cells. */
export function csvText(rows) {
  return rows.map((cells) => `${cells.join(separator())}\r\n`).join("");
}

/** Downloads a file { name, type, data }; returns its size in bytes. */
export function download({ name, type, data }) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
  return blob.size;
}
