// The dialog that saves what is shown: a button for every entry, and a line that says what came of it.

import { download } from "../../ui/download.js";
import { isTaken, hasModifier } from "../../ui/keys.js";
import { whenDrawn } from "../../ui/page.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { requireWords, fill } from "../../ui/text.js";
import { ENTRIES } from "./entries.js";
import { Refused } from "./file.js";
import { looked } from "./look.js";
import { headsIn } from "./picture/caption.js";
import { partsOf } from "./picture/parts.js";
import { fileText, pictured } from "./picture/picture.js";

const SOON = 500; // milliseconds without an answer after which it is said that one is awaited

export function mount(root, settings, server) {
  new Save(root, { ...settings, text: requireWords(settings.text) }, server);
}

class Save {
  constructor(root, settings, server) {
    Object.assign(this, { root, settings, server, part: nodesByAttribute(root, "save") });
    for (const button of root.querySelectorAll("[data-entry]")) {
      button.addEventListener("click", () => this.save(button));
    }
    for (const name of ["what", "grey", "caption"]) this.part[name].addEventListener("change", () => this.preview());
    whenDrawn("#toolbar [data-tool=save]").then((button) => button.addEventListener("click", () => this.open()));
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "s" || isTaken(event) || hasModifier(event)) return;
      event.preventDefault();
      this.open();
    });
    // A click beside it, which is one on the dialog's own ground, closes it as Esc does.
    this.part.dialog.addEventListener("click", ({ target }) => target === this.part.dialog && this.part.dialog.close());
  }

  open() {
    const look = looked(this.part);
    if (!look.viewer) return; // nothing is shown yet
    this.part.state.textContent = "";
    for (const button of this.root.querySelectorAll("[data-entry]")) {
      button.hidden = !(ENTRIES[button.dataset.entry].offered?.(look) ?? true);
    }
    this.part.of.textContent = fill(this.settings.text.of, { matrix: headsIn(look, this.settings.text.caption).join(" · "), sentence: look.viewer.trace.sentence });
    this.offer(look);
    this.part.dialog.showModal();
    this.preview();
  }

  /** The parts of the tab that can be a picture. */
  offer({ tab }) {
    const { part: { what }, settings: { text } } = this, before = what.value;
    const parts = partsOf(tab, text.parts);
    what.replaceChildren(...parts.map(({ name, label }) => new Option(label, name)));
    if (what.dataset.tab === tab && parts.some(({ name }) => name === before)) what.value = before;
    what.dataset.tab = tab;
    what.closest("label").hidden = parts.length < 2;
  }

  /** Shows the picture as it would be saved. */
  async preview() {
    const { part: { preview, what } } = this, turn = (this.turn = {});
    if (!what.options.length) return;
    const { picture } = await pictured(looked(this.part), this.settings);
    if (turn !== this.turn) return;
    URL.revokeObjectURL(preview.src);
    preview.src = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  }

  /** Makes the file of a button's entry; what fails is said in words. */
  async save(button) {
    const { part: { state }, settings, server } = this, { text } = settings, { entry } = button.dataset;
    const waiting = setTimeout(() => { state.textContent = text.working; }, SOON);
    button.disabled = true;
    try {
      const ask = async (...given) => answerOf(await server[`save.${entry}`](given).catch(() => null), text);
      const file = await ENTRIES[entry].make({ look: looked(this.part), ask, settings });
      state.textContent = file ? fill(text.saved, { name: file.name, size: sizeOf(download(file), text) }) : "";
    } catch (failed) {
      state.textContent = failed instanceof Refused ? failed.message : text.failed;
      if (!(failed instanceof Refused)) throw failed;
    } finally {
      clearTimeout(waiting);
      button.disabled = false;
    }
  }
}

function answerOf(text, words) {
  const answer = typeof text === "string" ? JSON.parse(text) : { error: words.noAnswer };
  if (answer.error) throw new Refused(answer.error);
  return answer;
}

function sizeOf(bytes, { kilobytes, megabytes }) {
  const number = (count) => count.toFixed(count < 10 ? 1 : 0);
  return bytes < 1e6 ? fill(kilobytes, { number: number(bytes / 1e3) }) : fill(megabytes, { number: number(bytes / 1e6) });
}
