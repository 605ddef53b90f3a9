// Moving through steps, or whatever else follows one another: buttons, keys and playing.

import { isTaken, hasModifier } from "./keys.js";

const KEYS = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };

export class Transport {
  /**
   * `where` gives { step, last, speed }; `go` is called with the step to go to; `keys` name the moves; `follows` are the
   * nodes whose texts change with the step.
   */
  constructor(root, { where, go, keys = KEYS, follows = [] }) {
    Object.assign(this, { root, where, go, keys, frame: null, live: [root.querySelector(".status"), ...follows] });
    this.button = root.querySelector("[data-go=play]");
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.move(button.dataset.go));
    }
    document.addEventListener("keydown", (event) => this.press(event));
  }

  get playing() {
    return this.frame !== null;
  }

  move(target) {
    if (target === "play") return this.playing ? this.pause() : this.play();
    const { step, last } = this.where();
    this.go({ first: 0, previous: step - 1, next: step + 1, last }[target]);
  }

  /** At the end, playing begins again at the start; steps are counted in frames, so that a film is even. */
  play() {
    const { step, last } = this.where();
    if (step === last) this.go(0);
    let due = performance.now() + 1000 / this.where().speed;
    const tick = (now) => {
      if (!this.root.offsetParent) return this.pause(); // another tab was opened
      const { step, last, speed } = this.where();
      this.frame = requestAnimationFrame(tick);
      // Half a frame early is nearer than half a frame late.
      if (now < due - 8) return;
      due = Math.max(due, now - 8) + 1000 / speed;
      this.go(step + 1);
      if (step + 1 >= last) this.pause();
    };
    this.frame = requestAnimationFrame(tick);
    this.announce();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.announce();
  }

  /** A screen reader hears where playing stopped, not every step on the way. */
  announce() {
    this.button.textContent = this.button.dataset[this.playing ? "pause" : "play"];
    for (const node of this.live) node.setAttribute("aria-live", this.playing ? "off" : "polite");
  }

  /** Keys move wherever the focus is, unless the control there needs them; while the view is hidden they do nothing. */
  press(event) {
    const target = this.keys[event.key];
    if (!target || isTaken(event) || hasModifier(event) || !this.root.offsetParent) return;
    event.preventDefault();
    if (!event.repeat || target !== "play") this.move(target);
  }
}
