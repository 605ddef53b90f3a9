// The dial of a feed-forward board: holds a neuron at a value, whatever it reads, while the translation changes.

import { holdOf } from "../../../changes/experiments.js";
import { button, element } from "../../../ui/element.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { fill } from "../../../ui/text.js";

const LEAST_MOST = 6; // the end of the scale where a neuron is silent or weak in this sentence
const PAUSE_MS = 150; // between two runs while it turns

/**
 * A neuron of a layer: in the present run it is at `value` at the present token, at most at `largest`.
 * @typedef {{ stack: Stack, layer: number, row: number, tokenAt: (row: number) => string, neuron: number,
 *   count: number, value: number, largest: number, experiment: Experiment }} Dialled
 */

export class NeuronDial {
  /** @type {Dialled | null} */ dialled = null;
  /** The one at which it is, or would be, held alone. */ position = 0;
  /** Whether the visitor turns it: an answer that comes late does not turn it back. */ isTurning = false;
  /** @type {ReturnType<typeof setTimeout> | null} */ timer = null;

  /**
   * `hold(neuron, former)` holds one as an experiment writes it, and no longer as it was held; `letGo(neuron)` no
   * longer at all; `choose(neuron)` is for another.
   * @param {any} words BOARDS.feed.dial
   * @param {{ hold: (neuron: any[], former?: any[]) => void, letGo: (neuron: any[]) => void,
   *   choose: (neuron: number) => void }} actions
   */
  constructor(words, { hold, letGo, choose }) {
    this.hold = hold;
    this.words = words;
    this.number = /** @type {HTMLInputElement} */ (element("input", { type: "number", min: "1", step: "1" }));
    this.slider = /** @type {HTMLInputElement} */ (element("input", { type: "range", min: "0", step: "0.1" }));
    this.shown = element("output");
    this.where = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": words.where }));
    this.all = element("option", { value: "all" }, words.all);
    this.one = element("option", { value: "one" });
    this.where.append(this.all, this.one);
    this.release = button(() => letGo(this.written(0)), {}, words.letGo);
    this.slider.setAttribute("aria-label", words.value);
    this.node = element("div", { class: "dial", title: words.hint },
      element("label", {}, words.neuron, " ", this.number), this.slider, this.shown, this.where,
      this.release);
    this.slider.addEventListener("input", () => this.turn());
    this.slider.addEventListener("change", () => this.rest());
    this.where.addEventListener("change", () => this.move());
    this.number.addEventListener("change", () => this.number.reportValidity() && choose(this.number.valueAsNumber - 1));
  }

  /** The neuron as an experiment writes it, at all positions or the present one. @param {number} value */
  written(value, where = this.where.value) {
    const { stack, layer, neuron } = this.dialled;
    return [stack, layer, neuron, value, where === "one" ? this.position : null];
  }

  /** Holds it elsewhere, if it is held. */
  move() {
    if (this.release.hidden) return;
    const value = this.slider.valueAsNumber;
    this.hold(this.written(value), this.written(value, this.where.value === "one" ? "all" : "one"));
  }

  turn() {
    this.isTurning = true;
    this.shown.textContent = formatDecimal(this.slider.valueAsNumber, 1);
    this.timer ??= setTimeout(() => this.send(), PAUSE_MS);
  }

  rest() {
    this.isTurning = false;
    this.send();
  }

  send() {
    clearTimeout(this.timer);
    this.timer = null;
    this.hold(this.written(this.slider.valueAsNumber));
  }

  /** @param {Dialled | null} dialled null where no neuron is chosen */
  draw(dialled) {
    this.dialled = dialled;
    this.node.hidden = dialled === null;
    if (dialled === null) return;
    const { neuron, count, value, largest, experiment } = dialled;
    const hold = holdOf(experiment, { ...dialled, column: neuron });
    const held = hold?.value ?? null;
    this.position = hold?.position ?? dialled.row;
    this.one.textContent = fill(this.words.one, { token: dialled.tokenAt(this.position) });
    if (hold) this.where.value = hold.position === null ? "all" : "one";
    if (document.activeElement !== this.number) this.number.value = `${neuron + 1}`;
    this.number.max = `${count}`;
    this.release.hidden = held === null;
    if (this.isTurning) return;
    this.slider.max = `${Math.max(LEAST_MOST, Math.ceil(2 * largest), held ?? 0)}`;
    this.slider.value = `${held ?? value}`;
    this.shown.textContent = formatDecimal(held ?? value, 1);
  }
}
