// Downloads of files made on the page, and CSV (RFC 4180).

const FORMULA = /^[=+\-@\t\r]/; // spreadsheets read such cells as formulas
const URL_LIFETIME_MS = 60_000; // the browser may still be reading the file

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

/** Downloads a file { name, type, data }; returns its size in bytes. */
export function download({ name, type, data }) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
  return blob.size;
}
