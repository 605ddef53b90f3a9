// The worker in which the model computes, so that the page never freezes. The page sends { start } once, then questions
// { id, name, args, language } and { cancel: id }. For each question come any { id, status }, then { id, answer } or
// { id, failure: { reason, message } }.

import { Answers } from "./answers.js";
import { loadCheckpoint } from "../engine/checkpoint.js";
import { Download, DownloadError, unpack } from "./download.js";

/** Serves the messages of a worker's scope. */
export function serve(scope) {
  const controllers = new Map();
  let model = null, turn = Promise.resolve();
  const answer = async ({ id, name, args, language }) => {
    const { signal } = controllers.get(id), report = (status) => scope.postMessage({ id, status });
    try {
      signal.throwIfAborted();
      scope.postMessage({ id, answer: await model.answer(name, args, { language, signal, report }) });
    } catch (error) {
      scope.postMessage({ id, failure: { reason: signal.aborted ? "stopped" : error.reason ?? "error", message: error.message } });
    } finally {
      controllers.delete(id);
    }
  };
  scope.addEventListener("message", ({ data }) => {
    if (data.start) model = new Model(data.start);
    else if (data.cancel !== undefined) controllers.get(data.cancel)?.abort();
    else {
      controllers.set(data.id, new AbortController());
      turn = turn.then(() => answer(data)); // one at a time: there is one thread
    }
  });
}

/** The answers of a checkpoint, which is loaded with the first question. All URLs are relative to `base`. */
class Model {
  constructor({ base, kernel, folder, files, data, handout, plotly }) {
    Object.assign(this, { base, kernel, data, handout, plotly, translator: null, answers: new Map() });
    this.download = new Download(new URL(folder, base).href, files);
  }

  async answer(name, args, { language, signal, report }) {
    this.translator ??= await this.load({ signal, report });
    if (!this.answers.has(language)) {
      const texts = await unpack(await this.fetch(this.data[language], signal)).json();
      const places = { handout: this.handout[language], plotly: this.plotly };
      this.answers.set(language, new Answers(this.translator, texts, (name) => this.fetch(places[name])));
    }
    report(null);
    return this.answers.get(language).answer(name, args, { signal, report });
  }

  async load(options) {
    const code = new Uint8Array(await (await this.fetch(this.kernel, options.signal)).arrayBuffer());
    if (!WebAssembly.validate(code)) throw new DownloadError("simd", "no SIMD");
    const files = await this.download.finish(options);
    this.download = null; // the weights lie in the kernel's memory from now on
    return loadCheckpoint(files, code);
  }

  async fetch(path, signal = null) {
    const response = await fetch(new URL(path, this.base), { signal }).catch((error) => {
      throw signal?.aborted ? error : new DownloadError("connection", error.message);
    });
    if (!response.ok) throw new DownloadError("missing", `${response.url}: ${response.status}`);
    return response;
  }
}
