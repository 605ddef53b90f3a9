// The page's side of the worker (explorer/answers/worker.js): questions to it, and their answers.

export class EngineError extends Error {
  constructor({ reason, message }) {
    super(message);
    this.reason = reason;
  }
}

/** Starts the worker with the first question. `settings` are those of site.py, with paths relative to `base`. */
export class EngineClient {
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
