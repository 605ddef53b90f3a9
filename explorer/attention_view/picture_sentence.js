// The sentence that sums up the picture in the level "picture": where the focused word looks, or who looks at it.

import { element } from "../ui/element.js";
import { fill } from "../ui/text.js";
import { plainSentence, splitNames } from "./plain.js";

export class PictureSentence {
  /** `resized()` is called when the sentence may take another height. */
  constructor({ plain, choices, slider }, text, resized) {
    this.node = plain;
    this.choices = choices;
    this.slider = slider;
    this.text = text;
    this.resized = resized;
  }

  /** @param {View} view @param {import("./sentences.js").Sentences} sentences */
  draw({ kind, pin }, sentences) {
    const { node, text: { plain } } = this;
    const isFinished = Boolean(pin?.ends);
    this.choices.hidden = isFinished; // they are those of the last step, the sentence is about the pinned word
    const { focusedGroup, pointed } = sentences;
    const found = plainSentence(plain, kind, focusedGroup);
    const isAboutEnd = focusedGroup?.pieces[0].mark === "end"; // which begins so by itself
    const sentence = isFinished && !pointed && !isAboutEnd ? fill(plain.finished, { found }) : found;
    if (node.textContent !== sentence) {
      this.write(sentence);
      this.reserveRoom(kind, sentences);
    }
    this.slider.setAttribute("aria-valuetext", sentence);
  }

  /** Writes a sentence, the words that it names in bold. */
  write(sentence) {
    const named = (word) => element("strong", { translate: "no" }, word);
    const parts = splitNames(sentence, this.text.plain).map((part) => (part.word ? named(part.word) : part));
    this.node.replaceChildren(element("span", {}, ...parts));
  }

  /** Keeps the room of the longest sentence of all steps, so that the picture stays where it is (viewer.css). */
  reserveRoom(kind, { focusedGroups }) {
    const all = focusedGroups.map((group) => plainSentence(this.text.plain, kind, group));
    const longest = all.reduce((most, sentence) => (sentence.length > most.length ? sentence : most), "");
    if (this.node.dataset.longest === longest) return;
    this.node.dataset.longest = longest;
    this.resized();
  }
}
