// What the server was asked, each thing once.

export class Asked {
  /** `serve(request)` promises a text and `read(text)` makes an answer of it; the last `kept` answers are remembered. */
  constructor(serve, kept, read) {
    Object.assign(this, { serve, kept, read, answers: new Map() });
  }

  /** The answer; null where none comes, and then the next call asks again. */
  async get(request) {
    const { answers } = this, key = JSON.stringify(request);
    if (!answers.has(key)) answers.set(key, this.ask(request));
    if (answers.size > this.kept) answers.delete(answers.keys().next().value);
    const answer = await answers.get(key);
    if (answer === null) answers.delete(key);
    return answer;
  }

  async ask(request) {
    // A server that is gone makes the call fail; one that fails itself answers with something else than text.
    const text = await this.serve(request).catch(() => null);
    return typeof text === "string" ? this.read(text) : null;
  }
}
