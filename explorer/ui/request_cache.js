// What the server was asked, each thing once.

export class RequestCache {
  /** `serve(request)` promises a text and `read(text)` makes an answer of it; the last `kept` answers are remembered. */
  constructor(serve, kept, read) {
    Object.assign(this, { serve, kept, read, answers: new Map() });
  }

  /** The answer; null where none comes. After that, and after a refusal (the line may be full), the next call asks again. */
  async get(request) {
    const { answers } = this, key = JSON.stringify(request);
    if (!answers.has(key)) answers.set(key, this.ask(request));
    if (answers.size > this.kept) answers.delete(answers.keys().next().value);
    const answer = await answers.get(key);
    if (answer === null || answer.error) answers.delete(key);
    return answer;
  }

  /**
   * The answer to what `request()` asks for; undefined where by then it asks for something else, whose answer is on its
   * way. The node `message` says why nothing can be shown: an answer's own `error`, or `failed` where none came.
   */
  async latest(request, message, failed) {
    const asked = request(), answer = await this.get(asked);
    if (JSON.stringify(asked) !== JSON.stringify(request())) return undefined;
    message.textContent = answer ? answer.error ?? "" : failed;
    return answer;
  }

  async ask(request) {
    // A server that is gone makes the call fail; one that fails itself answers with something else than text.
    const text = await this.serve(request).catch(() => null);
    return typeof text === "string" ? this.read(text) : null;
  }
}
