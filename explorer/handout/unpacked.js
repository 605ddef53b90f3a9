// Data that a page carries in its own HTML (inline.py).

/** Promises the text of what is carried under a name. */
export async function carried(name, root = document) {
  const packed = atob(root.querySelector(`[data-carried="${name}"]`).textContent);
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text();
}
