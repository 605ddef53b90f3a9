// Runs at the beginning of the page, before Gradio (head.py), in the syntax of browsers that are too old for the page:
// they get a sentence. A frame with a sandbox that takes the page's origin away would stay blank: it gets a sentence
// and the address. The theme of Gradio's ?__theme=, or the one that was chosen here earlier (toolbar/toolbar.js), holds
// from the first picture on, whatever Gradio makes of the system's.
(() => {
  const root = document.documentElement, language = LANGUAGE;
  // Gradio's own words follow the browser's language; they shall follow the page's.
  Object.defineProperty(navigator, "language", { get: () => language });
  Object.defineProperty(navigator, "languages", { get: () => [language] });
  root.lang = language;
  const showInstead = (...parts) => {
    root.dataset.closed = ""; // for start.js
    document.addEventListener("DOMContentLoaded", () => {
      const { body } = document;
      body.textContent = "";
      body.setAttribute("role", "alert");
      body.style.cssText = "max-width: 40em; margin: 2em; font: 16px/1.5 system-ui, sans-serif";
      for (const part of parts) body.appendChild(typeof part === "string" ? document.createTextNode(part) : part);
    });
  };
  const isMissing = (path) => path.split(".").reduce((owner, name) => owner && owner[name], window) === undefined;
  if (NEEDED.some(isMissing) || !CSS.supports("selector(:has(a))")) return showInstead(OLD);
  if (window.origin === "null" && location.protocol.startsWith("http")) {
    const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank" });
    link.textContent = location.href;
    return showInstead(SANDBOXED, " ", link);
  }
  const chosen = () => {
    try {
      return localStorage.getItem("attention-explorer:theme");
    } catch (refused) {
      if (refused instanceof DOMException) return null; // switched off
      throw refused;
    }
  };
  const themes = [new URLSearchParams(location.search).get("__theme"), chosen()];
  const theme = themes.find((name) => name === "dark" || name === "light");
  if (theme) root.dataset.theme = theme;
  const obey = () => {
    if (root.dataset.theme && document.body) document.body.classList.toggle("dark", root.dataset.theme === "dark");
  };
  const begin = () => {
    obey();
    new MutationObserver(obey).observe(document.body, { attributeFilter: ["class"] });
  };
  new MutationObserver(obey).observe(root, { attributeFilter: ["data-theme"] });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
