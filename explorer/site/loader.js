// The module of a page of the static site (site.py): unpacks the page and its modules. Not every server compresses what
// it sends, so the files themselves are compressed.
class LoadError extends Error {}
const refuse = (sentence) => {
  Object.assign(document.body, { textContent: sentence, role: "alert" });
  document.body.style.cssText = "max-width: 40em; margin: 2em; font: 16px/1.5 system-ui, sans-serif";
  throw new LoadError(sentence);
};
const sentences = FAULTS;
const fail = (reason, address) => {
  throw new LoadError(sentences[reason].replace("{file}", address.replace(/^[./]+/, "")));
};
const unpack = async (address) => {
  const answer = await fetch(address).catch(() => fail("connection", address));
  if (!answer.ok) fail("missing", address);
  const bytes = await answer.arrayBuffer().catch(() => fail("connection", address));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text().catch(() => fail("damaged", address));
};
const orRefuse = (error) => (error instanceof LoadError ? refuse(error.message) : Promise.reject(error));
const importText = async (text) =>
  (await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))).default;
const loading = unpack("MODULES").then(importText);
loading.catch(() => {}); // it is awaited below, after the content
const content = JSON.parse(await unpack("PAGE").catch(orRefuse));
const modules = await loading.catch(orRefuse);
modules["START"].startSite(modules, content);
