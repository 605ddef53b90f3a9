// The connection of a page to its class: actions, the class's state, and what the pages show.

import { currentParts, navigate, onChange, readPart } from "../../ui/address.js";
import { registerWork } from "../../ui/rest.js";
import { requestClass } from "../../ui/server.js";

const WAIT_SECONDS = 10; // for which the server may hold a request until the class changes
const PATIENCE_MS = [5000, 10000, 20000]; // for a response beyond that: for the first, the second, each later request
const FRESH_MS = 2000; // for which a response proves that the connection is there
const LATE_MS = 3000; // for a response's way, from which on what the page shows is called late
const RETRY_MS = 2000;
const DISPLACED_RETRY_MS = 15000; // after this page gave way to another one
const MAX_FAILURES = 300; // ten minutes and more, after which nobody comes any more
const CODE = /^[A-Z0-9]{1,12}$/;
const NOT_FOUND = 404, FORBIDDEN = 403, GONE = 410;
const PAGE_PARTS = ["hide", "embed", "lang"]; // of each page itself
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

  /** Whether the class was there, and is over. */
  get isOver() {
    return this.status === GONE;
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
export async function sendAction(code, request, language, signal) {
  const { status, error, ...response } = await requestClass(code, request, language, signal);
  if (error !== undefined) throw new Refusal(error, status);
  return response;
}

/** The code of a class as it was typed or linked, or null for what can be none. */
export function parseCode(text) {
  const code = text.trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

/**
 * Asks for the state of a class over and over: the server's response waits for a change. So every response is whole,
 * which filters and proxies pass on, and shows that the connection lives; a page that was asleep asks at once.
 *
 * `ask(request, signal)` sends a request. Calls `onAnswer(response, delay)` with each response, and the milliseconds of
 * its way if they are many, else 0; `onLost(error, silence)` whenever none came, with the server's Refusal if it gave
 * one, and the milliseconds since the last response; `onOver()`, `onDisplaced()` when this page made room for another,
 * and `onGone()` when it no longer asks.
 */
export class StatePoller {
  known = null; // the number of the state that this page has
  follows = true;
  failures = 0;
  lastResponse = Date.now();
  isDoubtful = true; // whether the connection may be gone: then a response is due at once
  controller = new AbortController(); // of the requests since the last wake()

  constructor({ ask, onAnswer, onLost, onOver, onDisplaced, onGone }) {
    this.ask = ask;
    this.onAnswer = onAnswer;
    this.onLost = onLost;
    this.onOver = onOver;
    this.onDisplaced = onDisplaced;
    this.onGone = onGone;
    this.onWaking = () => {
      if (document.visibilityState === "visible" && Date.now() - this.lastResponse > FRESH_MS) this.wake();
    };
    document.addEventListener("visibilitychange", this.onWaking);
    for (const type of ["pageshow", "online"]) window.addEventListener(type, this.onWaking);
  }

  /** Begins; the class counts the pages that follow. A page that comes back to the class is told its whole state. */
  open(follows) {
    this.follows = follows;
    this.known = null;
    this.wake();
  }

  /** Asks anew: the request under way may have no connection any more. */
  wake() {
    this.controller.abort();
    this.controller = new AbortController();
    this.isDoubtful = true;
    this.run(this.controller.signal);
  }

  async run(signal) {
    while (!signal.aborted) {
      const pause = await this.askOnce(signal);
      if (!signal.aborted) await sleep(pause, signal);
    }
  }

  /** Sends one request and tells of its response; promises the milliseconds until the next one. */
  async askOnce(signal) {
    const waits = this.isDoubtful ? 0 : WAIT_SECONDS;
    const sent = Date.now();
    const patience = PATIENCE_MS[Math.min(this.failures, PATIENCE_MS.length - 1)] + 1000 * waits;
    const request = { follows: this.follows, wait_seconds: waits };
    if (this.known !== null) request.known = this.known;
    let response;
    try {
      response = await withDeadline(signal, patience, (limited) => this.ask(request, limited));
    } catch (error) {
      if (!isExpected(error)) throw error;
      return signal.aborted ? 0 : this.fail(error);
    }
    if (signal.aborted) return 0;
    this.lastResponse = Date.now();
    return this.take(response, this.lastResponse - sent - 1000 * (response.held ?? 0));
  }

  take(response, way) {
    this.failures = 0;
    this.isDoubtful = false;
    if (response.over) return this.end();
    if (response.displaced) {
      this.known = null;
      this.onDisplaced();
      return DISPLACED_RETRY_MS;
    }
    this.known = response.number;
    this.onAnswer(response, way > LATE_MS ? way : 0);
    return 1000 * response.again;
  }

  fail(error) {
    if (error instanceof Refusal && error.isOver) return this.end();
    this.failures += 1;
    this.isDoubtful = true;
    if (this.failures > MAX_FAILURES) {
      this.close();
      this.onGone();
      return 0;
    }
    this.onLost(error, Date.now() - this.lastResponse);
    return RETRY_MS;
  }

  end() {
    this.close();
    this.onOver();
    return 0;
  }

  close() {
    this.controller.abort();
    document.removeEventListener("visibilitychange", this.onWaking);
    for (const type of ["pageshow", "online"]) window.removeEventListener(type, this.onWaking);
  }
}

/** What `run(limited)` promises; its signal ends with `signal`, and after a time. */
async function withDeadline(signal, milliseconds, run) {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, milliseconds);
  signal.addEventListener("abort", abort);
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Is kept after some milliseconds, or with the signal.
 * @returns {Promise<void>}
 */
function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

/** What this page shows, as the class is told: without the parts of the page itself. */
export function shownParts() {
  return Object.fromEntries(Object.entries(currentParts()).filter(([name]) => !PAGE_PARTS.includes(name)));
}

/** Shows what the teacher's page shows. */
export function showParts(parts) {
  const kept = PAGE_PARTS.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
  navigate({ ...parts, ...Object.fromEntries(kept) }, { replace: true });
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
export function onVisitorChange(listener) {
  let hasTouched = false, known = "";
  const touch = () => { hasTouched = true; };
  for (const type of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(type, touch, { capture: true, passive: true });
  }
  onceQuiet(() => {
    const text = textOf(shownParts());
    const isVisitors = hasTouched && text !== known;
    known = text;
    hasTouched = false;
    if (isVisitors) listener();
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
