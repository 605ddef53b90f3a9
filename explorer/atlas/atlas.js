// The atlas of the checkpoint: what makes every neuron fire, and where every head looks, from files beside the page
// (docs/atlas.md). A file is fetched when something of its layer is first asked for.

import { parseArrays } from "./array_file.js";
import { Corpus } from "./corpus.js";
import { AtlasLayer } from "./layer.js";
import { search } from "./search.js";
import { FileError, fetchUnpacked } from "../ui/packed_files.js";

/** The addresses of the files. @typedef {{ sentences: string } & Record<Stack, string[]>} AtlasFiles */

const STACKS = /** @type {Stack[]} */ (["encoder", "decoder"]);
/** By the address of its sentences. @type {Map<string, Atlas>} */ const atlases = new Map();

/**
 * The one atlas of these files on a page; null without files.
 * @param {AtlasFiles | null} files
 */
export function atlasOf(files) {
  if (files && !atlases.has(files.sentences)) atlases.set(files.sentences, new Atlas(files));
  return files && atlases.get(files.sentences);
}

class Atlas {
  /** What was asked for, by address. @type {Map<string, Promise<any>>} */ loaded = new Map();

  /** All promises reject with a FileError if a file does not come. @param {AtlasFiles} files */
  constructor(files) {
    this.files = files;
  }

  /** `make()`, once for an address, and again after it failed. */
  once(address, make) {
    if (!this.loaded.has(address)) {
      const made = make();
      this.loaded.set(address, made);
      made.catch(() => this.loaded.delete(address));
    }
    return this.loaded.get(address);
  }

  /** @returns {Promise<Corpus>} */
  corpus() {
    const { sentences } = this.files;
    return this.once(sentences, async () => new Corpus(await arraysAt(sentences)));
  }

  /** @param {Stack} stack @param {number} layer @returns {Promise<AtlasLayer>} */
  layer(stack, layer) {
    const address = this.files[stack][layer];
    return this.once(address, async () => {
      const [file, corpus] = await Promise.all([arraysAt(address), this.corpus()]);
      if (file.header.model !== corpus.model) throw new FileError("damaged", address);
      return new AtlasLayer(file, corpus);
    });
  }

  /** @returns {Promise<AtlasLayer[]>} */
  layers() {
    return Promise.all(STACKS.flatMap((stack) => this.files[stack].map((_, layer) => this.layer(stack, layer))));
  }

  /** The neurons and heads that have most to do with a token (search.js). @param {string} text */
  async search(text) {
    return search(text, await this.layers());
  }
}

/** @param {string} address */
async function arraysAt(address) {
  return parseArrays((await fetchUnpacked(address)).unpacked);
}
