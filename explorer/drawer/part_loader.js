// Long answers, which are asked for part by part as long as somebody sees the panel.

/**
 * What a panel loads. `isSeen()` says whether it is seen; `total(request)` how many items there are, as far as is known
 * after `items`; `next(request, done)` promises the items after the first `done`, { error } or null; `failed` is the
 * sentence where no answer comes; `draw()` shows what has come.
 * @typedef {object} Loads
 * @property {() => boolean} isSeen
 * @property {(request: any, items: any[]) => number} total
 * @property {(request: any, done: number) => Promise<any[] | { error: string } | null>} next
 * @property {string} failed
 * @property {() => void} draw
 */

export class PartLoader {
  /** What is asked for. @type {any[] | null} */ request = null;
  /** What has come of it. @type {any[]} */ items = [];
  /** Why it ended before its time, a sentence. @type {string} */ failure = "";
  isLoading = false;
  /** Of the request that is under way. */ key = "";

  /** @param {Loads} loads */
  constructor(loads) {
    this.loads = loads;
  }

  get isComplete() {
    return this.request !== null && this.items.length >= this.loads.total(this.request, this.items);
  }

  /** Begins another request, or goes on with this one; after a failure only `again` does. */
  async load(request) {
    const { loads } = this;
    const key = JSON.stringify(request);
    if (key !== this.key) this.begin(request, key);
    if (request === null || this.isLoading || this.failure) return;
    this.isLoading = true;
    while (loads.isSeen() && !this.isComplete) {
      const items = await loads.next(request, this.items.length);
      if (key !== this.key) return;
      if (Array.isArray(items)) this.items = [...this.items, ...items];
      else this.failure = items?.error ?? loads.failed;
      if (this.failure) break;
      loads.draw();
    }
    this.isLoading = false;
    if (this.failure) loads.draw();
  }

  begin(request, key) {
    this.request = request;
    this.key = key;
    this.items = [];
    this.failure = "";
    this.isLoading = false;
  }

  /** Forgets a failure, so that the next `load` asks again. */
  again() {
    this.failure = "";
  }
}
