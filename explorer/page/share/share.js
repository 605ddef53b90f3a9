// The share dialog: the link to what is shown, the picture that chat programs show with it, and two videos.

import { currentLink, currentParts } from "../../ui/address.js";
import { currentView } from "../../ui/page_events.js";
import { trackWork } from "../../ui/rest.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill, requireWords } from "../../ui/text.js";
import { copyToClipboard, isLocal } from "../passing_on.js";
import { ENTRIES } from "../save/entries.js";
import { FileMaker } from "../save/file_maker.js";
import { slug } from "../save/snapshot.js";
import { hasWholeModel, inWholeModel } from "../save/whole_model.js";

export function mount(root, settings) {
  new ShareDialog(root, { ...settings, text: requireWords(settings.text) });
}

class ShareDialog {
  /** What the link shows. @type {Record<string, string>} */ parts = {};
  /** The picture of the link's preview. @type {Blob | null} */ picture = null;
  /** The latest opening; what an earlier one has asked for is not shown. */ turn = {};

  constructor(root, settings) {
    this.settings = settings;
    this.part = nodesByAttribute(root, "share");
    const { part, part: { copy, send, picture, writing, film } } = this;
    this.maker = new FileMaker(part, [picture, writing, film], settings.text);
    document.querySelector("#toolbar [data-tool=share]").addEventListener("click", () => this.open());
    copy.addEventListener("click", () => this.copyLink());
    send.hidden = !navigator.share;
    send.addEventListener("click", () => this.sendLink());
    part.link.addEventListener("focus", () => part.link.select());
    picture.addEventListener("click", () => this.maker.make(picture, async () => this.pictureFile()));
    for (const button of [writing, film]) {
      const { make } = ENTRIES[button.dataset.share];
      button.addEventListener("click", () => this.maker.make(button, (watch) => this.makeFilm(make, watch)));
    }
    // A click on the backdrop closes the dialog; its target is the dialog itself.
    part.dialog.addEventListener("click", ({ target }) => target === part.dialog && part.dialog.close());
  }

  open() {
    const { part, settings: { base, text } } = this;
    const link = currentLink(base);
    this.parts = currentParts();
    part.link.parentElement.hidden = link === null;
    part.link.value = link ?? "";
    part.said.textContent = link === null ? text.tooLong : "";
    part.state.textContent = "";
    const hasFilms = hasWholeModel() && currentView() !== null;
    for (const button of [part.writing, part.film]) button.hidden = !hasFilms;
    this.showPicture();
    part.dialog.showModal();
  }

  async copyLink() {
    const { part: { link, said }, settings: { text } } = this;
    if (await copyToClipboard(link.value)) said.textContent = isLocal(link.value) ? text.copiedLocal : text.copied;
    else {
      said.textContent = text.copyByHand;
      link.focus();
    }
  }

  /** Hands the link to another program, which the visitor chooses or not. */
  async sendLink() {
    const { parts: { sentence }, part: { link }, settings: { text, title: page } } = this;
    const title = sentence ? fill(this.isChanged ? text.changed : text.title, { sentence, title: page }) : page;
    try {
      await navigator.share({ title, url: link.value });
    } catch (error) {
      if (error.name !== "AbortError") throw error; // the visitor chose none
    }
  }

  /** Whether the link shows the run under a change. */
  get isChanged() {
    const { change, run } = this.parts;
    return Boolean(change) && run !== "unchanged";
  }

  /** Shows the picture of the link's preview, or says why there is none of this sentence. */
  async showPicture() {
    const { part: { preview, picture, unseen }, settings } = this;
    const turn = {};
    this.turn = turn;
    const draw = (blob, said, isEmpty) => {
      URL.revokeObjectURL(preview.src);
      if (blob) preview.src = URL.createObjectURL(blob);
      else preview.removeAttribute("src");
      preview.parentElement.toggleAttribute("data-empty", isEmpty);
      this.picture = blob;
      picture.hidden = !blob;
      unseen.textContent = said;
    };
    const hasPicture = settings.preview !== null && Boolean(this.parts.sentence);
    draw(null, "", !hasPicture); // its room is kept until it comes
    if (!hasPicture) return;
    const { blob = null, said = "" } = await trackWork("preview", this.fetchPicture());
    if (turn === this.turn) draw(blob, said, blob === null);
  }

  /** Promises the picture as a `blob`, or what is `said` instead: another sentence's would pass for this one's. */
  async fetchPicture() {
    const { parts, isChanged, settings: { text, preview: { address, sentence } } } = this;
    if (sentence !== null && (isChanged || parts.sentence !== sentence)) return { said: text.first };
    const query = sentence === null ? this.pictureQuery() : "";
    const response = await fetch(new URL(address + query, document.baseURI)).catch((error) => {
      if (error instanceof TypeError) return null; // no connection
      throw error;
    });
    if (!response?.ok) return { said: text.noAnswer };
    if (!response.headers.has("Content-Location")) return { blob: await response.blob() };
    return { said: response.headers.get("Cache-Control") === "no-store" ? text.later : text.general };
  }

  /** The names of link_preview.py's `picture_url`. */
  pictureQuery() {
    const { isChanged, parts: { sentence, change, step }, settings: { language: lang } } = this;
    const named = { sentence, ...(isChanged && { change }), ...(step && { step }), lang };
    return `?${new URLSearchParams(named)}`;
  }

  pictureFile() {
    return { name: `preview-${slug(this.parts.sentence)}.png`, type: "image/png", data: this.picture };
  }

  /** Films the whole model. */
  makeFilm(make, watch) {
    const { settings, settings: { text } } = this;
    watch.tell(text.preparing, 0);
    const { signal } = watch;
    return inWholeModel((snapshot) => make({ snapshot, settings, watch }), { signal, text });
  }
}
