// Files that the browser saves.

const KEPT = 60_000; // milliseconds for which the browser may still be reading a file

/** Hands a file { name, type, data } to the visitor; its size in bytes. */
export function download({ name, type, data }) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
  return blob.size;
}
