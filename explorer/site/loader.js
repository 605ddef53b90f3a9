// The module of a page of the static site (site.py): unpacks the page and its modules. Not every server compresses what it
// sends, so the files themselves are compressed.
if (!("DecompressionStream" in globalThis)) {
  document.body.textContent = OLD;
  throw new Error("there is no DecompressionStream");
}
const unpack = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text();
};
const importText = async (text) => (await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))).default;
const loading = unpack("MODULES").then(importText), { style, body, settings } = JSON.parse(await unpack("PAGE"));
document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
document.body.innerHTML = body;
const modules = await loading;
START(modules, JSON.parse(settings));
