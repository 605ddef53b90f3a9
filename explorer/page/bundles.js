// The modules of tabs, which come in a file of their own when the tab is first opened (explorer/ui/bundle.py).

import { trackWork } from "../ui/rest.js";

/** Promises what a file beside the page exports. */
export async function importFile(url) {
  return (await import(new URL(url, document.baseURI).href)).default;
}

export class Bundles {
  /** @type {Map<string, Promise<void>>} */ loading = new Map();
  loaded = new Set();
  failures = 0;

  /** `modules` get those of every bundle; `importBundle(url)` promises the function that a bundle exports. */
  constructor(modules, importBundle) {
    this.modules = modules;
    this.importBundle = importBundle;
  }

  /**
   * Promises that some bundles are there; null if they are. What has failed is asked for again the next time.
   * @param {string[]} urls
   */
  load(urls) {
    const missing = urls.filter((url) => !this.loaded.has(url));
    return missing.length ? Promise.all(missing.map((url) => this.loadOne(url))) : null;
  }

  loadOne(url) {
    if (!this.loading.has(url)) this.loading.set(url, trackWork("bundle", this.request(url)));
    return this.loading.get(url);
  }

  async request(url) {
    try {
      // browsers remember that an address has failed: after a failure it gets another fragment
      const bundle = await this.importBundle(this.failures ? `${url}#${this.failures}` : url);
      Object.assign(this.modules, bundle(this.modules));
      this.loaded.add(url);
    } finally {
      if (!this.loaded.has(url)) this.failures += 1;
      this.loading.delete(url);
    }
  }
}
