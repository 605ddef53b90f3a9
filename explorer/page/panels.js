// The panels of the tabs: their contents come into the page, with their modules, when they are first opened.

import { element } from "../ui/element.js";

export class Panels {
  /**
   * @param {object} parts
   * @param {import("./bundles.js").Bundles} parts.bundles
   * @param {Record<string, { bundle: string | null }>} parts.components by id
   * @param {(root: ParentNode) => void} parts.mountIn
   * @param {string} parts.notLoaded what the visitor reads in a panel whose modules do not come
   */
  constructor({ bundles, components, mountIn, notLoaded }) {
    this.bundles = bundles;
    this.components = components;
    this.mountIn = mountIn;
    this.notLoaded = notLoaded;
  }

  /** Loads the modules of a panel before it is opened; a failure shows when it is. */
  prepare(panel) {
    this.load(panel)?.catch(() => {});
  }

  /** Loads the modules of all panels. */
  prepareAll() {
    this.loadBundles(Object.keys(this.components))?.catch(() => {});
  }

  /** Fills a panel, at once if its modules are there; one that was left while they came is filled the next time. */
  fill(panel) {
    const loading = this.load(panel);
    if (!loading) return this.mount(panel);
    panel.querySelector(".not-loaded")?.remove();
    const mount = () => panel.closest("[hidden]") || this.mount(panel);
    loading.then(mount, (error) => this.refuse(panel, error));
  }

  /** Promises the modules of a panel that is not filled; null if all are there. */
  load(panel) {
    const nodes = contentsOf(panel)?.content.querySelectorAll("[data-component]") ?? [];
    return this.loadBundles([...nodes].map(({ id }) => id));
  }

  /** @param {string[]} ids of components; some have no module */
  loadBundles(ids) {
    return this.bundles.load(ids.map((id) => this.components[id]?.bundle).filter(Boolean));
  }

  mount(panel) {
    const contents = contentsOf(panel);
    if (!contents) return; // it was filled before
    panel.querySelector(".not-loaded")?.remove();
    contents.replaceWith(contents.content);
    this.mountIn(panel);
  }

  refuse(panel, error) {
    if (!panel.querySelector(".not-loaded")) panel.append(element("p", { class: "not-loaded" }));
    const message = panel.querySelector(".not-loaded");
    message.setAttribute("role", "alert");
    message.textContent = this.notLoaded;
    throw error; // for the console, and for what says which file it was
  }
}

/** @returns {HTMLTemplateElement | null} */
function contentsOf(panel) {
  return panel.querySelector(":scope > template");
}
