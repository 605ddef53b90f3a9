// Makes one file at a time for a dialog: says how far it is, shows what is drawn meanwhile, and stops when asked to.

import { formatDecimal } from "../../ui/numbers.js";
import { NoAnswer } from "../../ui/model.js";
import { download } from "../../ui/download.js";
import { fill } from "../../ui/text.js";
import { trackWork } from "../../ui/rest.js";
import { UserError } from "../../ui/user_error.js";
import { SaveError } from "./snapshot.js";

export const WORKING_DELAY_MS = 500; // milliseconds until the state says that something is being made

/** @typedef {import("./flight.js").Watch} Watch */

export class FileMaker {
  /** What stops the file that is being made. @type {AbortController | null} */ stopper = null;

  /**
   * `part` has the dialog's nodes: `dialog`, `state`, `running` with `progress`, `told` and `stop`, and `preview`, in
   * whose place what is drawn is shown. `buttons` rest while a file is made.
   * @param {Record<string, any>} part
   * @param {HTMLButtonElement[]} buttons
   * @param {Record<string, string>} text
   */
  constructor(part, buttons, text) {
    this.part = part;
    this.buttons = buttons;
    this.text = text;
    part.stop.addEventListener("click", () => this.stopper?.abort());
    part.dialog.addEventListener("close", () => this.stopper?.abort());
  }

  /**
   * Makes the file of a button and downloads it; shows in the state what became of it. `create(watch)` promises what
   * entries.js says; `said` is what is left to do.
   * @param {HTMLButtonElement} button
   * @param {(watch: Watch) => Promise<any>} create
   * @param {string} said
   */
  make(button, create, said = "") {
    return trackWork("save", this.makeFile(button, create, said));
  }

  async makeFile(button, create, said) {
    const { part: { state, running }, text } = this;
    state.textContent = said;
    const timer = setTimeout(() => {
      if (running.hidden) state.textContent = said || text.working;
    }, WORKING_DELAY_MS);
    this.begin();
    const { signal } = this.stopper;
    try {
      const made = await create(this.watch(signal));
      if (made?.said) state.replaceChildren(...made.said);
      else if (made) state.textContent = fill(text.saved, { name: made.name, size: formatSize(download(made), text) });
      else state.textContent = said;
    } catch (error) {
      state.textContent = signal.aborted ? text.stopped : sentenceOf(error, text);
      if (state.textContent === text.failed) throw error;
    } finally {
      clearTimeout(timer);
      this.end();
      if (document.activeElement === document.body) button.focus(); // whose focus went when it was disabled
      state.scrollIntoView({ block: "nearest" });
    }
  }

  begin() {
    this.stopper = new AbortController();
    for (const button of this.buttons) button.disabled = true;
  }

  end() {
    const { part: { preview, running } } = this;
    this.stopper = null;
    for (const button of this.buttons) button.disabled = false;
    running.hidden = true;
    for (const canvas of preview.parentElement.querySelectorAll("canvas")) canvas.remove();
    preview.hidden = false;
  }

  /** What shows and tells how far a file is that takes longer, and when to give up. @returns {Watch} */
  watch(signal) {
    const { part: { preview, running, progress, told } } = this;
    return {
      signal,
      show: (canvas) => {
        preview.hidden = true;
        preview.after(canvas);
      },
      tell: (sentence, share) => {
        running.hidden = false;
        told.textContent = sentence;
        progress.value = share;
      },
    };
  }
}

/** What the visitor reads of an error. */
function sentenceOf(error, text) {
  if (error instanceof SaveError || error instanceof UserError) return error.message;
  return error instanceof NoAnswer ? text.noAnswer : text.failed;
}

/** @param {number} bytes @param {Record<string, string>} text */
function formatSize(bytes, { kilobytes, megabytes }) {
  const number = (count) => formatDecimal(count, count < 10 ? 1 : 0);
  return bytes < 1e6
    ? fill(kilobytes, { number: number(bytes / 1e3) })
    : fill(megabytes, { number: number(bytes / 1e6) });
}
