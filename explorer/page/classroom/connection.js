// The connection of a page to its class: wishes by POST, the class's state as server-sent events, and what the pages show.

import { currentParts, navigate, onChange, readPart } from "../../ui/address.js";
import { requestClass } from "../../ui/server.js";

const RETRY_MS = 2000; // after the server refused a stream, as one that was started anew does until the teacher is back
const MAX_RETRIES = 300; // ten minutes, after which the class counts as over
const OWN_PARTS = ["hide", "embed", "lang"]; // of each page itself
const QUIET_MS = 40; // in which changes are sent together

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

/** What this page shows, as the class is told: without the parts of the page itself. */
export function shownPlace() {
  return Object.fromEntries(Object.entries(currentParts()).filter(([name]) => !OWN_PARTS.includes(name)));
}

/** Shows what the teacher's page shows. */
export function showPlace(place) {
  const own = OWN_PARTS.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
  navigate({ ...place, ...Object.fromEntries(own) }, { replace: true });
}

/** Calls `send(place)` when what this page shows has changed. */
export function onShown(send) {
  let sent = "";
  onceQuiet(() => {
    const place = shownPlace(), text = textOf(place);
    if (text !== sent) send(place);
    sent = text;
  });
}

/**
 * Calls `listener()` when the visitor has changed what this page shows: a change after a press or a key. What the class
 * changes comes without either; `expect()` says that it has just done so.
 */
export function onOwnChange(listener) {
  let hasTouched = false, known = "";
  const touch = () => { hasTouched = true; };
  for (const type of ["pointerdown", "keydown", "wheel"]) document.addEventListener(type, touch, { capture: true, passive: true });
  onceQuiet(() => {
    const text = textOf(shownPlace()), isOwn = hasTouched && text !== known;
    known = text;
    hasTouched = false;
    if (isOwn) listener();
  });
  const expect = () => {
    known = textOf(shownPlace());
    hasTouched = false;
  };
  return { expect };
}

/** Calls `listener()` after changes, once for those that come together. */
function onceQuiet(listener) {
  let timer = null;
  onChange(() => {
    timer ??= setTimeout(() => {
      timer = null;
      listener();
    }, QUIET_MS);
  });
}

/** A text that is the same for equal places. */
function textOf(place) {
  return JSON.stringify(Object.entries(place).sort(([one], [other]) => (one < other ? -1 : 1)));
}
