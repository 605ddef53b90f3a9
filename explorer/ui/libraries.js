// Scripts that load on first use.

const loading = new Map();

/** Loads a script once; resolves when it has run. */
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

/** Loads Plotly from `url`. */
export async function loadPlotly(url) {
  await loadScript(url);
  return globalThis.Plotly;
}
