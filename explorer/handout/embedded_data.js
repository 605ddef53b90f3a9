// Reads data that is embedded in the page's HTML (inline.py).

/** Resolves to the embedded text with a name. */
export async function readEmbedded(name, root = document) {
  const compressed = atob(root.querySelector(`[data-embedded="${name}"]`).textContent);
  const bytes = Uint8Array.from(compressed, (character) => character.charCodeAt(0));
  const decompressed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(decompressed).text();
}
