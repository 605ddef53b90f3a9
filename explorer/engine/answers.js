// The answers to the page's questions, as the server gives them (explorer/ui/questions.py), from the engine's own numbers.

import { CALLS, EngineCalls } from "./calls.js";
import { lengthOf } from "./python_text.js";
import { Recordings } from "./recordings.js";
import { UserError } from "../ui/user_error.js";

/**
 * Runs a long answer, a generator, to its end. Between pieces of work it reports what is done, { done, total }, and the
 * worker takes the message that stops it.
 */
async function finish(work, { signal, report }) {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
    report(value);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}

/** A sentence without its middle where it is too long, as when it quotes what was sent. */
function shorten(sentence, limit) {
  const signs = [...sentence], half = Math.floor(limit / 2);
  return lengthOf(sentence) <= limit ? sentence : `${signs.slice(0, half).join("")} … ${signs.slice(-half).join("")}`;
}

export class Answers {
  /**
   * `data` are the texts, limits and lists of a page's language (settings.py).
   */
  constructor(translator, data) {
    Object.assign(this, { translator, data, recordings: new Recordings(translator, data) });
    const calls = new EngineCalls(this.recordings);
    this.questions = Object.fromEntries(CALLS.map((name) => [name, (...args) => calls[name](...args)]));
  }

  /** The answer to a question, or a refusal, as one line. A long one can be stopped, and reports what is done. */
  async answer(name, args, options) {
    const { refusals, maxErrorCharacters } = this.data.questions;
    try {
      if (!Object.hasOwn(this.questions, name)) throw new UserError(refusals.no_question);
      const given = this.questions[name](...args), answer = await (given.next ? finish(given, options) : given);
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return JSON.stringify({ error: shorten(error.message, maxErrorCharacters) });
    }
  }
}
