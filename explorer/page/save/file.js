// Files that the browser saves.

/** What the visitor is told, in a sentence, instead of being given a file. */
export class Refused extends Error {}

/** Hands a file { name, type, data } to the visitor; its size in bytes. */
export function download({ name, type, data }) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may still be reading it
  return blob.size;
}

/** The bytes of a text in base64. */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
