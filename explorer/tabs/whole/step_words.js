// The translation as a row of words, one a step: on a phone the slider.

import { button, element } from "../../ui/element.js";
import { plainPiece } from "../../ui/text.js";

export class StepWords {
  /** Whose words they are. @type {Trace | null} */ trace = null;

  /**
   * @param {HTMLElement} slider which they follow and whose name they take
   * @param {string} language code of the words
   * @param {(step: number) => void} goToStep
   */
  constructor(slider, language, goToStep) {
    const label = slider.getAttribute("aria-label");
    this.node = element("div", { class: "step-words", role: "group", "aria-label": label, "data-rove": "" });
    this.language = language;
    this.goToStep = goToStep;
    slider.after(this.node);
  }

  /** @param {Trace} trace */
  draw(trace, step) {
    if (trace !== this.trace) this.make(trace);
    [...this.node.children].forEach((node, i) => {
      if (i === step) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    });
    this.scrollTo(/** @type {HTMLElement} */ (this.node.children[step]));
  }

  make(trace) {
    this.trace = trace;
    this.node.replaceChildren(...trace.steps.map(({ predicted }, step) => button(
      () => this.goToStep(step), predicted.special ? {} : { lang: this.language }, plainPiece(predicted.text))));
  }

  /** Brings a word into the middle; the page itself stays. */
  scrollTo({ offsetLeft, offsetWidth }) {
    this.node.scrollLeft = offsetLeft - (this.node.clientWidth - offsetWidth) / 2;
  }
}
