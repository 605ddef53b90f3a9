// The static site: answers the requests of the components from files, or by the model in a worker.

import { startPage as startPlainPage } from "../page/plain_page.js";
import { currentQuery } from "../ui/address.js";
import { fetchCompressed } from "../ui/libraries.js";
import { setRequestHandler } from "../ui/server.js";
import { store } from "../ui/storage.js";
import { fill } from "../ui/text.js";

const LANGUAGE_KEY = "language"; // storage key of the page's language (root.js)

class EngineError extends Error {
  constructor({ reason, message }) {
    super(message);
    this.reason = reason;
  }
}

/** The page's side of the worker (explorer/answers/worker.js), which starts with the first question. `settings` are those of site.py, with paths relative to `base`. */
class EngineClient {
  constructor(base, settings) {
    Object.assign(this, { base: new URL(base, location.href).href, settings, worker: null, pending: new Map(), number: 0 });
  }

  /** Promises the text of the answer; rejects with an EngineError if there is none. */
  ask(name, args, { language, signal, report }) {
    this.worker ??= this.start();
    const id = (this.number += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, report });
      signal.addEventListener("abort", () => this.cancel(id, signal.reason), { once: true });
      this.worker.postMessage({ id, name, args, language });
    });
  }

  start() {
    const worker = new Worker(new URL(this.settings.worker, this.base));
    worker.addEventListener("message", ({ data: { id, ...message } }) => this.receive(id, message));
    worker.addEventListener("error", (event) => this.fail(event));
    worker.postMessage({ start: { ...this.settings, base: this.base } });
    return worker;
  }

  receive(id, { status, answer, failure }) {
    const question = this.pending.get(id);
    if (!question) return; // it was cancelled
    if (status !== undefined) return question.report(status);
    this.pending.delete(id);
    if (failure) question.reject(new EngineError(failure));
    else question.resolve(answer);
  }

  cancel(id, reason) {
    this.pending.get(id)?.reject(reason);
    this.pending.delete(id);
    this.worker.postMessage({ cancel: id });
  }

  /** A worker that could not start, or broke: the next question starts another. */
  fail({ message }) {
    for (const { reject } of this.pending.values()) reject(new EngineError({ reason: "error", message }));
    this.pending.clear();
    this.worker.terminate();
    this.worker = null;
  }
}

/**
 * The responses: the traces of the `sentences` that were recorded from files, all else from the model in the worker.
 * `refusals` are the sentences for a model that cannot be asked.
 */
class Responses {
  constructor({ base, sentences, refusals, engine }) {
    Object.assign(this, { base, sentences, refusals, engine: new EngineClient(base, engine) });
  }

  async answer(name, args, options) {
    const number = name === "translate" ? this.sentences.indexOf(args[0].trim()) : -1;
    return number < 0 ? this.compute(name, args, options) : fetchCompressed(`${this.base}files/sentences/${number + 1}.${options.language}.bin`);
  }

  async compute(name, args, options) {
    try {
      return await this.engine.ask(name, args, options);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const refusal = this.refusals[error.reason] ?? this.refusals.error;
      return JSON.stringify({ error: fill(refusal, { message: error.message }) });
    }
  }
}

/** Starts the site; `modules` are those of the bundle by name, `settings` come from site.py. */
export function startPage(modules, settings) {
  const responses = new Responses(settings);
  setRequestHandler((name, args, options) => responses.answer(name, args, options));
  enableLanguageButtons(settings.languages);
  startPlainPage(modules, settings);
}

/** Opens the page of a language, where the toolbar's button would ask a server. */
function enableLanguageButtons(pages) {
  document.addEventListener("click", (event) => {
    const code = event.target.closest("#toolbar button[lang]")?.lang;
    if (!code) return;
    event.stopPropagation();
    const address = new URL(pages[code], location.href);
    address.search = currentQuery({ lang: code });
    store(LANGUAGE_KEY, code);
    location.assign(address);
  }, { capture: true });
}
