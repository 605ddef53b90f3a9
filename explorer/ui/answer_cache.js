// Answers that are computed from the model's results, so that equal ones are computed once.

import { failedAnswer } from "./exceptions.js";
import { NoAnswer } from "./model.js";
import { UserError } from "./user_error.js";

export class AnswerCache {
  /** `compute(request)` promises an answer; the cache keeps the last `maxEntries`. */
  constructor(compute, maxEntries) {
    this.compute = compute;
    this.maxEntries = maxEntries;
    this.answers = new Map();
  }

  /**
   * The answer; { error } with a sentence if it is refused or its computation fails, null if none comes. None of these
   * is kept.
   */
  async get(request) {
    const { answers } = this;
    const key = JSON.stringify(request);
    if (!answers.has(key)) answers.set(key, this.attempt(request));
    if (answers.size > this.maxEntries) answers.delete(answers.keys().next().value);
    const answer = await answers.get(key);
    if (answer === null || answer.error) answers.delete(key);
    return answer;
  }

  /**
   * The answer to `request()`; undefined if `request()` has changed when the answer comes. The node `message` shows the
   * answer's `error`, or `failed` if none came.
   */
  async latest(request, message, failed) {
    const sent = request();
    const answer = await this.get(sent);
    if (JSON.stringify(sent) !== JSON.stringify(request())) return undefined;
    message.textContent = answer ? answer.error ?? "" : failed;
    return answer;
  }

  async attempt(request) {
    try {
      return await this.compute(request);
    } catch (error) {
      if (error instanceof UserError) return { error: error.message };
      if (error instanceof NoAnswer) return null;
      reportError(error);
      return failedAnswer();
    }
  }
}
