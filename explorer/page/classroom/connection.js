// The connection of a page to its class: wishes by POST, and the class's state as server-sent events.

import { requestClass } from "../../ui/server.js";

const RETRY_MS = 2000; // after the server refused a stream, as one that was started anew does until the teacher is back
const MAX_RETRIES = 300; // ten minutes, after which the class counts as over

/** A refusal of the server, whose message is a sentence for the visitor. */
export class Refusal extends Error {}

/** The response to a wish; throws a Refusal, or the error of a broken connection. */
export async function sendWish(code, request, language) {
  const response = await requestClass(code, request, language);
  if (response.error !== undefined) throw new Refusal(response.error);
  return response;
}

/** The stream of a class. Calls `onState(state)` with each state, `onLost()` whenever it breaks off, and `onOver()` at its end. */
export class ClassStream {
  constructor(code, page, { onState, onLost, onOver }) {
    Object.assign(this, { code, page, onState, onLost, onOver, source: null, retries: 0, timer: null, follows: true });
  }

  /** Opens the stream anew; the class counts the pages that follow. */
  open(follows = this.follows) {
    this.close();
    this.follows = follows;
    const query = new URLSearchParams({ page: this.page, follows: Number(follows) });
    this.source = new EventSource(new URL(`class/${this.code}/events?${query}`, document.baseURI));
    this.source.addEventListener("message", ({ data }) => {
      this.retries = 0;
      const state = JSON.parse(data);
      if (!state.over) return this.onState(state);
      this.close();
      this.onOver();
    });
    // The browser reconnects by itself, unless the server answered with a refusal.
    this.source.addEventListener("error", () => {
      this.onLost();
      if (this.source.readyState === EventSource.CLOSED) this.retry();
    });
  }

  retry() {
    this.retries += 1;
    if (this.retries > MAX_RETRIES) return this.onOver();
    this.timer = setTimeout(() => this.open(), RETRY_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
  }
}
