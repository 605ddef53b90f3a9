// Data that are embedded in the HTML of a file, compressed and in base64, which no HTML can end (inline.py).

/** A response with what is embedded with a name. */
function unpack(name, root) {
  const compressed = atob(root.querySelector(`[data-embedded="${name}"]`).textContent);
  const bytes = Uint8Array.from(compressed, (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** Promises the embedded text with a name. */
export async function readEmbedded(name, root = document) {
  return (await unpack(name, root)).text();
}

/** Promises the same as bytes. */
export async function readEmbeddedBytes(name, root = document) {
  return new Uint8Array(await (await unpack(name, root)).arrayBuffer());
}
