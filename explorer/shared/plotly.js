// Plotly, which is large: fetched when the first figure, or the first picture to be saved, asks for it.

let loading = null;

/** The library, once it is there; `url` says where Python serves it. */
export function plotly(url) {
  loading ??= new Promise((done, fail) => {
    const script = Object.assign(document.createElement("script"), { src: url });
    script.addEventListener("load", () => done(globalThis.Plotly));
    script.addEventListener("error", () => fail(new Error(`${url} could not be loaded`)));
    document.head.append(script);
  });
  return loading;
}
