// Long answers, as generators: a piece of work, then what is done of all, { done, total }, and so on to the answer.

/**
 * Runs a long answer to its end. Between pieces of work it reports what is done, and the worker takes the message that
 * stops it.
 */
export async function finish(work, { signal, report }) {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
    report(value);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
