// The save dialog: options, a preview, a button for every file, and a line with the state.

import { isTaken, hasModifier } from "../../ui/keys.js";
import { trackWork } from "../../ui/rest.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { UserError } from "../../ui/user_error.js";
import { ENTRIES } from "./entries.js";
import { FileMaker } from "./file_maker.js";
import { takeSnapshot } from "./snapshot.js";
import { describeHeads } from "./picture/caption.js";
import { partsOf, fileText, createPicture } from "./picture/picture.js";

const CHANGES = "#bar [data-change=chips] > *"; // of the page

export function mount(root, settings, model) {
  new SaveDialog(root, { ...settings, text: requireWords(settings.text) }, model);
}

class SaveDialog {
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
    const snapshot = takeSnapshot(this.part);
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

  /** Makes the file of a button. */
  save(button) {
    const { part, settings, model, maker } = this;
    const { make, hint } = ENTRIES[button.dataset.entry];
    const create = (watch) => make({ snapshot: takeSnapshot(part), model, settings, watch });
    maker.make(button, create, hint ? settings.text[hint] : "");
  }
}
