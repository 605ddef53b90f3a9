// The save dialog: options, a preview, a button for every file, and a line with the state.

import { download } from "../../ui/download.js";
import { isTaken, hasModifier } from "../../ui/keys.js";
import { trackWork } from "../../ui/rest.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { NoAnswer } from "../../ui/model.js";
import { UserError } from "../../ui/user_error.js";
import { ENTRIES } from "./entries.js";
import { SaveError, takeSnapshot } from "./snapshot.js";
import { describeHeads } from "./picture/caption.js";
import { partsOf, fileText, createPicture } from "./picture/picture.js";
import { formatDecimal } from "../../ui/numbers.js";

const CHANGES = "#bar [data-change=chips] > *"; // of the page
const WORKING_DELAY_MS = 500; // milliseconds until the state says that a file is being made

export function mount(root, settings, model) {
  new SaveDialog(root, { ...settings, text: requireWords(settings.text) }, model);
}

class SaveDialog {
  /** What stops the file that is being made. @type {AbortController | null} */ running = null;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.part = nodesByAttribute(root, "save");
    for (const button of root.querySelectorAll("[data-entry]")) {
      button.addEventListener("click", () => trackWork("save", this.save(button)));
    }
    for (const name of ["what", "grey", "caption"]) this.part[name].addEventListener("change", () => this.preview());
    document.querySelector("#toolbar [data-tool=save]").addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "s" || isTaken(event) || hasModifier(event)) return;
      event.preventDefault();
      this.open();
    });
    this.part.enlarge.addEventListener("click", () => this.enlarge(!this.part.dialog.hasAttribute("data-large")));
    this.part.stop.addEventListener("click", () => this.running?.abort());
    this.part.dialog.addEventListener("close", () => this.running?.abort());
    // A click on the backdrop closes the dialog; its target is the dialog itself.
    this.part.dialog.addEventListener("click", ({ target }) => target === this.part.dialog && this.part.dialog.close());
  }

  open() {
    const { viewer } = takeSnapshot(this.part);
    if (!viewer) return; // nothing is shown yet
    viewer.releaseEnd();
    const snapshot = takeSnapshot(this.part);
    this.part.state.textContent = "";
    for (const button of this.root.querySelectorAll("[data-entry]")) {
      button.hidden = !(ENTRIES[button.dataset.entry].offered?.(snapshot) ?? true);
    }
    this.part.of.textContent = this.describeNumbers(snapshot);
    this.offer(snapshot);
    this.enlarge(false);
    this.part.dialog.showModal();
    this.preview();
  }

  /** What the files of numbers are of: a sentence, its matrix, and what is changed, as the page calls it. */
  describeNumbers(snapshot) {
    const { text } = this.settings;
    const of = fill(text.of, {
      matrix: describeHeads(snapshot, text.caption).join(" · "),
      sentence: snapshot.viewer.trace.sentence,
    });
    if (!snapshot.run) return of;
    const changes = [...document.querySelectorAll(CHANGES)].map(({ textContent }) => textContent);
    return `${of} ${fill(text.ofChanged, { changes: changes.join(" · ") })}`;
  }

  /** Shows the picture as large as it is saved, or small again. */
  enlarge(isLarge) {
    const { part: { dialog, enlarge } } = this;
    dialog.toggleAttribute("data-large", isLarge);
    enlarge.setAttribute("aria-pressed", `${isLarge}`);
  }

  /** Sets the options to the parts of the tab that can be saved as a picture. */
  offer(snapshot) {
    const { part: { what }, settings: { text } } = this;
    const { tab } = snapshot;
    const previous = what.value;
    const parts = partsOf(snapshot, text.parts);
    what.replaceChildren(...parts.map(({ name, label }) => new Option(label, name)));
    if (what.dataset.tab === tab && parts.some(({ name }) => name === previous)) what.value = previous;
    what.dataset.tab = tab;
    what.closest("label").hidden = parts.length < 2;
  }

  /** Shows the picture as it would be saved. */
  async preview() {
    const { part: { preview, what, state }, settings } = this;
    const turn = {};
    this.turn = turn;
    if (!what.options.length) return;
    const drawn = createPicture(takeSnapshot(this.part), settings).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      if (turn === this.turn) state.textContent = error.message; // a poster's numbers did not come
      return null;
    });
    const { picture } = await trackWork("preview", drawn) ?? {};
    if (turn !== this.turn || !picture) return;
    URL.revokeObjectURL(preview.src);
    preview.src = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  }

  /** Creates and downloads the file of a button; shows errors in the state. */
  async save(button) {
    const { part: { state, running }, settings, model } = this;
    const { text } = settings;
    const { entry } = button.dataset;
    const { make, hint } = ENTRIES[entry];
    const said = hint ? text[hint] : "";
    state.textContent = said;
    const timer = setTimeout(() => {
      if (running.hidden) state.textContent = said || text.working;
    }, WORKING_DELAY_MS);
    this.begin();
    const { signal } = this.running;
    try {
      const made = await make({ snapshot: takeSnapshot(this.part), model, settings, watch: this.watch(signal) });
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

  /** One file after the other. */
  begin() {
    this.running = new AbortController();
    for (const button of this.root.querySelectorAll("[data-entry]")) button.disabled = true;
  }

  end() {
    const { part: { preview, running } } = this;
    this.running = null;
    for (const button of this.root.querySelectorAll("[data-entry]")) button.disabled = false;
    running.hidden = true;
    for (const canvas of preview.parentElement.querySelectorAll("canvas")) canvas.remove();
    preview.hidden = false;
  }

  /** What shows and tells how far a file is that takes longer, and when to give up. */
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

function formatSize(bytes, { kilobytes, megabytes }) {
  const number = (count) => formatDecimal(count, count < 10 ? 1 : 0);
  return bytes < 1e6
    ? fill(kilobytes, { number: number(bytes / 1e3) })
    : fill(megabytes, { number: number(bytes / 1e6) });
}
