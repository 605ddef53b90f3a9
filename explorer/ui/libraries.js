// Libraries that are fetched when they are first needed.

const loading = new Map();

/** Promises that a script has run; `url` says where Python serves it. */
export function loadScript(url) {
  if (!loading.has(url)) {
    loading.set(url, new Promise((done, fail) => {
      const script = Object.assign(document.createElement("script"), { src: url });
      script.addEventListener("load", done);
      script.addEventListener("error", () => {
        loading.delete(url); // the next call tries again
        fail(new Error(`${url} could not be loaded`));
      });
      document.head.append(script);
    }));
  }
  return loading.get(url);
}

/** The library, once it is there; `url` says where Python serves it. */
export async function loadPlotly(url) {
  await loadScript(url);
  return globalThis.Plotly;
}
