// Scripts that load on first use.

import { fetchFile, fetchPacked } from "./packed_files.js";
import { trackWork } from "./rest.js";

const loading = new Map();

/** Promises the text of a script, which may be compressed; rejects with a FileError. */
export async function scriptText(url) {
  return isCompressed(url) ? (await fetchPacked(url)).text : (await fetchFile(url)).text();
}

function isCompressed(url) {
  return url.endsWith(".bin");
}

/** The URL of a script; of a compressed one that of its text. */
async function scriptUrl(url) {
  if (!isCompressed(url)) return url;
  return URL.createObjectURL(new Blob([await scriptText(url)], { type: "text/javascript" }));
}

async function addScript(url) {
  const script = Object.assign(document.createElement("script"), { src: await scriptUrl(url) });
  await new Promise((done, fail) => {
    script.addEventListener("load", done);
    script.addEventListener("error", () => fail(new Error(`${url} could not be loaded`)));
    document.head.append(script);
  });
}

/** Loads a script once; resolves when it has run. After a failure the next call tries again. */
function loadScript(url) {
  if (!loading.has(url)) {
    loading.set(url, trackWork("script", addScript(url)).catch((error) => {
      loading.delete(url);
      throw error;
    }));
  }
  return loading.get(url);
}

/** Loads Plotly from `url`, unless the page carries it. */
export async function loadPlotly(url) {
  if (!globalThis.Plotly) await loadScript(url);
  return globalThis.Plotly;
}
