// The connection of a page to its class: actions by POST, the class's state as server-sent events, and what the pages
// show.

import { currentParts, navigate, onChange, readPart } from "../../ui/address.js";
import { registerWork } from "../../ui/rest.js";
import { requestClass } from "../../ui/server.js";

const RETRY_MS = 2000; // after the server refused a stream, as one that was started anew does until the teacher is back
const DISPLACED_RETRY_MS = 15000; // after it ended this stream for another one
const MAX_RETRIES = 300; // ten minutes, after which nobody comes any more
const CODE = /^[A-Z0-9]{1,12}$/;
const NOT_FOUND = 404, FORBIDDEN = 403;
const OWN_PARTS = ["hide", "embed", "lang"]; // of each page itself
const QUIET_MS = 40; // in which changes are sent together

/** A refusal of the server, whose message is a sentence for the visitor. */
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  /** Whether there is no such class. */
  get isUnknown() {
    return this.status === NOT_FOUND;
  }

  /** Whether the key is not that of the class. */
  get isForeign() {
    return this.status === FORBIDDEN;
  }
}

/** Whether an error is a refusal, or that of a broken connection; every other one is a fault of this page. */
export function isExpected(error) {
  return error instanceof Refusal || error instanceof TypeError || error instanceof DOMException;
}

/** The response to an action; throws a Refusal, or the error of a broken connection. */
export async function sendAction(code, request, language) {
  const { status, error, ...response } = await requestClass(code, request, language);
  if (error !== undefined) throw new Refusal(error, status);
  return response;
}

/** The code of a class as it was typed or linked, or null for what can be none. */
export function parseCode(text) {
  const code = text.trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

/**
 * The stream of a class. Calls `onState(state)` with each state, and `onOver()` at its end; `onLost(error)` whenever it
 * breaks off, with the server's Refusal if it gave one; `onDisplaced()` when it made room for another, and `onGone()`
 * when it no longer tries. `find()` promises that the class is there, or throws.
 */
export class ClassStream {
  source = null;
  retries = 0;
  timer = null;
  follows = true;
  isClosed = false;

  constructor(code, page, { onState, onOver, onLost, onDisplaced, onGone, find }) {
    this.code = code;
    this.page = page;
    this.onState = onState;
    this.onOver = onOver;
    this.onLost = onLost;
    this.onDisplaced = onDisplaced;
    this.onGone = onGone;
    this.find = find;
  }

  /** Opens the stream anew; the class counts the pages that follow. */
  open(follows = this.follows) {
    this.close();
    this.isClosed = false;
    this.follows = follows;
    const query = new URLSearchParams({ page: this.page, follows: `${Number(follows)}` });
    this.source = new EventSource(new URL(`class/${this.code}/events?${query}`, document.baseURI));
    this.source.addEventListener("message", ({ data }) => {
      this.retries = 0;
      const state = JSON.parse(data);
      if (state.over || state.displaced) this.end(state);
      else this.onState(state);
    });
    // The browser reconnects by itself, unless the server answered with a refusal, which it does not tell.
    this.source.addEventListener("error", () => {
      if (this.source.readyState !== EventSource.CLOSED) this.onLost(null);
      else if (this.retries === 0) this.reconnect();
      else this.retry();
    });
  }

  end({ over }) {
    this.close();
    if (over) return this.onOver();
    this.isClosed = false;
    this.onDisplaced();
    this.retry(DISPLACED_RETRY_MS);
  }

  retry(delay = RETRY_MS) {
    this.timer = setTimeout(() => this.reconnect(), delay);
  }

  /** Opens the stream if the class is there; otherwise tells why not, and tries again. */
  async reconnect() {
    this.retries += 1;
    try {
      await this.find();
      if (!this.isClosed) this.open();
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (this.isClosed) return;
      if (this.retries > MAX_RETRIES) return this.onGone();
      this.onLost(error);
      this.retry();
    }
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.source?.close();
  }
}

/** What this page shows, as the class is told: without the parts of the page itself. */
export function shownParts() {
  return Object.fromEntries(Object.entries(currentParts()).filter(([name]) => !OWN_PARTS.includes(name)));
}

/** Shows what the teacher's page shows. */
export function showParts(parts) {
  const own = OWN_PARTS.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
  navigate({ ...parts, ...Object.fromEntries(own) }, { replace: true });
}

/** Calls `send(parts)` when what this page shows has changed. */
export function onShown(send) {
  let sent = "";
  onceQuiet(() => {
    const parts = shownParts();
    const text = textOf(parts);
    if (text !== sent) send(parts);
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
  for (const type of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(type, touch, { capture: true, passive: true });
  }
  onceQuiet(() => {
    const text = textOf(shownParts());
    const isOwn = hasTouched && text !== known;
    known = text;
    hasTouched = false;
    if (isOwn) listener();
  });
  const expect = () => {
    known = textOf(shownParts());
    hasTouched = false;
  };
  return { expect };
}

/** Calls `listener()` after changes, once for those that come together. */
function onceQuiet(listener) {
  let timer = null;
  registerWork("class", () => timer !== null);
  onChange(() => {
    timer ??= setTimeout(() => {
      timer = null;
      listener();
    }, QUIET_MS);
  });
}

/** A text that is the same for equal parts. */
function textOf(parts) {
  return JSON.stringify(Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1)));
}
