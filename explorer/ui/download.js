// Downloads of files made on the page.

const URL_LIFETIME_MS = 60_000; // the browser may still be reading the file

/** Downloads a file { name, type, data }; returns its size in bytes. */
export function download({ name, type, data }) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
  return blob.size;
}
