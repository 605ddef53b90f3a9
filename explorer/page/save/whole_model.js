// What is made of the whole model while another tab is shown: films, which Share has, too, and posters.

import { holdAddress } from "../../ui/address.js";
import { hasTab, openTab, openTabId, snapshotOf } from "../../ui/page_events.js";
import { untilTrue } from "../../ui/page.js";
import { SaveError } from "./snapshot.js";

const WHOLE = "whole"; // the tab
const NOT_LOADED = "#whole-tab > .not-loaded"; // what the tab says where its modules did not come
const REFUSAL = "#whole .whole:not([aria-busy=true]) [data-role=message]:not(:empty)"; // where the model refused

/** Whether there is a whole model of the sentence that the page is about. */
export function hasWholeModel() {
  return hasTab(WHOLE);
}

/** @typedef {{ signal: AbortSignal, text: Record<string, string> }} Options */

/**
 * Promises what the tab shows, once it has drawn it; rejects with what the visitor reads instead.
 * @param {Options} options
 */
async function shownModel({ signal, text }) {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // it says nothing old by then
  return untilTrue(() => {
    signal.throwIfAborted();
    const snapshot = snapshotOf(WHOLE);
    if (snapshot?.writing) return snapshot;
    if (document.querySelector(NOT_LOADED)) throw new SaveError(text.notLoaded);
    const refusal = document.querySelector(REFUSAL);
    if (refusal) throw new SaveError(refusal.textContent);
    return null;
  });
}

/** Rejects as soon as a signal aborts. @param {AbortSignal} signal @returns {Promise<never>} */
function whenAborted(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/**
 * Promises what `use(snapshot)` makes of the whole model in its tab, which is open meanwhile; the address and the pages
 * of a class stay where they are.
 * @template T
 * @param {(snapshot: any) => Promise<T>} use
 * @param {Options} options
 * @returns {Promise<T>}
 */
export async function inWholeModel(use, options) {
  const tab = openTabId();
  if (tab === WHOLE) return use(await shownModel(options));
  const releaseAddress = holdAddress();
  openTab(WHOLE);
  try {
    return await use(await shownModel(options));
  } finally {
    if (openTabId() === WHOLE) openTab(tab);
    releaseAddress();
  }
}

/** A poster for views of the sentence that cannot draw one: the whole model does, once for all that is made of it. */
export class BorrowedPoster {
  /** What the last plate is of. */ of = { trace: null, step: -1 };
  /** @type {Promise<any> | null} */ drawn = null;

  /**
   * `viewer` is the attention view; the signal of the `options` says that nothing is made any more.
   * @param {any} viewer
   * @param {Options} options
   */
  constructor(viewer, options) {
    this.viewer = viewer;
    this.options = options;
  }

  /** Promises the `Plate` (poster/poster.js) of what is shown now; rejects with what the visitor reads. */
  plate() {
    const { viewer: { trace, view: { step } } } = this;
    if (trace !== this.of.trace || step !== this.of.step) this.drawn = null;
    this.of = { trace, step };
    this.drawn ??= this.draw();
    return this.drawn;
  }

  async draw() {
    const { options, options: { signal } } = this;
    try {
      return await inWholeModel(({ poster }) => Promise.race([poster.plate(), whenAborted(signal)]), options);
    } catch (error) {
      this.drawn = null; // to try again
      throw error;
    }
  }

  /** Resolves when the view that was left for the whole model is there again. */
  async settled() {
    await this.drawn?.catch(() => {}); // who asked for it knows
  }
}
