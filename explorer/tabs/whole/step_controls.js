// What moves the picture from step to step: the player's buttons and keys, the slider, and on a phone the words.

import { StepWords } from "./step_words.js";
import { fill, plainPiece } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";

const SENTENCE_SECONDS = 10, MAX_SPEED = 8; // the time in which Play writes a sentence; steps a second

export class StepControls {
  /**
   * `part` are nodes by role; `text` has the words `status` and `count`; `language` is the code of the target language.
   * @param {HTMLElement} root
   * @param {Record<string, any>} part
   * @param {{ text: any, language: string, shown: import("./shown_run.js").ShownRun }} options
   */
  constructor(root, part, { text, language, shown }) {
    this.part = part;
    this.text = text;
    this.shown = shown;
    this.words = new StepWords(part.step, language, (step) => shown.goToStep(step));
    this.transport = new Transport(root, {
      readPosition: () => this.readPosition(),
      goTo: (step) => shown.goToStep(Math.min(shown.trace.steps.length - 1, Math.max(0, step))),
    });
    part.step.addEventListener("input", () => shown.goToStep(Number(part.step.value) - 1));
  }

  readPosition() {
    const { trace: { steps: { length } }, step } = this.shown;
    return { step, last: length - 1, speed: Math.min(MAX_SPEED, Math.max(1, length / SENTENCE_SECONDS)) };
  }

  draw() {
    const { part, text, shown: { trace, step } } = this;
    const count = { step: step + 1, steps: trace.steps.length };
    const { fed, predicted } = trace.steps[step];
    const tokens = { fed: plainPiece(fed.text), predicted: plainPiece(predicted.text) };
    part.step.max = count.steps;
    part.step.value = count.step;
    this.words.draw(trace, step);
    part.status.textContent = fill(text.count, count);
    part.step.setAttribute("aria-valuetext", fill(text.status, { ...count, ...tokens }));
  }
}
