// Plotly, which is large: fetched when the first figure, or the first picture to be saved, asks for it.

import { fetchScript } from "./script.js";

/** The library, once it is there; `url` says where Python serves it. */
export async function plotly(url) {
  await fetchScript(url);
  return globalThis.Plotly;
}
