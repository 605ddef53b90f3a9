// The static site: answers the requests of the components from files, or by the model in a worker.

import { importFile } from "../page/bundles.js";
import { loadTabs, openPage } from "../page/start.js";
import { currentSearch } from "../ui/address.js";
import { FileError, fetchFile, fetchPacked } from "../ui/packed_files.js";
import { setRequestHandler } from "../ui/server.js";
import { store } from "../ui/storage.js";
import { fill } from "../ui/text.js";

const LANGUAGE_KEY = "language"; // storage key of the page's language (root.js)

class EngineError extends Error {
  constructor({ reason, message, file = undefined }) {
    super(message);
    this.reason = reason;
    this.file = file;
  }
}

/**
 * The page's side of the worker (explorer/engine/worker.js), which starts with the first question. `settings` are
 * those of site.py, with paths relative to `base`.
 */
class EngineClient {
  worker = null;
  pending = new Map();
  number = 0;
  hasReplied = false;

  constructor(base, settings) {
    this.base = new URL(base, location.href).href;
    this.settings = settings;
  }

  /** Promises the text of the answer; rejects with an EngineError or a FileError if there is none. */
  ask(name, args, { language, signal, report }) {
    const id = (this.number += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, report });
      signal.addEventListener("abort", () => this.cancel(id, signal.reason), { once: true });
      this.post({ id, name, args, language });
    });
  }

  async post(message) {
    this.worker ??= this.start();
    (await this.worker)?.postMessage(message);
  }

  get url() {
    return new URL(this.settings.worker, this.base).href;
  }

  /** Promises the worker; null if its script does not come. */
  async start() {
    try {
      await this.verifyScript();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.fail(error);
      return null;
    }
    loadTabs(); // with the model, whose answers need no connection
    const worker = new Worker(this.url);
    worker.addEventListener("message", ({ data: { id, ...message } }) => this.receive(id, message));
    worker.addEventListener("error", ({ message }) => this.fail(this.breakdown(message)));
    worker.postMessage({ start: { ...this.settings, base: this.base } });
    return worker;
  }

  /** A script that is cut off may be none at all, of which a worker says nothing. */
  async verifyScript() {
    const script = await (await fetchFile(this.url)).text().catch((error) => {
      throw error instanceof FileError ? error : new FileError("connection", this.url);
    });
    if (!script.includes(this.settings.call)) throw new FileError("damaged", this.url);
  }

  /**
   * Why a worker broke: before its first message, its script is no good; without a message, it is often out of memory.
   */
  breakdown(message) {
    if (!this.hasReplied) return new FileError("damaged", this.url);
    return new EngineError(message ? { reason: "error", message } : { reason: "broke", message: "" });
  }

  receive(id, { status, answer, failure }) {
    this.hasReplied = true;
    const question = this.pending.get(id);
    if (!question) return; // it was cancelled
    if (status !== undefined) return question.report(status);
    this.pending.delete(id);
    if (failure) question.reject(new EngineError(failure));
    else question.resolve(answer);
  }

  cancel(id, reason) {
    this.pending.get(id)?.reject(reason);
    if (this.pending.delete(id)) this.post({ cancel: id });
  }

  /** Of a worker that could not start, or broke: the next question starts another. */
  fail(error) {
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    this.worker.then((worker) => worker?.terminate());
    this.worker = null;
    this.hasReplied = false;
  }
}

/**
 * The responses: the traces of the `sentences` that were recorded from files, all else from the model in the worker.
 * `refusals` are the sentences for a model that cannot be asked.
 */
class Responses {
  constructor({ base, sentences, refusals, engine }) {
    this.base = base;
    this.sentences = sentences;
    this.refusals = refusals;
    this.engine = new EngineClient(base, engine);
  }

  async answer(name, args, options) {
    const number = name === "translate" ? this.sentences.indexOf(args[0].trim()) : -1;
    try {
      if (number < 0) return await this.engine.ask(name, args, options);
      return (await fetchPacked(`${this.base}files/sentences/${number + 1}.bin`, { signal: options.signal })).text;
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof FileError)) throw error;
      return JSON.stringify({ error: sentenceOf(error, this.refusals) });
    }
  }
}

function sentenceOf({ reason, message, file }, refusals) {
  return fill(refusals[reason] ?? refusals.error, { message, file });
}

/** Says above the page which file did not come, where no component does: Plotly's, say. */
function showFileErrors(refusals) {
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof FileError)) return;
    const message =
      document.querySelector("#file-error") ??
      Object.assign(document.createElement("p"), { id: "file-error", role: "alert" });
    message.textContent = sentenceOf(reason, refusals);
    document.querySelector("#top").before(message);
  });
}

/** Starts the site; `modules` are those of the bundle by name, `content` comes from site.py. */
export function startSite(modules, content) {
  const responses = new Responses(content);
  setRequestHandler((name, args, options) => responses.answer(name, args, options));
  showFileErrors(content.refusals);
  enableLanguageButtons(content.languages);
  openPage(document.body, modules, content, importPacked);
}

/** Promises what a packed file exports. */
async function importPacked(url) {
  const { text } = await fetchPacked(url);
  return importFile(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/** Opens the page of a language, where the toolbar's button would ask a server. */
function enableLanguageButtons(pages) {
  document.addEventListener("click", (/** @type {any} */ event) => {
    const code = event.target.closest("#toolbar button[lang]")?.lang;
    if (!code) return;
    event.stopPropagation();
    const address = new URL(pages[code], location.href);
    address.search = currentSearch({ lang: code });
    store(LANGUAGE_KEY, code);
    location.assign(address);
  }, { capture: true });
}
