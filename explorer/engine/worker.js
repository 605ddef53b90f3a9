// The worker in which the model computes, so that the page never freezes. The page sends { start } once, then questions
// { id, name, args, language } and { cancel: id }. For each question come any { id, status }, then { id, answer } or
// { id, failure: { reason, message, file } }, the last of them for a file that did not come.

import { fetchPacked } from "../ui/packed_files.js";
import { UserError } from "../ui/user_error.js";
import { CALLS, EngineCalls } from "./calls.js";
import { loadCheckpoint } from "./checkpoint.js";
import { Download } from "./download.js";
import { lengthOf } from "./python_text.js";
import { Recordings } from "./recordings.js";
import { refuse } from "./refusals.js";

const KERNEL = "kernel.wasm";
// The smallest module with an instruction of SIMD:
// (module (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0))))).
const SIMD_MODULE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** @typedef {{ id: number, name: string, args: unknown[], language: string }} Question */
/** @typedef {import("./download.js").Progress | { done: number, total: number } | null} Status */
/** @typedef {{ signal: AbortSignal, report: (status: Status) => void }} Options */
/** @typedef {Iterator<{ done: number, total: number }, object>} Work a long answer, part by part */
/** @typedef {(...args: unknown[]) => Work | { next?: undefined }} Call */

/**
 * Where a checkpoint is, and the settings of each language.
 * @typedef {object} ModelAddress
 * @property {string} base
 * @property {string} folder
 * @property {import("./download.js").ModelFile[]} files
 * @property {Record<string, string>} data
 */

/**
 * What the worker uses of its scope.
 * @typedef {object} Scope
 * @property {(message: { id: number, status?: Status, answer?: string, failure?: object }) => void} postMessage
 * @property {(type: "message", listen: (event: { data: Message }) => void) => void} addEventListener
 * @typedef {Question & { start?: ModelAddress, cancel?: number }} Message one of these
 */

/** Serves the messages of a worker's scope. @param {Scope} scope */
export function serve(scope) {
  /** @type {Map<number, AbortController>} */
  const controllers = new Map();
  /** @type {Model | null} */
  let model = null;
  let turn = Promise.resolve();
  /** @type {(question: Question) => Promise<void>} */
  const answer = async ({ id, name, args, language }) => {
    const { signal } = controllers.get(id);
    const report = (/** @type {Status} */ status) => scope.postMessage({ id, status });
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

/** @param {{ reason?: string, message: string, file?: string }} failure @param {AbortSignal} signal */
function failureOf({ reason = "error", message, file = "" }, signal) {
  return { reason: signal.aborted ? "stopped" : reason, message, file };
}

/** The browser lacks instructions that the kernel needs. */
class NoSimdError extends Error {
  reason = "simd";
}

/** A checkpoint, which is loaded with the first question. All URLs are relative to `base`. */
class Model {
  /** @type {import("./decoding.js").Translator | null} */
  translator = null;
  /** @type {Map<string, Answers>} */
  answers = new Map(); // by language

  /** @param {ModelAddress} address */
  constructor({ base, folder, files, data }) {
    this.base = base;
    this.data = data;
    this.download = new Download(new URL(folder, base).href, files);
  }

  /** @param {string} name @param {unknown[]} args @param {Options & { language: string }} options */
  async answer(name, args, { language, signal, report }) {
    this.translator ??= await this.load({ signal, report });
    if (!this.answers.has(language)) {
      const { text } = await fetchPacked(new URL(this.data[language], this.base).href, { signal });
      this.answers.set(language, new Answers(this.translator, JSON.parse(text)));
    }
    report(null);
    return this.answers.get(language).answer(name, args, { signal, report });
  }

  /** @param {Options} options */
  async load(options) {
    if (!WebAssembly.validate(new Uint8Array(SIMD_MODULE))) throw new NoSimdError();
    const { [KERNEL]: code, ...files } = await this.download.finish(options);
    this.download = null; // the weights lie in the kernel's memory from now on
    return loadCheckpoint(files, code);
  }
}

/** The answers to the questions of a page in one language, as the server gives them (explorer/ui/questions.py). */
export class Answers {
  /**
   * @param {import("./decoding.js").Translator} translator
   * @param {EngineSettings} settings
   */
  constructor(translator, settings) {
    this.settings = settings;
    /** @type {unknown} */
    const calls = new EngineCalls(new Recordings(translator, settings));
    this.calls = /** @type {Record<string, Call>} */ (calls);
  }

  /**
   * The answer to a question, or a refusal, as JSON. A long one can be stopped, and reports what is done.
   * @param {string} name @param {unknown[]} args @param {Options} options
   */
  async answer(name, args, options) {
    try {
      if (!CALLS.includes(name)) refuse(this.settings, "no_question");
      const given = this.calls[name](...args);
      return JSON.stringify(given.next ? await finish(/** @type {Work} */ (given), options) : given);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return JSON.stringify({ error: shorten(error.message, this.settings.limits.MAX_ERROR_CHARACTERS) });
    }
  }
}

/**
 * Runs a long answer, a generator, to its end. Between pieces of work it reports what is done, { done, total }, and the
 * worker takes the message that stops it.
 * @param {Work} work @param {Options} options
 */
async function finish(work, { signal, report }) {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
    report(/** @type {Status} */ (value));
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}

/**
 * A sentence without its middle where it is too long, as when it quotes what was sent.
 * @param {string} sentence @param {number} limit
 */
function shorten(sentence, limit) {
  const signs = [...sentence];
  const half = Math.floor(limit / 2);
  return lengthOf(sentence) <= limit ? sentence : `${signs.slice(0, half).join("")} … ${signs.slice(-half).join("")}`;
}
