// The worker in which the model computes, so that the page never freezes. The page sends { start } once, then questions
// { id, name, args, language } and { cancel: id }. For each question come any { id, status }, then { id, answer } or
// { id, failure: { reason, message, file } }, the last of them for a file that did not come.

import { Answers } from "./answers.js";
import { loadCheckpoint } from "./checkpoint.js";
import { fetchPacked } from "../ui/packed_files.js";
import { Download } from "./download.js";

const KERNEL = "kernel.wasm";
// The smallest module with an instruction of SIMD: (module (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0))))).
const SIMD_MODULE = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

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
      scope.postMessage({ id, failure: failureOf(error, signal) });
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

function failureOf({ reason = "error", message, file = "" }, signal) {
  return { reason: signal.aborted ? "stopped" : reason, message, file };
}

/** The answers of a checkpoint, which is loaded with the first question. All URLs are relative to `base`. */
class Model {
  constructor({ base, folder, files, data }) {
    Object.assign(this, { base, data, translator: null, answers: new Map() });
    this.download = new Download(new URL(folder, base).href, files);
  }

  async answer(name, args, { language, signal, report }) {
    this.translator ??= await this.load({ signal, report });
    if (!this.answers.has(language)) {
      const texts = JSON.parse((await this.fetch(this.data[language], signal)).text);
      this.answers.set(language, new Answers(this.translator, texts));
    }
    report(null);
    return this.answers.get(language).answer(name, args, { signal, report });
  }

  async load(options) {
    if (!WebAssembly.validate(new Uint8Array(SIMD_MODULE))) throw Object.assign(new Error("no SIMD"), { reason: "simd" });
    const { [KERNEL]: code, ...files } = await this.download.finish(options);
    this.download = null; // the weights lie in the kernel's memory from now on
    return loadCheckpoint(files, code);
  }

  fetch(path, signal = null) {
    return fetchPacked(new URL(path, this.base).href, { signal });
  }
}
