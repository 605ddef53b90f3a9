// The save dialog: options, a preview, a button for every file, and a line with the state.

import { isTaken, hasModifier } from "../../ui/keys.js";
import { trackWork } from "../../ui/rest.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { UserError } from "../../ui/user_error.js";
import { ENTRIES } from "./entries.js";
import { FileMaker, WORKING_DELAY_MS } from "./file_maker.js";
import { SaveError, takeSnapshot } from "./snapshot.js";
import { BorrowedPoster, hasWholeModel } from "./whole_model.js";
import { describeHeads } from "./picture/caption.js";
import { createPicture, fileText, isSheet, partsOf } from "./picture/picture.js";

const CHANGES = "#bar [data-change=chips] > *"; // of the page

export function mount(root, settings, model) {
  new SaveDialog(root, { ...settings, text: requireWords(settings.text) }, model);
}

class SaveDialog {
  /** For a tab that cannot draw its own. @type {BorrowedPoster | null} */ poster = null;

  constructor(root, settings, model) {
    this.root = root;
    this.settings = settings;
    this.model = model;
    this.part = nodesByAttribute(root, "save");
    this.buttons = [...root.querySelectorAll("[data-entry]")];
    this.maker = new FileMaker(this.part, this.buttons, settings.text);
    for (const button of this.buttons) button.addEventListener("click", () => this.save(button));
    for (const name of ["what", "grey", "caption"]) this.part[name].addEventListener("change", () => this.preview());
    document.querySelector("#toolbar [data-tool=save]").addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "s" || isTaken(event) || hasModifier(event)) return;
      event.preventDefault();
      this.open();
    });
    this.part.enlarge.addEventListener("click", () => this.enlarge(!this.part.dialog.hasAttribute("data-large")));
    // A click on the backdrop closes the dialog; its target is the dialog itself.
    this.part.dialog.addEventListener("click", ({ target }) => target === this.part.dialog && this.part.dialog.close());
  }

  open() {
    const { viewer } = takeSnapshot(this.part);
    if (!viewer) return; // nothing is shown yet
    viewer.releaseEnd();
    this.poster = hasWholeModel() ? this.borrowPoster(viewer) : null;
    const snapshot = takeSnapshot(this.part, this.poster);
    this.part.state.textContent = "";
    for (const button of this.buttons) {
      button.hidden = !(ENTRIES[button.dataset.entry].offered?.(snapshot) ?? true);
    }
    this.part.of.textContent = this.describeNumbers(snapshot);
    this.offer(snapshot);
    this.enlarge(false);
    this.part.dialog.showModal();
    this.preview();
  }

  /** A poster that the whole model draws while the dialog is open. */
  borrowPoster(viewer) {
    const closed = new AbortController();
    this.part.dialog.addEventListener("close", () => closed.abort(), { once: true });
    return new BorrowedPoster(viewer, { signal: closed.signal, text: this.settings.text });
  }

  /** Promises a snapshot of the tab that the dialog was opened on. */
  async snapshot() {
    await this.poster?.settled();
    return takeSnapshot(this.part, this.poster);
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
    const { part: { preview, what } } = this;
    const turn = {};
    this.turn = turn;
    if (!what.options.length) return;
    const { picture } = await trackWork("preview", this.draw(turn)) ?? {};
    if (turn !== this.turn || !picture) return;
    URL.revokeObjectURL(preview.src);
    preview.src = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  }

  /** Promises the picture of now; null, and says why, if a poster's numbers or the whole model do not come. */
  async draw(turn) {
    const { part: { what, dialog, state }, settings, settings: { text: { drawingPoster } } } = this;
    const timer = setTimeout(() => {
      if (turn === this.turn && isSheet(what.value) && dialog.open) state.textContent = drawingPoster;
    }, WORKING_DELAY_MS);
    try {
      return await createPicture(await this.snapshot(), settings);
    } catch (error) {
      const isKnown = error instanceof UserError || error instanceof SaveError;
      if (isKnown && turn === this.turn) state.textContent = error.message;
      if (isKnown || !dialog.open) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      if (state.textContent === drawingPoster) state.textContent = "";
    }
  }

  /** Makes the file of a button. */
  save(button) {
    const { settings, model, maker } = this;
    const { make, hint } = ENTRIES[button.dataset.entry];
    const create = async (watch) => make({ snapshot: await this.snapshot(), model, settings, watch });
    maker.make(button, create, hint ? settings.text[hint] : "");
  }
}
