// The files of a checkpoint, from the network or from the browser's own storage, where they lie by their checksums.

import { FileError, fetchFile } from "../ui/packed_files.js";

const CACHE = "attention-explorer-model";
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000]; // after a broken connection; progress begins the list anew

/** @typedef {{ name: string, size: number, sha256: string }} ModelFile */
/** @typedef {{ loaded: number, total: number, seconds: number }} Progress in bytes, and how long the rest will take */
/** @typedef {{ signal: AbortSignal, onBytes: (count: number) => void }} Transfer `onBytes` tells how many bytes came */

export class Download {
  /**
   * @param {string} base the URL of the folder of the files
   * @param {ModelFile[]} files
   */
  constructor(base, files) {
    this.base = base;
    this.files = files;
    this.received = new Map(files.map(({ name, size }) => [name, new Received(size)]));
    this.total = files.reduce((sum, { size }) => sum + size, 0);
  }

  get loaded() {
    return [...this.received.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * The bytes of all files by name; rejects with a FileError. `report({ loaded, total, seconds })` tells the progress.
   * What had come when the signal ended the download, or the connection broke for good, is not asked for again.
   * @param {{ signal: AbortSignal, report: (progress: Progress) => void }} options
   * @returns {Promise<Record<string, Uint8Array<ArrayBuffer>>>}
   */
  async finish({ signal, report }) {
    const cache = await globalThis.caches?.open(CACHE);
    const start = performance.now();
    let fetched = 0; // bytes that came from the network, by which the rest is estimated
    const onBytes = (/** @type {number} */ count) => {
      fetched += count;
      const seconds = ((this.total - this.loaded) / fetched) * (performance.now() - start) / 1000;
      report({ loaded: this.loaded, total: this.total, seconds });
    };
    for (const file of this.files) {
      const received = this.received.get(file.name);
      if (received.isComplete || await received.takeCached(cache, this.cacheKey(file))) continue;
      await received.fetchRest(new URL(file.name, this.base), { signal, onBytes });
      await this.verify(file, received);
      await this.store(cache, file, received.bytes);
    }
    return Object.fromEntries(this.files.map(({ name }) => [name, this.received.get(name).bytes]));
  }

  /** @param {ModelFile} file */
  cacheKey({ name, sha256 }) {
    return new URL(`${name}?sha256=${sha256}`, this.base).href;
  }

  /**
   * Compares with the checksum; a browser computes one only on HTTPS and on the computer itself.
   * @param {ModelFile} file @param {Received} received
   */
  async verify({ name, sha256 }, received) {
    if (!globalThis.crypto.subtle) return;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", received.bytes));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (hex === sha256) return;
    received.length = 0;
    throw new FileError("damaged", new URL(name, this.base).href);
  }

  /**
   * Stores a file in place of an earlier one of that name. Without room it is downloaded again the next time.
   * @param {Cache | undefined} cache @param {ModelFile} file @param {Uint8Array<ArrayBuffer>} bytes
   */
  async store(cache, file, bytes) {
    if (!cache) return;
    const isEarlier = (/** @type {Request} */ { url }) => url.split("?")[0] === new URL(file.name, this.base).href;
    await Promise.all((await cache.keys()).filter(isEarlier).map((request) => cache.delete(request)));
    await cache.put(this.cacheKey(file), new Response(bytes)).catch((error) => {
      if (error.name !== "QuotaExceededError") throw error;
    });
  }
}

/** A response ended before the file did, in a connection that may have broken. */
class EndedEarly extends Error {}

/** What has come of a file. */
class Received {
  length = 0;

  /** @param {number} size */
  constructor(size) {
    this.bytes = new Uint8Array(size);
  }

  get isComplete() {
    return this.length === this.bytes.length;
  }

  /** @param {Cache | undefined} cache @param {string} key */
  async takeCached(cache, key) {
    const response = await cache?.match(key);
    if (!response) return false;
    this.bytes.set(new Uint8Array(await response.arrayBuffer()));
    this.length = this.bytes.length;
    return true;
  }

  /** Fetches what is missing, again and again after a broken connection. @param {URL} url @param {Transfer} transfer */
  async fetchRest(url, { signal, onBytes }) {
    for (let attempt = 0; !this.isComplete; attempt++) {
      const before = this.length;
      try {
        await this.fetchOnce(url, signal, onBytes);
      } catch (error) {
        if (signal.aborted || (error instanceof FileError && error.reason !== "connection")) throw error;
        if (error instanceof EndedEarly && this.length === before) this.failDamaged(url); // it brought nothing more
        if (this.length > before) attempt = 0;
        if (attempt === RETRY_DELAYS_MS.length) throw new FileError("connection", url);
        await delay(RETRY_DELAYS_MS[attempt], signal);
      }
    }
  }

  /**
   * One request for the rest; a server that knows no ranges sends the whole file, of which only the rest counts.
   * @param {URL} url @param {AbortSignal} signal @param {Transfer["onBytes"]} onBytes
   */
  async fetchOnce(url, signal, onBytes) {
    const response = await fetchFile(url, { signal, headers: this.length ? { Range: `bytes=${this.length}-` } : {} });
    let offset = response.status === 206 ? this.length : 0;
    this.verifySize(response, offset, url);
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (offset + value.length > this.bytes.length) this.failDamaged(url);
      this.bytes.set(value, offset);
      offset += value.length;
      if (offset <= this.length) continue;
      onBytes(offset - this.length);
      this.length = offset;
    }
    if (!this.isComplete) throw new EndedEarly();
  }

  /**
   * A server that says how much it sends, and means another size, has another file. A compressed response has its own
   * size.
   * @param {Response} response @param {number} start @param {URL} url
   */
  verifySize({ headers }, start, url) {
    const size = headers.get("content-length");
    const isTold = size !== null && !headers.get("content-encoding");
    if (isTold && start + Number(size) !== this.bytes.length) this.failDamaged(url);
  }

  /** @param {URL} url */
  failDamaged(url) {
    this.length = 0;
    throw new FileError("damaged", url);
  }
}

/** @param {number} milliseconds @param {AbortSignal} signal */
function delay(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
