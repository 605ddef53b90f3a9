// Data that are embedded in the HTML of a file, compressed and in base64, which no HTML can end (inline.py).

import { gunzip } from "../ui/gzip.js";

/** Promises the embedded bytes with a name. */
export async function readEmbeddedBytes(name, root = document) {
  const compressed = atob(root.querySelector(`[data-embedded="${name}"]`).textContent);
  return gunzip(Uint8Array.from(compressed, (character) => character.charCodeAt(0)));
}

/** Promises the same as text. */
export async function readEmbedded(name, root = document) {
  return new TextDecoder().decode(await readEmbeddedBytes(name, root));
}
