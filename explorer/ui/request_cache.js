// A cache of the server's responses, so that equal requests are sent once.

export class RequestCache {
  /** `serve(request)` promises a text, `read(text)` parses it; the cache keeps the last `maxEntries` responses. */
  constructor(serve, maxEntries, read) {
    Object.assign(this, { serve, maxEntries, read, answers: new Map() });
  }

  /** The response; null if none comes. Failures and error responses (the queue may be full) are not cached. */
  async get(request) {
    const { answers } = this, key = JSON.stringify(request);
    if (!answers.has(key)) answers.set(key, this.send(request));
    if (answers.size > this.maxEntries) answers.delete(answers.keys().next().value);
    const answer = await answers.get(key);
    if (answer === null || answer.error) answers.delete(key);
    return answer;
  }

  /**
   * The response to `request()`; undefined if `request()` has changed when the response comes. The node `message` shows the
   * response's `error`, or `failed` if no response came.
   */
  async latest(request, message, failed) {
    const sent = request(), answer = await this.get(sent);
    if (JSON.stringify(sent) !== JSON.stringify(request())) return undefined;
    message.textContent = answer ? answer.error ?? "" : failed;
    return answer;
  }

  async send(request) {
    // The call rejects if the server is unreachable; a failing server responds with something other than text.
    const text = await this.serve(request).catch(() => null);
    return typeof text === "string" ? this.read(text) : null;
  }
}
