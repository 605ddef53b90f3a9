// Player controls for steps: buttons, keys and playback.

import { stepMove } from "./keys.js";

export class Transport {
  frame = null;

  /**
   * `readPosition()` returns { step, last, speed }; `goTo(step)` shows a step; `takesKeys` says whether keys
   * move it, too; `liveNodes` are further live regions whose texts change with the step.
   */
  constructor(root, { readPosition, goTo, takesKeys = true, liveNodes = [] }) {
    this.root = root;
    this.readPosition = readPosition;
    this.goTo = goTo;
    this.liveNodes = [root.querySelector(".status"), ...liveNodes];
    this.button = root.querySelector("[data-go=play]");
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.move(button.dataset.go));
    }
    if (takesKeys) document.addEventListener("keydown", (event) => this.press(event));
  }

  get playing() {
    return this.frame !== null;
  }

  move(target) {
    if (target === "play") return this.playing ? this.pause() : this.play();
    const { step, last } = this.readPosition();
    this.goTo({ first: 0, previous: step - 1, next: step + 1, last }[target]);
  }

  /**
   * Starts playback, at the first step if the last one is shown. Animation frames time the steps, so that playback is
   * even. `leastSpeed` is in steps per second; `ended` is called after the last step, and not where something pauses.
   */
  play({ leastSpeed = 0, ended = () => {} } = {}) {
    const { step, last } = this.readPosition();
    if (step === last) this.goTo(0);
    const readState = () => {
      const { step, last, speed } = this.readPosition();
      return { step, last, speed: Math.max(speed, leastSpeed) };
    };
    let due = performance.now() + 1000 / readState().speed;
    const tick = (now) => {
      if (!this.root.offsetParent) return this.pause(); // another tab was opened
      const { step, last, speed } = readState();
      this.frame = requestAnimationFrame(tick);
      // Half a frame early is closer than half a frame late.
      if (now < due - 8) return;
      due = Math.max(due, now - 8) + 1000 / speed;
      this.goTo(step + 1);
      if (step + 1 < last) return;
      this.pause();
      ended();
    };
    this.frame = requestAnimationFrame(tick);
    this.announce();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.announce();
  }

  /** Silences live regions during playback, so that a screen reader announces only the step at which it stops. */
  announce() {
    this.button.setAttribute("aria-label", this.button.dataset[this.playing ? "pause" : "play"]);
    this.button.classList.toggle("playing", this.playing);
    for (const node of this.liveNodes) node.setAttribute("aria-live", this.playing ? "off" : "polite");
  }

  /** Handles a key unless the view is hidden. */
  press(event) {
    const target = stepMove(event);
    if (target === null || !this.root.offsetParent) return;
    event.preventDefault();
    if (!event.repeat || target !== "play") this.move(target);
  }
}
